"""Weightings under some of the rows that attain a bound, with room in the others if possible."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from boxsel.exact.compile.problem import Form, Goal, Row
from boxsel.exact.compile.vocabulary import Mask, Type
from boxsel.exact.lp.generation import Programme
from boxsel.exact.lp.optimum import Impossible
from boxsel.exact.types.space import Space
from boxsel.exact.ways.populations.layout import Layout
from boxsel.machine.budget import Budget

MARGINS = (Fraction(1, 10), Fraction(0))
"""The room that is asked for in ratios, as a part of the distance of their bounds."""


@dataclass(frozen=True)
class Question:
    """The largest value of an objective, with one mask, where a goal weighs 1; and that value."""

    goal: Goal
    objective: Form
    value: Fraction

    @property
    def about(self) -> Mask:
        """The basic concepts in it."""
        found = self.goal.require
        for mask in (*self.goal.exclude, *(mask for mask, _ in self.objective)):
            found |= mask
        return found

    def rows(self) -> list[Row]:
        """Rows that fix the value."""
        return [
            row
            for mask, sign in self.objective
            for row in _sides(self.goal.require, mask, self.value * sign, self.value * sign)
        ]

    def is_met(self, weights: Mapping[Type, Fraction]) -> bool:
        """Whether a weighting gives the goal weight and the objective its value."""
        total = sum((w for kind, w in weights.items() if self.goal.has(kind)), Fraction(0))
        gained = sum(
            (
                w * sign
                for mask, sign in self.objective
                for kind, w in weights.items()
                if kind & mask == mask
            ),
            Fraction(0),
        )
        return total > 0 and gained == self.value * total


@dataclass(frozen=True)
class Attained:
    """A weighting, and the values that some ratios have at an end of their interval."""

    weights: Mapping[Type, Fraction]
    held: Mapping[int, Fraction]


def attain(
    layout: Layout,
    space: Space,
    budget: Budget,
    question: Question,
    tight: Mapping[int, Fraction],
    ratios: Iterable[int],
    known: Sequence[Type],
) -> Attained | set[int]:
    """A weighting under some ratios; if there is none, the ratios that prove that."""
    chosen = sorted(ratios)
    pool: tuple[Type, ...] = tuple(known)
    proof: set[int] = set()
    for margin in MARGINS:
        rows, owners = question.rows(), [-1] * len(question.rows())
        for number in chosen:
            sides = _shrunk(layout, number, tight.get(number), margin)
            rows += sides
            owners += [number] * len(sides)
        programme = Programme(rows, space, budget)
        programme.remember(pool)
        found = programme.maximise(question.goal)
        pool = programme.pool
        if not isinstance(found, Impossible):
            held = {} if margin else _held(layout, chosen, found.weights)
            return Attained(found.weights, held)
        proof = {owners[row] for row in found.multipliers} - {-1}
    return proof


def _sides(body: Mask, both: Mask, lower: Fraction, upper: Fraction) -> list[Row]:
    rows = []
    if lower > 0:
        rows.append(Row(-1, "lower", body, both, lower))
    if upper < 1:
        rows.append(Row(-1, "upper", body, both, upper))
    return rows


def _shrunk(layout: Layout, number: int, value: Fraction | None, margin: Fraction) -> list[Row]:
    ratio = layout.ratios[number]
    body = sum(1 << bit for bit in ratio.body)
    if value is not None:
        return _sides(body, ratio.mask, value, value)
    spare = margin * (ratio.upper - ratio.lower)
    lower = ratio.lower + spare if ratio.lower > 0 else ratio.lower
    upper = ratio.upper - spare if ratio.upper < 1 else ratio.upper
    return _sides(body, ratio.mask, lower, upper)


def _held(
    layout: Layout, ratios: Iterable[int], weights: Mapping[Type, Fraction]
) -> dict[int, Fraction]:
    """The ratios that have no room in a weighting, with their values."""
    found = {}
    for number in ratios:
        ratio = layout.ratios[number]
        body = sum(1 << bit for bit in ratio.body)
        total = sum((w for kind, w in weights.items() if kind & body == body), Fraction(0))
        part = sum(
            (w for kind, w in weights.items() if kind & ratio.mask == ratio.mask), Fraction(0)
        )
        for value in (ratio.lower, ratio.upper):
            if total and 0 < value < 1 and part == value * total:
                found[number] = value
    return found
