"""Column generation in floats that stays calm: violations of rows are allowed at a price.

Where rows are equations, as in counted graphs, the multipliers of a restricted programme jump
about, and the types that they ask for are of no use. A price on violations bounds them. Each row is
priced by the size of its body, as far as that is known; prices rise until no violation is left.
Then the basis is that of the programme itself, and is handed over to exact arithmetic. On the way,
every set of multipliers bounds the value, if the best type is known for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Form, Goal, Row, by_bound, value
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.lp.floats import as_float
from boxsel.exact.lp.master import PARAMETERS, Basis
from boxsel.exact.lp.solver import LinearProgramme
from boxsel.exact.types.space import LARGEST
from boxsel.exact.types.tables import Bools, table
from boxsel.machine.budget import Budget

if TYPE_CHECKING:
    from boxsel.exact.types.searched import SearchedSpace

FIRST_PRICE: Final = 300
RISE: Final = 6
HIGHEST: Final = 3_000_000
"""The prices of violations: the first, the factor by which they rise, and where that ends."""
SMALLEST: Final = 1e-5
LARGEST_BODY: Final = 1e3
"""Bodies are not taken to be smaller or larger, as parts of the goal."""
TOLERANCE: Final = 1e-7
NO_VIOLATION: Final = 1e-8
"""Violations of rows that depend on others may be basic: their sum decides."""
FROM_POOL: Final = 60
"""How many known types join at a time."""
UNIT: Final = 2**40
"""One, where numbers are rounded to integers."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lead:
    """What floats take for an optimum: the basic types, the other good ones, and the basis.

    Its columns are the basic types. `penalties` are the rows' prices of violations.
    """

    basic: tuple[Type, ...]
    others: tuple[Type, ...]
    basis: Basis
    penalties: tuple[Fraction, ...]


