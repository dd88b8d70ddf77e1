"""The most even population along a tree of bags: that of maximum entropy.

Among all weights of the types that obey the clauses and the lines it is the one of largest entropy.
A type weighs exp(Σ θ·value) there, with one multiplier θ for each line: the *value* of a type at a
line is 1 − s if it has the body and the head, −s if it has the body alone, and 0 else. A positive θ
pulls a share up to its lower bound s, a negative one down to its upper bound s, and a share
strictly between them has θ = 0 (the conditions of Karush, Kuhn and Tucker). So each line is a
factor in its bag, and sweeps along the tree give all weights (`sweeps`).

The multipliers minimise the height, the logarithm of the sum over all types, which is convex. A
*sweep* gives each line on the way down the multiplier that moves its share to the nearest value
within its bounds (Hildreth's projections, which are iterative proportional fitting where lines are
points). Statements that stand like a hierarchy need few of them. Bags of one depth move at once, so
that they may move too far together: then they move half as far. Where sweeps are slow, a *leap* of
Newton's method follows each of them, as where the numbers leave some types empty: their multipliers
have no end. The covariances of the lines are never written down: conjugate gradients need their
products with directions only, which are sweeps too.

Errors are told by share, not by weight: so small classes are as near as large ones. Searches that
compare heights only, such as L-BFGS, do not see them: a height has 16 digits for all lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.ways.trees.bags import Bags, Places
from boxsel.exact.ways.trees.levels import Floats, Lines, add_logarithms, add_up
from boxsel.exact.ways.trees.sweeps import Sweeps, Weighting
from boxsel.machine.budget import Budget

SHARE_ERROR: Final = 1e-10
"""When shares are as near as this to where they should be, the steps end."""
LIGHTEST_BODY: Final = 1e-15
"""The errors of bodies that weigh less are divided by this: they may have to be empty."""
MOST_SWEEPS: Final = 300
"""So many sweeps at the most; hierarchies need about ten, whatever hangs together closely fifty."""
SLOW_SWEEP: Final = 0.3
"""If a sweep leaves more of the error, it is slow."""
SWEEPS_BEFORE_LEAP: Final = 2
"""So many slow sweeps come before a first leap: far from the optimum it is of no use."""
SWEEPS_AFTER_LEAP: Final = 16
"""So many sweeps come after a leap that led nowhere, at the most."""
HALVES: Final = 12
"""So often a step is halved, if it leads up."""
DIRECTIONS: Final = 100
"""So many conjugate gradients make a step at the most."""
FARTHEST: Final = 50.0
"""A sweep moves no multiplier farther: whatever is divided by e⁵⁰ is empty, nearly."""
SAME_HEIGHT: Final = 1e-12
"""Heights that differ by less, relative to their size, are the same."""
IMPOSSIBLE: Final = -1e-6
"""Below 0 there is no population: a height is never below the entropy of one that obeys the lines,
since no θ·value is negative on average there, and no entropy is below 0."""

Flags = NDArray[np.bool_]


class NoPopulationError(Exception):
    """No weights obey the clauses and the lines."""


@dataclass(frozen=True)
class State:
    """Multipliers of lines, and the weights that follow from them.

    A population of maximum entropy, if its `error` is small.
    """

    lines: Lines
    multipliers: Floats
    weighting: Weighting

    @cached_property
    def entropy(self) -> float:
        """The entropy of the weights of all whole types, in nats."""
        slopes = self.having - self.goals * self.body
        return self.weighting.height - float(self.multipliers @ slopes)

    @cached_property
    def violation(self) -> float:
        """How far the weights are from obeying a row, at the most."""
        lacking = self.lines.lower * self.body - self.having
        excess = self.having - self.lines.upper * self.body
        return float(np.maximum(lacking, excess).max(initial=0.0))

    @cached_property
    def error(self) -> float:
        """How far a share is from where it should be, at the most."""
        slopes = np.abs(self.having - self.goals * self.body)
        return float((slopes / np.maximum(self.body, LIGHTEST_BODY)).max(initial=0.0))

    @cached_property
    def having(self) -> Floats:
        """What those weigh who have both, by line."""
        return self._weights[0]

    @cached_property
    def body(self) -> Floats:
        """What those weigh who have the body, by line."""
        return self._weights[0] + self._weights[1]

    @cached_property
    def shares(self) -> Floats:
        """The shares; where there is nobody, any that is stated."""
        anything = self.lines.lower.copy()
        return np.divide(self.having, self.body, out=anything, where=self.body > 0)

    @cached_property
    def goals(self) -> Floats:
        """Where each share should be: at the bound that its multiplier pulls it to, or inside."""
        nearest = np.clip(self.shares, self.lines.lower, self.lines.upper)
        lower, upper = self.multipliers > 0, self.multipliers < 0
        return np.where(lower, self.lines.lower, np.where(upper, self.lines.upper, nearest))

    @cached_property
    def sides(self) -> Floats:
        """1 where a multiplier pulls a share up, or would have to; −1 where it pulls it down."""
        sides: Floats = np.sign(self.multipliers)
        return np.where(sides == 0, np.sign(self.goals - self.shares), sides)

    @cached_property
    def _weights(self) -> tuple[Floats, Floats]:
        return self.lines.weigh(self.weighting.weights)

    def gain(self, other: State) -> float:
        """By how much it is below another; 0 if that cannot be told."""
        gain = other.weighting.height - self.weighting.height
        return gain if abs(gain) > SAME_HEIGHT * max(1.0, abs(other.weighting.height)) else 0.0

    def is_better(self, other: State) -> bool:
        """Whether it is below another; if that cannot be told, whether its error is smaller."""
        gain = self.gain(other)
        return gain > 0 or (gain == 0 and self.error < other.error)


def maximise_entropy(bags: Bags, sweeps: Sweeps, budget: Budget) -> State:
    """The most even population; no line's lower bound is above its upper bound.

    Raises:
        NoPopulationError: There is none.
        OutOfTimeError: The budget is spent.
    """
    for state in islice(_descend(bags, sweeps, budget), MOST_SWEEPS + 1):
        if state.weighting.height < IMPOSSIBLE:
            raise NoPopulationError
        if state.error <= SHARE_ERROR:
            break
    return state


def _descend(bags: Bags, sweeps: Sweeps, budget: Budget) -> Iterator[State]:
    """Better and better states; they have no end."""
    descent = _Descent(bags, sweeps, budget)
    state = descent.start()
    waiting = pause = SWEEPS_BEFORE_LEAP
    while True:
        yield state
        budget.check()
        before, state = state, descent.sweep(state)
        if state.error <= max(SHARE_ERROR, SLOW_SWEEP * before.error):
            continue
        if waiting:
            waiting -= 1
            continue
        after = descent.leap(state)
        pause = SWEEPS_BEFORE_LEAP if after is not state else min(SWEEPS_AFTER_LEAP, 2 * pause)
        waiting = 0 if after is not state else pause
        state = after


class _Descent:
    """Steps towards the lowest height."""

    def __init__(self, bags: Bags, sweeps: Sweeps, budget: Budget) -> None:
        self._sweeps, self._budget = sweeps, budget
        stated = [(place, line) for place, bag in enumerate(bags.bags) for line in bag.lines]
        self._lines = Lines.of(bags, stated, sweeps.first)
        self._points = self._lines.lower == self._lines.upper
        ends = np.cumsum([0, *(len(bag.lines) for bag in bags.bags)])
        self._slots: list[list[tuple[Places, Lines]]] = []
        for places in sweeps.depths:
            # A bag's lines are about the same types: they move one after the other.
            slots = zip_longest(*(range(ends[place], ends[place + 1]) for place in places))
            chosen = [[n for n in slot if n is not None] for slot in slots]
            lines = [Lines.of(bags, [stated[n] for n in slot], sweeps.first) for slot in chosen]
            self._slots.append([*zip(map(np.array, chosen), lines, strict=True)])

    def start(self) -> State:
        """Each line within its bounds on the way up, as if its bag were the root.

        So what a bag says about the one above is never far from even; without it, a class of many
        would have nearly everybody, since its members differ in more ways.
        """
        multipliers = np.zeros(len(self._lines))

        def visit(depth: int, heights: Floats) -> None:
            for numbers, lines in self._slots[depth]:
                halves = add_logarithms(lines.halves, heights[lines.types], 2 * len(lines))
                changes = _move(lines, numbers, multipliers, halves[1::2], halves[::2])
                heights[lines.types] += changes

        self._sweeps.rise(np.zeros(int(self._sweeps.first[-1])), visit)
        return self._state(multipliers)

    def sweep(self, state: State) -> State:
        """Each line within its bounds on the way down; less far, if that leads up."""
        multipliers = state.multipliers.copy()

        def visit(depth: int, weights: Floats) -> None:
            for numbers, lines in self._slots[depth]:
                with np.errstate(divide="ignore"):
                    having, lacking = map(np.log, lines.weigh(weights))
                changes = _move(lines, numbers, multipliers, having, lacking)
                weights[lines.types] *= np.exp(changes)

        self._sweeps.sink(state.weighting.parts, visit)
        return self._search(state, multipliers - state.multipliers)

    def leap(self, state: State) -> State:
        """A step of Newton's method, or many, as long as they lead down; else the same state.

        What has to be empty is so at infinity only: each step there is as long as the one before.
        """
        step = self._aim(state)
        best = self._along(state, step)
        for _ in range(HALVES):
            if best.is_better(state):
                break
            step = step / 2
            best = self._along(state, step)
        else:
            return state
        while best.weighting.height >= IMPOSSIBLE:
            step = 2 * step
            after = self._along(state, step)
            if not after.is_better(best):
                break
            best = after
        return best

    def _search(self, state: State, step: Floats) -> State:
        """A step, or a half, or a quarter of it: until it does not lead up."""
        after = self._along(state, step)
        while after.gain(state) < 0 and np.abs(step).max() > SHARE_ERROR:
            step = step / 2
            after = self._along(state, step)
        return after

    def _along(self, state: State, step: Floats) -> State:
        """The state after a step; multipliers of intervals stop at 0, where the bound changes."""
        after = state.multipliers + step
        return self._state(np.where(self._crosses(state, step), 0.0, after))

    def _crosses(self, state: State, step: Floats) -> Flags:
        """The intervals whose multipliers a step leads to the other side."""
        return np.asarray(~self._points & (state.sides * (state.multipliers + step) < 0))

    def _state(self, multipliers: Floats) -> State:
        lines = self._lines
        factors = _tilt(lines, multipliers)
        whole = add_up(lines.types, factors, int(self._sweeps.first[-1]))
        return State(lines, multipliers, self._sweeps.weigh(whole))

    def _aim(self, state: State) -> Floats:
        """A step of Newton's method; intervals that it leads to the other side end at 0."""
        moving = (state.sides != 0) | self._points
        moving &= state.body > 0
        ended = np.zeros(len(moving), bool)
        while True:
            step = self._newton(state, moving & ~ended, np.where(ended, -state.multipliers, 0.0))
            crossing = self._crosses(state, step) & ~ended
            if not crossing.any():
                return step
            ended |= crossing

    def _newton(self, state: State, moving: Flags, step: Floats) -> Floats:
        """A step for some lines: they would be at their goals after it, if they were linear.

        Conjugate gradients, each line by its own variance: bodies differ in weight by far.
        """
        values = _values(self._lines, state.goals)
        slopes = state.having - state.goals * state.body
        variances, sizes = _variances(state, slopes), np.where(moving, state.body, 1.0)
        rest = np.where(moving, -slopes - self._covary(state, values, step), 0.0)
        direction = scaled = rest / variances
        product = rest @ scaled
        enough = max(SHARE_ERROR / 4, state.error * min(0.1, state.error))
        for _ in self._budget.watched(range(DIRECTIONS)):
            if np.abs(rest / sizes).max(initial=0.0) <= enough:
                break
            change = np.where(moving, self._covary(state, values, direction), 0.0)
            curvature = direction @ change
            if curvature <= 0:
                break
            length = product / curvature
            step, rest = step + length * direction, rest - length * change
            scaled = rest / variances
            product, last = rest @ scaled, product
            direction = scaled + product / last * direction
        return step

    def _covary(self, state: State, values: Floats, direction: Floats) -> Floats:
        """The covariances of each line with a sum of all of them."""
        lines, weighting = self._lines, state.weighting
        whole = add_up(lines.types, direction[lines.numbers] * values, len(weighting.weights))
        means = weighting.weights * self._sweeps.expect(weighting, whole)
        return add_up(lines.numbers, means[lines.types] * values, len(lines))


