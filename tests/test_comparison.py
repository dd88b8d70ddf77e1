"""Comparisons of two shares: true against brute force, near what is possible, and proved."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import inf
from random import Random
from typing import Any

import pytest

import boxsel
from boxsel.checker.compared import verify_comparison
from boxsel.comparison.cells import Cells, suppose
from boxsel.comparison.compare import compare
from boxsel.comparison.comparison import Comparison
from boxsel.comparison.measures import MEASURES
from boxsel.errors import BoxselError, ReadError
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import TOP, Concept
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases, some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb
from tests.exact.test_booleans import combination
from tests.exact.test_data import counted
from tests.ticking import ticking

GRID = 4


def random_case(seed: int) -> tuple[KB, Query, Query]:
    random = Random(seed)
    kb, first = random_kb(random, 4)
    names: list[Concept] = [*kb.signature.concepts] or [TOP]
    body = combination(random, names, 1) if random.random() < 0.5 else random.choice(names)
    return kb, first, Query(random.choice((first.head, random.choice(names))), body)


def brute_pairs(kb: KB, first: Query, second: Query) -> list[tuple[Fraction, Fraction]]:
    """Pairs of shares that models have, or come near: the ends of the first for some seconds."""
    alone = answer(kb, second)
    if alone.lower is None or alone.upper is None:
        return []
    found = []
    for step in range(GRID + 1):
        share = alone.lower + (alone.upper - alone.lower) * step / GRID
        supposed = Statement(suppose(second, Interval(share, share)))
        there = answer(KB((*kb.statements, supposed)), first)
        found += [(end, share) for end in (there.lower, there.upper) if end is not None]
    return found


@pytest.mark.parametrize("seed", range(cases(100)))
def test_bounds_hold_for_whatever_brute_force_finds_and_are_near(seed: int) -> None:
    kb, first, second = random_case(seed)
    if first == second:
        return
    # Where both shares come near 0 together, cells are halved for long: looks are counted.
    comparison = compare(kb, first, second, budget=ticking(20_000))
    pairs = brute_pairs(kb, first, second)
    assert bool(pairs) == bool(comparison.ranges), str((first, second))
    for measure in MEASURES if pairs else ():
        range_ = comparison.ranges.get(measure.name)
        values = [measure.of(*pair) for pair in pairs if measure.has_value(*pair)]
        if range_ is None:
            assert not values
        else:
            assert all(range_.lower <= value <= range_.upper for value in values), measure.name
    if comparison.difference is not None:
        assert comparison.certified
        assert comparison.status == "budget" or comparison.difference.gap <= Fraction(1, 10_000)
        assert verify_comparison(kb, json.dumps(comparison.certificate)).valid


@pytest.mark.parametrize("seed", some(range(12)))
def test_data_change_no_cell(seed: int) -> None:
    graph, kb = counted(seed, 0.15)
    first, second = graph.query(), graph.query()
    known = tuple(Reasoner(kb).bounds(query) for query in (first, second))
    if any(outcome.lower is None for outcome in known):
        return
    share = graph.data().share(second.head, second.body) or Fraction(1, 3)
    for within in (
        Interval(share, share),
        Interval(share / 2, share),
        Interval(Fraction(0), share / 3),
    ):
        cells = [
            Cells(one, first, second, (known[0], known[1]), Budget())._ask(first, (second, within))
            for one in (kb, replace(kb, data=None))
        ]
        bounds = [
            (cell.lower and cell.lower.bound, cell.upper and cell.upper.bound) for cell in cells
        ]
        assert bounds[0] == bounds[1]


def told(text: str, first: str, second: str) -> Comparison:
    return boxsel.compare(parse_kb(text), first, second, budget=None)


def test_verdicts() -> None:
    apart = "(D | A)[0.6, 0.8]\n(D | B)[0.3, 0.5]"
    assert told(apart, "(D | A)", "(D | B)").verdict == "always higher"
    assert told(apart, "(D | B)", "(D | A)").verdict == "always lower"
    assert told("(D | A)[0.4]\n(D | B)[0.4]", "(D | A)", "(D | B)").verdict == "always equal"
    assert told("(D | A)[0.4, 0.6]\n(D | B)[0.6]", "(D | A)", "(D | B)").verdict == "never higher"
    assert told("(D | A)[0.4, 0.7]\n(D | B)[0.6]", "(D | A)", "(D | B)").verdict == "open"


def test_shares_that_depend_on_each_other_are_bounded_together() -> None:
    # By themselves they could differ by more: who is in B counts in A, too.
    text = "B SubClassOf A\n(B | A)[0.5]\n(D | A)[0.4]"
    comparison = told(text, "(D | A)", "(D | B)")
    assert comparison.difference is not None
    assert (comparison.difference.lower, comparison.difference.upper) == (
        Fraction(-2, 5),
        Fraction(2, 5),
    )
    comparison = told("B SubClassOf A\n(B | A)[0.5, 1]\n(D | A)[0.4, 0.8]", "(D | A)", "(D | B)")
    assert comparison.difference is not None
    assert comparison.difference.lower_met == Fraction(-1, 2)  # 0.5 against 1
    assert comparison.difference.upper_met == Fraction(1, 2)  # 0.5 against 0
    assert comparison.difference.gap <= Fraction(1, 10_000)


def random_heads(seed: int) -> tuple[KB, Query, Query]:
    """Two different heads of one body."""
    random = Random(seed)
    kb, first = random_kb(random, 4)
    names: list[Concept] = [*kb.signature.concepts] or [TOP]
    body = combination(random, names, 1) if random.random() < 0.3 else first.body
    heads = (first.head, combination(random, names, 1), random.choice(names), ~first.head)
    other = next(one for one in random.sample(heads[1:], 3) if one != first.head)
    return kb, Query(first.head, body), Query(other, body)


@pytest.mark.parametrize("seed", range(cases(60)))
def test_two_heads_of_one_body_are_compared_exactly(seed: int) -> None:
    kb, first, second = random_heads(seed)
    found = compare(kb, first, second, budget=ticking(20_000))
    pairs = brute_pairs(kb, first, second)
    assert bool(pairs) == bool(found.ranges), str((first, second))
    if not pairs:
        return
    assert found.certified
    assert verify_comparison(kb, json.dumps(found.certificate)).valid
    for measure in MEASURES:
        values = [measure.of(*pair) for pair in pairs if measure.has_value(*pair)]
        range_ = found.ranges.get(measure.name)
        if range_ is None:
            assert not values
        else:
            assert all(range_.lower <= value <= range_.upper for value in values), measure.name
            assert range_.exact or measure.name == "odds_ratio"  # populations attain both ends


def test_models_that_ignore_axioms_show_nothing() -> None:
    found = told('(D | C)[0.2, 0.9]\nDropped: 3 "ObjectUnionOf" "not in SEL"', "(D | C)", "(C | D)")
    assert found.certified
    assert found.least is found.most is None
    assert found.verdict == "undecided"
    assert not any(range_.exact for range_ in found.ranges.values())


def test_one_share_that_moves_with_the_other_is_bounded_without_cells() -> None:
    found = told("E SubClassOf D\n(D | C)[0.2, 0.9]", "(E | C)", "(D | C)")
    assert found.verdict == "never higher"
    assert (found.status, found.certified) == ("bounded", True)
    for range_, lower, upper in (
        (found.difference, Fraction(-9, 10), 0),
        (found.ratio, 0, 1),
        (found.odds_ratio, 0, 1),
    ):
        assert range_ is not None
        assert (range_.lower, range_.upper, range_.exact) == (lower, upper, True)


def test_two_heads_that_are_never_there_have_no_ratio() -> None:
    found = told("(A | C)[0]\n(B | C)[0]", "(A | C)", "(B | C)")
    assert (found.verdict, found.ratio, found.odds_ratio) == ("always equal", None, None)
    assert "the ratio has no value" in found.text
    assert found.to_json()["ratio"] is None
    both = told("(A | C)[1]\n(B | C)[1]", "(A | C)", "(B | C)")
    assert both.ratio is not None
    assert (both.ratio.lower, both.ratio.upper, both.odds_ratio) == (1, 1, None)


def test_names_of_coins_are_nobodys() -> None:
    text = "(A | C)[0.2, 0.4]\n(B | C)[0.3]\n(<urn:boxsel:compared:marked> | C)[0]"
    found = told(text, "(A | C)", "(B | C)")
    assert "coins" not in found.certificate
    assert found.difference is not None
    assert (found.difference.lower, found.difference.upper) == (Fraction(-1, 10), Fraction(1, 10))


def test_exposed_and_not_exposed() -> None:
    text = "(Flu | Adult)[0.1]\n(Vaccinated | Adult)[0.5]\n(Flu | Adult and Vaccinated)[0.04]"
    comparison = told(text, "(Flu | Adult and Vaccinated)", "(Flu | Adult and not Vaccinated)")
    assert comparison.ratio is not None
    assert comparison.ratio.lower == comparison.ratio.upper == Fraction(1, 4)
    assert "always lower (exact, certified)" in comparison.text


def test_nothing_to_compare() -> None:
    assert told("(B | A)[0.2]\n(B | A)[0.8]", "(B | A)", "(B | B)").status == "vacuous"
    assert told("owl:Thing SubClassOf owl:Nothing\n(B | A)[0]", "(B | A)", "(A | B)").status == (
        "inconsistent"
    )


def test_a_ratio_without_bound() -> None:
    comparison = told("(D | A)[0.5]\n(D | B)[0, 0.1]", "(D | A)", "(D | B)")
    assert comparison.ratio is not None
    assert (comparison.ratio.lower, comparison.ratio.upper) == (5, inf)
    assert "can be as large as one likes" in comparison.text
    assert comparison.to_json()["ratio"]["upper"] is None


def test_a_certificate_that_was_tampered_with_proves_nothing() -> None:
    kb = parse_kb("(D | A)[0.6, 0.8]\n(D | B)[0.3, 0.5]\n(A | B)[0.4]")
    proof = json.loads(json.dumps(compare(kb, "(D | A)", "(D | B)", budget=None).certificate))
    assert verify_comparison(kb, proof).valid
    changes: tuple[Callable[[Any], object], ...] = (
        lambda one: one["claims"].update(difference=["1/2", "1/2"]),
        lambda one: one["cells"].pop(),
        lambda one: one.update(second="(D | A)"),
        lambda one: one["models"][0].update(first="1/7"),
        lambda one: one["cells"][0].__setitem__(2, 99),
    )
    for change in changes:
        wrong = json.loads(json.dumps(proof))
        change(wrong)
        assert not verify_comparison(kb, wrong).valid
    heads = parse_kb("E SubClassOf D\n(D | A)[0.2, 0.9]\n(D | B)[0.2]")
    proof = json.loads(json.dumps(compare(heads, "(E | A)", "(D | A)", budget=None).certificate))
    assert verify_comparison(heads, proof).valid
    tossed: tuple[Callable[[Any], object], ...] = (
        lambda one: one["coins"].pop("difference"),  # then cells have to prove it, and do not
        lambda one: one["coins"].update(difference=one["coins"]["ratio"]),
        lambda one: one["claims"].update(ratio=["1/2", "1"]),
        lambda one: one["claims"].update(odds_ratio=["0", "1/2"]),
        lambda one: one.update(second="(D | B)"),
    )
    for change in tossed:
        wrong = json.loads(json.dumps(proof))
        change(wrong)
        assert not verify_comparison(heads, wrong).valid, wrong["claims"]
    marked = KB((*heads.statements, *parse_kb("(<urn:boxsel:compared:marked> | A)[0]").statements))
    assert not verify_comparison(marked, proof).valid
    with pytest.raises(ReadError):
        verify_comparison(kb, "{}")


def test_what_is_not_known_is_refused() -> None:
    with pytest.raises(BoxselError, match="does not mention X"):
        told("(D | A)[0.5]", "(D | A)", "(D | X)")
    with pytest.raises(BoxselError, match="both are"):
        told("(D | A)[0.5]", "(D | A)", "(D | A)")
