"""What users get to see of an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel import examples
from boxsel.exact.bounds import MANY, Bounds, bounds
from boxsel.exact.certificate import LONGEST_NUMBER
from boxsel.exact.compile.modules import is_tautology
from boxsel.logic.axioms import Conditional, Inclusion, Range
from boxsel.logic.concepts import TOP, Role
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval, exact, float_above, float_below
from boxsel.logic.statements import Query, Statement
from boxsel.schemas import schema
from boxsel.syntax.parser import parse_kb, parse_query
from tests.depth import cases, some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb, small_kbs

shares = st.fractions(0, 1)


@given(shares)
def test_numbers_are_rounded_outwards_as_they_are_written(number: Fraction) -> None:
    lower, upper = float_below(number), float_above(number)
    assert lower is not None
    assert upper is not None
    assert exact(lower) <= number <= exact(upper)
    assert upper - lower < 1e-12


def test_short_decimals_stay_as_they_are() -> None:
    assert float_below(Fraction(81, 100)) == float_above(Fraction(81, 100)) == 0.81


@settings(max_examples=cases(60), deadline=None)
@given(small_kbs())
def test_answers_are_complete(case: tuple[KB, Query]) -> None:
    """Status, bounds, reasons that alone give the same bound, and JSON as published."""
    kb, query = case
    expected, found = answer(kb, query), bounds(kb, query)
    assert (found.status, found.lower, found.upper) == (
        expected.status,
        expected.lower,
        expected.upper,
    )
    assert found.exact
    assert found.certified
    jsonschema.validate(found.to_json(), schema("bounds"))
    assert query.text(kb.prefixes) in found.text
    if found.lower is None:
        alone = answer(KB(found.conflict), query)
        assert alone.status == expected.status
        return
    assert answer(KB(found.lower_axioms), query).lower == expected.lower
    assert answer(KB(found.upper_axioms), query).upper == expected.upper


def with_idle(kb: KB, query: Query, random: Random) -> KB:
    """With statements that are true whatever the names mean, and some that are repeated."""
    stated = [*kb.axioms]
    concepts = [concept for axiom in stated for concept in axiom.concepts()]
    concepts = [query.body, *(one for one in concepts if not one.mentions_bottom)]
    one, other = random.choice(concepts), random.choice(concepts)
    idle = [
        Inclusion(one & other, other),
        Inclusion(Role("r").some(one & other), Role("r").some(one)),
        Conditional(one, one & other, Interval.of("0.5", 1)),
        Conditional(one, other, Interval.of(0, 1)),
        Range(Role("r"), TOP),
    ]
    axioms = [*stated, *idle, *random.choices(stated or idle, k=3)]
    random.shuffle(axioms)
    return KB.of(*axioms)


@pytest.mark.parametrize("seed", some(range(200), 20))
def test_an_end_rests_on_nothing_that_is_idle_or_repeated(seed: int) -> None:
    random = Random(seed)
    kb, query = random_kb(random, 5)
    idle, expected = with_idle(kb, query, random), answer(kb, query)

    def is_enough(reasons: Sequence[Statement], side: str) -> bool:
        found = answer(KB(tuple(reasons)), query)
        return bool(getattr(found, side) == getattr(expected, side))

    for minimal in (True, False):
        found = bounds(idle, query, minimal=minimal)
        sides = ["status"] if found.lower is None else ["lower", "upper"]
        for side in sides:
            reasons = found.conflict if side == "status" else getattr(found, f"{side}_axioms")
            assert is_enough(reasons, side)
            assert len({reason.axiom for reason in reasons}) == len(reasons)
            assert not any(is_tautology(reason.axiom) for reason in reasons)
            fewer = combinations(reasons, max(0, len(reasons) - 1))
            assert not (found.minimal and reasons and any(is_enough(few, side) for few in fewer))


@pytest.mark.parametrize("text", ["B SubClassOf A", "(A | B)[0.5]", "(B | A)[1]"])
def test_what_is_so_whatever_is_stated_rests_on_nothing(text: str) -> None:
    found = bounds(parse_kb(text), "(A | A and B)")
    assert found.lower == 1
    assert found.minimal
    assert not found.lower_axioms + found.upper_axioms


@pytest.mark.parametrize(
    ("text", "lower", "upper"),
    [
        ("(B | A)[0.14]", 1, 1),
        ("(B | A)[0.14]\n(C | A)[0.2]\n(D | E)[0.3]", 1, 1),
        ("(B | A)[0.1, 1]", 1, 0),
        ("(B | A)[0, 0.7]", 0, 1),
        ("A SubClassOf B", 1, 0),
        ("B SubClassOf A", 0, 0),
    ],
)
@pytest.mark.parametrize("minimal", [True, False])
def test_one_statement_that_an_end_rests_on_is_named(
    text: str, lower: int, upper: int, minimal: bool
) -> None:
    kb = parse_kb(text)
    found = bounds(kb, parse_query("(B | A)"), minimal=minimal)
    first = kb.statements[:1]
    assert (found.lower_axioms, found.upper_axioms) == (first[:lower], first[:upper])


@pytest.mark.parametrize("length", [4, MANY])
def test_of_a_long_proof_all_statements_are_told(length: int) -> None:
    chain = [f"C{n + 1} SubClassOf C{n}\n(C{n + 1} | C{n})[0.5]" for n in range(length)]
    kb = parse_kb("\n".join([*chain, f"(A | C{length})[0.1, 0.9]"]))
    found = bounds(kb, parse_query(f"(C{length} | C0)"))
    assert found.exact
    assert found.lower == found.upper == Fraction(1, 2**length)
    needed = {*kb.statements[1:-1:2]}  # every conditional along the chain
    assert needed.issubset(found.lower_axioms)
    assert needed.issubset(found.upper_axioms)
    assert found.minimal == found.to_json()["minimal"] == (length < MANY)
    assert ("fewer may be enough" in found.text) == (length == MANY)


def test_dropped_axioms_are_said() -> None:
    kb = parse_kb('(B | A)[0.5]\nDropped: 3 "ObjectUnionOf" "not in SEL"')
    found = bounds(kb, parse_query("(B | A)"))
    assert found.certified
    assert not found.exact
    assert "axioms were left out on reading" in found.text
    assert found.inner is None  # models may not obey what was left out
    assert "there are models" not in found.text


def test_numbers_that_are_too_long_are_not_certified() -> None:
    found = bounds(examples.load("applicant"), parse_query("(Admitted | Applicant)"))
    long = Fraction(1, 3 ** (LONGEST_NUMBER + 1))
    told = replace(found, lower=long, certified=False, exact=False)
    assert told.to_json()["lower_exact"] is None
    assert "not certified" in told.text
    assert "is between about 8.84234366e-6204 and 0.96" in told.text


def test_python_and_text_agree() -> None:
    kb = examples.load("berkeley")
    found = kb.bounds("(Admitted | Man)")
    assert isinstance(found, Bounds)
    assert found.lower == found.upper == Fraction(21, 25)
    assert kb.check().coherent
    assert not kb.repair().changes
    assert "0.84" in kb.explain("(Admitted | Man)").text
