"""Where the chains that draw types start: a type for all, and some chains held at each goal.

The goals are what is asked for, the witnesses that it may need, and what conditionals speak about
but few chains come to by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Clause, Existential, Goal
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.gibbs import Literals, find_broken, literals
from boxsel.exact.types.space import EVERY_TYPE, relevant
from boxsel.exact.types.tables import Bools, table
from boxsel.exact.ways.near import Near
from boxsel.exact.ways.samples.drawing import Drawing
from boxsel.exact.ways.samples.sample import pad
from boxsel.exact.ways.samples.shares import Names, Ratio, Shares, group, reach
from boxsel.exact.ways.way import Task

FEWEST_CHAINS: Final = 256
MOST_CHAINS: Final = 1024
CHAINS_EACH: Final = (4, 8)
MOST_HELD: Final = 1500
"""How many chains there are: four for each conditional, within limits, and some for each goal, as
many as there are chains for all of them. With fewer for each goal, weights are found later."""
ASKED: Final = 64
"""How many chains there are with the head that is asked about, and how many without."""
FIRST_MOVES: Final = 20
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
        sides = (Goal(query.both), Goal(query.body, (query.both,)))
        self._sides = sides if query.both else ()
        self.existentials: set[Existential] = set()
        """The existentials for whose witnesses there are goals, too."""
        self.names = Names(self._reach(goals, query.both | also))
        self.shares = Shares([*self._ratios, query], self.names)

    @property
    def is_possible(self) -> bool:
        """Whether each goal that was asked for has a type; without goals, whether there is any."""
        return self._has_all and (bool(self._goals) or self._kind(EVERY_TYPE) is not None)

    def start(self) -> Drawing:
        """Chains that have moved for a while, as far as they are known from earlier questions."""
        known = self._task.share(_Remembered).drawings
        key = self.names.inside, len(self._clauses)
        drawing = known.get(key)
        if drawing is None:
            drawing = self._start()
            drawing.run(FIRST_MOVES, self._budget)
            known[key] = drawing
        return self._hold(drawing)

    def hold(self, drawing: Drawing, goals: Iterable[Goal]) -> Drawing:
        """Chains that go on, with more of them, held at further goals that have types."""
        before, fresh = drawing.columns, self._find(goals)
        if not fresh:
            return drawing
        self._goals |= fresh
        held, marks = self._held(fresh)
        between = np.zeros((len(before) - len(self.names), held.shape[1]), bool)
        added = np.vstack([held, between, marks])
        whole = np.hstack([pad(before, len(added)), added])
        further = Drawing(self.shares, self._spell(), whole, len(self._goals))
        further.go_on(drawing.pulls, drawing.rounds)
        return further

    @property
    def clauses(self) -> list[Literals]:
        """The clauses over the names inside."""
        chosen = relevant(self._clauses, self.names.inside)[1]
        return sorted({literals(clause, self.names.place) for clause in chosen})

    def move(self, drawing: Drawing, columns: Bools) -> Drawing:
        """Chains that are where some types are; those that are held stay where they were.

        Only what is asked about, and witnesses, hold chains then: types have what else is rare.
        """
        before, names = drawing.columns, len(self.names)
        goals = [*self._goals]
        kept = [n for n, goal in enumerate(goals) if n < self._needed or goal in self._sides]
        self._goals = {goals[number]: self._goals[goals[number]] for number in kept}
        chosen = np.vstack([before[:names], before[[names + number for number in kept]]])
        held = chosen[:, chosen[names:].any(0)]
        count = np.count_nonzero(~before[names:].any(0))
        places = np.linspace(0, columns.shape[1] - 1, count).astype(np.intp)
        whole = np.hstack([pad(columns[:, places], len(held)), held])
        moved = Drawing(self.shares, self._spell(), whole, len(kept))
        moved.go_on(drawing.pulls, drawing.rounds)
        return moved

    @cached_property
    def modest(self) -> Bools:
        """Types with nothing but what a product entails that a share of one value is about.

        Where the product has the body that is asked about, there is one with the head, too.
        """
        query, following = self.shares.ratios[-1], self._task.share(Near)
        kinds: dict[Type, None] = {}
        for ratio in self.shares.ratios:
            if ratio.lower == ratio.upper:
                for mask in ratio.masks:
                    kind = following.consequences(mask)
                    kinds[kind] = None
                    if not query.body & ~kind:
                        kinds[following.consequences(kind | query.both)] = None
        columns = self._columns([kind for kind in kinds if not kind & ~self.names.inside])
        return np.asarray(columns[:, ~find_broken(columns, self.clauses)])

    def _start(self, known: Drawing | None = None) -> Drawing:
        """Chains that go on from known ones, or all start at one type; and some at each goal."""
        names, goals = len(self.names), len(self._goals)
        if known is None:
            count = int(np.clip(4 * len(self.shares), FEWEST_CHAINS, MOST_CHAINS))
            ground = self._kind(EVERY_TYPE)
            assert ground is not None  # a goal has a type
            columns = self._columns([ground] * count)
        else:
            columns = known.columns[:names, ~known.columns[names:].any(0)]
        count = columns.shape[1]
        held, marks = self._held(self._goals)
        whole = np.hstack([pad(columns, names + goals), np.vstack([held, marks])])
        drawing = Drawing(self.shares, self._spell(), whole, goals)
        if known is not None:
            drawing.go_on(known.pulls, known.rounds)
        return drawing

    def _hold(self, drawing: Drawing) -> Drawing:
        """The same with more chains, held at what conditionals speak about and few chains have."""
        shares = self.shares
        counts = np.count_nonzero(shares.having(drawing.columns), 1)
        wanted = [*self._sides]
        for number, ratio in enumerate(shares.ratios):
            if counts[shares.bodies[number]] < SCARCE:
                wanted.append(Goal(ratio.body))
            if ratio.lower > 0 and counts[shares.boths[number]] < SCARCE:
                wanted.append(Goal(ratio.both))
        self._goals |= self._find(wanted)
        return self._start(drawing)

    def _find(self, goals: Iterable[Goal]) -> dict[Goal, Type]:
        """A type for each goal that is new and has one over the names inside."""
        kinds = {goal: self._kind(goal) for goal in goals if goal not in self._goals}
        return {
            goal: kind
            for goal, kind in kinds.items()
            if kind is not None and not kind & ~self.names.inside
        }

    def _held(self, goals: Mapping[Goal, Type]) -> tuple[Bools, Bools]:
        """Chains that start at the types of some goals, and their marks."""
        each = min(max(MOST_HELD // max(1, len(goals)), CHAINS_EACH[0]), CHAINS_EACH[1])
        counts = [ASKED if goal in self._sides else each for goal in goals]
        columns = self._columns([*goals.values()])
        marks = np.eye(len(goals), dtype=bool)
        return np.repeat(columns, counts, axis=1), np.repeat(marks, counts, axis=1)

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
                self._needed = len(self._goals)
                return inside

    def _kind(self, goal: Goal) -> Type | None:
        """A type of a goal: with nothing but what it must have if that is one, else any."""
        goal = Goal(goal.require, (*goal.exclude, *self._empty))
        kind = self._task.share(Near).consequences(goal.require)
        if goal.has(kind) and all(clause.holds(kind) for clause in self._clauses):
            return kind
        best = self._task.space.best((), goal)
        return None if best is None else best[0]

    def _spell(self) -> list[Literals]:
        """The clauses over the names inside, and what marks of goals imply."""
        place = self.names.place
        spelt = {*self.clauses}
        inside = self.names.inside
        for number, goal in enumerate(self._goals):
            no = -(len(place) + number + 1)
            spelt |= {(no, place[bit] + 1) for bit in bits(goal.require)}
            spelt |= {
                (no, *(-(place[bit] + 1) for bit in bits(mask)))
                for mask in goal.exclude
                if not mask & ~inside
            }
        return sorted(spelt)
