"""Rules applied to all shares in play, round by round, until nothing moves.

Each round looks at the bounds as they were when it began and takes for every end the best
that any rule concludes, so that the result does not depend on the order of axioms or rules.
Floats only point out which applications are worth computing: what is taken is computed
exactly, and rounded outward. The bounds are sound after every round, and while one is on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np

from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.progress import track
from boxsel.rules.amounts import UNKNOWN, Bounds, rounded_down, rounded_up
from boxsel.rules.figures import Floats, Places, Rule
from boxsel.rules.index import Index, Numbers
from boxsel.rules.knowledge import Region
from boxsel.rules.shares import Shares
from boxsel.rules.trail import (
    NOTHING,
    STATED,
    Bound,
    Cause,
    Conflict,
    Emptiness,
    EmptyPart,
    NoPart,
    Premise,
    Trail,
)

SMALLEST_STEP: Final = Fraction(1, 10**9)
"""An end moves only if it moves by at least this part of itself: circles of rules would else
tighten for ever."""

MOST_ROUNDS: Final = 500
"""Where ends still move after so many rounds, the result is sound, but not a fixpoint."""

_ABOUT: Final = float(SMALLEST_STEP) / 2  # far above the error of the floats
_Candidates = list[tuple[int, Numbers, Numbers, Floats]]


class Propagation:
    """The bounds of all shares in play, and how they came about.

    What there is of lower and of upper ends stands in a pair, in this order.
    """

    def __init__(self, shares: Shares, rules: Sequence[Rule], budget: Budget) -> None:
        self.shares = shares
        self.bounds = list(shares.bounds[0]), list(shares.bounds[1])
        self._entries = [STATED] * len(shares), [STATED] * len(shares)
        self.trail = Trail()
        self.emptiness = Emptiness(shares, self.trail.empty)
        self.rounds = 0
        self.fixpoint = False
        self._budget = budget
        self._rules = tuple(rules)
        self._floats = tuple(np.array([float(end) for end in ends]) for ends in self.bounds)
        self._alive = np.ones(len(shares), bool)
        self._changed = np.ones(len(shares), bool)

    def run(self, refuted: Iterable[tuple[Region, Cause]] = ()) -> None:
        """Apply the rules until nothing moves, or the time is over."""
        places = self._places()
        # Ends that differ may be one float: which are the wrong way round, fractions decide.
        low, high = self._floats
        close = (low >= high) | (high == 0)
        self._settle(np.flatnonzero(close).tolist(), refuted)
        for _ in track(range(MOST_ROUNDS), "propagating", MOST_ROUNDS):
            if self._budget.spent:
                return
            lower, upper = self._screen(places)
            self._changed = np.zeros(len(self.shares), bool)
            moved = self._move(places, lower, is_upper=False)
            moved |= self._move(places, upper, is_upper=True)
            for bound in moved.values():
                self._set(bound)
            self._settle(dict.fromkeys(share for share, _ in moved), ())
            self.rounds += 1
            if not moved:
                self.fixpoint = len(places) == len(self._rules) and not self._budget.spent
                return

    def premise(self, share: int) -> Premise:
        """A share as it is now."""
        lower, upper = self._entries
        return Premise(share, (lower[share], upper[share]))

    def _places(self) -> list[Places]:
        """Where rules apply: as many of them, in order, as there is time to look for."""
        index = Index(self.shares, self._budget)
        places: list[Places] = []
        with suppress(OutOfTimeError):
            for rule in self._budget.watched(self._rules):
                places.append(rule.find(index))
        return places

    def _screen(self, places: Sequence[Places]) -> tuple[_Candidates, _Candidates]:
        """The applications that seem to move an end."""
        candidates: tuple[_Candidates, _Candidates] = ([], [])
        for number, place in enumerate(places):
            if self._budget.spent:
                break
            which = place.touched(self._changed)
            which = which[self._alive[place.conclusions[which]]]
            if not len(which):
                continue
            lower, upper = place.screen(which, *self._floats)
            target = place.conclusions[which]
            low, high = (ends[target] for ends in self._floats)
            better = lower - low > _ABOUT * lower
            candidates[0].append((number, which[better], target[better], lower[better]))
            better = high - upper > _ABOUT * high
            candidates[1].append((number, which[better], target[better], -upper[better]))
        return candidates

    def _move(
        self, places: Sequence[Places], candidates: _Candidates, *, is_upper: bool
    ) -> dict[tuple[int, bool], Bound]:
        """For each end that moves the best conclusion, exactly."""
        moved: dict[tuple[int, bool], Bound] = {}
        for rule, application, share in _best(candidates, len(self.shares)):
            if self._budget.spent:
                break  # what is known by now is as true as the rest
            premises = places[rule].premises(application)
            bounds = [Bounds(*(ends[premise] for ends in self.bounds)) for premise in premises]
            ends = self._rules[rule].conclude(bounds)
            value = rounded_up(ends.upper) if is_upper else rounded_down(ends.lower)
            key = share, is_upper
            if self._moves(share, value, is_upper) and (
                key not in moved or _tighter(value, moved[key].value, is_upper)
            ):
                known = tuple(map(self.premise, premises))
                moved[key] = Bound(share, is_upper, value, self._rules[rule], known)
        return moved

    def _moves(self, share: int, value: Fraction, is_upper: bool) -> bool:
        known = self.bounds[is_upper][share]
        small, large = (value, known) if is_upper else (known, value)
        return large - small >= SMALLEST_STEP * large > 0

    def _set(self, bound: Bound | NoPart) -> None:
        share, entry = bound.share, len(self.trail.bounds)
        self.trail.bounds.append(bound)
        self.bounds[bound.is_upper][share] = bound.value
        self._entries[bound.is_upper][share] = entry
        self._floats[bound.is_upper][share] = float(bound.value)
        self._changed[share] = True

    def _settle(self, shares: Iterable[int], refuted: Iterable[tuple[Region, Cause]]) -> None:
        """Find what is empty now, and draw the consequences."""
        empties = [*refuted, *self._empties(shares)]
        while empties:
            emptied = self.emptiness.add(empties)
            without_part: list[int] = []
            for number, region in emptied.items():
                for share in self._by_body[number]:
                    self._forget(share)
                for share in self._by_part[number]:
                    if self._alive[share] and self.bounds[1][share] > 0:
                        self._set(NoPart(share, region))
                        without_part.append(share)
            empties = list(self._empties(without_part))

    def _empties(self, shares: Iterable[int]) -> Iterator[tuple[Region, Cause]]:
        for share in shares:
            lower, upper = (ends[share] for ends in self.bounds)
            body = self.shares.regions[self.shares.bodies[share]]
            part = self.shares.regions[self.shares.parts[share]]
            if lower > upper:
                assert body is not None
                yield body, Conflict(self.premise(share))
            elif upper == 0 and part is not None:
                yield part, EmptyPart(self.premise(share))

    def _forget(self, share: int) -> None:
        """Nothing need be known of a share whose body is empty."""
        self._alive[share] = False
        for is_upper, end in enumerate(UNKNOWN):
            self.bounds[is_upper][share], self._entries[is_upper][share] = end, NOTHING
            self._floats[is_upper][share] = float(end)

    @cached_property
    def _by_body(self) -> dict[int, list[int]]:
        return _grouped(self.shares.bodies)

    @cached_property
    def _by_part(self) -> dict[int, list[int]]:
        return _grouped(self.shares.parts)


def _best(candidates: _Candidates, shares: int) -> Iterator[tuple[int, int, int]]:
    """The rules and applications that conclude most for each share, as far as floats can tell."""
    if not candidates:
        return
    rules = np.concatenate([np.full(len(which), rule) for rule, which, _, _ in candidates])
    which, target, value = (
        np.concatenate([candidate[column] for candidate in candidates]) for column in (1, 2, 3)
    )
    best = np.full(shares, -np.inf)
    np.maximum.at(best, target, value)
    kept = np.flatnonzero(value >= best[target] - _ABOUT * np.abs(best[target]))
    yield from zip(rules[kept].tolist(), which[kept].tolist(), target[kept].tolist(), strict=True)


def _tighter(value: Fraction, other: Fraction, is_upper: bool) -> bool:
    return value < other if is_upper else value > other


def _grouped(labels: Iterable[int]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = defaultdict(list)
    for number, label in enumerate(labels):
        groups[label].append(number)
    return groups
