"""The last phase of populations whose sizes are known: members have them to the last digits.

Counted knowledge bases say so much that few populations satisfy all of it, and small changes, such
as those of Gauss and Newton, lead to none of them. But sizes are linear in the weights of cells, if
it is fixed what is in each; and then, with these weights, linear in every existential. So cells
become kinds of individuals (`kinds`), their weights are solved for all names together, and then the
memberships of existentials. A member stays as near as can be to what it was.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from boxsel.models.arrays import Parameters
from boxsel.models.kinds import Kinds, Laws, Sizes, cheapest, enough, kinds_of, refined
from boxsel.models.known_sizes import KnownSizes, known_sizes
from boxsel.models.numbering import NO_ROLE
from boxsel.models.representations.boxes import WHOLE
from boxsel.models.representations.populations import levels_of, memberships
from boxsel.models.task import Rows

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

MOST_SIZES: Final = 4_000
"""With more known sizes of names, the linear programmes take too long."""

STRANGE: Final = ((0.0, 10.0), (0.1, 0.0), (0.3, 0.0))
"""What part of the kinds of others a member may have, and what one costs, beside a random cost of
at most 1. If there are no existentials for the weights that are found, others are looked for."""

PATIENCE: Final = 3
"""If none of so many members can have all sizes in its cells, no other is tried."""

NEAR: Final = 1e-8
"""Sizes that are missed by less than this part of them are those that are known."""

NOBODY: Final = -1e4
"""The level of a weight that is 0."""


def counted(parameters: Parameters, rows: Rows) -> Parameters | None:
    """Members that have all known sizes, as near as can be to those that were trained.

    None if not all sizes are known, or too many, or some member cannot have them.
    """
    known = known_sizes(rows)
    if known is None:
        return None
    sizes = Sizes(known)
    if len(sizes) > MOST_SIZES:
        return None
    tables = _Tables(parameters, known)
    laws = Laws(known)
    names = np.where(known.is_existential[:, None, None], 0.0, tables.shares)
    found = enough(kinds_of(names, tables.weights, known, laws), sizes, laws, tables.cells)
    if found is None:
        return None
    kinds, needed = found
    columns = sizes.columns(kinds)
    solved = np.zeros(tables.members, bool)
    good: list[Floats] = []

    def solve(member: int, weights: Floats) -> bool:
        used = np.flatnonzero(weights > 0)
        if len(used) > tables.cells or np.abs(columns @ weights - 1).max() > NEAR:
            return False
        few = kinds.at(used)
        before = tables.shares_at(few)
        shares, missing = existential_shares(known, few, weights[used], before)
        if missing <= NEAR:
            tables.put(member, few, weights[used], shares)
            good.append(weights)
        return missing <= NEAR

    for member in range(tables.members):
        random = np.random.default_rng(member)
        own = kinds.owners[:, member]
        for others, strange in STRANGE:
            some = np.flatnonzero(needed | own | (random.random(len(kinds)) < others))
            costs = np.where(own[some], 0.0, strange) + random.random(len(some))
            weights = np.zeros(len(kinds))
            weights[some] = refined(columns[:, some], cheapest(columns[:, some], costs)[0])
            solved[member] = solve(member, weights)
            if solved[member]:
                break
        if not good and member + 1 >= PATIENCE:
            return None
    for member in np.flatnonzero(~solved).tolist():
        solved[member] = any(solve(member, weights) for weights in good[: len(STRANGE)])
    return tables.parameters if solved.all() else None


class _Tables:
    """The tables of an ensemble, by basic concepts; members are replaced one by one."""

    def __init__(self, parameters: Parameters, known: KnownSizes) -> None:
        self._names = np.array(parameters["names"]["level"], float)
        rows, self.members, self.cells = self._names.shape
        self._roles = np.array(parameters["roles"]["level"], float).reshape(
            -1, self.members, rows, self.cells
        )
        self._weights = np.array(parameters["cells"]["weight"], float)
        self._before = self._names.copy(), self._roles.copy()
        self._other, self._known = parameters, known
        self.shares = np.stack(
            [
                memberships(self._level(name, role))
                for name, role in zip(known.names.tolist(), known.roles.tolist(), strict=True)
            ]
        )
        raised = np.exp(self._weights[0] - self._weights[0].max(axis=-1, keepdims=True))
        self.weights = raised / raised.sum(axis=-1, keepdims=True)

    @property
    def parameters(self) -> Parameters:
        """The tables as they are now."""
        roles = self._roles.reshape(len(self._roles), self.members, -1)
        return {
            **self._other,
            "names": {"level": self._names},
            "roles": {"level": roles},
            "cells": {"weight": self._weights},
        }

    def shares_at(self, kinds: Kinds) -> Floats:
        """The memberships in the cells that kinds come from: [basics, kinds]."""
        return self.shares.reshape(len(self.shares), -1)[:, kinds.cells]

    def put(self, member: int, kinds: Kinds, weights: Floats, shares: Floats) -> None:
        """Replace the cells of a member; what nothing is said about is as where they come from."""
        names, roles = self._before
        count, source = len(kinds), np.unravel_index(kinds.cells, (self.members, self.cells))
        self._names[:, member, :count] = names[:, source[0], source[1]]
        self._roles[:, member, :, :count] = np.moveaxis(roles[:, source[0], :, source[1]], 0, 2)
        self._weights[0, member] = NOBODY
        self._weights[0, member, :count] = np.log(weights)
        known = self._known
        for place, (name, role) in enumerate(
            zip(known.names.tolist(), known.roles.tolist(), strict=True)
        ):
            level = self._level(name, role)[member]
            if role == NO_ROLE:
                level[:count] = np.where(kinds.has[:, place], WHOLE, -WHOLE)
            else:
                level[:count] = levels_of(shares[place])

    def _level(self, name: int, role: int) -> Floats:
        return self._names[name] if role == NO_ROLE else self._roles[role, :, name]


class _Said(NamedTuple):
    """What is known of an existential: sizes with others, and where it is sure or excluded."""

    sizes: list[tuple[list[int], float]]
    sure: list[list[int]]
    excluded: list[tuple[list[int], int | None]]


def existential_shares(
    known: KnownSizes, kinds: Kinds, weights: Floats, before: Floats
) -> tuple[Floats, float]:
    """The memberships of existentials in kinds with these weights, as near as can be to before.

    A line for each basic concept; those of names are as they were. Existentials of which one lies
    within another are solved together. With them, how much of their sizes is missing at most.
    """
    found, missing = before.copy(), 0.0
    said = _by_existential(known)
    nested = _direct(known.nested)
    for group in _groups(list(said), nested):
        least, most = np.zeros((2, len(group), len(kinds)))
        most += 1
        columns = []
        for line, place in enumerate(group):
            for others in said[place].sure:
                least[line, _in_all(kinds, others)] = 1.0
            for others, head in said[place].excluded:
                here = _in_all(kinds, others)
                most[line, here if head is None else here & ~kinds.has[:, head]] = 0.0
            parts = [weights * _in_all(kinds, others) / size for others, size in said[place].sizes]
            columns.append(sparse.csc_array(np.array(parts).reshape(-1, len(kinds))))
        most = np.maximum(most, least)
        at = {place: line for line, place in enumerate(group)}
        pairs = [(at[inner], at[outer]) for inner, outer in nested if inner in at]
        within = _within(pairs, len(group), len(kinds))
        costs = weights * (0.5 - before[group])
        together = sparse.block_diag(columns, format="csc")
        shares, lacking, _ = cheapest(together, costs.ravel(), least.ravel(), most.ravel(), within)
        missing = max(missing, lacking)
        if missing > NEAR:
            break
        solved = np.clip(shares.reshape(least.shape), least, most)
        # What is within another may be larger by a rounding of the solver: it must not be.
        for _ in pairs:
            before_now = solved.copy()
            for inner, outer in pairs:
                solved[outer] = np.maximum(solved[outer], solved[inner])
            if (solved == before_now).all():
                break
        found[group] = solved
    return found, missing


def _within(pairs: list[tuple[int, int]], count: int, kinds: int) -> sparse.csc_array | None:
    """Rows that say of pairs that the one is at most the other, in every kind."""
    if not pairs:
        return None
    lines = sparse.coo_array(
        (
            np.tile([1.0, -1.0], len(pairs)),
            (np.repeat(np.arange(len(pairs)), 2), np.array(pairs).ravel()),
        ),
        shape=(len(pairs), count),
    )
    return sparse.kron(lines, sparse.eye_array(kinds), format="csc")


def _direct(nested: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """Pairs that do not follow from two others."""
    pairs = set(nested)
    above: dict[int, set[int]] = {}
    for inner, outer in pairs:
        above.setdefault(inner, set()).add(outer)
    return [
        (inner, outer)
        for inner, outer in sorted(pairs)
        if not any(
            outer in above.get(middle, ())
            and inner not in above.get(middle, ())
            and middle not in above.get(outer, ())
            for middle in above[inner] - {outer}
        )
    ]


def _groups(places: list[int], nested: list[tuple[int, int]]) -> list[list[int]]:
    """Existentials that are together in pairs, directly or by others."""
    order = {place: number for number, place in enumerate(places)}
    links = np.array([(order[one], order[other]) for one, other in nested]).reshape(-1, 2)
    graph = sparse.coo_array(
        (np.ones(len(links)), (links[:, 0], links[:, 1])), shape=(len(places), len(places))
    )
    count, group = connected_components(graph, directed=False)
    return [
        [place for place, of in zip(places, group, strict=True) if of == one]
        for one in range(count)
    ]


def _by_existential(known: KnownSizes) -> dict[int, _Said]:
    """What is known of each existential."""
    said = {place: _Said([], [], []) for place in np.flatnonzero(known.is_existential).tolist()}
    for region, size in zip(known.regions, known.sizes.tolist(), strict=True):
        for place in region & said.keys():
            said[place].sizes.append((sorted(region - {place}), size))
    for region in known.empty:
        for place in region & said.keys():
            said[place].excluded.append((sorted(region - {place}), None))
    for one in known.sure:
        if one.head in said:
            said[one.head].sure.append(sorted(one.body))
        for place in one.body & said.keys():
            said[place].excluded.append((sorted(one.body - {place}), one.head))
    return said


def _in_all(kinds: Kinds, names: list[int]) -> Truths:
    """Which kinds have some names."""
    return np.asarray(kinds.has[:, names].all(axis=1))
