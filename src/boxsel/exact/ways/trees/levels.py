"""A tree of bags as arrays: all types in one row, what neighbours share by depth, and the lines.

Sweeps up and down a tree do the same for all bags of one depth: so they are a few operations on
long arrays, however many bags there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.ways.trees.bags import Bags, Line, Places

Floats = NDArray[np.float64]
Entries = tuple[Places, Places]
"""Types, and the number of the pattern that each has."""


def number_types(bags: Bags) -> Places:
    """The number of each bag's first type; at the end, how many types there are."""
    return np.cumsum([0, *(len(bag.kinds) for bag in bags.bags)])


def group_by_depth(bags: Bags) -> list[list[int]]:
    """The bags of each depth, the root first."""
    depth = [0] * len(bags)
    levels: list[list[int]] = [[0]]
    for place, above in enumerate(bags.above[1:], 1):
        depth[place] = depth[above] + 1
        if depth[place] == len(levels):
            levels.append([])
        levels[depth[place]].append(place)
    return levels


@dataclass(frozen=True)
class Shared:
    """The patterns that bags share with those above them, numbered in one row.

    `below` and `above` are the types of the bags with the number of the pattern that each has.
    """

    count: int
    below: Entries
    above: Entries

    @classmethod
    def of(cls, bags: Bags, places: Iterable[int], first: Places) -> Shared:
        """What some bags share with those above; the root shares nothing."""
        below = [place for place in places if bags.above[place] != place]
        above = [bags.above[place] for place in below]
        borders = [bags.border(*pair) for pair in zip(below, above, strict=True)]
        ends = np.cumsum([0, *(len(border.patterns) for border in borders)])
        entries = [
            (
                _spread(first, bags_there),
                _joined(patterns) + np.repeat(ends[:-1], [len(one) for one in patterns]),
            )
            for bags_there, patterns in (
                (below, [border.own for border in borders]),
                (above, [border.other for border in borders]),
            )
        ]
        return cls(int(ends[-1]), entries[0], entries[1])


@dataclass(frozen=True)
class Lines:
    """Some lines: the types in the body of each, with its number, and which of them have both.

    `lower` and `upper` are the bounds; a side of which nothing is stated is 0 or 1.
    """

    types: Places
    numbers: Places
    both: NDArray[np.bool_]
    lower: Floats
    upper: Floats

    @classmethod
    def of(cls, bags: Bags, stated: Sequence[tuple[int, Line]], first: Places) -> Lines:
        """Some lines, each with the place of its bag."""
        places, lines = [place for place, _ in stated], [line for _, line in stated]
        own = [bags.bags[place].kinds for place in places]
        kinds, numbers = _joined(own), np.repeat(np.arange(len(lines)), [len(one) for one in own])
        body, both = (
            np.array(masks, kinds.dtype)[numbers]
            for masks in ([line.body for line in lines], [line.both for line in lines])
        )
        inside = np.flatnonzero((kinds & body) == body)
        having = (kinds[inside] & both[inside]) == both[inside]
        lower = [0.0 if line.lower is None else float(line.lower[1]) for line in lines]
        upper = [1.0 if line.upper is None else float(line.upper[1]) for line in lines]
        types = _spread(first, places)[inside]
        return cls(types, numbers[inside], having, np.array(lower), np.array(upper))

    def __len__(self) -> int:
        return len(self.lower)

    def narrowed(self, room: float) -> Lines:
        """The same lines, whose shares keep a part of the width of their bounds from either."""
        kept = room * np.maximum(0.0, self.upper - self.lower)
        lower = np.where(self.lower > 0, self.lower + kept, self.lower)
        upper = np.where(self.upper < 1, self.upper - kept, self.upper)
        return replace(self, lower=lower, upper=upper)

    @property
    def halves(self) -> Places:
        """Twice the number of the line of each type, and one more if it has both."""
        return 2 * self.numbers + self.both

    def weigh(self, weights: Floats) -> tuple[Floats, Floats]:
        """The weights of those in each body who have the head too, and of those who lack it."""
        sums = add_up(self.halves, weights[self.types], 2 * len(self))
        return sums[1::2], sums[::2]


def add_up(groups: Places, numbers: Floats, count: int) -> Floats:
    """The sums of numbers by group."""
    return np.bincount(groups, numbers, count).astype(np.float64)


def add_logarithms(groups: Places, heights: Floats, count: int) -> Floats:
    """The logarithms of the sums of groups of numbers whose logarithms are given.

    Examples:
        >>> heights = np.log([1.0, 2.0, 3.0]) - 5000
        >>> np.exp(add_logarithms(np.array([0, 0, 1]), heights, 2) + 5000).round(9)
        array([3., 3.])
    """
    highest = np.full(count, -np.inf)
    np.maximum.at(highest, groups, heights)
    highest[np.isneginf(highest)] = 0.0
    with np.errstate(divide="ignore"):
        sums: Floats = highest + np.log(add_up(groups, np.exp(heights - highest[groups]), count))
    return sums


def _spread(first: Places, places: Sequence[int]) -> Places:
    """The numbers of the types of some bags, one bag after the other."""
    bags = np.array(places, np.intp)
    starts, sizes = first[bags], first[bags + 1] - first[bags]
    before = np.cumsum(sizes) - sizes
    return np.repeat(starts - before, sizes) + np.arange(sizes.sum())


def _joined(parts: Sequence[Places]) -> Places:
    return np.concatenate(parts) if parts else np.zeros(0, np.intp)
