"""A population along a tree of bags, in floats: what is typical of all that is stated.

Sweeps down and up the tree let each bag take over what its neighbour says about what they share,
and give each share that lies outside its bounds the nearest value inside (*iterative proportional
fitting*). Who differs in nothing that is stated stays as frequent as before: so this comes near to
the population that is most even. It proves nothing; it shows where to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.ways.trees.bags import Bags, Places
from boxsel.machine.budget import Budget

SWEEPS: Final = 200
"""So many times down and up the tree at the most; most trees need about ten, wide ones more."""
ROOM: Final = 0.2
"""So much of the width of its bounds a share keeps from either."""
TRIALS: Final = 6
SLOW: Final = 0.9
"""If so many sweeps do not come nearer by this factor, they end."""
CLOSE: Final = 1e-9
"""When shares are as near as this to where they should be, the sweeps end."""
FEW: Final = 1e-290
"""Weights below this are zero."""

Floats = NDArray[np.float64]


def fit(bags: Bags, budget: Budget, sweeps: int = SWEEPS) -> list[Floats]:
    """The weights of each bag's types in a population that obeys what is stated, nearly."""
    first = np.cumsum([0, *(len(bag.kinds) for bag in bags.bags)])
    weights = np.ones(first[-1])
    levels = [_Level(bags, places, first) for places in _by_depth(bags)]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        away = [inf]
        while away[-1] >= CLOSE and len(away) <= sweeps:
            budget.check()
            for level in levels:
                level.take_over(weights)
                level.fit(weights)
            for level in reversed(levels):
                level.fit(weights)
                level.hand_up(weights)
            weights[weights < FEW] = 0.0
            for level in levels:
                level.take_over(weights)
            away.append(max(level.away(weights) for level in levels))
            if away[-1] > SLOW * away[-TRIALS:][0]:
                break
    return [weights[start:end] for start, end in pairwise(first)]


def _by_depth(bags: Bags) -> list[list[int]]:
    depth = [0] * len(bags)
    levels: list[list[int]] = [[0]]
    for place, above in enumerate(bags.above[1:], 1):
        depth[place] = depth[above] + 1
        if depth[place] == len(levels):
            levels.append([])
        levels[depth[place]].append(place)
    return levels


class _Level:
    """The bags of one depth: what they share with those above, and their lines, one by one."""

    def __init__(self, bags: Bags, places: Sequence[int], first: Places) -> None:
        pairs = [(place, bags.above[place]) for place in places if place != bags.above[place]]
        self._shared = _Shared(bags, pairs, first)
        self._types = np.concatenate([np.arange(first[one], first[one + 1]) for one in places])
        self._owners = np.repeat(np.arange(len(places)), [first[n + 1] - first[n] for n in places])
        most = max(len(bags.bags[place].lines) for place in places)
        self._lines = [
            _Lines.of(
                bags, [place for place in places if len(bags.bags[place].lines) > n], n, first
            )
            for n in range(most)
        ]

    def take_over(self, weights: Floats) -> None:
        """Pass on to these bags how what they share with those above has changed there."""
        self._shared.pass_on(weights, self._shared.above, self._shared.below)

    def hand_up(self, weights: Floats) -> None:
        """Pass on to the bags above how what they share with these has changed here."""
        self._shared.pass_on(weights, self._shared.below, self._shared.above)

    def fit(self, weights: Floats) -> None:
        """Move shares that lie outside their bounds to the nearest value inside; a bag weighs 1."""
        for lines in self._lines:
            lines.fit(weights)
        inside = weights[self._types]
        totals = _sums(self._owners, inside, 0)
        weights[self._types] = inside / np.where(totals > 0, totals, 1.0)[self._owners]

    def away(self, weights: Floats) -> float:
        """How far a share is from where it should be, at the most."""
        return max((lines.away(weights) for lines in self._lines), default=0.0)


Entries = tuple[Places, Places]
"""Types, and the number of the pattern that each has."""


