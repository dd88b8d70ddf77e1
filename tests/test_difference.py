"""The difference of two knowledge bases leads from one to the other, and names nothing else."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.difference import Difference, difference
from boxsel.logic.axioms import Conditional, conditional
from boxsel.logic.concepts import Name, Role, names
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Statement
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.strategies import axioms, kbs, notes, plain_names

A, B, C = names("A B C")

statements = st.builds(Statement, axioms(plain_names), notes)


@st.composite
def edited(draw: st.DrawFn) -> tuple[KB, KB]:
    """A knowledge base and an edited copy: most statements are shared, some differ a little."""
    old = draw(kbs())
    kept = [one for one in old.statements if draw(st.booleans())]
    for i, statement in enumerate(kept):
        if isinstance(statement.axiom, Conditional) and draw(st.booleans()):
            point = conditional(
                statement.axiom.head, given=statement.axiom.body, exactly=Fraction(1, 7)
            )
            kept[i] = Statement(point, statement.note)
        elif draw(st.booleans()):
            kept[i] = Statement(statement.axiom, draw(notes))
    new = draw(st.permutations(kept + draw(st.lists(statements, max_size=2))))
    return old, KB(tuple(new), old.prefixes, draw(st.sampled_from([old.labels, {}])))


@given(edited())
@settings(max_examples=cases(50))
def test_the_difference_leads_from_the_old_to_the_new(pair: tuple[KB, KB]) -> None:
    old, new = pair
    found = difference(old, new)
    gone = {*found.removed, *(before for before, _ in found.changed)}
    come = {*found.added, *(after for _, after in found.changed)}
    assert set(old.statements) - gone | come == set(new.statements)
    assert gone == set(old.statements) - set(new.statements)
    assert come == set(new.statements) - set(old.statements)
    assert set(old.signature) - set(found.names_removed) | set(found.names_added) == set(
        new.signature
    )
    labels = dict(old.labels)
    for iri, before, after in found.labels:
        assert labels.pop(iri, None) == before
        if after is not None:
            labels[iri] = after
    assert labels == new.labels


@given(edited(), kbs())
@settings(max_examples=cases(50))
def test_equal_knowledge_bases_and_only_they_have_no_difference(
    pair: tuple[KB, KB], other: KB
) -> None:
    for old, new in (pair, (pair[0], other), (other, other)):
        found = difference(old, new)
        assert found.same == (old == new) == (not list(found.lines()))


@given(edited())
@settings(max_examples=cases(50))
def test_the_other_way_round_is_the_mirror_image(pair: tuple[KB, KB]) -> None:
    there, back = difference(*pair), difference(*reversed(pair))
    assert set(there.added) == set(back.removed)
    assert set(there.removed) == set(back.added)
    assert {(new, old) for old, new in there.changed} == set(back.changed)
    assert set(there.names_added) == set(back.names_removed)
    assert there.dropped_added == back.dropped_removed


@given(edited())
@settings(max_examples=cases(50))
def test_what_changed_is_a_proportion_or_a_note(pair: tuple[KB, KB]) -> None:
    for old, new in difference(*pair).changed:
        if isinstance(old.axiom, Conditional):
            assert isinstance(new.axiom, Conditional)
            assert (old.axiom.head, old.axiom.body) == (new.axiom.head, new.axiom.body)
        else:
            assert old.axiom == new.axiom
        assert old != new


@given(kbs())
def test_lines_of_sel_read_back(kb: KB) -> None:
    content = difference(KB(prefixes=Prefixes({"old": "urn:old:"})), kb).to_json()
    prefixes = "".join(f"Prefix: {p}: <{iri}>\n" for p, iri in kb.prefixes.items())
    added = content["added"]
    assert isinstance(added, list)
    text = prefixes + "# comment\n" + "\n".join(added)
    assert set(parse_kb(text).statements) == set(kb.statements)


def one(proportion: float, **note: str) -> Statement:
    return conditional(B, given=A, exactly=proportion).annotate(**note)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (KB.of(one(0.2)), KB.of(one(0.3)), "~ (B | A)[0.2] -> (B | A)[0.3]\n"),
        (
            KB.of(one(0.2)),
            KB.of(one(0.2, source="x")),
            "~ (B | A)[0.2] -> (B | A)[0.2]  ## source: x\n",
        ),
        # Two against one: which became which is not known.
        (
            KB.of(one(0.2), one(0.4)),
            KB.of(one(0.3)),
            "- (B | A)[0.2]\n- (B | A)[0.4]\n+ (B | A)[0.3]\n",
        ),
        (KB.of(one(0.2), one(0.4)), KB.of(one(0.3), one(0.4)), "~ (B | A)[0.2] -> (B | A)[0.3]\n"),
        (KB.of(A <= B, A <= B), KB.of(A <= B), ""),
        (KB.of(A <= B), KB.of(A <= B, A <= C), "+ A SubClassOf C\n+ concept C\n"),
        (
            KB(declared=frozenset({Name("X")})),
            KB(declared=frozenset({Role("X")})),
            "- concept X\n+ role X\n",
        ),
        (
            KB(labels={A.iri: "a", B.iri: "b"}),
            KB(labels={A.iri: "α", C.iri: "c"}),
            "~ label of A: 'a' -> 'α'\n- label of B: 'b'\n+ label of C: 'c'\n",
        ),
        (
            KB(dropped=(Dropped("X", 1, "why"), Dropped("Y", 2, ""))),
            KB(dropped=(Dropped("X", 3, "why"), Dropped("Y", 2, ""), Dropped("Z", 1, ""))),
            "- left out on reading: 1 X (why)\n"
            "+ left out on reading: 3 X (why)\n+ left out on reading: 1 Z\n",
        ),
    ],
)
def test_the_difference_for_people(old: KB, new: KB, expected: str) -> None:
    assert difference(old, new).text == expected


def test_both_sides_are_spelt_alike() -> None:
    woman = Name("http://example.org/Woman")
    old = KB.of(woman <= A)
    new = KB((Statement(woman <= B),), Prefixes({"ex": "http://example.org/"}))
    assert difference(old, new).text.splitlines()[:2] == [
        "- ex:Woman SubClassOf A",
        "+ ex:Woman SubClassOf B",
    ]


def test_json_says_the_same() -> None:
    old = KB((one(0.2), Statement(A <= C)), labels={A.iri: "a"})
    new = KB((one(0.3), Statement(A <= B)), labels={A.iri: "b"}, dropped=(Dropped("X", 1, ""),))
    assert difference(old, new).to_json() == {
        "same": False,
        "added": ["A SubClassOf B"],
        "removed": ["A SubClassOf C"],
        "changed": [{"old": "(B | A)[0.2]", "new": "(B | A)[0.3]"}],
        "names": {"added": [], "removed": [{"kind": "concept", "iri": "urn:boxsel:C"}]},
        "labels": {"urn:boxsel:A": {"old": "a", "new": "b"}},
        "dropped": {
            "added": [{"kind": "X", "count": 1, "reason": "", "logical": True}],
            "removed": [],
        },
        "data": {"old": None, "new": None},
    }
    assert Difference().same
