"""Linear programmes over all types of a space, by column generation.

A restricted programme over few types is solved; the type with the best reduced gain is looked
for and taken in; when none is left, the restricted optimum is the optimum over all types. Floats
guide the search, and every claim is made in exact arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from boxsel.exact.guide import Guide
from boxsel.exact.master import Basis, Master, Point
from boxsel.exact.problem import Form, Goal, Row
from boxsel.exact.simplex import Vertex, nearby_vertex, optimal_vertex
from boxsel.exact.space import EVERY, Space
from boxsel.exact.vocabulary import Mask, Type
from boxsel.machine.budget import Budget

TOLERANCE: Final = 1e-9
PIVOTS: Final = 10
"""How many exact steps a basis that floats found may be from an optimum."""
Number = int | float | Fraction


@dataclass(frozen=True)
class Impossible:
    """No weighting gives a goal any weight: y·a(t) ≤ 0 on all types, and < 0 on the goal's.

    `statements` are those whose clauses the types obey, and `steps` the positions of the
    eliminations that they obey, where not all are needed.
    """

    multipliers: Mapping[int, Fraction]
    statements: tuple[int, ...] | None = None
    steps: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Optimum:
    """The largest value, with the weights that attain it and the multipliers that prove it.

    `statements` are those whose clauses the types obey, and `steps` the positions of the
    eliminations that they obey, where not all are needed.
    """

    value: Fraction
    multipliers: Mapping[int, Fraction]
    weights: Mapping[Type, Fraction]
    statements: tuple[int, ...] | None = None
    steps: tuple[int, ...] | None = None


class Programme:
    """Weights on the types of a space that obey rows."""

    def __init__(
        self, rows: Sequence[Row], space: Space, budget: Budget, guide: Guide | None = None
    ) -> None:
        self.rows, self._space, self._budget = tuple(rows), space, budget
        self.guide = guide
        self._pool: dict[Type, None] = {}
        self._met: list[Mapping[Type, Fraction]] = []

    def remember(self, kinds: Iterable[Type]) -> None:
        """Take in types that may be useful."""
        self._pool.update(dict.fromkeys(kinds))

    def meet(self, weights: Mapping[Type, Fraction]) -> None:
        """Take in a weighting that obeys the rows, to start from."""
        self._met.append(weights)
        self.remember(weights)

    def forget(self, kinds: Iterable[Type]) -> None:
        """Leave out types that turned out not to be possible."""
        gone = {*kinds}
        for kind in gone:
            self._pool.pop(kind, None)
        self._met = [one for one in self._met if gone.isdisjoint(one)]
        if self.guide is not None:
            self.guide.forget(gone)

    @property
    def pool(self) -> tuple[Type, ...]:
        """The types that were found useful so far."""
        return tuple(self._pool)

    def maximise(self, goal: Goal, objective: Form = ()) -> Optimum | Impossible:
        """The largest value of a form over weightings that give a goal the weight 1."""
        if self.guide is not None:
            found = self._guided(self.guide, goal, objective)
            if found is not None:
                return found
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
        return Optimum(best.price, best.multipliers, best.weights)

    def _guided(self, guide: Guide, goal: Goal, objective: Form) -> Optimum | None:
        """The optimum, if floats lead to it; a weighting that was met is one without objective."""
        met = next((one for one in self._met if any(map(goal.has, one))), None)
        if met is not None and not objective:
            return Optimum(Fraction(0), {}, met)
        start = self._space.best((), goal) if met is None else None
        if met is None and start is None:
            return None
        if met is not None:
            guide.measure(met, goal)
        first = dict.fromkeys(met if met is not None else [start[0]] if start else [])
        for lead in guide.leads(goal, objective, first):
            master = Master(self.rows, goal, objective)
            for kind in (*lead.basic, *lead.others[: len(self.rows)]):
                master.add(kind)
            vertex = nearby_vertex(master, lead.basis, lead.penalties, PIVOTS, self._budget.check)
            if vertex is None:
                break
            better = [
                found
                for form, own in self._reduced(master, vertex, violations=False)
                if (found := self._space.positive(form, own)) is not None
            ]
            if not better:
                self.meet(vertex.weights)
                return Optimum(vertex.price, vertex.multipliers, vertex.weights)
            if all(kind in guide.kinds for kind in better):
                break
            guide.remember(better)
        self.remember(guide.kinds)
        return None

    def _generate(
        self, master: Master, *, violations: bool, feasible: Basis | None = None
    ) -> Vertex:
        """Take types in until none improves the optimum."""
        while True:
            point = master.solve(self._budget)
            if point is not None:
                if violations and point.value > -TOLERANCE:
                    vertex = self._vertex(master, point.basis, violations=True)
                    if vertex.price == 0:
                        return vertex
                if self._improve(master, point, violations=violations):
                    continue
            basis = None if point is None else point.basis
            vertex = self._vertex(master, basis, violations=violations, feasible=feasible)
            improved = [
                self._take(master, found)
                for form, goal in self._reduced(master, vertex, violations=violations)
                if (found := self._space.positive(form, goal)) is not None
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

    def _improve(self, master: Master, point: Point, *, violations: bool) -> bool:
        """Take in types that look better than what the restricted programme has."""
        gains: dict[Mask, Number] = {} if violations else dict(master.objective)
        for row, multiplier in zip(self.rows, point.multipliers, strict=True):
            if abs(multiplier) > TOLERANCE:
                for mask, coefficient in row.rounded:
                    gains[mask] = gains.get(mask, 0) + multiplier * coefficient
        improved = False
        for form, goal in _less_price(gains, master.goal, point.price):
            weights = [(mask, float(number)) for mask, number in form.items() if number]
            for kind in self._space.several(weights, goal):
                if sum(number for mask, number in weights if kind & mask == mask) > TOLERANCE:
                    improved |= self._take(master, kind)
        return improved

    def _reduced(
        self, master: Master, vertex: Vertex, *, violations: bool
    ) -> Iterator[tuple[Form, Goal]]:
        """The forms, with the goals that they are about, that must not be positive anywhere."""
        gains = self.combine(vertex.multipliers, () if violations else master.objective)
        for form, goal in _less_price(gains, master.goal, vertex.price):
            yield integral(form), goal

    def combine(
        self, multipliers: Mapping[int, Number], objective: Form = ()
    ) -> dict[Mask, Number]:
        """The form c + y·a."""
        gains: dict[Mask, Number] = dict(objective)
        for number, multiplier in multipliers.items():
            for mask, coefficient in self.rows[number].form:
                gains[mask] = gains.get(mask, 0) + multiplier * coefficient
        return gains

    def _take(self, master: Master, kind: Type) -> bool:
        self._pool[kind] = None
        return master.add(kind)


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
        yield dict(gains), EVERY
    else:
        reduced[goal.require] = reduced.get(goal.require, 0) - price
        yield reduced, EVERY