class Guide:
    """The rows of a problem as lines, and the types met so far as columns of an array."""

    def __init__(
        self, rows: Sequence[Row], width: int, space: SearchedSpace, budget: Budget
    ) -> None:
        self.rows, self._width, self._space, self._budget = rows, width, space, budget
        self._lines = _lines(rows)
        self._masks: dict[Mask, int] = {}
        first = [rows[line.first] for line in self._lines]
        self._body = np.array([self._place(row.body) for row in first], int)
        self._both = np.array([self._place(row.both) for row in first], int)
        self._signs = np.array([1.0 if row.side == "lower" else -1.0 for row in first])
        self._bounds = np.array([float(row.bound) for row in first])
        self._all_masks = list(self._masks)
        self._kinds: dict[Type, int] = {}
        self._having: Bools = np.zeros((len(self._all_masks), 0), bool)
        self._sizes: Floats | None = None
        self.outer: dict[tuple[Goal, Form], Fraction] = {}
        """What the value of a question cannot exceed, as far as that is known."""

    def remember(self, kinds: Iterable[Type]) -> None:
        """Take in types that may be useful."""
        fresh = [kind for kind in dict.fromkeys(kinds) if kind not in self._kinds]
        if fresh:
            self._kinds |= {kind: len(self._kinds) + n for n, kind in enumerate(fresh)}
            columns = table(fresh, self._width)
            having = [columns[list(bits(mask))].all(0) for mask in self._all_masks]
            block = np.array(having, bool).reshape(len(self._all_masks), len(fresh))
            self._having = np.hstack([self._having, block])

    def forget(self, kinds: Iterable[Type]) -> None:
        """Leave out types that turned out not to be possible."""
        gone = {*kinds} & self._kinds.keys()
        if gone:
            kept = [kind for kind in self._kinds if kind not in gone]
            self._having = self._having[:, [self._kinds[kind] for kind in kept]]
            self._kinds = {kind: place for place, kind in enumerate(kept)}

    def measure(self, weights: Mapping[Type, Fraction], goal: Goal) -> None:
        """Take the sizes of bodies from a weighting that obeys the rows."""
        total = sum((w for kind, w in weights.items() if goal.has(kind)), Fraction(0))
        if total:
            self.remember(weights)
            amounts = np.array([as_float(weight / total) for weight in weights.values()])
            columns = [self._kinds[kind] for kind in weights]
            self._sizes = self._having[:, columns][self._body] @ amounts

    def leads(self, goal: Goal, objective: Form, first: Iterable[Type]) -> Iterator[Lead]:
        """What floats take for optima, until violations remain at any price.

        Types that are remembered meanwhile, since they are better than a lead, come into the next.
        """
        self.remember(first)
        question = _Question(self, goal, objective, first)
        price = FIRST_PRICE
        while price < HIGHEST:
            if not question.solve(price, self._budget):
                return
            if self._improve(question):
                continue
            if question.violated:
                price *= RISE
            else:
                known = len(self._kinds)
                yield question.lead()
                question.add(list(self._kinds)[known:])

    def _improve(self, question: _Question) -> bool:
        """Take in types that look better than what the question has."""
        gains = question.reduced(self.gains(question.multipliers))
        best = np.argsort(-gains, kind="stable")[:FROM_POOL]
        known = list(self._kinds)
        if question.add([known[place] for place in best if gains[place] > TOLERANCE]):
            return True
        form, unit = self._rounded(question)
        found = [
            kind
            for kind in self._space.several([(mask, number / unit) for mask, number in form])
            if value(form, kind) > TOLERANCE * unit
        ]
        best_one = None if found else self._space.best(form)
        if best_one is not None:
            self._bound(question, form, unit, best_one)
            if best_one[1] > TOLERANCE * unit:
                found = [best_one[0]]
        self.remember(found)
        return question.add(found)

    def _bound(self, question: _Question, form: Form, unit: int, best: tuple[Type, int]) -> None:
        """If the types outside the goal are not above zero, the price and the rest is a bound."""
        (kind, most), goal = best, question.goal
        if goal.exclude or (most > 0 and not goal.has(kind)):
            return
        if most > 0 and goal.require:
            other = self._space.best(form, Goal(0, (goal.require,)))
            if other is not None and other[1] > 0:
                return
        key = (goal, question.objective)
        bound = Fraction(round(question.price * unit) + max(0, most), unit)
        self.outer[key] = min(bound, self.outer.get(key, bound))

    def _rounded(self, question: _Question) -> tuple[Form, int]:
        """The form c + y·a − π·n for multipliers that are integers over a unit, and the unit."""
        multipliers = question.multipliers
        largest = max(1.0, float(np.abs(multipliers).sum()), abs(question.price))
        unit = int(UNIT / 2 ** max(0, int(np.ceil(np.log2(largest))) - 12))
        form: dict[Mask, int] = {mask: number * unit for mask, number in question.objective}
        goal = question.goal
        form[goal.require] = form.get(goal.require, 0) - round(question.price * unit)
        for line, multiplier in zip(self._lines, multipliers, strict=True):
            row = self.rows[line.of(multiplier)]
            signed = abs(multiplier) if line.second >= 0 else max(0.0, multiplier)
            whole = round(signed * unit * (1 / row.bound.denominator))
            if whole and row.bound.denominator <= unit:  # longer ones would not fit into 64 bits
                for mask, coefficient in row.form:
                    form[mask] = form.get(mask, 0) + whole * coefficient
        assert sum(map(abs, form.values())) < LARGEST
        return tuple((mask, number) for mask, number in form.items() if number), unit

    def gains(self, multipliers: Floats) -> Floats:
        """What multipliers make of the rows at every known type."""
        signed = multipliers * self._signs
        form = np.zeros(len(self._all_masks))
        np.add.at(form, self._both, signed)
        np.add.at(form, self._body, -signed * self._bounds)
        return np.asarray(form @ self._having)

    def entries(self, kind: Type) -> Floats:
        """The lines' coefficients at a type."""
        column = self._having[:, self._kinds[kind]]
        return np.asarray(self._signs * (column[self._both] - self._bounds * column[self._body]))

    @property
    def kinds(self) -> Mapping[Type, int]:
        """The types that are known, with their places."""
        return self._kinds

    @property
    def lines(self) -> Sequence[_Line]:
        """The rows, where two that are one equation are one line."""
        return self._lines

    @property
    def scales(self) -> Floats:
        """By how much lines are multiplied, so that violations are parts of their bodies.

        Powers of two, so that they are short as fractions.
        """
        if self._sizes is None:
            return np.ones(len(self._lines))
        return np.asarray(2.0 ** np.round(-np.log2(np.clip(self._sizes, SMALLEST, LARGEST_BODY))))

    def _place(self, mask: Mask) -> int:
        return self._masks.setdefault(mask, len(self._masks))


