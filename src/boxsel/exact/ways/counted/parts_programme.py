"""Linear programmes over parts: the solver's basis in floats, its numbers in fractions.

Over amounts v ≥ 0 of choices and types over the base: every equation `a_i·v = 0`; the choices of
each pattern weigh what its types over the base weigh; and those of a goal weigh 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.lp.equalities import Equalities, Values
from boxsel.exact.ways.counted.equations import Equation, keep_spanning
from boxsel.exact.ways.counted.parts import Parts
from boxsel.machine.budget import Budget


@dataclass(frozen=True)
class PartsOptimum:
    """The largest value, the amounts that attain it, and multipliers of rows that prove it."""

    value: fmpq
    amounts: Mapping[int, fmpq]
    multipliers: Mapping[int, Fraction]


class PartsProgramme:
    """One linear programme, of which the goal and the objective change."""

    def __init__(self, parts: Parts, equations: Sequence[Equation], budget: Budget) -> None:
        self._parts = parts
        totals: dict[Mask, tuple[int, ...]] = {}
        about = dict.fromkeys(mask for equation in equations for mask, _ in equation.form)
        for mask in budget.watched(about):
            totals[mask] = tuple(parts.having(mask))
        # Short lines first, so that there are few entries in all.
        full = [equation for equation in equations if totals[equation.form[1][0]]]
        ordered = sorted(full, key=lambda equation: len(totals[equation.form[1][0]]))
        self._equations = keep_spanning(ordered, totals.__getitem__)
        self._lines: list[Values] = [
            parts.values(equation.form) for equation in budget.watched(self._equations)
        ]
        for places, choices in parts.links:
            self._lines.append({**dict.fromkeys(places, -1), **dict.fromkeys(choices, 1)})
        self._balanced = Equalities(self._lines, parts.size, budget)

    def maximise(self, members: Values, gains: Values) -> PartsOptimum | None:
        """The largest value of some gains where members weigh 1.

        None if that is impossible, or if the floats lead to no exact optimum.
        """
        best = self._balanced.maximise(members, gains)
        if best is None:
            return None
        multipliers = dict(
            self._equations[line].multiplier(-worth)
            for line, worth in best.worth.items()
            if line < len(self._equations)
        )
        return PartsOptimum(best.value, best.amounts, multipliers)

    def free(self) -> dict[int, tuple[int, ...]]:
        """Types over the base that may have any amount, each with choices that it may have it in.

        No equation sees the type or these parts.
        """
        seen = {number for line in self._lines[: len(self._equations)] for number in line}
        base = range(len(self._parts.extents.kinds))
        free: dict[int, tuple[int, ...]] = {n: (n,) for n in base if n not in seen}
        for places, parts in self._parts.links:
            unseen = next((number for number in parts if number not in seen), None)
            for place in places:
                if place in free and unseen is not None:
                    free[place] = (*free[place], unseen)
                else:
                    free.pop(place, None)
        return free
