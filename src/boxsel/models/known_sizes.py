"""What was counted, as sizes: of everything, how much has these names and existentials.

Rows give ratios of sizes. Where all of them are single numbers, they often determine sizes, one
from the other and all from one; and most rows say again what others have said. Sizes are
linear in the weights of cells, each is said once, and none is divided by another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.models.batching import NEVER
from boxsel.models.numbering import NO_ROLE
from boxsel.models.task import SLOTS, Rows

AGREEMENT: Final = 1e-9
"""Shares that follow from each other may differ by so much, by rounding."""

Region = frozenset[int]
"""A conjunction of basic concepts, by their places; of none, it is ⊤."""


@dataclass(frozen=True, eq=False)
class Sure:
    """That nobody is in a body and not in a head."""

    body: Region
    head: int


@dataclass(frozen=True, eq=False)
class KnownSizes:
    """The sizes of regions, those that are empty, and what is sure.

    `names` and `roles` are the basic concepts, a place each; those with a role are existentials.
    `nested` are pairs of places: whoever has the first existential has the second.
    """

    names: NDArray[np.int64]
    roles: NDArray[np.int64]
    regions: tuple[Region, ...]
    sizes: NDArray[np.float64]
    empty: tuple[Region, ...]
    sure: tuple[Sure, ...]
    nested: tuple[tuple[int, int], ...]

    @property
    def is_existential(self) -> NDArray[np.bool_]:
        """Which basic concepts are existentials."""
        return np.asarray(self.roles != NO_ROLE)


def known_sizes(rows: Rows) -> KnownSizes | None:
    """The sizes that rows determine; None if they say anything else.

    Examples:
        >>> said = Rows(  # half are A, a fifth of these is B
        ...     np.array([[0, 0, 1], [1, 0, 2]]), np.zeros((2, 3), int),
        ...     np.array([0.5, 0.2]), np.array([0.5, 0.2]),
        ... )
        >>> known = known_sizes(said)
        >>> [(sorted(region), float(size)) for region, size in zip(known.regions, known.sizes)]
        [([], 1.0), ([0], 0.5), ([0, 1], 0.1)]
    """
    rows = rows.take(np.flatnonzero(rows.upper < NEVER))
    points = (rows.lower == rows.upper) | (rows.upper <= 0)
    if not len(rows) or not points.all():
        return None
    count = int(rows.names.max(initial=0)) + 1
    codes = rows.roles.astype(np.int64) * count + rows.names
    basics = np.setdiff1d(codes, [0])
    places = np.searchsorted(basics, codes)
    said = list(_said(places, codes, rows.lower))
    is_existential = basics >= count
    nested, plain = [], []
    for body, head, share in said:
        if sum(map(bool, is_existential[list(body | {head})])) < 2:
            plain.append((body, head, share))
        elif len(body) == 1 and share >= 1:
            nested.append((next(iter(body)), head))
        else:
            return None
    empty = _smallest({body | {head} for body, head, share in plain if share <= 0})
    sizes = _sizes(plain, empty)
    if sizes is None:
        return None
    regions = tuple(sizes)
    return KnownSizes(
        basics % count,
        basics // count,
        regions,
        np.array([sizes[region] for region in regions]),
        tuple(empty),
        tuple(Sure(body, head) for body, head, share in plain if share >= 1),
        tuple(nested),
    )


_Said = tuple[Region, int, float]


def _said(
    places: NDArray[np.int64], codes: NDArray[np.int64], shares: NDArray[np.float64]
) -> Iterator[_Said]:
    """Bodies, heads and shares of rows that say something."""
    for row, code, share in zip(places.tolist(), codes.tolist(), shares.tolist(), strict=True):
        body = frozenset(row[slot] for slot in range(SLOTS - 1) if code[slot])
        if code[-1] and row[-1] not in body:
            yield body, row[-1], share


def _smallest(regions: set[Region]) -> set[Region]:
    """Those that contain no other."""
    return {
        region
        for region in regions
        if not any(
            frozenset(part) in regions
            for size in range(1, len(region))
            for part in combinations(region, size)
        )
    }


def _sizes(said: list[_Said], empty: set[Region]) -> dict[Region, float] | None:
    """The size of every region that is mentioned, from that of the first; None if some has none.

    The first is ⊤, if anything is said of it; else sizes are known up to a factor.
    """

    def vanishes(region: Region) -> bool:
        return any(
            frozenset(part) in empty
            for size in range(1, len(region) + 1)
            for part in combinations(region, size)
        )

    ways: dict[Region, list[tuple[Region, float]]] = {}
    for body, head, share in said:
        both = body | {head}
        if share <= 0 or vanishes(both):
            if share > 0 and not vanishes(body):
                return None
            continue
        ways.setdefault(body, []).append((both, share))
        ways.setdefault(both, []).append((body, 1 / share))
    if not ways:
        return None
    first = frozenset() if frozenset() in ways else next(iter(ways))
    found, reached = {first: 1.0}, [first]
    for region in reached:
        for other, factor in ways.get(region, ()):
            size = found[region] * factor
            if other not in found:
                found[other] = size
                reached.append(other)
            elif abs(found[other] - size) > AGREEMENT * size:
                return None
    return found if len(found) == len(ways) else None