def _move(
    lines: Lines, numbers: Places, multipliers: Floats, having: Floats, lacking: Floats
) -> Floats:
    """Give some lines the multipliers with which they hold, and say how factors change by that.

    Logarithms are given of the weights of those who have the head, and of those who lack it.
    """
    before = multipliers[numbers]
    with np.errstate(divide="ignore", invalid="ignore"):
        alone = having - lacking - before  # what the odds would be without the line
        lower = np.where(lines.lower > 0, _odds(lines.lower) - alone, -np.inf)
        upper = np.where(lines.upper < 1, _odds(lines.upper) - alone, np.inf)
    after = np.where(lower > 0, lower, np.minimum(upper, 0.0))
    after = np.clip(after, before - FARTHEST, before + FARTHEST)
    after = np.where(np.isnan(alone), before, after)  # nobody has the body: it may have to be so
    multipliers[numbers] = after
    return _tilt(lines, after) - _tilt(lines, before)


def _odds(shares: Floats) -> Floats:
    """The logarithms of odds."""
    odds: Floats = np.log(shares) - np.log1p(-shares)
    return odds


def _tilt(lines: Lines, multipliers: Floats) -> Floats:
    """The logarithms of the factors by which lines change the weights of their types."""
    bounds = np.where(multipliers > 0, lines.lower, lines.upper)
    return multipliers[lines.numbers] * _values(lines, bounds)


def _values(lines: Lines, shares: Floats) -> Floats:
    return np.asarray(lines.both - shares[lines.numbers], np.float64)


def _variances(state: State, slopes: Floats) -> Floats:
    lacking = state.body - state.having
    squares = state.having * (1 - state.goals) ** 2 + lacking * state.goals**2
    variances = squares - slopes**2
    return np.where(variances > 0, variances, 1.0)
