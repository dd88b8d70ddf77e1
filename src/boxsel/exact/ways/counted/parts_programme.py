"""Linear programmes over parts: the solver's basis in floats, its numbers in fractions.

Over amounts v ≥ 0 of choices and types over the base: every equation `a_i·v = 0`; the choices of
each pattern weigh what its types over the base weigh; and those of a goal weigh 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

from flint import fmpq

from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.lp import sparse
from boxsel.exact.lp.solver import LinearProgramme
from boxsel.exact.ways.counted.equations import Equation
from boxsel.exact.ways.counted.parts import Parts
from boxsel.machine.budget import Budget

FIRST: Final = "use_dual_simplex: true"
LATER: Final = "use_dual_simplex: false"
"""From nothing the dual method is faster, from the last basis the primal one."""
ZERO = fmpq(0)
Values = Mapping[int, int]


@dataclass(frozen=True)
class PartsOptimum:
    """The largest value, the amounts that attain it, and multipliers of rows that prove it."""

    value: fmpq
    amounts: Mapping[int, fmpq]
    multipliers: Mapping[int, Fraction]


class PartsProgramme:
    """One linear programme, of which the goal and the objective change."""

    def __init__(self, parts: Parts, equations: Sequence[Equation], budget: Budget) -> None:
        self._parts, self._budget = parts, budget
        totals: dict[Mask, tuple[int, ...]] = {}
        for mask in dict.fromkeys(mask for equation in equations for mask, _ in equation.form):
            totals[mask] = tuple(parts.having(mask))
        # Short lines first, so that there are few entries in all.
        about = [equation for equation in equations if totals[equation.form[1][0]]]
        ordered = sorted(about, key=lambda one: len(totals[one.form[1][0]]))
        self._equations = spanning(ordered, totals.__getitem__)
        self._lines: list[Values] = [parts.values(one.form) for one in self._equations]
        for places, choices in parts.links:
            self._lines.append({**dict.fromkeys(places, -1), **dict.fromkeys(choices, 1)})
        self._floats = LinearProgramme()
        for _ in range(parts.size):
            self._floats.add_column()
        for line in self._lines:
            largest = max(abs(number) for number in line.values())
            self._floats.add_row(0.0, 0.0, ((n, value / largest) for n, value in line.items()))
        self._norm = self._floats.add_row(1.0, 1.0)
        self._members: Values = {}
        self._method = FIRST

    def maximise(self, members: Values, gains: Values) -> PartsOptimum | None:
        """The largest value of some gains where members weigh 1.

        None if that is impossible, or if the floats lead to no exact optimum.
        """
        self._set_members(members)
        self._floats.clear_gains()
        for number, gain in gains.items():
            self._floats.set_gain(number, float(gain))
        self._floats.tune(self._method)
        self._method = LATER
        if not self._floats.solve(self._budget):
            return None
        return self._exact(members, gains)

    def free(self) -> dict[int, tuple[int, ...]]:
        """Types over the base that may have any amount, each with choices that it may have it in.

        No equation sees the type or these parts.
        """
        seen = {number for line in self._lines[: len(self._equations)] for number in line}
        base = range(len(self._parts.extents.kinds))
        found: dict[int, tuple[int, ...]] = {n: (n,) for n in base if n not in seen}
        for places, parts in self._parts.links:
            unseen = next((number for number in parts if number not in seen), None)
            for place in places:
                if place in found and unseen is not None:
                    found[place] = (*found[place], unseen)
                else:
                    found.pop(place, None)
        return found

    def _set_members(self, members: Values) -> None:
        for number in self._members.keys() - members.keys():
            self._floats.set_entry(self._norm, number, 0.0)
        for number in members.keys() - self._members.keys():
            self._floats.set_entry(self._norm, number, 1.0)
        self._members = members

    def _exact(self, members: Values, gains: Values) -> PartsOptimum | None:
        """The basis solved exactly, if amounts and multipliers turn out as they must."""
        columns, idle = {*self._floats.basic_columns}, {*self._floats.basic_rows}
        tight = [number for number in range(len(self._lines)) if number not in idle]
        lines = [*(self._lines[number] for number in tight), members]
        chosen = [{n: line[n] for n in line.keys() & columns} for line in lines]
        check = self._budget.check
        amounts = sparse.solve(chosen, [*([ZERO] * len(tight)), fmpq(1)], check)
        if amounts is None or any(amount < 0 for amount in amounts.values()):
            return None
        if any(_dot(line, amounts) for line in self._lines):
            return None
        transposed: dict[int, dict[int, int]] = {column: {} for column in columns}
        for number, line in enumerate(chosen):
            for column, entry in line.items():
                transposed[column][number] = entry
        order = list(transposed)
        duals = sparse.solve(
            [transposed[column] for column in order],
            [fmpq(gains.get(n, 0)) for n in order],
            check,
        )
        if duals is None or not self._is_proof(lines, duals, gains):
            return None
        count = len(self._equations)
        multipliers = dict(
            self._equations[tight[number]].multiplier(-dual)
            for number, dual in duals.items()
            if dual and number < len(tight) and tight[number] < count
        )
        return PartsOptimum(duals.get(len(tight), ZERO), amounts, multipliers)

    def _is_proof(self, lines: Sequence[Values], duals: Mapping[int, fmpq], gains: Values) -> bool:
        """Whether nothing gains more than the lines that it is in cost."""
        scale = lcm(*(int(dual.q) for dual in duals.values()))
        costs = [-scale * gains.get(number, 0) for number in range(self._parts.size)]
        for number, dual in duals.items():
            factor = int(dual.p) * (scale // int(dual.q))
            if factor:
                for place, entry in lines[number].items():
                    costs[place] += factor * entry
        return all(cost >= 0 for cost in costs)


def _dot(line: Values, amounts: Mapping[int, fmpq]) -> fmpq:
    return sum((entry * amounts[n] for n, entry in line.items() if n in amounts), ZERO)


def spanning(equations: Iterable[Equation], total: Callable[[Mask], Hashable]) -> list[Equation]:
    """Equations from which the others follow; `total` names the set of what has a mask.

    An equation `q·[C ⊓ D] − p·[C] = 0` is a ratio between the totals of two sets. Ratios multiply
    along paths, so that the edges of a spanning forest give all others. Earlier ones are preferred.
    Those that contradict earlier ones are kept.

    Examples:
        >>> half = Equation(0, 1, ((0b01, 2), (0, -1)))
        >>> third = Equation(2, 3, ((0b11, 3), (0b01, -1)))
        >>> sixth = Equation(4, 5, ((0b11, 6), (0, -1)))
        >>> spanning([half, third, sixth], lambda mask: mask) == [half, third]
        True
    """
    above: dict[Hashable, tuple[Hashable, fmpq]] = {}

    def find(one: Hashable) -> tuple[Hashable, fmpq]:
        """The root of a set's tree, and how many times the root's total the set's total is."""
        ratio = fmpq(1)
        while one in above:
            one, factor = above[one]
            ratio *= factor
        return one, ratio

    kept = []
    for equation in equations:
        (both, times), (body, minus) = equation.form
        (part, share), (whole, base) = find(total(both)), find(total(body))
        # times·share·[part] + minus·base·[whole] = 0
        if part != whole:
            above[part] = whole, -(minus * base) / (times * share)
            kept.append(equation)
        elif times * share + minus * base:
            kept.append(equation)
    return kept