class _Question:
    """One question as a growing linear programme."""

    def __init__(self, guide: Guide, goal: Goal, objective: Form, first: Iterable[Type]) -> None:
        self._guide, self.goal, self.objective = guide, goal, objective
        self._scales = guide.scales
        self._programme = LinearProgramme(PARAMETERS)
        self._violations: list[tuple[int, ...]] = []
        for number, line in enumerate(guide.lines):  # the lines are the first rows
            self._programme.add_row(0.0, 0.0 if line.second >= 0 else inf)
            signs = (1.0, -1.0)[: len(line.rows)]
            own = (self._programme.add_column([(number, sign)]) for sign in signs)
            self._violations.append(tuple(own))
        self._norm = self._programme.add_row(1.0, 1.0)
        self._weights: dict[Type, int] = {}
        self.multipliers: Floats = np.zeros(len(guide.lines))
        self.price = 0.0
        self._paid = 0
        self.violated = True
        self.add(first)

    def add(self, kinds: Iterable[Type]) -> bool:
        """Take types in; whether any is new."""
        added = False
        for kind in kinds:
            if kind in self._weights:
                continue
            added = True
            scaled = self._guide.entries(kind) * self._scales
            places = np.flatnonzero(scaled)
            entries = list(zip(places.tolist(), scaled[places].tolist(), strict=True))
            if self.goal.has(kind):
                entries.append((self._norm, 1.0))
            gain = float(value(self.objective, kind))
            self._weights[kind] = self._programme.add_column(entries, gain)
        return added

    def solve(self, price: int, budget: Budget) -> bool:
        """Find the optimum where violations cost a price; whether the solver finds one."""
        self._paid = price
        for violation in chain.from_iterable(self._violations):
            self._programme.set_gain(violation, -float(price))
        if not self._programme.solve(budget):
            return False
        duals, values = self._programme.duals, self._programme.values
        self.multipliers = -duals[: self._norm] * self._scales
        self.price = float(duals[self._norm])
        total = values[list(chain.from_iterable(self._violations))].sum()
        self.violated = bool(total > NO_VIOLATION)
        return True

    def reduced(self, gains: Floats) -> Floats:
        """What every known type would gain, that is not taken in already."""
        found = gains.copy()
        for kind, place in self._guide.kinds.items():
            if kind in self._weights:
                found[place] = -np.inf
            else:
                found[place] += value(self.objective, kind) - self.price * self.goal.has(kind)
        return found

    def lead(self) -> Lead:
        """The basis, and the other types that are nearly as good."""
        basic = {*self._programme.basic_columns}
        idle = {*self._programme.basic_rows}
        chosen = [kind for kind, column in self._weights.items() if column in basic]
        others = [kind for kind, column in self._weights.items() if column not in basic]
        others.sort(key=lambda kind: -self._programme.reduced_gain(self._weights[kind]))
        rows = self._guide.rows
        violated: set[int] = set()
        tight: set[int] = set()
        penalties = [Fraction(1)] * len(rows)
        for number, line in enumerate(self._guide.lines):
            price = self._paid * Fraction(float(self._scales[number]))
            for row, violation in zip(line.rows, self._violations[number], strict=True):
                penalties[row] = price / rows[row].bound.denominator
                if violation in basic:
                    violated.add(row)
            if number not in idle and violated.isdisjoint(line.rows):
                tight.add(line.of(float(self.multipliers[number])))
        slack = frozenset(range(len(rows))) - tight - violated
        basis = Basis(tuple(range(len(chosen))), slack, frozenset(violated))
        return Lead(tuple(chosen), tuple(others), basis, tuple(penalties))


@dataclass(frozen=True)
class _Line:
    """One row, or two that make an equation; the second is −1 if there is none."""

    first: int
    second: int

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows in it."""
        return (self.first, self.second) if self.second >= 0 else (self.first,)

    def of(self, multiplier: float) -> int:
        """The row that a multiplier of the line belongs to."""
        return self.second if multiplier < 0 and self.second >= 0 else self.first


def _lines(rows: Sequence[Row]) -> list[_Line]:
    lines = []
    for sides in by_bound(rows).values():
        numbers = [sides[side] for side in ("lower", "upper") if side in sides]
        lines.append(_Line(numbers[0], numbers[1] if len(numbers) > 1 else -1))
    return lines
