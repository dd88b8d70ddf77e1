"""The memberships of existentials in kinds whose weights are given, and what they need of weights.

With weights that are fixed, every known size of an existential is linear in its memberships. There
may be none that give all of them: then prices of the linear programme say which sizes compete, and
that is a *demand* on all weights. For any prices of sizes, those are worth no more than what every
kind can add to them at best, so

    Σ price ≤ Σ weight · Σ max e · (Σ price of the sizes that the kind adds to, over the size)

with the sum over existentials, and e between the least and the most that the kind allows.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from boxsel.models.kinds import Floats, Kinds, Truths, cheapest
from boxsel.models.known_sizes import KnownSizes

NEAR: Final = 1e-8
"""Sizes that are missed by less than this part of them are those that are known."""


class Fitted(NamedTuple):
    """Memberships of existentials, a line for each basic concept, and how much they miss at most.

    Where they miss sizes, `demands` are prices of all sizes of existentials, a line for each demand
    that the weights do not meet.
    """

    shares: Floats
    missing: float
    demands: Floats


class _Said(NamedTuple):
    """What is known of an existential: sizes with others, and where it is sure or excluded."""

    sizes: list[tuple[list[int], float]]
    sure: list[list[int]]
    excluded: list[tuple[list[int], int | None]]

    def allowed(self, kinds: Kinds) -> tuple[Floats, Floats]:
        """The least and the most that it may be in kinds."""
        least, most = np.zeros(len(kinds)), np.ones(len(kinds))
        for others in self.sure:
            least[kinds.with_all(others)] = 1.0
        for others, head in self.excluded:
            here = kinds.with_all(others)
            most[here if head is None else here & ~kinds.has[:, head]] = 0.0
        return least, np.maximum(most, least)

    def parts(self, kinds: Kinds) -> Floats:
        """What part of every size one individual of a kind is: a line for each size."""
        lines = [kinds.with_all(others) / size for others, size in self.sizes]
        return np.array(lines).reshape(-1, len(kinds))


class Existentials:
    """All existentials of which something is known. Those that are nested are solved together."""

    def __init__(self, known: KnownSizes) -> None:
        self._said = _by_existential(known)
        self._nested = _direct(known.nested)
        self._groups = _groups(list(self._said), self._nested)
        ends = np.cumsum([0, *(len(self._said[place].sizes) for place in self._said)])
        self._sizes = {
            place: slice(start, end)
            for place, start, end in zip(self._said, ends, ends[1:], strict=False)
        }
        self.count = int(ends[-1])

    def fitted(self, kinds: Kinds, weights: Floats, before: Floats) -> Fitted:
        """The memberships in kinds with these weights, as near as can be to those before."""
        found, missing, demands = before.copy(), 0.0, []
        for group in self._groups:
            rooms = [self._said[place].allowed(kinds) for place in group]
            least, most = (np.stack(ends) for ends in zip(*rooms, strict=True))
            if len(group) == 1 and not self._said[group[0]].sizes:
                found[group] = np.clip(before[group], least, most)
                continue
            columns = [
                sparse.csc_array(weights * self._said[place].parts(kinds)) for place in group
            ]
            at = {place: line for line, place in enumerate(group)}
            pairs = [(at[inner], at[outer]) for inner, outer in self._nested if inner in at]
            within = _within(pairs, len(group), len(kinds))
            costs = weights * (0.5 - before[group])
            together = sparse.block_diag(columns, format="csc")
            best = cheapest(together, costs.ravel(), least.ravel(), most.ravel(), within)
            missing = max(missing, best.missing)
            if best.missing > NEAR:
                # Costs are a part of prices: what is lacking is said by those without.
                free = np.zeros(least.size)
                alone = cheapest(together, free, least.ravel(), most.ravel(), within)
                demands.append(self._demand(group, alone.prices))
                continue
            found[group] = _nested_again(
                np.clip(best.numbers.reshape(least.shape), least, most), pairs
            )
        return Fitted(found, missing, np.array(demands).reshape(len(demands), self.count))

    def _demand(self, group: list[int], prices: Floats) -> Floats:
        """Prices of the sizes of a group, among those of all."""
        places = np.concatenate([np.arange(self.count)[self._sizes[place]] for place in group])
        found = np.zeros(self.count)
        found[places] = prices / max(1.0, float(np.abs(prices).max()))
        return found

    def free(self, kinds: Kinds) -> dict[int, Truths]:
        """For every existential the kinds in which nothing at all is said of it."""
        found = {}
        for place, said in self._said.items():
            least, most = said.allowed(kinds)
            told = (said.parts(kinds) > 0).any(axis=0)
            found[place] = ~told & (least < 1) & (most > 0)
        return found

    def lacking(self, demands: Floats, kinds: Kinds, whole: Floats) -> Floats:
        """What weights of 1 lack, for every demand and kind; weights that are met lack nothing.

        The weights times `whole` sum to 1.
        """
        found = np.outer(demands.sum(axis=1), whole)
        for group in self._groups:
            some = [self._sizes[place] for place in group]
            asked = np.flatnonzero([line[np.r_[*some]].any() for line in demands])
            if not len(asked):
                continue
            rooms = [self._said[place].allowed(kinds) for place in group]
            least, most = (np.stack(ends) for ends in zip(*rooms, strict=True))
            worth = [
                demands[asked][:, here] @ self._said[place].parts(kinds)
                for place, here in zip(group, some, strict=True)
            ]
            sets = _closed(group, self._nested)
            found[asked] -= _greatest_worth(np.stack(worth), least, most, sets)
        return found


MOST_SETS: Final = 512
"""If existentials that are nested can be had in more ways than this, they count as if not nested:
then weights may be thought to do that do not."""


def _closed(group: list[int], nested: list[tuple[int, int]]) -> Truths | None:
    """The sets of existentials of a group that have with each what it lies in, a line each."""
    with_it = {place: {place} for place in group}
    for _ in group:
        for inner, outer in nested:
            if inner in with_it:
                with_it[inner] |= with_it[outer]
    sets: set[frozenset[int]] = {frozenset()}
    for added in with_it.values():
        sets |= {one | added for one in sets}
        if len(sets) > MOST_SETS:
            return None
    return np.array([[place in one for place in group] for one in sorted(sets, key=sorted)])


def _greatest_worth(worth: Floats, least: Floats, most: Floats, sets: Truths | None) -> Floats:
    """What memberships between the least and the most are worth at best, of all in a group."""
    apart: Floats = np.where(worth > 0, worth * most[:, None], worth * least[:, None]).sum(axis=0)
    if sets is None or len(worth) == 1:
        return apart
    allowed = (sets @ (1 - most) == 0) & (~sets @ least == 0)
    together = np.einsum("sg,gdk->dsk", sets.astype(float), worth)
    best = np.where(allowed, together, -np.inf).max(axis=1)
    return np.where(allowed.any(axis=0), best, apart)


def _nested_again(shares: Floats, pairs: list[tuple[int, int]]) -> Floats:
    """What is within another may be larger by a rounding of the solver: it must not be."""
    for _ in pairs:
        before = shares.copy()
        for inner, outer in pairs:
            shares[outer] = np.maximum(shares[outer], shares[inner])
        if (shares == before).all():
            break
    return shares


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
