"""The JSON form: it round-trips, it fits its schema, and no document crashes the reader."""

from __future__ import annotations

import json
from copy import deepcopy
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from boxsel.errors import ReadError
from boxsel.formats.json_form import read, write
from boxsel.formats.source import Source
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import MAX_DEPTH, TOP, Concept, Exists, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Statement
from boxsel.schemas import schema
from tests.depth import cases
from tests.strategies import kbs

VALIDATOR = Draft202012Validator(schema("kb"))


def read_text(text: str) -> KB:
    return read(Source("kb.json", text.encode()))


def messages(text: str) -> list[str]:
    with pytest.raises(ReadError) as caught:
        read_text(text)
    assert all(diagnostic.file == "kb.json" for diagnostic in caught.value.diagnostics)
    return [diagnostic.message for diagnostic in caught.value.diagnostics]


def document(*statements: object, **sections: object) -> str:
    return json.dumps({"boxsel": 1, "statements": statements, **sections})


def conditional(**fields: object) -> dict[str, object]:
    shape = {"kind": "conditional", "head": "urn:a", "body": "urn:b", "lower": "0", "upper": "1"}
    return {key: value for key, value in {**shape, **fields}.items() if value is not None}


@given(kbs())
def test_writing_then_reading_is_the_identity(kb: KB) -> None:
    text = write(kb)
    again = read_text(text)
    assert again == kb
    assert again.prefixes == kb.prefixes
    assert write(again) == text


@given(kbs())
@settings(max_examples=cases(50))
def test_what_is_written_fits_the_schema(kb: KB) -> None:
    VALIDATOR.validate(json.loads(write(kb)))


def test_there_is_one_statement_on_each_line() -> None:
    kb = KB.of(*(Name(f"A{i}") <= Name("B") for i in range(5)))
    lines = write(kb).splitlines()
    assert len([line for line in lines if '"kind": "inclusion"' in line]) == 5
    assert write(kb).endswith("}\n")


# Mutated documents. Values that stand in for others are near misses on purpose.
ODDITIES: list[object] = [
    *(None, True, False, 0, 1, 2, -1, 0.5, 1.5, 10**30, "", " ", "x", "1/3", "1/0", "80%", "-1"),
    *("urn:boxsel:A", "urn:has space", "urn:nl\n", "0.5 ", "conditional", "domain", "range"),
    *([], {}, ["urn:a"], ["urn:a", "urn:a"], {"and": []}, {"and": ["urn:a", "urn:b"]}),
    *({"role": "urn:r"}, {"role": "urn:r", "some": "urn:a"}, {"and": ["urn:a", 1]}, [[]]),
]
KEYS = ["kind", "head", "lower", "count", "total", "and", "some", "members", "label", "x", "http:x"]


def places(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path]
    if isinstance(value, dict):
        found += [place for key, one in value.items() for place in places(one, (*path, key))]
    elif isinstance(value, list):
        found += [place for i, one in enumerate(value) for place in places(one, (*path, i))]
    return found


@st.composite
def mutated(draw: st.DrawFn) -> object:
    value = json.loads(write(draw(kbs(max_size=3))))
    for _ in range(draw(st.integers(1, 2))):
        path = draw(st.sampled_from(places(value)))
        if not path:
            continue
        parent = value
        for step in path[:-1]:
            parent = parent[step]
        how = draw(st.sampled_from(["replace", "delete", "insert"]))
        if how == "replace":
            parent[path[-1]] = deepcopy(draw(st.sampled_from(ODDITIES)))
        elif how == "delete":
            del parent[path[-1]]
        elif isinstance(parent, dict):
            parent[draw(st.sampled_from(KEYS))] = deepcopy(draw(st.sampled_from(ODDITIES)))
        else:
            parent.insert(0, deepcopy(draw(st.sampled_from(ODDITIES))))
    return value


@given(mutated())
@settings(max_examples=cases(200), suppress_health_check=[HealthCheck.too_slow])
def test_the_reader_refuses_all_that_the_schema_refuses(value: object) -> None:
    fits = VALIDATOR.is_valid(value)
    try:
        kb = read_text(json.dumps(value))
    except ReadError as error:
        assert str(error).startswith("kb.json: ")
    else:
        assert fits, value
        assert read_text(write(kb)) == kb


@given(st.text(max_size=40) | st.binary(max_size=40).map(lambda data: data.decode("latin-1")))
def test_no_text_crashes_the_reader(text: str) -> None:
    for attempt in (text, '{"boxsel": 1, "statements": [' + text, f'{{"boxsel": {text}}}'):
        with pytest.raises(ReadError):
            read(Source("kb.json", attempt.encode("utf-8", "replace")))


