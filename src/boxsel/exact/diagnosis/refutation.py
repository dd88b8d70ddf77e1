"""No cheaper repair: exact proofs that bounds, relaxed by so much in all, still leave a goal empty.

The relaxed amounts δ lie in a box and weigh at most a limit, w·δ ≤ θ. Multipliers y ≥ 0 of the
conditionals' rows refute all of them at once if, for every pattern t and every such δ,
`Σ y_i·(a_i(t) + δ_i·[t in body i]) ≤ 0`, and `< 0` if t is in the goal: then no weighting obeys
the relaxed rows and gives the goal weight. Every pattern may choose the δ that suits it best,
which is more than a repair can do: so what is refuted cannot be repaired, and what is not refuted
is split into smaller boxes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.diagnosis.missing import find_missing
from boxsel.exact.diagnosis.patterns import Patterns
from boxsel.exact.diagnosis.relaxation import Relaxable
from boxsel.exact.lp.floats import as_float
from boxsel.exact.lp.solver import LinearProgramme
from boxsel.machine.budget import Budget

TOLERANCE: Final = 1e-9
CUTS_AT_ONCE: Final = 30
"""How many patterns are taken in at once."""
MOST_ROUNDS: Final = 300
DENOMINATOR: Final = 10**12
MORE: Final = (2e-8, 5e-7)
"""How much more every end gives way in floats than in the claim: first little, then enough."""
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """What each end gives way: at least `low`, at most `high`."""

    low: tuple[Fraction, ...]
    high: tuple[Fraction, ...]


@dataclass(frozen=True)
class Usage:
    """What a weighting that is not refuted uses of each end: least, on average, and most."""

    least: Floats
    average: Floats
    most: Floats


class Refuter:
    """Looks for multipliers, in floats, and checks them in fractions."""

    def __init__(self, patterns: Patterns, ends: Sequence[Relaxable], budget: Budget) -> None:
        self._patterns, self._ends, self._budget = patterns, ends, budget
        self._inside = patterns.inside.astype(float)
        signs = np.array([1.0 if end.side == "lower" else -1.0 for end in ends])
        stated = np.array([float(end.stated) for end in ends])
        self._rows: Floats = signs * (patterns.both - stated * patterns.inside)
        self._weights = np.array([as_float(end.weight) for end in ends])

    @property
    def size(self) -> int:
        """How many ends there are for all patterns."""
        return self._rows.size

    def find_missing(self) -> Floats | None:
        """By how much each end has to give way for one population that has all goals, if found."""
        return find_missing(self._patterns, self._rows, self._weights, self._budget)

    def refute(self, box: Box, limit: Fraction) -> bool | list[Usage]:
        """Whether a goal stays empty everywhere in a box up to a limit; else what each goal uses.

        False if neither was found out.
        """
        usages = []
        for goal in range(self._patterns.goals.shape[1]):
            found = self._refute(goal, box, limit)
            if isinstance(found, bool):
                return found
            usages.append(found)
        return usages

    def _refute(self, goal: int, box: Box, limit: Fraction) -> bool | Usage:
        for more in MORE:
            found = self._search(goal, box, limit, more)
            if found is None or isinstance(found, Usage):
                return found or False
            if self.check(goal, box, limit, found):
                return True
        return False

    def _search(
        self, goal: int, box: Box, limit: Fraction, more: float
    ) -> list[Fraction] | Usage | None:
        """Multipliers that seem to refute a goal, or a weighting that they cannot refute.

        A little more is looked for than is claimed, so that rounding leaves the claim intact.
        """
        rows = self._rows + more * self._inside
        low, high = (np.array([float(one) for one in side]) for side in (box.low, box.high))
        rest = as_float(limit) - float(self._weights @ low)
        members = self._patterns.goals[:, goal].astype(float)
        programme = _Programme(len(self._ends))
        for _ in range(MOST_ROUNDS):
            solution = programme.solve(self._budget)
            if solution is None:
                return None
            multipliers, margin = solution
            chosen = self._best(multipliers, low, high, rest)
            values = ((rows + chosen * self._inside) @ multipliers) + margin * members
            worst = [int(n) for n in np.argsort(-values)[:CUTS_AT_ONCE] if values[n] > TOLERANCE]
            fresh = [
                programme.add(n, chosen[n], rows[n] + chosen[n] * self._inside[n], members[n])
                for n in worst
            ]
            if not any(fresh):
                break
        if margin > TOLERANCE:
            return [
                Fraction(max(0.0, multiplier)).limit_denominator(DENOMINATOR)
                for multiplier in multipliers
            ]
        return self._usage(programme, low)

    def _best(self, multipliers: Floats, low: Floats, high: Floats, rest: float) -> Floats:
        """For each pattern the amounts in the box, within the limit, that count for most."""
        chosen = np.tile(low, (len(self._inside), 1))
        left = np.full(len(self._inside), max(0.0, rest))
        for end in np.argsort(-multipliers / self._weights, kind="stable"):
            taken = np.minimum(high[end] - low[end], left / self._weights[end])
            taken *= self._inside[:, end]
            chosen[:, end] += taken
            left -= taken * self._weights[end]
        return chosen

    def _usage(self, programme: _Programme, low: Floats) -> Usage:
        total, mass = np.zeros(len(low)), np.zeros(len(low))
        least, most = np.full(len(low), np.inf), np.full(len(low), -np.inf)
        for pattern, chosen, weight in programme.weights():
            inside = self._patterns.inside[pattern]
            total += weight * chosen * inside
            mass += weight * inside
            least = np.where(inside, np.minimum(least, chosen), least)
            most = np.where(inside, np.maximum(most, chosen), most)
        used = mass > TOLERANCE
        return Usage(
            np.where(used, least, low),
            np.where(used, total / np.where(used, mass, 1.0), low),
            np.where(used, most, low),
        )

    def check(self, goal: int, box: Box, limit: Fraction, multipliers: list[Fraction]) -> bool:
        """Whether multipliers refute a goal, in exact arithmetic."""
        ends = self._ends
        low = list(box.low)
        rest = limit - sum(end.weight * amount for end, amount in zip(ends, low, strict=True))
        order = sorted(
            (n for n, factor in enumerate(multipliers) if factor),
            key=lambda n: multipliers[n] / ends[n].weight,
            reverse=True,
        )
        tables = self._patterns
        for inside, both, member in zip(
            tables.inside, tables.both, tables.goals[:, goal], strict=True
        ):
            value, left = Fraction(0), max(rest, Fraction(0))
            for n in order:
                if inside[n]:
                    taken = min(box.high[n] - low[n], left / ends[n].weight)
                    left -= taken * ends[n].weight
                    share = int(both[n]) - ends[n].stated
                    row = share if ends[n].side == "lower" else -share
                    value += multipliers[n] * (row + low[n] + taken)
            if value > 0 or (member and value == 0):
                return False
        return True


class _Programme:
    """Multipliers y with sum at most 1 and the largest margin: y·(a + δ) + margin·[goal] ≤ 0."""

    def __init__(self, count: int) -> None:
        self._programme = LinearProgramme()
        self._programme.add_row(0.0, 1.0)  # the sum of the multipliers
        self._factors = [self._programme.add_column([(0, 1.0)], upper=1.0) for _ in range(count)]
        self._margin = self._programme.add_column(gain=1.0, upper=1.0)
        self._cuts: dict[tuple[int, bytes], tuple[int, Floats, int]] = {}

    def add(self, pattern: int, chosen: Floats, row: Floats, member: float) -> bool:
        """Take a pattern with its amounts in; false if it is known already."""
        key = pattern, chosen.tobytes()
        if key in self._cuts:
            return False
        entries = [*zip(self._factors, row.tolist(), strict=True), (self._margin, float(member))]
        self._cuts[key] = pattern, chosen, self._programme.add_row(-inf, 0.0, entries)
        return True

    def solve(self, budget: Budget) -> tuple[Floats, float] | None:
        """The multipliers and the margin, if the solver finds them."""
        if not self._programme.solve(budget):
            return None
        values = self._programme.values
        return values[self._factors], float(values[self._margin])

    def weights(self) -> list[tuple[int, Floats, float]]:
        """The patterns that keep the margin down, with their amounts and weights."""
        duals = np.abs(self._programme.duals)
        found = ((n, chosen, float(duals[row])) for n, chosen, row in self._cuts.values())
        return [one for one in found if one[2] > TOLERANCE]
