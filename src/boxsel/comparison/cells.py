"""Branch and bound over the second share: in each cell of it, what the first can be.

Two shares with different bodies are two ratios, and no linear programme compares them. But that the
second lies in a cell [s, t] is a conditional, under which the first has exact bounds: for each cell
that is one linear programme, with a certificate. A comparison rises with the first share and falls
with the second, so the ends of a cell bound it there, and cells that matter are made smaller.

What is possible comes from the models at the ends of all bounds. Models stay models side by side:
where one has nobody in one body, any little of another decides what the share there is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.comparison.heads import Heads
from boxsel.comparison.measures import Measure, Value
from boxsel.exact.answers import Outcome
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.weighted_model import Element, WeightedModel
from boxsel.logic.axioms import Supposed
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget

GRID: Final = 10**6
"""The largest denominator of an end of a cell."""
NARROWEST: Final = Fraction(1, 10**9)
"""Cells that are not wider are not divided."""
SIDES: Final = (1, -1)
"""The upper and the lower end of a comparison."""


@dataclass(frozen=True)
class Cell:
    """An interval of the second share, and what the first can be there: nothing, if `empty`.

    `outcome` is the proof, under the supposition that the second share lies `within` an interval.
    """

    low: Fraction
    high: Fraction
    within: Interval
    outcome: Outcome

    @property
    def empty(self) -> bool:
        """Whether no model has the second share in it and members of the first body."""
        return self.outcome.lower is None

    def bound(self, measure: Measure, side: int) -> Value | None:
        """What the comparison does not pass in the cell; none if it has no value there."""
        if self.outcome.lower is None or self.outcome.upper is None:
            return None
        least, most = self.outcome.lower.bound, self.outcome.upper.bound
        if self.low == self.high and least == most and not measure.has_value(least, self.low):
            return None
        if side > 0:
            return measure.of(most, self.low)
        return measure.of(least, self.high)

    def part(self, low: Fraction, high: Fraction) -> Cell:
        """A part of the cell, in which the same is known."""
        return Cell(low, high, self.within, self.outcome)


@dataclass(frozen=True)
class Point:
    """Shares that a population has, or comes as near to as one likes."""

    first: Fraction
    second: Fraction
    model: WeightedModel


def beside(model: WeightedModel, other: WeightedModel) -> WeightedModel:
    """A model with any little of another mixed in."""
    mixed = (
        Element(element.names, Fraction(0), element.weight + element.further)
        for element in other.elements
    )
    return model + WeightedModel(tuple(mixed), other.edges, other.individuals)


def near_share(model: WeightedModel, query: Query) -> Fraction | None:
    """The share of a query, if as little as one likes of the further weights is mixed in."""
    share = model.share(query)
    if share is not None:
        return share
    return model.interpretation.share(query.head, query.body, model.further)


class Cells:
    """The cells of one comparison, and the populations that were met on the way."""

    def __init__(
        self,
        kb: KB,
        first: Query,
        second: Query,
        known: tuple[Outcome, Outcome],
        budget: Budget,
        heads: Heads | None = None,
    ) -> None:
        self._kb, self._budget, self.heads = kb, budget, heads or Heads()
        self.first, self.second = first, second
        self._met: list[tuple[Fraction | None, Fraction | None, WeightedModel]] = []
        for outcome in known:
            self._meet(outcome)
        for model in self.heads.models():
            self._met.append((model.share(first), model.share(second), model))
        lower, upper = known[1].lower, known[1].upper
        assert lower is not None
        assert upper is not None
        self.range = Interval(lower.bound, upper.bound)
        self.cells = [Cell(lower.bound, upper.bound, Interval(Fraction(0), Fraction(1)), known[0])]
        self._probed: set[tuple[Fraction, Fraction]] = set()

    def outer(self, measure: Measure, side: int) -> Value | None:
        """What a comparison never passes; none if it has no value."""
        if self.heads.knows(measure.name):
            return self.heads.bound(measure.name, side)
        if measure.name == "odds_ratio" and self.heads.without_odds:
            return None
        ends = self._farthest(measure, side)
        return None if ends is None else ends[0]

    def _farthest(self, measure: Measure, side: int) -> tuple[Value, Cell] | None:
        """What a comparison does not pass in any cell, and the cell that says so."""
        found = [
            (value, n)
            for n, cell in enumerate(self.cells)
            for value in _some(self._bound(cell, measure, side))
        ]
        if not found:
            return None
        value, number = max(found, key=lambda pair: (pair[0] * side, -pair[1]))
        return value, self.cells[number]

    def _bound(self, cell: Cell, measure: Measure, side: int) -> Value | None:
        """What a comparison does not pass in a cell."""
        value = cell.bound(measure, side)
        if value is None or measure.name != "odds_ratio":
            return value
        odds = self.heads.odds(cell.low, cell.high, side)
        if odds is None:
            return value
        return min(value, odds) if side > 0 else max(value, odds)

    def inner(self, measure: Measure, side: int) -> Point | None:
        """The population with the largest, or least, value that was met."""
        return max(
            (point for point in self._points(side) if measure.has_value(point.first, point.second)),
            key=lambda point: measure.of(point.first, point.second) * side,
            default=None,
        )

    def refine(self, measure: Measure, side: int) -> bool:
        """Make the cell smaller that keeps a bound apart from what is possible, if it can be."""
        outer = self._farthest(measure, side)
        if outer is None:
            return False
        value, cell = outer
        near, far = (cell.low, cell.high) if side > 0 else (cell.high, cell.low)
        self._probe(near)
        point = self.inner(measure, side)
        if point is not None and measure.of(point.first, point.second) == value:
            return True
        if cell.high - cell.low <= NARROWEST:
            return False
        turn = self._turn(cell, side)
        if turn == near:  # it is as far as it gets where the bound is, and has no value there
            return False
        parts = [cell.part(*sorted((turn, far)))] if turn != far else []
        middle = _short((near + turn) / 2)
        if not min(near, turn) < middle < max(near, turn):
            middle = (near + turn) / 2
        parts += (
            self._solve(*sorted(pair))
            for pair in ((near, middle), (middle, turn))
            if pair[0] != pair[1]
        )
        place = self.cells.index(cell)
        self.cells[place : place + 1] = sorted(parts, key=lambda part: part.low)
        return True

    def _turn(self, cell: Cell, side: int) -> Fraction:
        """From where on the first share is as far as it gets in the cell."""
        end = cell.outcome.upper if side > 0 else cell.outcome.lower
        assert end is not None
        far = cell.high if side > 0 else cell.low
        beyond = Interval(end.bound, Fraction(1)) if side > 0 else Interval(Fraction(0), end.bound)
        outcome = self._ask(
            self.second, (self.first, beyond), (self.second, Interval(cell.low, cell.high))
        )
        self._meet(outcome)
        if outcome.lower is None or outcome.upper is None:
            return far
        within = Interval(outcome.lower.bound, outcome.upper.bound).shortened(GRID)
        turn = within.lower if side > 0 else within.upper
        return min(max(turn, cell.low), cell.high)

    def _probe(self, share: Fraction) -> None:
        """What the first share can be where the second is one number."""
        if (share, share) not in self._probed:
            self._probed.add((share, share))
            self._meet(self._ask(self.first, (self.second, Interval(share, share))))

    def _solve(self, low: Fraction, high: Fraction) -> Cell:
        outcome = self._ask(self.first, (self.second, Interval(low, high)))
        self._meet(outcome)
        return Cell(low, high, Interval(low, high), outcome)

    def _ask(self, query: Query, *supposed: tuple[Query, Interval]) -> Outcome:
        self._budget.check()
        more = (Statement(suppose(one, interval)) for one, interval in supposed)
        kb = KB((*self._kb.statements, *more), data=self._kb.data)
        return Reasoner(kb, budget=self._budget).bounds(query)

    def _meet(self, outcome: Outcome) -> None:
        """Take in the models at both ends."""
        for end in (outcome.lower, outcome.upper):
            if end is not None:
                model = end.model
                self._met.append((model.share(self.first), model.share(self.second), model))

    def _points(self, side: int) -> Iterator[Point]:
        """Populations that may be farthest in a direction: one model, or two side by side."""
        for first, second, model in self._met:
            if first is not None and second is not None:
                yield Point(first, second, model)
        firsts = [(share, model) for share, _, model in self._met if share is not None]
        seconds = [(share, model) for _, share, model in self._met if share is not None]
        pairs = (  # who has nobody in the other body decides its own share alone
            (
                [(p, model) for p, q, model in self._met if p is not None and q is None],
                seconds,
                side,
            ),
            (
                [(q, model) for p, q, model in self._met if q is not None and p is None],
                firsts,
                -side,
            ),
        )
        for own, other, sign in pairs:
            if own and other:
                chosen = max(own, key=lambda pair: pair[0] * sign)
                added = min(other, key=lambda pair: pair[0] * sign)
                model = beside(chosen[1], added[1])
                first, second = near_share(model, self.first), near_share(model, self.second)
                if first is not None and second is not None:
                    yield Point(first, second, model)


def suppose(query: Query, interval: Interval) -> Supposed:
    """That a share lies in an interval."""
    return Supposed(query.head, query.body, interval)


def _some(value: Value | None) -> list[Value]:
    return [] if value is None else [value]


def _short(number: Fraction) -> Fraction:
    return number if number.denominator <= GRID else Fraction(round(number * GRID), GRID)
