"""The most even weights of types that are listed: those of maximum entropy.

As along a tree (`trees.entropy`), a type weighs exp(Σ θ·value) there, with a multiplier θ for each
bound of a conditional, and the multipliers minimise a height, which is convex. Where statements
hang together closely, or leave some types empty by their numbers alone, sweeps and conjugate
gradients end too early. Over a list of types all covariances of the bounds can be written down: so
this is an interior-point method, Newton's steps with a barrier that keeps the multipliers of
intervals positive, and about thirty of them reach twelve digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Row
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.types.tables import Bools, table
from boxsel.exact.ways.samples.shares import Names, group
from boxsel.exact.ways.trees.entropy import IMPOSSIBLE, NoPopulationError
from boxsel.machine.budget import Budget
from boxsel.machine.threads import one_thread

SHARE_ERROR: Final = 1e-12
"""When shares are as near as this to where they should be, the steps end."""
NOBODY: Final = 1e-15
"""Bodies that weigh less are nobody: multipliers reach no zero where numbers demand one."""
MOST_STEPS: Final = 120
"""So many steps at the most; most need 20 to 40."""
FIRST_MULTIPLIER: Final = 0.1
"""The first multipliers of intervals, and the first slacks."""
SHRINK: Final = 0.1
LEAST_BARRIER: Final = 1e-24
"""How much smaller the barrier is after each step, and the smallest that it can be."""
SAFE: Final = 0.99
"""The part of the way to the barrier that a step goes at the most."""
HALVES: Final = 30
GOOD_ENOUGH: Final = 1e-4
"""How often a step is halved, and the part of what its slope promises that it has to gain."""
SAME_HEIGHT: Final = 1e-13
"""Heights that differ by less, relative to their size, are the same."""
FIRM: Final = 1e-13
FIRMER: Final = 100.0
"""What is added to variances of 1, and how much more each time, until equations can be solved:
statements may repeat each other."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class EvenWeights:
    """Types with their weights, which sum to 1.

    `error` is how far a share is from where it should be, and `violation` how far a weight is from
    obeying a row, at the most.
    """

    kinds: Sequence[Type]
    width: int
    weights: Floats
    error: float
    violation: float
    lightest: ClassVar[float] = NOBODY

    @property
    def entropy(self) -> float:
        """The entropy of the weights, in nats."""
        some = self.weights[self.weights > 0]
        return float(-(some @ np.log(some)))

    @cached_property
    def _columns(self) -> Bools:
        return table(self.kinds, self.width)

    def weigh(self, positions: Iterable[int]) -> float:
        """The weight of those who have all of some basic concepts."""
        return float(self.weights[self._columns[[*positions]].all(0)].sum())

    def listed(self, most: int) -> dict[Type, float] | None:
        """The weights of all types that have some; none if there are too many."""
        places = np.flatnonzero(self.weights).tolist()
        if len(places) > most:
            return None
        return {self.kinds[place]: float(self.weights[place]) for place in places}

    def draw(self, count: int, random: np.random.Generator) -> Iterator[Bools]:
        """Some people: a line for each, with what they have."""
        weights = self.weights / self.weights.sum()
        chosen = random.choice(len(self.kinds), size=count, p=weights)
        yield self._columns[:, chosen].T


@dataclass(frozen=True)
class _Lines:
    """What each bound of a conditional gives each type, and who has its body.

    Shares are at a bound that is `free` to pull both ways: a point. Others pull inward only.
    """

    values: Floats
    bodies: Floats
    free: Bools

    @classmethod
    def of(cls, rows: Sequence[Row], columns: Bools) -> _Lines:
        names = Names((1 << len(columns)) - 1)
        values, bodies, free = [], [], []
        for ratio in group(rows):
            body, both = (names.has(columns, mask).astype(np.float64) for mask in ratio.masks)
            size = body.mean()
            if not size:
                continue
            point = ratio.lower == ratio.upper
            sides = [] if point or ratio.upper == 1 else [float(ratio.upper) * body - both]
            if point or ratio.lower > 0:
                sides.append(both - float(ratio.lower) * body)
            for side in filter(np.any, sides):
                values.append(side / size)
                bodies.append(body / size)
                free.append(point)
        shape = (-1, columns.shape[1])
        return cls(
            np.array(values).reshape(shape), np.array(bodies).reshape(shape), np.array(free, bool)
        )


@dataclass(frozen=True)
class _State:
    """Multipliers, the slacks that belong to them, and the weights that follow."""

    lines: _Lines
    multipliers: Floats
    slacks: Floats
    barrier: float = 0.0

    @cached_property
    def height(self) -> float:
        top = float(self._heights.max())
        return top + float(np.log(np.exp(self._heights - top).sum()))

    @cached_property
    def _heights(self) -> Floats:
        return np.asarray(self.multipliers @ self.lines.values)

    @cached_property
    def weights(self) -> Floats:
        return np.asarray(np.exp(self._heights - self.height))

    @cached_property
    def slopes(self) -> Floats:
        """By how much each bound is kept, in weight."""
        return np.asarray(self.lines.values @ self.weights)

    @cached_property
    def merit(self) -> float:
        """The height, and the barrier on top of it."""
        return self.height - self.barrier * float(np.log(self.multipliers[self.bound]).sum())

    @property
    def bound(self) -> Bools:
        """The multipliers that have to be positive."""
        return ~self.lines.free

    @cached_property
    def error(self) -> float:
        """How far a share is from its bound: on the wrong side, or where its multiplier pulls."""
        masses = self.lines.bodies @ self.weights
        sizes = np.where(masses < NOBODY * self.lines.bodies.max(1), np.inf, masses)
        off = np.where(self.lines.free, np.abs(self.slopes), np.maximum(-self.slopes, 0.0)) / sizes
        pulled = np.minimum(self.multipliers, np.abs(self.slopes) / sizes)
        return float(np.where(self.lines.free, off, np.maximum(off, pulled)).max(initial=0.0))


