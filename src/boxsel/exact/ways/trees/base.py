"""A population along a tree of bags, in floats: what is typical of all that is stated.

First each bag divides what those above it say as its own statements want it: that is enough where
bags ask nothing of each other. Else sweeps down and up the tree let each bag take over what its
neighbour says about what they share, and give each share that lies outside its bounds the nearest
value inside (*iterative proportional fitting*). Who differs in nothing that is stated stays as
frequent as before: so this comes near to the population that is most even. Bags of one depth change
at once, and where many say much about what they share they go too far, each time: then a few shares
stay far off, and regions grow to where that matters. It proves nothing; it shows where to look.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from math import inf
from typing import Final

import numpy as np

from boxsel.exact.ways.trees.bags import Bags, Places
from boxsel.exact.ways.trees.levels import (
    Entries,
    Floats,
    Lines,
    Shared,
    add_up,
    group_by_depth,
    number_types,
)
from boxsel.machine.budget import Budget

SWEEPS: Final = 60
"""So many times down and up the tree at the most; most trees need about ten."""
GOOD_ENOUGH: Final = 1e-3
"""If shares are as near as this at first, bags need not tell each other from the beginning."""
ROOM_WITHIN_BOUNDS: Final = 0.2
"""So much of the width of its bounds a share keeps from either."""
ROUNDS: Final = 8
"""So often bags look at their own lines before those above them hear of it."""
TRIALS: Final = 6
SLOW_PROGRESS: Final = 0.9
"""If so many sweeps do not come nearer by this factor, they end."""
SHARE_ERROR: Final = 1e-9
"""When shares are as near as this to where they should be, the sweeps end."""
SMALLEST_WEIGHT: Final = 1e-290
"""Weights below this are zero."""
LARGEST_WEIGHT: Final = 1e100
"""Weights above this are cut: their products would leave the floats, and what they weigh with."""


@dataclass(frozen=True)
class Base:
    """The weights of each bag's types, and how far shares are from where they should be, mostly."""

    weights: list[Floats]
    error: float


def fit(bags: Bags, budget: Budget, sweeps: int = SWEEPS) -> Base:
    """The weights of each bag's types in a population that obeys what is stated, nearly."""
    first = number_types(bags)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        weights, off = _sweep(bags, first, budget, sweeps)
    error = float(off.mean()) if len(off) else 0.0
    return Base([weights[start:end] for start, end in pairwise(first)], error)


def _sweep(bags: Bags, first: Places, budget: Budget, sweeps: int) -> tuple[Floats, Floats]:
    """The weights after some sweeps, and how far each share is from where it should be."""
    weights = np.ones(first[-1])
    levels = [_Level(bags, places, first) for places in group_by_depth(bags)]
    for level in reversed(levels):
        level.rule_out(weights)
    for level in levels:
        level.settle(weights)
    start = _off(levels, weights).max(initial=0.0)
    if start > GOOD_ENOUGH:  # then bags have to tell each other, from the beginning
        start, weights = inf, np.ones(first[-1])
        for level in levels:
            level.forget()
    away = [start]
    while away[-1] >= SHARE_ERROR and len(away) <= sweeps:
        budget.check()
        for level in levels:
            level.take_over(weights)
            level.fit(weights)
        for level in reversed(levels):
            level.fit(weights)
            level.hand_up(weights)
        weights[weights < SMALLEST_WEIGHT] = 0.0
        for level in levels:
            level.take_over(weights)
        away.append(_off(levels, weights).max(initial=0.0))
        if len(away) > TRIALS and away[-1] > SLOW_PROGRESS * away[-TRIALS]:
            break
    return weights, _off(levels, weights)


def _off(levels: Iterable[_Level], weights: Floats) -> Floats:
    """How far each share is from where it should be."""
    return np.concatenate(
        [lines.off(weights) for level in levels for lines in level.lines] or [np.zeros(0)]
    )


