"""What must hold without exception, made to hold in every cell of a population.

`C ⊑ D` holds in a cell if C is impossible there or D is sure; C and D are disjoint in it if one of
them is impossible. Training ends near that. Here the smallest change in each cell is made: a
conjunct is taken out, or a head made sure. What is smallest is told by how much of all that has a
basic concept is concerned, so that rare ones are not lost. What is taken out stays out, so this
comes to an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Strata, Stratum
from boxsel.models.numbering import NO_ROLE
from boxsel.models.population_shares import shares_in
from boxsel.models.representations.boxes import WHOLE
from boxsel.models.representations.populations import Populations, memberships

PASSES: Final = 8
"""How often all rows are looked at: what one changes can break another."""

NEARLY_SURE: Final = 3.0
"""The level of a membership of nearly 1: 0.998."""

NOBODY: Final = 1e-12
"""What a basic concept has at least, as a part of all, where others are measured by it."""


class Strict(NamedTuple):
    """A row that must hold without exception: its body, its head, and whether that is sure."""

    body: tuple[tuple[int, int], ...]
    head: tuple[int, int]
    is_sure: bool


def hardened(
    how: Populations, parameters: Parameters, strata: Strata, *, loosely: bool = False
) -> Parameters:
    """The tables of names and roles with memberships of 0 and 1 where inclusions need them.

    If `loosely`, other memberships of 1 become a little less: what is cut has no slope, and would
    never move.
    """
    crisp = _Crisp(parameters)
    for _ in range(PASSES):
        broken = {
            strict for rows in strata for strict in _strict(rows, _off(how, crisp.tables, rows))
        }
        if not broken:
            break
        for row in sorted(broken):
            crisp.mend(row)
    if loosely:
        crisp.loosen({strict for rows in strata for strict in _strict(rows, rows.lower >= 1)})
    return crisp.tables


class _Crisp:
    """Tables of levels that are changed in place, name by name."""

    def __init__(self, parameters: Parameters) -> None:
        self._names = np.array(parameters["names"]["level"], float)
        self._rows, self._members, self._cells = self._names.shape
        roles = np.array(parameters["roles"]["level"], float)
        self._roles = roles.reshape(-1, self._members, self._rows, self._cells)
        self._other = parameters
        self._out: dict[tuple[int, int], NDArray[np.bool_]] = {}
        weights = np.array(parameters["cells"]["weight"][0], float)
        self._weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        self._totals: dict[tuple[int, int], NDArray[np.float64]] = {}

    @property
    def tables(self) -> Parameters:
        """The tables as they are now."""
        roles = self._roles.reshape(len(self._roles), self._members, -1)
        return {**self._other, "names": {"level": self._names}, "roles": {"level": roles}}

    def mend(self, row: Strict) -> None:
        """Make a row hold in every cell."""
        body = [self._level(basic) for basic in row.body]
        head, out = self._level(row.head), self._out.get(row.head, np.False_)
        shares, last = [memberships(level) for level in body], memberships(head)
        least = np.minimum.reduce(shares)
        nested = [basic for basic in row.body if _nested(basic, row)]
        if row.is_sure and nested:
            # Of existentials of one role, the larger membership holds the other.
            level = self._level(nested[0])
            wrong = (least > 0) & (last < memberships(level))
            head[wrong & ~out] = level[wrong & ~out]
            self._take_out(nested[0], wrong & out)
            return
        wrong = (least > 0) & ((last < 1) if row.is_sure else (last > 0))
        costs = [self._part(basic, share) for basic, share in zip(row.body, shares, strict=True)]
        lost = np.minimum.reduce(costs)
        if row.is_sure:
            changed = wrong & (self._part(row.head, 1 - last) <= lost) & ~out
            head[changed] = WHOLE
        else:
            changed = wrong & (self._part(row.head, last) <= lost)
            self._take_out(row.head, changed)
        wrong &= ~changed
        for cost, basic in zip(costs, row.body, strict=True):
            taken = wrong & (cost == lost)
            self._take_out(basic, taken)
            wrong &= ~taken

    def _part(self, basic: tuple[int, int], shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """What shares of cells are beside all that has a basic concept now."""
        if basic not in self._totals:
            self._totals[basic] = self._weights * memberships(self._level(basic))
            self._totals[basic] = self._totals[basic].sum(axis=-1, keepdims=True)
        part: NDArray[np.float64] = self._weights * shares / (self._totals[basic] + NOBODY)
        return part

    def _take_out(self, basic: tuple[int, int], cells: NDArray[np.bool_]) -> None:
        """Let nobody in some cells have a basic concept, for good."""
        self._level(basic)[cells] = -WHOLE
        self._out[basic] = self._out.get(basic, np.False_) | cells
        self._totals.pop(basic, None)

    def loosen(self, rows: Iterable[Strict]) -> None:
        """Let go of all that is sure, but need not be."""
        needed: dict[tuple[int, int], NDArray[np.bool_]] = {}
        for row in rows:
            shares = [memberships(self._level(one)) for one in row.body]
            sure = [
                share >= 1 for one, share in zip(row.body, shares, strict=True) if _nested(one, row)
            ]
            now = np.logical_and.reduce([np.minimum.reduce(shares) > 0, *sure])
            needed[row.head] = needed.get(row.head, np.False_) | now
        for name in range(1, self._rows):
            self._loosen((name, NO_ROLE), needed)
        for role in range(1, len(self._roles)):
            for name in range(self._rows):
                self._loosen((name, role), needed)

    def _loosen(
        self, basic: tuple[int, int], needed: dict[tuple[int, int], NDArray[np.bool_]]
    ) -> None:
        level = self._level(basic)
        level[(memberships(level) >= 1) & ~needed.get(basic, np.False_)] = NEARLY_SURE

    def _level(self, basic: tuple[int, int]) -> NDArray[np.float64]:
        name, role = basic
        return self._names[name] if role == NO_ROLE else self._roles[role, :, name]


def _nested(basic: tuple[int, int], row: Strict) -> bool:
    """Whether a conjunct and the head are existentials of one role."""
    return basic[1] == row.head[1] != NO_ROLE


def _off(how: Populations, parameters: Parameters, rows: Stratum) -> NDArray[np.bool_]:
    """Which rows that must hold without exception do not in some member."""
    lower, upper = np.asarray(rows.lower), np.asarray(rows.upper)
    share = np.asarray(shares_in(how, parameters, rows)).reshape(*lower.shape, -1)
    off = np.where(lower[..., None] >= 1, 1 - share, share)
    wrong = np.nan_to_num(off).max(axis=-1, initial=0.0) > 0
    return np.asarray(((lower >= 1) | (upper <= 0)) & wrong)


def _strict(rows: Stratum, which: NDArray[np.bool_]) -> Iterator[Strict]:
    """Some rows; of those that say that nobody has all of some basic concepts, each one once."""
    lower = np.asarray(rows.lower)
    for place in np.argwhere(which):
        at = int(place[0])
        body = [_basic(rows.body, rows.body_role, at)]
        if rows.second is not None:
            body.append(_basic(rows.second, rows.second_role, at))
        head = _basic(rows.head, rows.head_role, int(place[-1]))
        is_sure = bool(lower[tuple(place)] >= 1)
        if not is_sure:
            *body, head = sorted([*body, head])
        yield Strict(tuple(body), head, is_sure)


def _basic(names: Array, roles: Array | None, place: int) -> tuple[int, int]:
    return int(names[place]), NO_ROLE if roles is None else int(roles[place])
