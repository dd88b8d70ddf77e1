"""What a budget ends says what it has, and nothing of it is wrong."""

from __future__ import annotations

from random import Random

import pytest

from boxsel.exact.diagnosis.check import check
from boxsel.exact.diagnosis.explanation import explain
from boxsel.exact.diagnosis.repair import repair
from boxsel.exact.reasoner import Reasoner
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import answer, empty_names, is_consistent
from tests.exact.knowledge_bases import random_kb
from tests.ticking import spent, ticking

LOOKS = (1, 3, 10, 30, 100, 300, 1000, 10_000)


@pytest.mark.parametrize("seed", some(range(200), 15))
def test_a_check_that_is_cut_short_is_right_in_what_it_says(seed: int) -> None:
    random = Random(seed)
    kb, _ = random_kb(random, 5)
    consistent, empty = is_consistent(kb), {*empty_names(kb)}
    for looks in random.sample(LOOKS, 3):
        found = check(kb, budget=ticking(looks))
        assert found.consistent in (None, consistent)
        assert empty.issuperset(found.empty)
        assert empty <= {*found.empty, *found.undecided}
        assert not {*found.empty} & {*found.undecided}
        if found.finished or found.coherent is not None:
            assert found.coherent == (consistent and not empty)


@pytest.mark.parametrize("seed", some(range(100), 10))
def test_an_explanation_that_is_cut_short_is_right_in_what_it_says(seed: int) -> None:
    random = Random(seed)
    kb, query = random_kb(random, 5)
    expected = answer(kb, query)
    for looks in random.sample(LOOKS, 3):
        budget = ticking(looks)
        explanation = explain(Reasoner(kb, budget=budget), query, budget=budget)
        assert explanation.status in ("budget", expected.status)
        assert explanation.status != "budget" or not explanation.finished
        assert explanation.text
        if expected.lower is not None and expected.upper is not None:
            assert explanation.lower is not None
            assert explanation.upper is not None
            assert explanation.lower.bound <= expected.lower
            assert expected.upper <= explanation.upper.bound


def test_nothing_is_known_without_time() -> None:
    kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]")
    found = check(kb, budget=spent())
    assert (found.consistent, found.coherent, found.finished) == (None, None, False)
    assert {*found.undecided} == {*kb.signature.concepts}
    explained = explain(Reasoner(kb, budget=spent()), "(B | A)", budget=spent())
    assert (explained.status, explained.finished) == ("budget", False)
    assert "the time was over" in explained.text


def test_a_repair_without_time_does_not_speak_of_changes_that_there_are_not() -> None:
    found = repair(parse_kb("(B | A)[0.2]\n(B | A)[0.8]"), budget=spent())
    assert not found.finished
    assert "these changes" not in found.text


def test_nothing_is_said_to_be_behind_what_is_always_true() -> None:
    kb = parse_kb("(B | A)[0.2, 0.8]\n(C | B)[0.5]\n(C | A)[0.4, 1]")
    for looks in LOOKS:
        found = explain(Reasoner(kb, budget=ticking(looks)), "(C | A)", budget=ticking(looks))
        upper = found.upper
        if upper is not None and upper.bound == 1:
            (line,) = upper.lines()
            assert line.startswith("(C | A) is at most 1: ")
