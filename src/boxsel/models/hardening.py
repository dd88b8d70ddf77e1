"""What must hold without exception, made to hold in every cell of a population.

`C ⊑ D` holds in a cell if C is impossible there or D is sure; C and D are disjoint in it if one of
them is impossible. Training ends near that. Here the smallest change in each cell is made: a
conjunct is taken out, or a head made sure. What is smallest is told by how much of all that has a
basic concept is concerned, so that rare ones are not lost. What is taken out stays out, so this
comes to an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

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


Basic = tuple[int, int]
"""A basic concept: its name and its role."""

Cells = tuple[NDArray[np.int64], ...]
"""Cells: the places of their members, and in these."""


class _Seen(NamedTuple):
    """The memberships of a basic concept, where it is possible, and where it is sure."""

    share: NDArray[np.float64]
    possible: NDArray[np.bool_]
    sure: NDArray[np.bool_]


class Strict(NamedTuple):
    """A row that must hold without exception: its body, its head, and whether that is sure."""

    body: tuple[Basic, ...]
    head: Basic
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
    """Tables of levels that are changed in place, name by name, with the memberships they give.

    Most rows are broken in few cells: only these are looked at closely.
    """

    def __init__(self, parameters: Parameters) -> None:
        self._names = np.array(parameters["names"]["level"], float)
        self._rows, self._members, self._cells = self._names.shape
        roles = np.array(parameters["roles"]["level"], float)
        self._roles = roles.reshape(-1, self._members, self._rows, self._cells)
        self._other = parameters
        self._out: dict[Basic, NDArray[np.bool_]] = {}
        weights = np.array(parameters["cells"]["weight"][0], float)
        self._weights = np.exp(weights - weights.max(axis=-1, keepdims=True))
        self._seen: dict[Basic, _Seen] = {}
        self._totals: dict[Basic, NDArray[np.float64]] = {}

    @property
    def tables(self) -> Parameters:
        """The tables as they are now."""
        roles = self._roles.reshape(len(self._roles), self._members, -1)
        return {**self._other, "names": {"level": self._names}, "roles": {"level": roles}}

    def mend(self, row: Strict) -> None:
        """Make a row hold in every cell."""
        body, head = [self._at(basic) for basic in row.body], self._at(row.head)
        possible = body[0].possible
        for other in body[1:]:
            possible = possible & other.possible
        nested = [basic for basic in row.body if _nested(basic, row)]
        if row.is_sure and nested:
            # Of existentials of one role, the larger membership holds the other.
            self._widen(row.head, nested[0], possible)
            return
        wrong = possible & (~head.sure if row.is_sure else head.possible)
        if not wrong.any():
            return
        at = np.nonzero(wrong)
        costs = [
            self._part(basic, one.share[at], at) for basic, one in zip(row.body, body, strict=True)
        ]
        lost = np.minimum.reduce(costs)
        last = head.share[at]
        changed = self._part(row.head, 1 - last if row.is_sure else last, at) <= lost
        if row.is_sure:
            if row.head in self._out:
                changed &= ~self._out[row.head][at]
            self._set(row.head, _some(at, changed), WHOLE, 1.0)
        else:
            self._take_out(row.head, _some(at, changed))
        for cost, basic in zip(costs, row.body, strict=True):
            taken = ~changed & (cost == lost)
            self._take_out(basic, _some(at, taken))
            changed |= taken

    def _widen(self, head: Basic, inner: Basic, possible: NDArray[np.bool_]) -> None:
        """Let an existential have at least the membership of one that lies in it."""
        larger, smaller = self._at(head), self._at(inner)
        at = np.nonzero(possible & (larger.share < smaller.share))
        out = self._out[head][at] if head in self._out else np.zeros(len(at[0]), bool)
        free = _some(at, ~out)
        self._set(head, free, self._level(inner)[free], smaller.share[free])
        self._take_out(inner, _some(at, out))

    def _part(self, basic: Basic, shares: NDArray[np.float64], at: Cells) -> NDArray[np.float64]:
        """What shares of cells are beside all that has a basic concept now."""
        if basic not in self._totals:
            self._totals[basic] = (self._weights * self._at(basic).share).sum(axis=-1)
        part: NDArray[np.float64] = self._weights[at] * shares
        part /= self._totals[basic][at[0]] + NOBODY
        return part

    def _take_out(self, basic: Basic, cells: Cells) -> None:
        """Let nobody in some cells have a basic concept, for good."""
        if not len(cells[0]):
            return
        self._set(basic, cells, -WHOLE, 0.0)
        if basic not in self._out:
            self._out[basic] = np.zeros((self._members, self._cells), bool)
        self._out[basic][cells] = True
        self._totals.pop(basic, None)

    def _at(self, basic: Basic) -> _Seen:
        """The memberships of a basic concept."""
        if basic not in self._seen:
            share = np.asarray(memberships(self._level(basic)), float)
            self._seen[basic] = _Seen(share, share > 0, share >= 1)
        return self._seen[basic]

    def _set(self, basic: Basic, cells: Cells, level: Any, share: Any) -> None:
        """Change the levels of some cells, and what is seen of them."""
        self._level(basic)[cells] = level
        seen = self._at(basic)
        seen.share[cells] = share
        seen.possible[cells], seen.sure[cells] = seen.share[cells] > 0, seen.share[cells] >= 1

    def loosen(self, rows: Iterable[Strict]) -> None:
        """Let go of all that is sure, but need not be."""
        needed: dict[Basic, NDArray[np.bool_]] = {}
        for row in rows:
            body = [self._at(one) for one in row.body]
            sure = [
                seen.sure for one, seen in zip(row.body, body, strict=True) if _nested(one, row)
            ]
            now = np.logical_and.reduce([*(seen.possible for seen in body), *sure])
            needed[row.head] = needed.get(row.head, np.False_) | now
        for name in range(1, self._rows):
            self._loosen((name, NO_ROLE), needed)
        for role in range(1, len(self._roles)):
            for name in range(self._rows):
                self._loosen((name, role), needed)

    def _loosen(self, basic: Basic, needed: dict[Basic, NDArray[np.bool_]]) -> None:
        level = self._level(basic)
        level[(memberships(level) >= 1) & ~needed.get(basic, np.False_)] = NEARLY_SURE

    def _level(self, basic: Basic) -> NDArray[np.float64]:
        name, role = basic
        return self._names[name] if role == NO_ROLE else self._roles[role, :, name]


def _some(cells: Cells, which: NDArray[np.bool_]) -> Cells:
    return tuple(places[which] for places in cells)


def _nested(basic: Basic, row: Strict) -> bool:
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
    bodies, heads = _basics(rows.body, rows.body_role), _basics(rows.head, rows.head_role)
    second = None if rows.second is None else _basics(rows.second, rows.second_role)
    are_sure = (np.asarray(rows.lower)[which] >= 1).tolist()
    for place, is_sure in zip(np.argwhere(which).tolist(), are_sure, strict=True):
        body, head = [bodies[place[0]]], heads[place[-1]]
        if second is not None:
            body.append(second[place[0]])
        if not is_sure:
            *body, head = sorted([*body, head])
        yield Strict(tuple(body), head, is_sure)


def _basics(names: Array, roles: Array | None) -> list[Basic]:
    where = [NO_ROLE] * len(names) if roles is None else np.asarray(roles).tolist()
    return list(zip(np.asarray(names).tolist(), where, strict=True))
