"""Bounds from bags that are capped in size: sound at any width.

Bags of few basic concepts, which agree on what they share, are a relaxation: a population gives
them weights, and not all weights come from one. What their programme proves is proved of everybody:
along all bags that a type goes through, what they agree on cancels, and the rows with their factors
are left. So a bound has the same kind of proof as an optimum.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Form, Goal, Row
from boxsel.exact.compile.vocabulary import bits
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.optimum import Bound
from boxsel.exact.ways.near import Near, Question
from boxsel.exact.ways.trees.bags import Bags, TooWideError, compile_capped_bags
from boxsel.exact.ways.trees.region import Region
from boxsel.exact.ways.way import Task

MOST_MEMBERS: Final = 3
"""How many members a bag has, unless a statement has more: 3 prove in 0.4 s what 5 do in 7."""


class Capped:
    """Bounds of shares from the rows around them."""

    def __init__(self, task: Task) -> None:
        self._task, self._near = task, task.share(Near)
        self._known: tuple[object, tuple[Bags, Region, list[int]] | None] | None = None

    def bound(self, goal: Goal, objective: Form, rows: int) -> Bound | None:
        """What a form does not exceed where a goal weighs 1, from so many rows around both.

        None if floats lead to no proof.
        """
        asked = tuple(bits(Question(goal, objective).about))
        key = asked, rows, len(self._task.clauses)
        if self._known is None or self._known[0] != key:
            self._known = key, self._compile(asked, rows)
        if self._known[1] is None:
            return None
        bags, region, numbers = self._known[1]
        home = bags.holding(asked)
        assert home is not None  # what is asked about is in one bag
        bag = bags.bags[home]
        members = bag.have(bag.mask(bits(goal.require)))
        gains = np.zeros(len(bag.kinds), np.int64)
        for mask, number in objective:
            gains += number * bag.have(bag.mask(bits(mask)))
        best = region.maximise(home, members.tolist(), gains.tolist())
        if best is None:
            return None
        used = region.multipliers(best)
        multipliers = {numbers[row]: factor for row, factor in used.items()}
        return self._near.prove(goal, objective, Bound(as_fraction(best.value), multipliers))

    def _compile(self, asked: tuple[int, ...], most: int) -> tuple[Bags, Region, list[int]] | None:
        task = self._task
        rows = task.problem.rows
        numbers = find_nearest(rows, asked, most)
        try:
            bags = compile_capped_bags(
                task.clauses,
                [rows[n] for n in numbers],
                asked,
                MOST_MEMBERS,
                task.limits.bags,
                task.budget,
            )
        except TooWideError:
            return None
        if bags.size > task.limits.bags:
            return None
        sizes = [np.ones(len(bag.kinds)) for bag in bags.bags]
        return bags, Region(bags, sizes, range(len(bags)), task.budget), numbers


def find_nearest(rows: list[Row], asked: tuple[int, ...], most: int) -> list[int]:
    """The numbers of the rows in rings around some basic concepts, as many as are wanted.

    A row without a body speaks of everybody: it is as near as its head.
    """
    users: dict[int, list[int]] = {}
    for number, row in enumerate(rows):
        for position in bits(row.both):
            users.setdefault(position, []).append(number)
    found: dict[int, None] = {}
    ring = dict.fromkeys(asked)
    known = set(ring)
    while ring and len(found) < most:
        fresh = [n for position in ring for n in users.get(position, ()) if n not in found]
        found |= dict.fromkeys(fresh)
        further = dict.fromkeys(bit for n in fresh for bit in bits(rows[n].both))
        ring = {member: None for member in further if member not in known}
        known |= ring.keys()
    return sorted([*found][:most])
