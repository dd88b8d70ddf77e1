"""Placing one name: who of a population gets it.

Every particle gets a probability of the name, as close to one half as the ratios allow that the
name completes: a logistic model with one multiplier for each ratio. It is then realised by
stratified sampling, and particles are split in two where a ratio would be left with too few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Final

import numpy as np

from boxsel.exact.compile.vocabulary import bits
from boxsel.exact.types.gibbs import Floats, Ints
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.populations.layout import Layout

SURE: Final = 1e-6
ROUNDS: Final = 15
STEPS: Final = 6


@dataclass(frozen=True)
class Part:
    """A ratio seen from a name: where it acts, and its head unless that is the name."""

    where: Bools
    head: Bools | None
    low: float
    high: float


def order(layout: Layout) -> list[int]:
    """Names of ratios, heads of clauses before bodies and few ratios last; then the others.

    The others are had only where clauses force it: bodies come before heads.
    """
    size = layout.size
    heads: list[set[int]] = [set() for _ in range(size)]
    bodies: list[set[int]] = [set() for _ in range(size)]
    for clause in layout.clauses:
        positive = {one - 1 for one in clause if one > 0}
        for one in clause:
            if one < 0:
                heads[-one - 1] |= positive
        for one in positive:
            bodies[one].update(-other - 1 for other in clause if other < 0)
    near: list[set[int]] = [set() for _ in range(size)]
    for ratio in layout.ratios:
        for name in ratio.names:
            near[name].update(one for one in ratio.names if one != name)
    for name in layout.meaning:
        heads[name] -= set(bits(layout.meaning[name]))  # a conjunction before its parts
    hidden = set(range(size)) - layout.shown
    first = _backwards(layout.shown, heads, near)[::-1]
    return first + _backwards(hidden, bodies, near)[::-1]


def _backwards(names: set[int], later: list[set[int]], near: list[set[int]]) -> list[int]:
    """Names, each before those in `later`; of several, the ones with the fewest neighbours left."""
    waiting = dict.fromkeys(names, 0)
    for name in names:
        for one in later[name] & names:
            waiting[one] += 1
    degree = {name: len(near[name]) for name in names}
    left = set(names)
    queue = [(degree[name], name) for name in left if not waiting[name]]
    heapify(queue)
    found: list[int] = []
    while left:
        if not queue:  # clauses in a circle
            name = min(left, key=lambda one: (degree[one], one))
            queue = [(degree[name], name)]
            waiting[name] = 0
        known, name = heappop(queue)
        if name not in left or known != degree[name]:
            continue
        left.discard(name)
        found.append(name)
        for one in near[name] & left:
            degree[one] -= 1
            if not waiting[one]:
                heappush(queue, (degree[one], one))
        for one in later[name] & left:
            waiting[one] = max(0, waiting[one] - 1)
            if not waiting[one]:
                heappush(queue, (degree[one], one))
    return found


def chances(
    weights: Floats, free: Bools, always: Bools, parts: Sequence[Part], prior: Floats
) -> Floats:
    """The probability of a name for each particle: cyclic Newton steps on the multipliers."""
    logit = prior.copy()
    share = np.where(always, 1.0, 0.0)
    share[free] = 1 / (1 + np.exp(-logit[free]))
    prepared = [
        (part, np.flatnonzero(part.where), np.flatnonzero(part.where & free)) for part in parts
    ]
    for _ in range(ROUNDS):
        gaps = [
            _adjust(weights, share, logit, part, where, loose) for part, where, loose in prepared
        ]
        if max(gaps, default=0.0) < 1e-3:
            break
    return share


def _adjust(
    weights: Floats, share: Floats, logit: Floats, part: Part, where: Ints, loose: Ints
) -> float:
    """Move one ratio into its interval by its own multiplier; how far it was off."""
    first = 0.0
    for step in range(STEPS):
        mass = weights[where] if part.head is None else weights[where] * share[where]
        total = mass.sum()
        if total <= 0:
            break
        ratio = mass @ (share[where] if part.head is None else part.head[where]) / total
        gap = min(max(ratio, part.low), part.high) - ratio
        if step == 0:
            first = abs(gap)
        if abs(gap) < 1e-5:
            break
        spread = weights[loose] * share[loose] * (1 - share[loose])
        if part.head is None:
            lever, most = np.ones(len(loose)), 2.0
        else:
            lever, most = part.head[loose] - (ratio + gap), 3.0
        slope = (spread * lever) @ lever / total
        if slope < 1e-9:
            break
        logit[loose] = np.clip(
            logit[loose] + np.clip(gap / slope, -most, most) * lever, -30.0, 30.0
        )
        share[loose] = 1 / (1 + np.exp(-logit[loose]))
    return first


def sample(random: np.random.Generator, share: Floats, unsure: Ints, parts: Iterable[Part]) -> Ints:
    """Who gets a name, so that every pattern of the ratios gets about its part."""
    key = np.zeros(len(unsure))
    for part in parts:
        key = key * 2 + part.where[unsure]
        if part.head is not None:
            key = key * 2 + part.head[unsure]
    mixed = random.permutation(len(unsure))
    ordered = unsure[mixed[np.argsort(key[mixed], kind="stable")]]
    steps = np.floor(np.cumsum(share[ordered]) + random.random())
    return ordered[np.diff(steps, prepend=0.0) > 0]


def splits(
    pick: Callable[[Ints], Floats],
    ordinary: Bools,
    chosen: Bools,
    unsure: Bools,
    parts: Iterable[Part],
    everywhere: int,
    few: int,
) -> Bools:
    """The particles to split, so that there are some with and without the name for each ratio.

    Only ordinary particles count. `pick` says how willingly particles are split.
    """
    split = np.zeros(len(chosen), bool)

    def want(mask: Bools, have: Bools, number: int) -> None:
        missing = number - int((have & mask & ordinary).sum())
        if missing > 0:
            some = np.flatnonzero(mask & ordinary & unsure & ~split)
            split[some[np.argsort(-pick(some))[:missing]]] = True

    want(np.ones(len(chosen), bool), chosen, everywhere)
    for part in parts:
        with_head = part.where if part.head is None else part.where & part.head
        if part.low > 0:
            want(with_head, chosen | split, few)
        if part.high < 1 and part.head is None:
            want(part.where, ~chosen | split, few)
        elif part.high < 1 and part.head is not None:
            want(part.where & ~part.head, chosen | split, few)
    return split
