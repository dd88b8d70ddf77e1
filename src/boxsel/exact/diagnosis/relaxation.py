"""Relaxed bounds: how far each end of a conditional gives way, in steps of a millionth.

Whatever an end started from, after the first step it has at most six decimals.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor
from typing import Final

from boxsel.exact.compile.problem import Side
from boxsel.logic.axioms import Conditional
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Statement

GRID: Final = 10**6
"""New bounds are multiples of one part in so many."""
Levels = tuple[int, ...]
"""How many steps each end has given way."""


@dataclass(frozen=True)
class Relaxable:
    """One end of the conditional at some position: a lower one can fall to 0, an upper rise to 1.

    Examples:
        >>> end = Relaxable(0, "lower", Fraction(1, 3), Fraction(1))
        >>> [str(end.bound(level)) for level in (0, 1, 2, end.steps)]
        ['1/3', '333333/1000000', '83333/250000', '0']
    """

    number: int
    side: Side
    stated: Fraction
    weight: Fraction

    @property
    def room(self) -> Fraction:
        """The most that the end can give way."""
        return self.stated if self.side == "lower" else 1 - self.stated

    @property
    def steps(self) -> int:
        """How many steps that takes."""
        return ceil(self.room * GRID)

    def amount(self, level: int) -> Fraction:
        """How much the end has given way after some steps."""
        return self.room - Fraction(self.steps - level, GRID) if level else Fraction(0)

    def level(self, amount: Fraction) -> int:
        """The fewest steps that give way by an amount."""
        return self.steps - floor((self.room - min(amount, self.room)) * GRID) if amount > 0 else 0

    def bound(self, level: int) -> Fraction:
        """The end after some steps."""
        amount = self.amount(level)
        return self.stated - amount if self.side == "lower" else self.stated + amount


def relaxable(
    statements: Iterable[tuple[int, Statement]], weights: Mapping[Conditional, Fraction]
) -> tuple[Relaxable, ...]:
    """The ends of the conditionals among some statements that say anything."""
    ends: list[Relaxable] = []
    for number, statement in statements:
        axiom = statement.axiom
        if isinstance(axiom, Conditional):
            weight = weights.get(axiom, default_weight(axiom))
            lower = Relaxable(number, "lower", axiom.bounds.lower, weight)
            upper = Relaxable(number, "upper", axiom.bounds.upper, weight)
            ends.extend(end for end in (lower, upper) if end.room)
    return tuple(ends)


def default_weight(axiom: Conditional) -> Fraction:
    """A count weighs as much as its sample is large, anything else weighs 1."""
    proportion = axiom.proportion
    return Fraction(proportion.total if isinstance(proportion, Count) else 1)


def cost(ends: Sequence[Relaxable], levels: Levels) -> Fraction:
    """The weighted sum of what all ends give way."""
    return sum(
        (end.weight * end.amount(level) for end, level in zip(ends, levels, strict=True)),
        Fraction(0),
    )


def relax(
    statements: Sequence[Statement], ends: Sequence[Relaxable], levels: Levels
) -> tuple[Statement, ...]:
    """Statements whose ends have given way; what does not change stays as it is."""
    moved: dict[int, dict[Side, Fraction]] = {}
    for end, level in zip(ends, levels, strict=True):
        if level:
            moved.setdefault(end.number, {})[end.side] = end.bound(level)
    return tuple(
        _relaxed(statement, moved[number]) if number in moved else statement
        for number, statement in enumerate(statements)
    )


def _relaxed(statement: Statement, moved: Mapping[Side, Fraction]) -> Statement:
    axiom = statement.axiom
    assert isinstance(axiom, Conditional)
    old = axiom.proportion
    bounds = Interval(moved.get("lower", old.bounds.lower), moved.get("upper", old.bounds.upper))
    note = statement.note
    if isinstance(old, Count):
        was = f"was {old.text()}"
        note = replace(note, comment=f"{note.comment}; {was}" if note.comment else was)
    return Statement(Conditional(axiom.head, axiom.body, bounds), note)
