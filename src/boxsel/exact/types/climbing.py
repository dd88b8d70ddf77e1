"""Types with large values of a form, by local search from types that are known."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Clause, Goal
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.gibbs import COOL, WARM, Chains, Floats, literals, placed
from boxsel.exact.types.space import masks, relevant
from boxsel.exact.types.tables import Bools, kinds_of, table

CHAINS: Final = 64
REMEMBERED: Final = 400
"""How many types are kept to start from; the latest are the best guess."""
Weights = Sequence[tuple[Mask, float]]


class LocalSearch:
    """Remembers good types of some clauses, and looks for better ones around them."""

    def __init__(self, clauses: Sequence[Clause]) -> None:
        self._clauses = clauses
        self._known: dict[Type, None] = {}
        self._walks: dict[tuple[Mask, Goal], _Walk] = {}
        self._random = np.random.default_rng(0)

    def remember(self, kinds: Iterable[Type]) -> None:
        """Types to start from later."""
        for kind in kinds:
            self._known.pop(kind, None)
            self._known[kind] = None
        for kind in [*self._known][:-REMEMBERED]:
            del self._known[kind]

    def forget(self) -> None:
        """The clauses have become more."""
        self._walks.clear()
        self._known = {
            kind: None
            for kind in self._known
            if all(clause.holds(kind) for clause in self._clauses)
        }

    def starts(self, goal: Goal) -> list[Type]:
        """Some known types of a goal."""
        members = [kind for kind in self._known if goal.has(kind)]
        latest, others = members[-CHAINS // 2 :], members[: -CHAINS // 2]
        some = self._random.permutation(len(others))[: CHAINS - len(latest)]
        return latest + [others[n] for n in some]

    def climb(self, weights: Weights, goal: Goal, starts: Sequence[Type]) -> list[Type]:
        """Types of a goal with large values of a form, the best first."""
        walk = self._walk(reduce(or_, masks(weights, goal), 0), goal)
        largest = max(abs(weight) for _, weight in weights)
        scaled = [(mask, weight / largest) for mask, weight in weights]
        state = walk.columns(starts)[:, np.resize(np.arange(len(starts)), CHAINS)]
        for temperatures in (COOL, WARM):
            climbed = walk.run(scaled, state, temperatures)
            values = walk.values(scaled, climbed)
            if values.max() > 1e-9:
                break
        order = np.argsort(-values, kind="stable")
        kinds = list(dict.fromkeys(walk.kinds(climbed[:, order])))
        self.remember(reversed(kinds))
        return kinds

    def _walk(self, about: Mask, goal: Goal) -> _Walk:
        if (about, goal) not in self._walks:
            inside, chosen = relevant(self._clauses, about)
            same = self._walks.get((inside, goal)) or _Walk(inside, chosen, goal)
            self._walks[inside, goal] = self._walks[about, goal] = same
        return self._walks[about, goal]


class _Walk:
    """Chains over the bits that matter; all other bits are false."""

    def __init__(self, inside: Mask, clauses: Iterable[Clause], goal: Goal) -> None:
        self._inside = inside
        self._bits = list(bits(inside))
        self._place = {bit: place for place, bit in enumerate(self._bits)}
        extra = [Clause(0, 1 << bit) for bit in bits(goal.require)]
        extra += [Clause(mask, 0) for mask in goal.exclude]
        spelt = {literals(clause, self._place) for clause in (*clauses, *extra)}
        self._chains = Chains(len(self._bits), sorted(spelt))

    def columns(self, kinds: Sequence[Type]) -> Bools:
        within = [kind & self._inside for kind in kinds]
        return table(within, self._inside.bit_length())[self._bits]

    def kinds(self, columns: Bools) -> list[Type]:
        whole = np.zeros((self._inside.bit_length(), columns.shape[1]), bool)
        whole[self._bits] = columns
        return kinds_of(whole)

    def run(self, weights: Weights, columns: Bools, temperatures: Iterable[float]) -> Bools:
        return self._chains.run(placed(dict(weights), self._place), columns, temperatures)

    def values(self, weights: Weights, columns: Bools) -> Floats:
        total = np.zeros(columns.shape[1])
        for mask, weight in weights:
            total[columns[[self._place[bit] for bit in bits(mask)]].all(0)] += weight
        return total
