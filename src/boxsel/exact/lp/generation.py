"""Linear programmes over all types of a space, by column generation.

A restricted programme over few types is solved; the type with the best reduced gain is looked
for and taken in; when none is left, the restricted optimum is the optimum over all types. Floats
guide the search, and every claim is made in exact arithmetic.

Mostly many bases are equally good, and prices jump from one to the next while the value stands
still. So types are looked for at prices that follow more slowly, and at the programme's own only
where that finds none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import Final

from boxsel.exact.compile.problem import Form, Goal, Row
from boxsel.exact.compile.vocabulary import Mask, Type
from boxsel.exact.lp.master import Basis, Master, Point
from boxsel.exact.lp.optimum import Impossible, Optimum
from boxsel.exact.lp.simplex import Vertex, optimal_vertex
from boxsel.exact.types.space import EVERY_TYPE, Space
from boxsel.machine.budget import Budget

TOLERANCE: Final = 1e-9
NEW: Final = 0.5
"""How far prices follow those of the latest solution. Two diseases of HPO, of which one end took
more than 1,600 rounds, take 200 with a half, and half as many again with a fifth."""
EACH: Final = 10
"""So many types are taken in at once: what a solution takes grows with all that were."""
Number = int | float | Fraction


class Programme:
    """Weights on the types of a space that obey rows."""

    def __init__(self, rows: Sequence[Row], space: Space, budget: Budget) -> None:
        self.rows, self._space, self._budget = tuple(rows), space, budget
        self._pool: dict[Type, None] = {}

    def remember(self, kinds: Iterable[Type]) -> None:
        """Take in types that may be useful."""
        self._pool.update(dict.fromkeys(kinds))

    def forget(self, kinds: Iterable[Type]) -> None:
        """Leave out types that turned out not to be possible."""
        for kind in tuple(kinds):
            self._pool.pop(kind, None)

    @property
    def pool(self) -> tuple[Type, ...]:
        """The types that were found useful so far."""
        return tuple(self._pool)

    def maximise(self, goal: Goal, objective: Form = ()) -> Optimum | Impossible:
        """The largest value of a form over weightings that give a goal the weight 1."""
        start = self._space.best((), goal)
        if start is None:
            return Impossible({})
        master = Master(self.rows, goal, objective)
        for kind in (start[0], *self._pool):
            master.add(kind)
        least = self._generate(master, violations=True)
        if least.price < 0:
            return Impossible(least.multipliers)
        if not objective:
            return Optimum(Fraction(0), {}, least.weights)
        master.forbid_violations()
        best = self._generate(master, violations=False, feasible=least.basis)
        if best.price == obvious_bound(goal, objective):  # what is tight by chance would only bind
            return Optimum(best.price, {}, best.weights)
        return Optimum(best.price, best.multipliers, best.weights)

    def _generate(
        self, master: Master, *, violations: bool, feasible: Basis | None = None
    ) -> Vertex:
        """Take types in until none improves the optimum."""
        objective = () if violations else master.objective
        most = 0 if violations else obvious_bound(master.goal, objective)
        guide: Point | None = None
        known: Basis | None = None  # the last exact one, if the floats' basis was not optimal
        while True:
            point = master.solve(self._budget)
            vertex: Vertex | None = None
            basis = known or (None if point is None else point.basis)
            if point is not None:
                if most is not None and point.value > most - TOLERANCE:
                    vertex = self._vertex(master, basis, violations=violations, feasible=feasible)
                    if vertex.price == most:
                        return vertex
                guide = point if guide is None else _between(guide, point)
                if self._improve(master, point, guide, violations=violations):
                    known = None
                    continue
                guide = point
            if vertex is None:
                vertex = self._vertex(master, basis, violations=violations, feasible=feasible)
            known = vertex.basis if known or vertex.basis != basis else None
            improved = [
                self._take(master, kind)
                for form, goal in _reduced_forms(self.rows, vertex, master.goal, objective)
                if (kind := self._space.positive(form, goal)) is not None
            ]
            if not improved:
                return vertex
            if not any(improved):
                raise ArithmeticError("a type of the restricted programme improves its optimum")

    def _vertex(
        self,
        master: Master,
        basis: Basis | None,
        *,
        violations: bool,
        feasible: Basis | None = None,
    ) -> Vertex:
        check = self._budget.check
        return optimal_vertex(master, basis, violations=violations, feasible=feasible, check=check)

    def _improve(self, master: Master, point: Point, guide: Point, *, violations: bool) -> bool:
        """Take in types that look better than what the restricted programme has."""
        own = self._forms(master, point, violations=violations)
        for prices in (point,) if guide is point else (guide, point):
            looked = own if prices is point else self._forms(master, prices, violations=violations)
            improved = False
            for (form, goal), (weights, _) in zip(looked, own, strict=True):
                for kind in self._space.several(form, goal)[:EACH]:
                    gain = sum(number for mask, number in weights if kind & mask == mask)
                    if gain > TOLERANCE:
                        improved |= self._take(master, kind)
            if improved:
                return True
        return False

    def _forms(
        self, master: Master, prices: Point, *, violations: bool
    ) -> list[tuple[list[tuple[Mask, float]], Goal]]:
        """What types are worth at some prices, in floats."""
        gains: dict[Mask, Number] = {} if violations else dict(master.objective)
        for row, multiplier in zip(self.rows, prices.multipliers, strict=True):
            if abs(multiplier) > TOLERANCE:
                for mask, coefficient in row.rounded:
                    gains[mask] = gains.get(mask, 0) + multiplier * coefficient
        return [
            ([(mask, float(number)) for mask, number in form.items() if number], goal)
            for form, goal in _less_price(gains, master.goal, prices.price)
        ]

    def _take(self, master: Master, kind: Type) -> bool:
        self._pool[kind] = None
        return master.add(kind)


def obvious_bound(goal: Goal, objective: Form) -> int | None:
    """What a form cannot exceed where a goal weighs 1, whatever the rows say; none if it can.

    Examples:
        >>> obvious_bound(Goal(0b01), ((0b11, 1),)), obvious_bound(Goal(0b01), ((0b11, -1),))
        (1, 0)
    """
    gains = [(mask, number) for mask, number in objective if number > 0]
    if all(mask & goal.require == goal.require for mask, _ in gains):
        return sum(number for _, number in gains)
    return None


def _between(guide: Point, point: Point) -> Point:
    """The prices of a solution, on the way to them."""
    multipliers = (
        old + NEW * (new - old)
        for old, new in zip(guide.multipliers, point.multipliers, strict=True)
    )
    price = guide.price + NEW * (point.price - guide.price)
    return replace(point, multipliers=tuple(multipliers), price=price)


def _reduced_forms(
    rows: Sequence[Row], vertex: Vertex, goal: Goal, objective: Form
) -> Iterator[tuple[Form, Goal]]:
    """The forms, with the goals that they are about, that no type of an optimum makes positive."""
    gains = combine(rows, vertex.multipliers, objective)
    for form, own in _less_price(gains, goal, vertex.price):
        yield integral(form), own


def combine(
    rows: Sequence[Row], multipliers: Mapping[int, Number], objective: Form = ()
) -> dict[Mask, Number]:
    """The form c + y·a."""
    gains: dict[Mask, Number] = dict(objective)
    for number, multiplier in multipliers.items():
        for mask, coefficient in rows[number].form:
            gains[mask] = gains.get(mask, 0) + multiplier * coefficient
    return gains


def integral(form: Mapping[Mask, Number]) -> Form:
    """A form with rational coefficients, scaled to integers."""
    terms = [(mask, Fraction(number)) for mask, number in form.items() if number]
    scale = lcm(*(number.denominator for _, number in terms))
    return tuple((mask, int(number * scale)) for mask, number in terms)


def _less_price(
    gains: Mapping[Mask, Number], goal: Goal, price: Number
) -> Iterator[tuple[dict[Mask, Number], Goal]]:
    """The form c + y·a − π·n: linear if the goal is a mask, else one inside and one anywhere.

    A goal with exclusions comes without an objective and with a price of at most zero, so that
    what is not positive anywhere without the price is not positive with it either.
    """
    reduced = dict(gains)
    if goal.exclude:
        reduced[0] = reduced.get(0, 0) - price
        yield reduced, goal
        yield dict(gains), EVERY_TYPE
    else:
        reduced[goal.require] = reduced.get(goal.require, 0) - price
        yield reduced, EVERY_TYPE