class _Shared:
    """The patterns that pairs of neighbouring bags share, numbered in one row, and their weights.

    `above` and `below` are the types of the bags with the number of the pattern that each has.
    """

    def __init__(self, bags: Bags, pairs: Iterable[tuple[int, int]], first: Places) -> None:
        count = 0
        parts: list[list[Places]] = [[], [], [], []]
        for place, above in pairs:
            border = bags.border(place, above)
            for n, (bag, patterns) in enumerate(((place, border.own), (above, border.other))):
                parts[2 * n].append(np.arange(first[bag], first[bag + 1]))
                parts[2 * n + 1].append(patterns + count)
            count += len(border.patterns)
        below, patterns_below, above_them, patterns_above = map(_joined, parts)
        self.below: Entries = below, patterns_below
        self.above: Entries = above_them, patterns_above
        self._weights: Floats = np.ones(count)

    def pass_on(self, weights: Floats, here: Entries, there: Entries) -> None:
        """Let the types there change as the patterns here have changed since the last time."""
        now = _sums(here[1], weights[here[0]], len(self._weights))
        factors = np.where(self._weights > 0, now / self._weights, 0.0)
        np.multiply.at(weights, there[0], factors[there[1]])
        self._weights = now


@dataclass(frozen=True)
class _Lines:
    """One line of each of some bags: the types in its body, with its number, and who has both."""

    count: int
    types: Places
    numbers: Places
    both: NDArray[np.bool_]
    lowest: Floats
    highest: Floats

    @classmethod
    def of(cls, bags: Bags, places: Sequence[int], slot: int, first: Places) -> _Lines:
        types: list[Places] = []
        numbers: list[Places] = []
        both: list[NDArray[np.bool_]] = []
        lowest, highest = np.zeros(len(places)), np.ones(len(places))
        for number, place in enumerate(places):
            bag = bags.bags[place]
            line = bag.lines[slot]
            inside = np.flatnonzero(bag.have(line.body))
            types.append(inside + first[place])
            numbers.append(np.full(len(inside), number))
            both.append(bag.have(line.both)[inside])
            lower = 0.0 if line.lower is None else float(line.lower[1])
            upper = 1.0 if line.upper is None else float(line.upper[1])
            room = ROOM * max(0.0, upper - lower)
            lowest[number] = lower if line.lower is None else lower + room
            highest[number] = upper if line.upper is None else upper - room
        having = np.concatenate(both) if both else np.zeros(0, bool)
        return cls(len(places), _joined(types), _joined(numbers), having, lowest, highest)

    def fit(self, weights: Floats) -> None:
        """Let the weights be as near as possible to what they were, relative to all others."""
        having, lacking, wanted = self._parts(weights)
        change = np.log(wanted) - np.log(1 - wanted) - np.log(having) + np.log(lacking)
        change = np.where(np.isfinite(change), change, 0.0)[self.numbers]
        chosen = wanted[self.numbers]
        weights[self.types] *= np.exp(np.where(self.both, 1 - chosen, -chosen) * change)

    def away(self, weights: Floats) -> float:
        """How far a share is from where it should be, at the most."""
        having, lacking, wanted = self._parts(weights)
        shares = np.where(having + lacking > 0, having / (having + lacking), wanted)
        return float(np.abs(shares - wanted).max(initial=0.0))

    def _parts(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """The weights of those in the body with and without the head, and the nearest share."""
        inside = weights[self.types]
        having = _sums(self.numbers, np.where(self.both, inside, 0.0), self.count)
        lacking = _sums(self.numbers, np.where(self.both, 0.0, inside), self.count)
        shares = np.where(having + lacking > 0, having / (having + lacking), self.lowest)
        return having, lacking, np.clip(shares, self.lowest, self.highest)


def _joined(parts: Sequence[Places]) -> Places:
    return np.concatenate(parts) if parts else np.zeros(0, np.intp)


def _sums(groups: Places, numbers: Floats, count: int) -> Floats:
    return np.bincount(groups, numbers, count).astype(np.float64)