def maximise_evenness(
    kinds: Sequence[Type], width: int, rows: Sequence[Row], budget: Budget
) -> EvenWeights:
    """The most even weights of listed types that obey rows; of each share, bounds are in order.

    Raises:
        NoPopulationError: There are none.
        OutOfTimeError: The budget is spent.
    """
    if not kinds:
        raise NoPopulationError
    even = _search(kinds, width, rows, budget)
    there = even.weights >= NOBODY
    if even.error <= SHARE_ERROR or there.all():
        return even
    # What numbers leave empty keeps steps from the last digits: those who are left have them.
    left = [kind for kind, some in zip(kinds, there, strict=True) if some]
    with suppress(NoPopulationError):
        again = _search(left, width, rows, budget)
        return again if again.error < even.error else even
    return even


def _search(kinds: Sequence[Type], width: int, rows: Sequence[Row], budget: Budget) -> EvenWeights:
    """Steps until shares are where they should be, or no nearer."""
    lines = _Lines.of(rows, table(kinds, width))
    first = np.where(lines.free, 0.0, FIRST_MULTIPLIER)
    if not len(first):
        return EvenWeights(kinds, width, np.full(len(kinds), 1 / len(kinds)), 0.0, 0.0)
    state = best = _State(lines, first, first)
    with one_thread():
        for _ in range(MOST_STEPS):
            budget.check()
            if state.height < IMPOSSIBLE:
                raise NoPopulationError
            if state.error <= best.error:
                best = state
            if state.error <= SHARE_ERROR:
                break
            state = _step(state)
    kept = best.slopes / lines.bodies.max(1)  # which is one over the part of all types in the body
    lacking = np.where(lines.free, np.abs(kept), -kept).max(initial=0.0)
    return EvenWeights(kinds, width, best.weights, best.error, float(lacking))


def _step(state: _State) -> _State:
    """One step of Newton's method, towards the lowest height with a smaller barrier."""
    lines, bound, theta = state.lines, state.bound, np.where(state.bound, state.multipliers, 1.0)
    count = max(1, int(np.count_nonzero(bound)))
    barrier = max(LEAST_BARRIER, SHRINK * float(state.multipliers @ state.slacks) / count)
    rest = state.slopes - np.where(bound, barrier / theta, 0.0)
    stiff = np.where(bound, state.slacks / theta, 0.0)
    step = -_solve(lines.values * np.sqrt(state.weights), state.slopes, stiff, rest)
    change = np.where(bound, barrier / theta - state.slacks - stiff * step, 0.0)
    slacks = state.slacks + _reach(state.slacks, change) * change
    slacks = np.where(bound, np.maximum(slacks, LEAST_BARRIER), 0.0)
    before = _State(lines, state.multipliers, slacks, barrier)
    length, slope = _reach(theta, np.where(bound, step, 0.0)), float(rest @ step)
    after = before
    for _ in range(HALVES):
        after = _State(lines, state.multipliers + length * step, slacks, barrier)
        allowed = GOOD_ENOUGH * length * slope + SAME_HEIGHT * max(1.0, abs(before.merit))
        if after.merit <= before.merit + allowed:
            break
        length /= 2
    return after


def _reach(positive: Floats, step: Floats) -> float:
    """The part of a step, at most 1, after which numbers are still positive."""
    down = step < 0
    shortest = float(np.min(positive[down] / -step[down], initial=np.inf))
    return min(1.0, SAFE * shortest)


def _solve(forms: Floats, slopes: Floats, stiff: Floats, wanted: Floats) -> Floats:
    """Solve equations whose matrix is the covariances of forms with something on the diagonal."""
    matrix = forms @ forms.T - np.outer(slopes, slopes)
    diagonal = np.diag_indices_from(matrix)
    matrix[diagonal] += stiff
    scale = 1 / np.sqrt(np.maximum(matrix[diagonal], NOBODY**2))
    matrix *= scale[:, None] * scale
    firm = FIRM
    while True:
        firmer = matrix.copy()
        firmer[diagonal] += firm
        try:
            # SciPy's would know that the factor is a triangle, and takes longer to load than this.
            factor = np.linalg.cholesky(np.asarray_chkfinite(firmer))
            half = np.linalg.solve(factor, scale * wanted)
            return np.asarray(scale * np.linalg.solve(factor.T, half))
        except np.linalg.LinAlgError:
            firm *= FIRMER
