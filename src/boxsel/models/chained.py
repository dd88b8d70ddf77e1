"""Shares that chains of sizes determine: what follows beyond modus ponens.

A row `(D | C)[q]` with q > 0 says |C ⊓ D| = q·|C|: of two sizes one is known if the other is. So
sizes that are connected by rows have the same ratios in all models. Bayes' rule is such a chain:
|C|, |C ⊓ A|, |A|, |A ⊓ D|, |D|. Two conjunctions are the same if each conjunct that one has more
includes one that both have. And what lies in disjoint concepts is disjoint.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import breadth_first_order, connected_components

from boxsel.models.batching import NEVER
from boxsel.models.conjunctions import composed, reduced
from boxsel.models.task import Rows

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

MOST_BASICS: Final = 3_000
"""With more basic concepts than this, tables of which includes which take too long."""

SURE: Final = 1e-12
"""A share that is so near to 0 or 1 is that."""


def chained(follows: Rows, rows: Rows) -> Rows:
    """The rows that follow from others, as points where sizes determine their shares.

    Their bodies are single basic concepts.

    Examples:
        >>> def said(names, share):
        ...     return Rows(np.array(names), np.zeros((len(names), 3), int), *2 * [np.array(share)])
        >>> rows = said([[0, 0, 1], [1, 0, 2], [0, 0, 2]], [0.5, 0.5, 0.5])
        >>> found = chained(replace(said([[2, 0, 1]], [0.0]), upper=np.ones(1)), rows)
        >>> found.lower.tolist(), found.upper.tolist()  # as many are A as B: (A | B) is (B | A)
        ([0.5], [0.5])
    """
    rows = rows.take(np.flatnonzero((rows.lower == rows.upper) & (rows.upper < NEVER)))
    if not len(rows) or not len(follows):
        return follows
    count = 1 + max(int(some.names.max(initial=0)) for some in (rows, follows))
    codes = [some.roles.astype(np.int64) * count + some.names for some in (follows, rows)]
    basics, places = np.unique(np.concatenate([[0], *map(np.ravel, codes)]), return_inverse=True)
    if len(basics) > MOST_BASICS:
        return follows
    asked, said = np.split(places[1:].reshape(-1, 3), [len(follows)])
    sets = _Sets(said, rows.lower, len(basics))
    shares = _ratios(sets, said, rows.lower, asked)
    shares = np.where(sets.are_apart(asked), 0.0, shares)
    known = ~np.isnan(shares)
    shares = np.clip(shares, follows.lower, follows.upper)  # beyond by rounding, at most
    lower = np.where(known, np.where(shares < 1 - SURE, shares, 1.0), follows.lower)
    upper = np.where(known, np.where(shares > SURE, shares, 0.0), follows.upper)
    return replace(follows, lower=np.minimum(lower, upper), upper=np.maximum(lower, upper))


class _Sets:
    """Conjunctions of basic concepts, by what rows say that includes what; 0 is ⊤."""

    def __init__(self, said: Ints, shares: Floats, size: int) -> None:
        self._size = size
        self._within = _inclusions(said[shares >= 1], size)
        # The first of those that are included in each other stands for all of them.
        self._same = np.argmax(self._within & self._within.T, axis=1)
        one, two, three = self._reduced(said[shares <= 0]).T
        apart = np.zeros((size, size), bool)
        pair = one == 0
        apart[two[pair], three[pair]] = apart[three[pair], two[pair]] = True
        self._apart = composed(composed(self._within, apart), self._within.T)

    def numbers(self, slots: Ints) -> Ints:
        """A number for each conjunction: the same for those that are known to be equal."""
        found = np.zeros(len(slots), np.int64)
        for column in self._reduced(slots).T:
            found = found * self._size + column
        return found

    def are_apart(self, slots: Ints) -> Truths:
        """Whether nobody has the first and the last of three."""
        found: Truths = (
            self._apart[slots[:, 1], slots[:, 2]] | self._apart[slots[:, 0], slots[:, 2]]
        )
        return found

    def _reduced(self, slots: Ints) -> Ints:
        """Conjunctions without the conjuncts that include another one."""
        return reduced(slots, self._same, self._within)


def _inclusions(certain: Ints, size: int) -> Truths:
    """Which basic concepts are within which, closed."""
    within = np.eye(size, dtype=bool)
    within[:, 0] = True
    plain = (certain[:, :2] == 0).any(axis=1)
    within[certain[plain, :2].max(axis=1), certain[plain, 2]] = True
    while True:
        closed = composed(within, within)
        if (closed == within).all():
            return within
        within = closed


class _Ties(NamedTuple):
    """Sizes that are tied: by places, with the logarithm of the second over the first."""

    one: Ints
    other: Ints
    ratio: Floats


def _ratios(sets: _Sets, said: Ints, shares: Floats, asked: Ints) -> Floats:
    """The sizes of bodies with heads over those of bodies; NaN where they are not tied."""
    positive = shares > 0
    said, shares = said[positive], shares[positive]
    bodies = said * (1, 1, 0)
    groups = [sets.numbers(some) for some in (bodies, said, asked * (1, 1, 0), asked)]
    known, places = np.unique(np.concatenate(groups), return_inverse=True)
    ends = np.cumsum([len(group) for group in groups])[:-1]
    wider, narrower, whole, part = np.split(places, ends)
    sizes, component = _sizes(_Ties(wider, narrower, np.log(shares)), len(known))
    tied = component[whole] == component[part]
    return np.where(tied, np.exp(sizes[part] - sizes[whole]), np.nan)


def _sizes(ties: _Ties, count: int) -> tuple[Floats, Ints]:
    """Logarithms of sizes, along the shortest chains, and what is tied to what."""
    one, other = np.concatenate([ties.one, ties.other]), np.concatenate([ties.other, ties.one])
    ratio = np.concatenate([ties.ratio, -ties.ratio])
    _, first = np.unique(one * count + other, return_index=True)
    one, other, ratio = one[first], other[first], ratio[first]
    graph = sparse.csr_array((np.ones(len(one)), (one, other)), shape=(count, count))
    number, component = connected_components(graph, directed=False)
    # One place more, which is tied to one of each component, is where all chains begin.
    heads = np.unique(component, return_index=True)[1]
    one, other = np.append(one, np.full(number, count)), np.append(other, heads)
    ratio = np.append(ratio, np.zeros(number))
    shape = (count + 1, count + 1)
    graph = sparse.csr_array((np.ones(len(one)), (one, other)), shape=shape)
    order, before = breadth_first_order(graph, count)
    keys = one * (count + 1) + other
    sorting = np.argsort(keys)
    steps = order[1:]
    at = np.searchsorted(keys[sorting], before[steps].astype(np.int64) * (count + 1) + steps)
    sizes = [0.0] * (count + 1)
    gains = ratio[sorting[at]].tolist()
    for place, start, gain in zip(steps.tolist(), before[steps].tolist(), gains, strict=True):
        sizes[place] = sizes[start] + gain
    return np.array(sizes[:count]), component.astype(np.int64)
