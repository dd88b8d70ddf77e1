"""Populations: weighted types that satisfy ratios with room to spare, built without an LP.

Names are placed one at a time. Fitting the weights removes the noise of sampling, and names of
ratios that stay off are placed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats, Ints, Literals, violated
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.populations.fitting import Fit, fit, off_bounds, targets
from boxsel.exact.ways.populations.layout import Layout
from boxsel.exact.ways.populations.lookahead import Lookahead
from boxsel.exact.ways.populations.placing import SURE, Part, chances, order, sample, splits
from boxsel.machine.budget import Budget

MARGIN: Final = 0.15
"""How far inside its bounds a ratio is fitted, as a part of their distance."""
ROOM: Final = 0.02
"""How far inside it has to be in the end."""
KEEP: Final = 40
"""Particles wanted inside every name that is in a body."""
FEW: Final = 4
"""Particles wanted on both sides of every ratio."""


class Frame:
    """What populations of one layout share: who is in which ratio and clause, and the order."""

    def __init__(self, layout: Layout, shy: Iterable[int] = ()) -> None:
        self.layout = layout
        implied = {
            one - 1
            for clause in layout.clauses
            if any(-other - 1 in layout.shown for other in clause)
            for one in clause
            if one > 0
        }
        self.shy = frozenset(shy) - implied
        """Names that nobody gets unless a ratio wants it: existentials need witnesses."""
        self.ratios_of: list[list[int]] = [[] for _ in range(layout.size)]
        self.forcing: list[list[Literals]] = [[] for _ in range(layout.size)]
        """The clauses of which a name is a head."""
        self.is_body = np.zeros(layout.size, bool)
        for number, ratio in enumerate(layout.ratios):
            for name in ratio.names:
                self.ratios_of[name].append(number)
            self.is_body[list(ratio.body)] = True
        for clause in layout.clauses:
            for one in clause:
                if one > 0:
                    self.forcing[one - 1].append(clause)
        self.order = order(layout)
        self.lookahead = Lookahead(layout)


class Population:
    """Particles, the columns, with weights; it changes while it is built."""

    def __init__(
        self,
        frame: Frame,
        columns: Bools,
        weights: Floats,
        placed: Iterable[int],
        tight: Mapping[int, Fraction],
        budget: Budget,
        seed: int = 0,
    ) -> None:
        self.frame, self.layout = frame, frame.layout
        self.columns, self.weights = columns.copy(), weights.copy()
        self.pressure: dict[int, float] = {}
        self._goal = targets(self.layout, MARGIN, tight)
        self._budget = budget
        self._random = np.random.default_rng(seed)
        self._placed = np.zeros(self.layout.size, bool)
        self._placed[list(placed)] = True
        self._first = frozenset(placed)
        impossible = frame.lookahead.close(self.columns, self._placed)
        self.columns, self.weights = self.columns[:, ~impossible], self.weights[~impossible]
        self._marks = [name for name in self._first if name in self.layout.marks]

    def extend(self, stages: Iterable[set[int]], names: set[int]) -> list[int]:
        """Place more names stage by stage, then all; the ratios that stay off.

        It stops at the first stage with such ratios.
        """
        self.fit(self.complete(), 20)
        for stage in stages:
            self._place_all(stage & self.layout.shown)
            off = self._settle()
            if off:
                return off
        if self._place_all(names):  # some particles were impossible
            ratios = self.complete()
            return self.off(ratios) if self.fit(ratios, 100).off else []
        return []

    def _place_all(self, names: set[int]) -> bool:
        """Place names in order; whether particles got lost."""
        fresh = [name for name in self.frame.order if name in names and not self._placed[name]]
        lost = False
        for number, name in enumerate(fresh, 1):
            self._budget.check()
            lost |= self._place(name)
            if number % 20 == 0 and name in self.layout.shown:
                self.fit(self.complete(), 4)
        return lost

    def complete(self) -> list[int]:
        """The ratios all of whose names are placed."""
        return [n for n, one in enumerate(self.layout.ratios) if self._placed[[*one.names]].all()]

    def fit(self, ratios: Sequence[int], cycles: int) -> Fit:
        """Fit the weights to some ratios."""
        return fit(
            self.layout, self._goal, self.columns, self.weights, ratios, cycles, budget=self._budget
        )

    def off(self, ratios: Sequence[int], room: float = ROOM) -> list[int]:
        """The ratios that are not inside their bounds with some room."""
        return off_bounds(self.layout, self._goal, self.columns, self.weights, ratios, room)

    def _settle(self, rounds: int = 4) -> list[int]:
        """Fit all weights and place names of ratios that are off again; what stays off."""
        ratios = self.complete()
        if not len(self.weights):
            return ratios
        trace: list[int] = []
        for attempt in range(rounds + 1):
            self._budget.check()
            fitted = self.fit(ratios, 60 if attempt < rounds else 100)
            self.pressure = fitted.pressure
            off = self.off(ratios) if fitted.off else []
            trace.append(len(off))
            stuck = attempt >= 2 and min(trace[-2:]) >= min(trace[:-2])
            if not off or attempt == rounds or stuck:
                return off
            self.weights = np.maximum(self.weights, self.weights.max(initial=0.0) * 1e-9)
            again = {name for number in off for name in self.layout.ratios[number].names}
            if attempt % 2:
                around = {number for name in again for number in self.frame.ratios_of[name]}
                again |= {name for number in around for name in self.layout.ratios[number].names}
            order = self._random.permutation(sorted(again - self._first))
            for name in self._budget.watched(order):
                if self._placed[name]:
                    self._place(int(name))
        return []

    def _place(self, name: int) -> bool:
        """Choose who has a name, given the names placed so far; whether particles got lost."""
        always = self._forced(name)
        lookahead = self.frame.lookahead
        everywhere = np.ones(len(always), bool)
        implied, never = lookahead.suppose(self.columns, self._placed, [name], everywhere)
        self._placed[name] = True
        lost = never & always
        if lost.any():
            self.columns, self.weights = self.columns[:, ~lost], self.weights[~lost]
            never, always = never[~lost], always[~lost]
            implied = {one: where[~lost] for one, where in implied.items()}
        if name not in self.layout.shown:
            self._give(name, always, implied)
            return bool(lost.any())
        free = ~(never | always)
        ratios = [
            number
            for number in self.frame.ratios_of[name]
            if self._placed[[*self.layout.ratios[number].names]].all()
        ]
        parts = [self._part(number, name) for number in ratios]
        prior = np.zeros(len(free))
        if name in self.frame.shy:
            wanted = np.zeros(len(free), bool)
            for part in parts:
                if part.head is None:
                    wanted |= part.where
            prior[~wanted] = -30.0
        share = chances(self.weights, free, always, parts, prior)
        chosen = always | (free & (share >= 1 - SURE))
        unsure = free & (share > SURE) & (share < 1 - SURE)
        if unsure.any():
            chosen[sample(self._random, share, np.flatnonzero(unsure), parts)] = True
            split = splits(
                lambda some: self.weights[some] * self._random.random(len(some)),
                ~np.asarray(self.columns[self._marks].any(0)),
                chosen,
                unsure,
                parts,
                KEEP if self.frame.is_body[name] else FEW,
                FEW,
            )
            both = np.flatnonzero(split)
            chosen = self._split(both, chosen, share)
            implied = {one: np.concatenate([where, where[both]]) for one, where in implied.items()}
        self._give(name, chosen, implied)
        self.fit(ratios, 3)
        return bool(lost.any())

    def _split(self, both: Ints, chosen: Bools, share: Floats) -> Bools:
        """Make two of some particles, one with the name; who has it then."""
        chosen[both] = False
        new = self.weights[both] * share[both]
        self.weights[both] *= 1 - share[both]
        self.columns = np.concatenate([self.columns, self.columns[:, both]], axis=1)
        self.weights = np.concatenate([self.weights, new])
        return np.concatenate([chosen, np.ones(len(both), bool)])

    def _give(self, name: int, chosen: Bools, implied: Mapping[int, Bools]) -> None:
        """Give a name to those who are chosen, with all that follows."""
        self.columns[name] = chosen
        for one, where in implied.items():
            if not self._placed[one]:
                self.columns[one] |= where & chosen

    def _forced(self, name: int) -> Bools:
        """Who must have a name, by clauses whose other heads are placed."""
        always = np.zeros(self.columns.shape[1], bool)
        for clause in self.frame.forcing[name]:
            others = tuple(one for one in clause if one != name + 1)
            if all(self._placed[one - 1] for one in others if one > 0):
                always |= violated(others, self.columns)
        return always

    def _part(self, number: int, name: int) -> Part:
        ratio = self.layout.ratios[number]
        where = np.ones(self.columns.shape[1], bool)
        for one in ratio.body:
            if one != name:
                where &= self.columns[one]
        head = None if ratio.head == name else self.columns[ratio.head]
        low, high = float(self._goal.lower[number]), float(self._goal.upper[number])
        return Part(where, head, low, high)


def fitted(
    frame: Frame,
    columns: Bools,
    weights: Floats,
    names: Iterable[int],
    tight: Mapping[int, Fraction],
    budget: Budget,
) -> tuple[Floats, list[int]]:
    """Weights fitted to the ratios over some names alone, and those that stay off."""
    trial = Population(frame, columns, weights, names, tight, budget)
    inside = trial.complete()
    off = trial.fit(inside, 200).off
    return trial.weights, trial.off(inside) if off else []
