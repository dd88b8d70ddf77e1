"""Linear programmes over parts: the solver's basis in floats, its numbers in fractions.

Over amounts v ≥ 0 of choices and types over the base: every equation `a_i·v = 0`; the choices of
each pattern weigh what its types over the base weigh; and those of a goal weigh 1.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq

from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.lp.equalities import Equalities, Values
from boxsel.exact.ways.counted.equations import Equation
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
        for mask in dict.fromkeys(mask for equation in equations for mask, _ in equation.form):
            totals[mask] = tuple(parts.having(mask))
        # Short lines first, so that there are few entries in all.
        about = [equation for equation in equations if totals[equation.form[1][0]]]
        ordered = sorted(about, key=lambda one: len(totals[one.form[1][0]]))
        self._equations = spanning(ordered, totals.__getitem__)
        self._lines: list[Values] = [parts.values(one.form) for one in self._equations]
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
        found: dict[int, tuple[int, ...]] = {n: (n,) for n in base if n not in seen}
        for places, parts in self._parts.links:
            unseen = next((number for number in parts if number not in seen), None)
            for place in places:
                if place in found and unseen is not None:
                    found[place] = (*found[place], unseen)
                else:
                    found.pop(place, None)
        return found


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
