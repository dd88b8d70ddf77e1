"""Where the chains that draw types start: a type for all, and some chains held at each goal.

The goals are what is asked for, the witnesses that it may need, and what conditionals speak about
but few chains come to by themselves.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Clause, Existential, Goal
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.gibbs import Literals, literals
from boxsel.exact.types.space import EVERY, relevant
from boxsel.exact.types.tables import Bools, table
from boxsel.exact.ways.near import Near
from boxsel.exact.ways.samples.drawing import Drawing
from boxsel.exact.ways.samples.sample import pad
from boxsel.exact.ways.samples.shares import Names, Ratio, Shares, group, reach
from boxsel.exact.ways.way import Task

FEWEST: Final = 256
MOST: Final = 1024
EACH: Final = (6, 16)
HELD: Final = 3000
"""How many chains there are: four for each conditional, within limits, and some for each goal, as
many as there are chains for all of them. With fewer for each goal, weights are found later."""
FIRST: Final = 80
"""How often names move before types are first taken."""
SCARCE: Final = 6
"""What conditionals speak about and fewer chains have, some chains are held at."""


class _Remembered:
    """The chains of earlier questions: what they have come to serves all that need the same."""

    def __init__(self, _: Task) -> None:
        self.drawings: dict[tuple[Mask, int], Drawing] = {}


class Starting:
    """The names that a population may need, its conditionals over them, and the goals of chains.

    `names` and `shares` are those of all columns that are drawn; marks of goals are below them.
    """

    def __init__(self, task: Task, goals: Sequence[Goal], query: Ratio, also: Mask) -> None:
        self._task, self._problem, self._budget = task, task.problem, task.budget
        self._clauses = list(dict.fromkeys(task.clauses))
        ratios = group(self._problem.rows)
        self._ratios = [ratio for ratio in ratios if ratio.lower <= ratio.upper]
        self._empty = tuple(ratio.body for ratio in ratios if ratio.lower > ratio.upper)
        self._clauses += (Clause(body, 0) for body in self._empty)
        self._goals = dict[Goal, Type]()
        self.existentials: set[Existential] = set()
        """The existentials for whose witnesses there are goals, too."""
        self.names = Names(self._reach(goals, query.both | also))
        self.shares = Shares([*self._ratios, query], self.names)

    @property
    def is_possible(self) -> bool:
        """Whether each goal that was asked for has a type; without goals, whether there is any."""
        return self._has_all and (bool(self._goals) or self._kind(EVERY) is not None)

    def start(self) -> Drawing:
        """Chains that have moved for a while, as far as they are known from earlier questions."""
        known = self._task.share(_Remembered).drawings
        key = self.names.inside, len(self._clauses)
        drawing = known.get(key)
        if drawing is None:
            drawing = self._start()
            drawing.run(FIRST, self._budget)
            known[key] = drawing
        return self._hold(drawing)

    def hold(self, drawing: Drawing, goals: Iterable[Goal]) -> Drawing:
        """Chains that go on, with more of them, held at further goals that have types."""
        before, fresh = drawing.columns, dict[Goal, Type]()
        for goal in goals:
            if goal not in self._goals:
                kind = self._kind(goal)
                if kind is not None and not kind & ~self.names.inside:
                    fresh[goal] = kind
        if not fresh:
            return drawing
        self._goals |= fresh
        held, marks = self._held(fresh.values())
        between = np.zeros((len(before) - len(self.names), held.shape[1]), bool)
        added = np.vstack([held, between, marks])
        whole = np.hstack([pad(before, len(added)), added])
        further = Drawing(self.shares, self._spell(), whole, len(self._goals))
        further.go_on(drawing.pulls, drawing.rounds)
        return further

    def _start(self, known: Drawing | None = None) -> Drawing:
        """Chains that go on from known ones, or all start at one type; and some at each goal."""
        names, goals = len(self.names), len(self._goals)
        if known is None:
            count = int(np.clip(4 * len(self.shares), FEWEST, MOST))
            ground = self._kind(EVERY)
            assert ground is not None  # a goal has a type
            columns = self._columns([ground] * count)
        else:
            columns = known.columns[:names, ~known.columns[names:].any(0)]
        count = columns.shape[1]
        held, marks = self._held(self._goals.values())
        whole = np.hstack([pad(columns, names + goals), np.vstack([held, marks])])
        drawing = Drawing(self.shares, self._spell(), whole, goals)
        if known is not None:
            drawing.go_on(known.pulls, known.rounds)
        return drawing

    def _hold(self, drawing: Drawing) -> Drawing:
        """The same with more chains, held at what conditionals speak about and few chains have."""
        shares = self.shares
        counts = np.count_nonzero(shares.having(drawing.columns), 1)
        for number, ratio in enumerate(shares.ratios):
            wanted = [(ratio.body, shares.bodies[number])]
            if ratio.lower > 0:
                wanted.append((ratio.both, shares.boths[number]))
            for mask, product in wanted:
                if counts[product] < SCARCE and Goal(mask) not in self._goals:
                    kind = self._kind(Goal(mask))
                    if kind is not None and not kind & ~self.names.inside:
                        self._goals[Goal(mask)] = kind
        return self._start(drawing)

    def _held(self, kinds: Collection[Type]) -> tuple[Bools, Bools]:
        """Chains that start at the types of some goals, and their marks."""
        each = min(max(HELD // max(1, len(kinds)), EACH[0]), EACH[1])
        columns = self._columns([kind for kind in kinds for _ in range(each)])
        return columns, np.repeat(np.eye(len(kinds), dtype=bool), each, axis=1)

    def _columns(self, kinds: Sequence[Type]) -> Bools:
        return np.asarray(table(kinds, len(self._problem.vocabulary))[self.names.bits])

    def _reach(self, goals: Sequence[Goal], inside: Mask) -> Mask:
        """Find a type for each goal, and for the witnesses of all; what they may need."""
        near = self._task.share(Near)
        tried: set[Goal] = set()
        fresh = list(goals)
        self._has_all = True
        while True:
            for goal in fresh:
                kind = self._kind(goal)
                tried.add(goal)
                if kind is not None:
                    self._goals[goal] = kind
                    inside |= kind
                elif goal in goals:
                    self._has_all = False
            inside = reach(self._clauses, self._ratios, inside)
            reached = [need for need in self._problem.existentials if need.bit & inside]
            self.existentials.update(reached)
            modest = (near.modest(existential) for existential in reached)
            fresh = [goal for goal in modest if goal is not None and goal not in tried]
            if not fresh:
                return inside

    def _kind(self, goal: Goal) -> Type | None:
        best = self._task.space.best((), Goal(goal.require, (*goal.exclude, *self._empty)))
        return None if best is None else best[0]

    def _spell(self) -> list[Literals]:
        """The clauses over the names inside, and what marks of goals imply."""
        place = self.names.place
        inside, chosen = relevant(self._clauses, self.names.inside)
        spelt = {literals(clause, place) for clause in chosen}
        for number, goal in enumerate(self._goals):
            no = -(len(place) + number + 1)
            spelt |= {(no, place[bit] + 1) for bit in bits(goal.require)}
            spelt |= {
                (no, *(-(place[bit] + 1) for bit in bits(mask)))
                for mask in goal.exclude
                if not mask & ~inside
            }
        return sorted(spelt)
