"""The least relaxation of a few statements that gives some goals an instance each.

What makes the goals possible stays possible when more is relaxed. So from any relaxation that is
enough, each end can be tightened by bisection until none can be tightened any more. That is a
local optimum; `refutation` proves, by splitting boxes of amounts, that nothing cheaper exists, or
shows where to look for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np

from boxsel.exact.coherence.emptying import Unemptied, find_emptying
from boxsel.exact.diagnosis.parts import SOME, Parts, minimal
from boxsel.exact.diagnosis.patterns import list_patterns
from boxsel.exact.diagnosis.refutation import Box, Refuter, Usage
from boxsel.exact.diagnosis.relaxation import GRID, Levels, Relaxable, cost, relax, relaxable
from boxsel.exact.lp.floats import as_float
from boxsel.exact.lp.optimum import Impossible
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget

QUICK: Final = 10
"""How many boxes are looked at to prove an optimum while groups still grow."""
BOXES: Final = 300
"""How many boxes are looked at in the end."""
HALVINGS: Final = 8
FEW_HALVINGS: Final = 4
"""How often the gap is halved in search of a lower bound, where the optimum cannot be proved; and
where there is a crowd."""
ATTEMPTS: Final = 5
"""How often a proof is started again when a cheaper relaxation turns up in it."""
DETOURS: Final = 10
"""How often a relaxation that is dearer than the best is tightened."""
DEARER: Final = Fraction(5, 4)
"""How much dearer it may be."""
GAP: Final = Fraction(5, GRID)
"""What an optimum may be above the lower bound, for each end that changes, before weighing."""
HEAVY: Final = 200_000
"""Of larger tables of ends and patterns few boxes are looked at: one of 640 ends and 2,048 patterns
takes 10 to 60 s."""
STEPS_MORE: Final = 4
"""By how many steps more than floats say ends may give way."""
SAME_AMOUNT: Final = 1e-7
"""Amounts closer than this are the same."""


@dataclass(frozen=True)
class Relaxation:
    """Levels for the ends of the conditionals of some statements, their cost, and the least cost.

    No relaxation that is enough costs less than `least`.
    """

    ends: tuple[Relaxable, ...]
    levels: Levels
    least: Fraction

    @property
    def total(self) -> Fraction:
        """The weighted sum of all amounts."""
        return cost(self.ends, self.levels)

    @property
    def gap(self) -> Fraction:
        """What an optimum may be above the lower bound: rounding, and numbers as good as equal."""
        changed = (end for end, level in zip(self.ends, self.levels, strict=True) if level)
        return GAP * sum(end.weight for end in changed)

    @property
    def optimal(self) -> bool:
        """Whether nothing is cheaper, but for the gap."""
        return self.total - self.least <= self.gap


class LeastRelaxation:
    """The search for the cheapest relaxation of some statements that is enough for goals.

    A goal is a concept that must have an instance, or none if only a model must exist. With
    everything relaxed the goals must be possible; from there it starts. `least` is a lower bound
    on the cost.
    """

    def __init__(
        self,
        statements: Sequence[Statement],
        goals: Sequence[Concept | None],
        weights: Mapping[Conditional, Fraction],
        budget: Budget,
        least: Fraction = Fraction(0),
    ) -> None:
        self._statements, self._budget = statements, budget
        self._goals = list(goals)
        self._weights, self._least = weights, least
        self.ends = relaxable(enumerate(statements), weights)
        self.best: Levels = tuple(end.steps for end in self.ends)
        self._known: dict[Levels, bool] = {}
        self._settled: Levels | None = None
        self._detours = DETOURS

    @property
    def result(self) -> Relaxation:
        """The cheapest relaxation so far."""
        return Relaxation(self.ends, self.best, self._least)

    @property
    def cost(self) -> Fraction:
        """The cost of the best relaxation so far."""
        return cost(self.ends, self.best)

    def start(self) -> None:
        """Tighten everything, heavy ends first; then try what one end alone can do."""
        # What is possible without any relaxation stays possible.
        stated = Reasoner(KB(tuple(self._statements)), budget=self._budget)
        self._goals = [goal for goal in self._goals if not _possible(stated, goal)]
        count = len(self.ends)
        heavy = sorted(range(count), key=lambda n: -self.ends[n].weight)
        self._consider(self.best, heavy)
        for order in (heavy[::-1], range(count)):
            self._consider(tuple(end.steps for end in self.ends), order)
        for place, end in enumerate(self.ends):
            alone = tuple(end.steps if place == n else 0 for n in range(count))
            if self._enough(alone):
                self._consider(alone, [place])

    def give_way_together(self) -> bool:
        """Give way by what one population misses; whether that is known to be enough.

        Each end gives way by a few steps more than floats say.
        """
        missing = None if self._refuter is None else self._refuter.find_missing()
        if missing is None:
            return False
        for more in range(1, STEPS_MORE + 1):
            levels = tuple(
                min(end.steps, end.level(Fraction(amount)) + more) if amount else 0
                for end, amount in zip(self.ends, missing.tolist(), strict=True)
            )
            if self._enough(levels):
                self.best = levels
                return True
        return False

    def prove(self, boxes: int = BOXES) -> None:
        """Raise the lower bound, as far as some boxes take it; finds cheaper relaxations too."""
        if self._refuter is None:
            return
        if self.is_heavy:
            self._halve(1, FEW_HALVINGS)
            return
        if self._reach(QUICK) or boxes <= QUICK:
            return
        if self._settled == self.best:
            return  # nothing new since the last time
        self._least = max(self._least, self.packed())
        if self.result.optimal:
            return
        # Cheap attempts below the target first: they show where cheaper relaxations are.
        self._halve(QUICK)
        if not self._reach(boxes):
            self._halve(boxes // HALVINGS)
        self._settled = self.best

    def _reach(self, boxes: int) -> bool:
        """Whether the best relaxation is proved to be optimal."""
        for _ in range(ATTEMPTS):
            before = self.result
            if before.optimal:
                return True
            target = before.total - before.gap
            if self._none_within(target, boxes):
                self._least = target
                return True
            if self.cost == before.total:
                return False
        return False

    def _halve(self, boxes: int, times: int = HALVINGS) -> None:
        """Raise the lower bound where the optimum cannot be proved."""
        high = self.cost
        for _ in range(times):
            middle = ((self._least + high) / 2).limit_denominator(GRID)
            if not self._least < middle < high:
                break
            if self._none_within(middle, boxes):
                self._least = middle
            else:
                high = min(middle, self.cost)

    def packed(self) -> Fraction:
        """A lower bound from conflicts that share no conditional: what they cost adds up."""
        parts = Parts(KB(tuple(self._statements)), self._budget)
        bounded = {end.number for end in self.ends}
        left = tuple(range(len(self._statements)))
        total = Fraction(0)
        while found := [
            (minimal(left, suffices), goal)
            for goal in self._goals
            if (suffices := parts.against(goal))(left) is not None
        ]:
            numbers, goal = min(found, key=lambda one: len(bounded.intersection(one[0])))
            if bounded.issubset(numbers):
                break
            search = LeastRelaxation(parts.statements(numbers), [goal], self._weights, self._budget)
            search.start()
            search.prove(QUICK)
            total += search.result.least
            left = tuple(one for one in left if one not in bounded.intersection(numbers))
        return total

    @property
    def is_heavy(self) -> bool:
        """Whether each box takes seconds."""
        return self._refuter is not None and self._refuter.size > HEAVY

    @cached_property
    def _refuter(self) -> Refuter | None:
        patterns = list_patterns(self._statements, self.ends, self._goals, self._budget)
        return None if patterns is None else Refuter(patterns, self.ends, self._budget)

    def _none_within(self, limit: Fraction, boxes: int) -> bool:
        """Whether no relaxation within a limit is enough; false also if that is not found out."""
        assert self._refuter is not None
        zero = tuple(Fraction(0) for _ in self.ends)
        stack = [Box(zero, tuple(end.room for end in self.ends))]
        for _ in range(boxes):
            if not stack:
                return True
            self._budget.check()
            box = self._within(stack.pop(), limit)
            if box is None:
                continue
            result = self._refuter.refute(box, limit)
            if result is True:
                continue
            if result:
                self._try(result)
            parts = None if self.cost <= limit else _split(box, self.ends, result or ())
            if parts is None:
                return False
            stack.extend(parts)
        return not stack

    def _within(self, box: Box, limit: Fraction) -> Box | None:
        """The part of a box that the limit allows, if any."""
        spent = sum(
            (end.weight * low for end, low in zip(self.ends, box.low, strict=True)), Fraction(0)
        )
        if spent > limit:
            return None
        rest = limit - spent
        high = (
            min(top, low + rest / end.weight)
            for end, low, top in zip(self.ends, box.low, box.high, strict=True)
        )
        return Box(box.low, tuple(high))

    def _try(self, usages: Sequence[Usage]) -> None:
        """Consider what the goals use on average: with that their weightings obey the rows."""
        amounts = np.max([usage.average for usage in usages], axis=0)
        levels = tuple(
            end.level(Fraction(amount).limit_denominator(GRID * GRID))
            if amount > SAME_AMOUNT
            else 0
            for end, amount in zip(self.ends, amounts.tolist(), strict=True)
        )
        if levels in self._known:
            return
        price = cost(self.ends, levels)
        if self.cost <= price < self.cost * DEARER and self._detours:
            self._detours -= 1  # what is a little dearer may become cheaper when it is tightened
        elif price >= self.cost:
            return
        if self._enough(levels):
            self._consider(levels, sorted(range(len(levels)), key=lambda n: levels[n]))

    def _consider(self, levels: Levels, order: Iterable[int]) -> None:
        """Tighten levels that are enough, end by end, and keep them if they are the cheapest."""
        for place in order:
            levels = self._tightened(levels, place)
        if cost(self.ends, levels) < self.cost:
            self.best = levels

    def _tightened(self, levels: Levels, place: int) -> Levels:
        """The least level of one end that is enough with the others as they are.

        It is guessed, and what the guess leaves open is halved.
        """

        def at(level: int) -> Levels:
            return (*levels[:place], level, *levels[place + 1 :])

        if not levels[place] or self._enough(at(0)):
            return at(0)
        low, high = 0, levels[place]
        guess = self._needed(levels, place)
        probes = [guess, guess + 1, guess - 1]
        while high - low > 1:
            level = probes.pop(0) if probes else (low + high) // 2
            if low < level < high:
                if self._enough(at(level)):
                    high = level
                else:
                    low = level
        return at(high)

    def _needed(self, levels: Levels, place: int) -> int:
        """The level at which the share of one end fits, with the others as they are.

        If a goal needs members of that body, no lower one is enough, and mostly this one is:
        populations add up, and most of one can be what has the best share.
        """
        end = self.ends[place]
        free = relax(
            self._statements, self.ends, (*levels[:place], end.steps, *levels[place + 1 :])
        )
        axiom = free[end.number].axiom
        assert isinstance(axiom, Conditional)
        ladder = Parts(KB(free), self._budget).ladder(range(len(free)), axiom.body, axiom.head)
        sign = 1 if end.side == "lower" else -1
        best = ladder.extreme(Query(axiom.head, axiom.body), sign)
        if isinstance(best, Impossible):
            return end.steps
        return end.level(sign * (end.stated - best.value))

    def _enough(self, levels: Levels) -> bool:
        """Whether all goals are possible with some levels; one that is not is asked about first."""
        if levels not in self._known:
            missed = self._missed(relax(self._statements, self.ends, levels))
            if missed is not None:
                self._goals.insert(0, self._goals.pop(missed))
            self._known[levels] = missed is None
        return self._known[levels]

    def _missed(self, statements: Sequence[Statement]) -> int | None:
        """The place of a goal that is not possible, if there is one."""
        shown: frozenset[Concept] = frozenset()
        kb = KB(tuple(statements))
        names = [goal for goal in self._goals if isinstance(goal, Name)]
        if names and kb.signature.roles and len(statements) > SOME:
            found = find_emptying(statements, names[0], self._budget)
            if not isinstance(found, Unemptied):
                return self._goals.index(names[0])
            emptied = next((name for name in names if name not in found.concepts), None)
            if emptied is not None:
                return self._goals.index(emptied)
            shown = found.find_members(*names)
        reasoner = Reasoner(kb, budget=self._budget)
        left = ((place, goal) for place, goal in enumerate(self._goals) if goal not in shown)
        return next((place for place, goal in left if not _possible(reasoner, goal)), None)


def _possible(reasoner: Reasoner, goal: Concept | None) -> bool:
    return reasoner.consistent if goal is None else reasoner.satisfiable(goal)


def _split(box: Box, ends: Sequence[Relaxable], usages: Sequence[Usage]) -> tuple[Box, Box] | None:
    """A box in two, where what is used of one end differs most; without usages, where it is widest.

    None if nothing differs by enough.
    """
    least, most = (np.array([float(one) for one in side]) for side in (box.low, box.high))
    if usages:
        least = np.min([usage.least for usage in usages], axis=0)
        most = np.max([usage.most for usage in usages], axis=0)
    spread = (most - least) * np.array([as_float(end.weight) for end in ends])
    place = int(np.argmax(spread))
    if most[place] - least[place] <= SAME_AMOUNT:
        return None
    between = (float(least[place]) + float(most[place])) / 2
    at = Fraction(between).limit_denominator(GRID)
    if not box.low[place] < at < box.high[place]:
        return None
    left = Box(box.low, (*box.high[:place], at, *box.high[place + 1 :]))
    right = Box((*box.low[:place], at, *box.low[place + 1 :]), box.high)
    return left, right
