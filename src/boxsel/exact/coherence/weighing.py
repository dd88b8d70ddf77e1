"""How many there are of each kind of element, so that all shares are met: exactly.

Elements with the same pattern are one column. Weights that meet all shares form a cone: whatever
can be above zero can be so at once. So one linear programme finds the columns that can have weight
and the bounds that can be met with some room to spare,

    most Σ z_j + Σ t_i  where  w_j = z_j + s_j,  a_i·w ≥ m_i·t_i,  0 ≤ z, t ≤ 1,  s ≥ 0.

It is solved in floats. The bounds without room are equations then, which a small change of the
weights makes true; and all of it is checked in fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Final

from flint import fmpq

from boxsel.exact.coherence.elements import Pattern, Share
from boxsel.exact.lp import sparse
from boxsel.exact.lp.solver import LinearProgramme
from boxsel.machine.budget import Budget

ROOM_WITHIN_BOUNDS: Final = 0.1
"""How much room a bound is asked for, as a part of the distance of both."""
HALF: Final = 0.5
"""What is above zero is one, but for rounding."""


@dataclass(frozen=True)
class Bound:
    """One bound of a share, as a row: the form is not negative."""

    share: int
    sign: int
    limit: Fraction
    width: Fraction

    def entry(self, *, both: bool) -> Fraction:
        """What one element of the body counts."""
        return self.sign * (int(both) - self.limit)


@dataclass(frozen=True)
class Weighing:
    """The columns that have weight, and what the bounds are worth to those that have none."""

    weights: Mapping[int, fmpq]
    worth: Mapping[Bound, float]


def bounds_of(shares: Sequence[Share]) -> list[Bound]:
    """The bounds that say something."""
    bounds = []
    for number, share in enumerate(shares):
        width = share.upper - share.lower
        if share.lower > 0:
            bounds.append(Bound(number, 1, share.lower, width))
        if share.upper < 1:
            bounds.append(Bound(number, -1, share.upper, width))
    return bounds


def weigh(
    patterns: Sequence[Pattern],
    sizes: Sequence[float],
    bounds: Iterable[Bound],
    budget: Budget,
) -> Weighing | None:
    """Weights that meet all bounds, above zero wherever that is possible with these columns.

    The sizes are a guess of the weights, so that floats are told what is rare. None if the floats
    led nowhere.
    """
    masses: dict[int, float] = {}
    for pattern, size in zip(patterns, sizes, strict=True):
        for number, _ in pattern:
            masses[number] = masses.get(number, 0.0) + size
    met = [one for one in bounds if one.share in masses]
    if not met:
        return Weighing(dict.fromkeys(range(len(patterns)), fmpq(1)), {})
    programme = LinearProgramme()
    entries: dict[tuple[int, bool], list[tuple[int, float]]] = {}
    spare = []
    for row, bound in enumerate(met):
        programme.add_row(0.0, inf)
        room = [(row, -ROOM_WITHIN_BOUNDS * float(bound.width))]
        spare.append(programme.add_column(room, gain=1.0, upper=1.0 if bound.width else 0.0))
        for both in (False, True):
            entry = float(bound.entry(both=both)) / masses[bound.share]
            entries.setdefault((bound.share, both), []).append((row, entry))
    columns = []
    for pattern, size in zip(patterns, sizes, strict=True):
        column = [(row, entry * size) for one in pattern for row, entry in entries.get(one, ())]
        columns.append(
            (programme.add_column(column, gain=1.0, upper=1.0), programme.add_column(column))
        )
    if not programme.solve(budget):
        return None
    values, duals = programme.values, programme.duals
    chosen = {
        number: size * float(values[first] + values[rest])
        for number, ((first, rest), size) in enumerate(zip(columns, sizes, strict=True))
        if values[first] > HALF
    }
    tight = [one for one, place in zip(met, spare, strict=True) if values[place] < HALF]
    worth = {
        one: -dual / masses[one.share]
        for one, dual in zip(met, duals.tolist(), strict=True)
        if dual < 0
    }
    return Weighing(_exact(patterns, chosen, tight, met, budget), worth)


def _exact(
    patterns: Sequence[Pattern],
    chosen: Mapping[int, float],
    tight: Sequence[Bound],
    bounds: Sequence[Bound],
    budget: Budget,
) -> dict[int, fmpq]:
    """Weights near given ones that meet all bounds, and some of them as equations.

    What rounding took for something has no weight, and is left out; there may be nothing left.
    """
    while chosen:
        users: dict[int, list[tuple[int, bool]]] = {}
        for column in chosen:
            for number, both in patterns[column]:
                users.setdefault(number, []).append((column, both))
        weights = {column: fmpq(*size.as_integer_ratio()) for column, size in chosen.items()}
        equations = {
            (bound.share, bound.limit): bound for bound in tight if bound.share in users
        }.values()
        changes = sparse.solve(
            [dict(_entries(equation, users[equation.share])) for equation in equations],
            [-_total(equation, users[equation.share], weights) for equation in equations],
            budget.check,
            chosen,
        )
        for column, change in (changes or {}).items():
            weights[column] += change
        if all(weight > 0 for weight in weights.values()):
            met = (bound for bound in bounds if bound.share in users)
            obeyed = all(_total(bound, users[bound.share], weights) >= 0 for bound in met)
            return weights if obeyed else {}
        chosen = {column: size for column, size in chosen.items() if weights[column] > 0}
    return {}


def _entries(bound: Bound, users: Iterable[tuple[int, bool]]) -> Iterator[tuple[int, fmpq]]:
    """What each column counts in a row."""
    lacking, having = (bound.entry(both=both) for both in (False, True))
    entries = [fmpq(entry.numerator, entry.denominator) for entry in (lacking, having)]
    return ((column, entries[both]) for column, both in users)


def _total(bound: Bound, users: Iterable[tuple[int, bool]], weights: Mapping[int, fmpq]) -> fmpq:
    """The value of a row."""
    sums = [fmpq(0), fmpq(0)]
    for column, both in users:
        sums[both] += weights[column]
    (_, lacking), (_, having) = _entries(bound, ((0, False), (1, True)))
    return lacking * sums[0] + having * sums[1]
