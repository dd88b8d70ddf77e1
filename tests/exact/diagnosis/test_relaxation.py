"""Levels of relaxed bounds, and refutations that hold for every relaxation in a box."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.exact.diagnosis.patterns import list_patterns
from boxsel.exact.diagnosis.refutation import Box, Refuter
from boxsel.exact.diagnosis.relaxation import GRID, Relaxable, relax, relaxable
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.exact.brute_force import empty_names

proportions = st.fractions(min_value=0, max_value=1, max_denominator=10_000)


@given(st.sampled_from(["lower", "upper"]), proportions, proportions)
def test_levels_give_way_outwards_and_no_more_than_needed(
    side: str, stated: Fraction, amount: Fraction
) -> None:
    end = Relaxable(0, "lower" if side == "lower" else "upper", stated, Fraction(1))
    amount = min(amount, end.room)
    level = end.level(amount)
    assert end.amount(0) == 0
    assert end.amount(end.steps) == end.room
    assert amount <= end.amount(level) < amount + Fraction(1, GRID)
    if level:
        assert end.amount(level - 1) < amount
        assert (end.bound(level) * GRID).denominator == 1
    assert 0 <= end.bound(level) <= 1


def test_only_what_gives_way_changes() -> None:
    kb = parse_kb("(B | A)[1/3]\n(C | A)[2 of 5]  ## comment: small\nA SubClassOf D\n(D | B)[0, 1]")
    ends = relaxable(enumerate(kb.statements), {})
    assert [(end.number, end.side, str(end.weight)) for end in ends] == [
        (0, "lower", "1"),
        (0, "upper", "1"),
        (1, "lower", "5"),
        (1, "upper", "5"),
    ]
    assert relax(kb.statements, ends, (0, 0, 0, 0)) == kb.statements
    changed = relax(kb.statements, ends, (1, 0, 0, 100_000))
    assert [str(statement) for statement in changed] == [
        "(B | A)[0.333333, 1/3]",
        "(C | A)[0.4, 0.5]  ## comment: small; was 2 of 5",
        "A SubClassOf D",
        "(D | B)[0, 1]",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "(B | A)[1/4]\n(B | A)[3/4]",
        "(B | A)[3/4, 1]\n(C | A and B)[3/4, 1]\n(C | A)[0, 1/4]",
        "(B | A)[1/2, 1]\n(A | B)[0, 1/4]\n(B | owl:Thing)[0, 1/4]\n(A | owl:Thing)[1/2, 1]",
        "(C | B)[1/4]\n(C | B)[3/4]\nA SubClassOf r some B",
    ],
)
def test_what_is_refuted_cannot_be_repaired(text: str) -> None:
    kb = parse_kb(text)
    goal = Name("A")
    ends = relaxable(enumerate(kb.statements), {})
    patterns = list_patterns(kb.statements, ends, [goal], Budget())
    assert patterns is not None
    refuter = Refuter(patterns, ends, Budget())
    box = Box(tuple(Fraction(0) for _ in ends), tuple(end.room for end in ends))
    # Of all relaxations in quarters, the cheapest that leaves the goal possible.
    cheapest = min(
        sum(steps, start=Fraction(0))
        for steps in product(*([Fraction(n, 4) for n in range(4)] for _ in ends))
        if all(step <= end.room for step, end in zip(steps, ends, strict=True))
        and goal not in empty_names(KB(_relaxed(kb, ends, steps)))
    )
    # Multipliers that are zero leave the goal as it is.
    assert not refuter.check(1, box, Fraction(0), [Fraction(0)] * len(ends))
    refuted = [n for n in range(9) if refuter.refute(box, Fraction(n, 8)) is True]
    assert refuted
    assert max(refuted) < cheapest * 8
    assert refuted == list(range(len(refuted)))


def _relaxed(
    kb: KB, ends: tuple[Relaxable, ...], steps: tuple[Fraction, ...]
) -> tuple[Statement, ...]:
    levels = tuple(end.level(step) for end, step in zip(ends, steps, strict=True))
    return relax(kb.statements, ends, levels)