class _Level:
    """The bags of one depth: what they share with those above, and their lines, one by one."""

    def __init__(self, bags: Bags, places: Sequence[int], first: Places) -> None:
        self._shared = Shared.of(bags, places, first)
        self._patterns: Floats = np.ones(self._shared.count)
        self._types = np.concatenate(
            [np.arange(first[place], first[place + 1]) for place in places]
        )
        self._owners = np.repeat(np.arange(len(places)), [first[n + 1] - first[n] for n in places])
        lines = [[(place, line) for line in bags.bags[place].lines] for place in places]
        # A bag's lines change the same types: they are fitted one after the other.
        slots = zip_longest(*lines)
        self.lines = [_Lines(Lines.of(bags, [*filter(None, slot)], first)) for slot in slots]

    def rule_out(self, weights: Floats) -> None:
        """Leave out types above whose patterns nobody has here."""
        below = add_up(self._shared.below[1], weights[self._shared.below[0]], len(self._patterns))
        types, patterns = self._shared.above
        weights[types[below[patterns] <= 0]] = 0.0

    def settle(self, weights: Floats) -> None:
        """Divide each pattern as these bags' own lines want it, as far as it can stay as it is.

        Who is above has no say in how many they are: of thousands below that each wanted fewer of
        them, nobody would be left.
        """
        for _ in range(ROUNDS if self.lines else 0):
            self._restore(weights)
            self.fit(weights)
        self._restore(weights)

    def _restore(self, weights: Floats) -> None:
        """Let these bags agree with those above, by changing these alone."""
        (above, patterns), (types, own) = self._shared.above, self._shared.below
        wanted = add_up(patterns, weights[above], len(self._patterns))
        found = add_up(own, weights[types], len(self._patterns))
        weights[types] *= np.where(found > 0, wanted / found, 0.0)[own]
        self._patterns = wanted

    def forget(self) -> None:
        """Begin anew, with all types alike."""
        self._patterns = np.ones(self._shared.count)

    def take_over(self, weights: Floats) -> None:
        """Pass on to these bags how what they share with those above has changed there."""
        self._pass_on(weights, self._shared.above, self._shared.below)

    def hand_up(self, weights: Floats) -> None:
        """Pass on to the bags above how what they share with these has changed here."""
        self._pass_on(weights, self._shared.below, self._shared.above)

    def _pass_on(self, weights: Floats, here: Entries, there: Entries) -> None:
        """Let the types there change as the patterns here have changed since the last time."""
        now = add_up(here[1], weights[here[0]], len(self._patterns))
        factors = np.where(
            self._patterns > 0, np.minimum(now / self._patterns, LARGEST_WEIGHT), 0.0
        )
        np.multiply.at(weights, there[0], factors[there[1]])
        np.nan_to_num(weights, copy=False, nan=0.0, posinf=LARGEST_WEIGHT)
        np.minimum(weights, LARGEST_WEIGHT, out=weights)
        self._patterns = now

    def fit(self, weights: Floats) -> None:
        """Move shares that lie outside their bounds to the nearest value inside; a bag weighs 1."""
        for lines in self.lines:
            lines.fit(weights)
        inside = weights[self._types]
        totals = add_up(self._owners, inside, 0)
        weights[self._types] = inside / np.where(totals > 0, totals, 1.0)[self._owners]


class _Lines:
    """One line of each of some bags, with bounds that leave some room."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        narrowed = lines.narrowed(ROOM_WITHIN_BOUNDS)
        self._lowest, self._highest = narrowed.lower, narrowed.upper

    def fit(self, weights: Floats) -> None:
        """Let the weights be as near as possible to what they were, relative to all others."""
        having, lacking, wanted = self._parts(weights)
        change = np.log(wanted) - np.log(1 - wanted) - np.log(having) + np.log(lacking)
        change = np.where(np.isfinite(change), change, 0.0)[self._lines.numbers]
        chosen = wanted[self._lines.numbers]
        factors = np.exp(np.where(self._lines.both, 1 - chosen, -chosen) * change)
        weights[self._lines.types] *= factors

    def off(self, weights: Floats) -> Floats:
        """How far each share is from where it should be."""
        having, lacking, wanted = self._parts(weights)
        shares = np.where(having + lacking > 0, having / (having + lacking), wanted)
        return np.abs(shares - wanted)

    def _parts(self, weights: Floats) -> tuple[Floats, Floats, Floats]:
        """The weights of those in the body with and without the head, and the nearest share."""
        having, lacking = self._lines.weigh(weights)
        shares = np.where(having + lacking > 0, having / (having + lacking), self._lowest)
        return having, lacking, np.clip(shares, self._lowest, self._highest)