@pytest.mark.parametrize(
    ("lower", "upper", "bounds"),
    [
        ("0.1", "0.30", (Fraction(1, 10), Fraction(3, 10))),
        ("1e-30", "1", (Fraction(1, 10**30), Fraction(1))),
        ('"1/3"', '"2/3"', (Fraction(1, 3), Fraction(2, 3))),
        ('"20%"', "0.99999999999999999999", (Fraction(1, 5), 1 - Fraction(1, 10**20))),
    ],
)
def test_numbers_are_read_as_they_are_written(
    lower: str, upper: str, bounds: tuple[Fraction, Fraction]
) -> None:
    text = document(conditional(lower="L", upper="U")).replace('"L"', lower).replace('"U"', upper)
    assert next(read_text(text).conditionals).bounds == Interval(*bounds)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [('{"boxsel": 1,\n "statements": [,]}', 2, 17), ('{"boxsel": 1', 1, 13), ("{'a': 1}", 1, 2)],
)
def test_invalid_json_is_placed(text: str, line: int, column: int) -> None:
    with pytest.raises(ReadError) as caught:
        read_text(text)
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.line, diagnostic.column) == (line, column)
    assert diagnostic.text == text.split("\n")[line - 1]
    assert "this is not JSON" in diagnostic.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("[]", "expected an object, found a list"),
        ("{}", "not a knowledge base"),
        ('{"boxsel": 2, "statements": []}', "version 2"),
        ('{"boxsel": 1}', "'statements' is missing"),
        (document(labels=[]), "labels: expected an object"),
        (document(labels={"Woman": "w"}), "full IRI"),
        (document(labels={"urn:a": "\0"}), 'labels["urn:a"]: a label holds a character'),
        (document(prefixes={"1": "urn:a"}), "cannot be a prefix"),
        (document(prefixes={"owl": "urn:a"}), "always means"),
        (document(declared={"concepts": ["urn:a", 1]}), "declared.concepts[1]: expected text"),
        (document(declared={"roles": ["urn:a"], "concepts": ["urn:a"]}), "is used as a concept"),
        (document(dropped=[{"kind": " ", "count": 1}]), "dropped[0]: a dropped axiom has a kind"),
        (document(7), "statements[0]: expected an object, found 7"),
        (document({"kind": "nominal"}), "statements[0].kind: there is no 'nominal'"),
        (document(conditional(head=None)), "statements[0]: the key 'head' is missing"),
        (document(conditional(uper="1", upper=None)), "statements[0]: unknown key 'uper'"),
        (document(conditional(total=1)), "statements[0]: unknown key 'lower'"),
        (document(conditional(lower="½")), "statements[0].lower: expected a number"),
        (document(conditional(lower="1/0")), "statements[0].lower: 1/0 divides by zero"),
        (document(conditional(upper="80")), "above 1: percentages need a % sign"),
        (document(conditional(lower="0.9", upper="0.1")), "above the upper bound"),
        (document(conditional(head={"or": ["urn:a"]})), "statements[0].head: unknown key 'or'"),
        (document(conditional(head={"and": ["urn:a"]})), "two or more concepts"),
        (document(conditional(body={"and": ["urn:a", "B"]})), "[0].body.and[1]: expected a full"),
        (
            document(conditional(body={"role": "urn:r", "some": {"and": [1, 2]}})),
            "statements[0].body.some.and[0]: expected an object, found 1",
        ),
        (
            document(conditional(body="http://www.w3.org/2002/07/owl#Nothing")),
            "owl:Nothing cannot stand inside a conditional",
        ),
        (
            document(conditional(body={"role": "urn:a", "some": "urn:b"})),
            "<urn:a> is used as a role here, but as a concept elsewhere",
        ),
        (document({"kind": "equivalence", "members": ["urn:a", "urn:a"]}), "two or more different"),
        ('{"boxsel": 1, "statements": [{"kind": "a", "kind": "b"}]}', "'kind' occurs twice"),
        ('{"boxsel": 1, "boxsel": 1, "statements": []}', "'boxsel' occurs twice"),
        (document(conditional(lower="N")).replace('"N"', "NaN"), "lower: expected a number"),
        (document(conditional(lower="N")).replace('"N"', "-Infinity"), "found -Infinity"),
        (document(conditional(lower="N")).replace('"N"', "9" * 9999), "more than 400"),
        (
            document(conditional(lower=None, upper=None, count="N", total=3)).replace('"N"', "1.5"),
            "statements[0].count: expected a whole number, found 1.5",
        ),
        (
            document(conditional(lower=None, upper=None, count=4, total=3)),
            "the count 4 is above its total 3",
        ),
    ],
)
def test_each_problem_has_its_path_and_its_words(text: str, expected: str) -> None:
    assert any(expected in message for message in messages(text)), messages(text)


def test_several_problems_are_reported_at_once() -> None:
    found = messages(document(conditional(lower=2), conditional(), conditional(head=1), labels=[]))
    assert [message.split(":")[0] for message in found] == [
        "labels",
        "statements[0]",
        "statements[2].head",
    ]


def test_a_statement_that_is_refused_names_nothing() -> None:
    broken = conditional(head="urn:r", lower="2")
    some = {"role": "urn:r", "some": "urn:b"}
    (said,) = messages(document(broken, conditional(body=some), conditional(head=some)))
    assert "statements[0]" in said


def test_reporting_stops_after_twenty_problems() -> None:
    with pytest.raises(ReadError, match="stopped after 20 errors") as caught:
        read_text(document(*[1] * 50))
    assert len(caught.value.diagnostics) == 20


def test_a_misspelt_key_gets_a_suggestion() -> None:
    with pytest.raises(ReadError, match="did you mean 'upper'"):
        read_text(document(conditional(uper="1", upper=None)))


@pytest.mark.parametrize("opening", ['{"and":["urn:b",', '{"role":"urn:r","some":', "["])
def test_deep_nesting_is_an_error_and_no_crash(opening: str) -> None:
    for depth in (300, 1_000, 20_000):
        body = opening * depth
        closing = "".join({"{": "}", "[": "]"}[char] for char in reversed(body) if char in "{[")
        nested = body + '"urn:a"' + closing
        text = document(conditional(head="N")).replace('"N"', nested)
        assert "nested" in messages(text)[0] or "found a list" in messages(text)[0]


def test_the_deepest_concept_that_the_logic_allows_round_trips() -> None:
    concept: Concept = TOP
    for i in range(MAX_DEPTH):
        concept = Exists(Role("r"), Name(f"A{i}") & concept)
    kb = KB((Statement(Conditional(Name("B") & concept, Name("A"), Interval.point(1))),))
    assert read_text(write(kb)) == kb
