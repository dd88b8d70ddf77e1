"""Slopes from multipliers against answers of changed knowledge bases."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

from boxsel.answer.assumptions import assumed
from boxsel.answer.sensitivity import Influence, sensitivity
from boxsel.logic.axioms import Conditional
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.syntax.parser import parse_kb
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb

STEP = Fraction(1, 10**5)


def shifted(statement: Statement, one: Influence, step: Fraction) -> Statement | None:
    """A statement with a bound moved, if that is a proportion still."""
    axiom = statement.axiom
    assert isinstance(axiom, Conditional)
    lower, upper = axiom.bounds.lower, axiom.bounds.upper
    lower += step if one.bound in ("lower", "point") else 0
    upper += step if one.bound in ("upper", "point") else 0
    if not 0 <= lower <= upper <= 1:
        return None
    return replace(statement, axiom=replace(axiom, proportion=Interval(lower, upper)))


def quotients(kb: KB, query: Query, one: Influence, end: Fraction) -> list[Fraction]:
    """How far an end moves for each unit, measured by asking again, in both directions."""
    found = []
    for step in (STEP, -STEP):
        statement = shifted(one.statement, one, step)
        if statement is None:
            continue
        after = answer(assumed(kb, [statement]), query)
        moved = after.lower if one.end == "lower" else after.upper
        if moved is not None:
            found.append((moved - end) / step)
    return found


def test_slopes_are_those_of_small_steps() -> None:
    compared = same = 0
    for seed in range(250):
        kb, query = random_kb(Random(seed))
        shares = [(conditional.head, conditional.body) for conditional in kb.conditionals]
        truth = answer(kb, query)
        if truth.lower is None or truth.upper is None or len({*shares}) < len(shares):
            continue
        for influence in sensitivity(kb, query).influences:
            end = truth.lower if influence.end == "lower" else truth.upper
            measured = quotients(kb, query, influence, end)
            if measured:
                compared += 1
                # A slope changes at a corner: one side is enough.
                same += any(abs(each - influence.slope) < Fraction(1, 100) for each in measured)
    assert compared > 60
    assert same >= 0.95 * compared, (same, compared)


def test_what_does_not_matter_is_not_named() -> None:
    kb = parse_kb("(B | A)[0.5]\n(C | B)[0.2, 0.4]\n(E | F)[0.3]\nB SubClassOf A")
    found = sensitivity(kb, "(C | A)")
    named = {
        (influence.end, str(influence.statement), influence.bound) for influence in found.influences
    }
    assert ("lower", "(C | B)[0.2, 0.4]", "lower") in named
    assert not any("F" in statement for _, statement, _ in named)
    gains = {
        (influence.end, str(influence.statement)): influence.gain for influence in found.influences
    }
    assert gains["lower", "(B | A)[0.5]"] == 0  # a number leaves nothing to be learned
    assert gains["lower", "(C | B)[0.2, 0.4]"] == Fraction(1, 10)
    assert sensitivity(kb, "(F | A)").influences == ()
    assert "no stated number between 0 and 1 moves" in sensitivity(kb, "(F | A)").text
