"""Many Gibbs chains, some of which are held in bodies.

A body that is rare among all types is met by few chains that walk freely. But whatever types weigh,
what is drawn by a chain that is held in a body, where nothing else is changed, has the weights that
types have within the body. And so has what such a chain meets in a narrower body, within that one.
So the share of a conditional is counted among all chains that are held in its body or in a wider
one, and no share is rare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from boxsel.exact.compile.consequences import Consequences
from boxsel.exact.compile.problem import Clause, Goal
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.gibbs import Chains, Floats, Floats32, Literals, State, literals
from boxsel.exact.types.searched import SearchedSpace
from boxsel.exact.types.tables import WORD, Ints, Words, meet, pad_rows
from boxsel.exact.ways.held.subtrees import ALL, Subtree
from boxsel.exact.ways.samples.shares import Names, Shares
from boxsel.machine.budget import NO_LIMIT

MOST_WORDS: Final = 96
"""Chains come in words of 64, each of which is held in one body; there are so many words."""
NEWS: Final = 0.3
EXTREME: Final = 0.01
"""How much of the chances of drafts is new in each round, and how near to 0 or 1 they come."""


class Crowd:
    """Chains over the basic concepts of some clauses; each word of 64 is held somewhere."""

    def __init__(self, shares: Shares, names: Names, clauses: Sequence[Clause], seed: int) -> None:
        self._shares, self._clauses = shares, clauses
        self._names = len(names)
        self._size = len(names) + MOST_WORDS  # marks of where words are held are below the names
        self._random = np.random.default_rng(seed)
        self._spelt = sorted({literals(clause, names.place) for clause in clauses})
        self._following = Consequences(clauses)
        self._closures = [self._following.of(1 << bit) for bit in names.bits]
        self._kinds: dict[Mask, Type | None] = {}
        self._above = pad_rows(
            [[*bits(mask & ~(1 << name))] for name, mask in enumerate(self._closures)]
        )
        self._draft = np.full(self._names, 0.5)
        self._subtrees = self._grow()
        self._whole = [sum(1 << int(name) for name in tree.names) for tree in self._subtrees]
        self._next: list[int] = []
        self._state = State(np.zeros((self._size, 0), bool))
        self.holds: list[Mask] = []
        """Where each word is held: what follows from a body, with the body."""
        self._bodies = [self.close(ratio.body) for ratio in shares.ratios]

    def close(self, mask: Mask) -> Mask:
        """What follows from some basic concepts, with them."""
        return self._following.of(mask)

    def body(self, number: int) -> Mask:
        """The body of a conditional, with what follows from it."""
        return self._bodies[number]

    def has(self, mask: Mask) -> bool:
        """Whether somebody can have some basic concepts."""
        return self._kind(mask) is not None

    def _kind(self, mask: Mask) -> Type | None:
        """A type with some basic concepts, with nothing but what it must have if that is one."""
        if mask not in self._kinds:
            kind: Type | None = self.close(mask)
            if not all(clause.holds(self.close(mask)) for clause in self._clauses):
                best = SearchedSpace(self._clauses, NO_LIMIT).best((), Goal(mask))
                kind = None if best is None else best[0]
            self._kinds[mask] = kind
        return self._kinds[mask]

    def hold(self, holds: Sequence[Mask]) -> None:
        """Hold words there; those of chains that are known go on where they were held.

        Others start from chains that are there, or from one type.
        """
        names, size = self._names, self._size
        columns = np.zeros((size, WORD * len(holds)), bool)
        known = self._state.columns[:names]
        waiting: dict[Mask, list[int]] = {}
        for number, mask in enumerate(self.holds):
            waiting.setdefault(mask, []).append(number)
        for number, mask in enumerate(holds):
            word = slice(number * WORD, (number + 1) * WORD)
            columns[names + number, word] = True
            if waiting.get(mask):
                same = waiting[mask].pop(0) * WORD
                columns[:names, word] = known[:, same : same + WORD]
                continue
            there = np.flatnonzero(known[[*bits(mask)]].all(0))
            if len(there):
                columns[:names, word] = known[:, self._random.choice(there, WORD)]
            else:
                kind = self._kind(mask)
                assert kind is not None  # it is a body that chains are in, or was asked about
                columns[[*bits(kind)], word] = True
        self.holds, self._state = [*holds], State(columns)
        marks: list[Literals] = [
            (-(names + number + 1), bit + 1)
            for number, mask in enumerate(holds)
            for bit in bits(mask)
        ]
        seed = int(self._random.integers(1 << 32))
        self._chains = Chains(size, [*self._spelt, *marks], seed, moving=names)
        self._groups = self._chains.group(self._shares.products)
        self._held = [
            np.array([ALL if mask & whole else 0 for mask in holds], np.uint64)
            for whole in self._whole
        ]
        allowed = [[not mask & ~body for mask in holds] for body in self._bodies]
        self._allowed = np.array(allowed, np.int64).reshape(len(self._shares), len(holds))

    def sweep(self, factors: Floats32) -> None:
        """Let every name move once, and about as many steps of subtrees."""
        self._chains.sweep(self._groups, factors, self._state)
        steps = len(self._groups)
        while steps > 0 and self._subtrees:
            if not self._next:
                self._next = self._random.permutation(len(self._subtrees)).tolist()
            number = self._next.pop()
            tree = self._subtrees[number]
            tree.move(factors, self._draft, self._held[number], self._state, self._random)
            steps -= tree.stages
        words = self._state.words
        having = np.bitwise_count(words[: self._names]).sum(1, np.int64)
        able = np.bitwise_count(meet(words, self._above)).sum(1, np.int64)
        chances = np.clip((having + 1) / (able + 2), EXTREME, 1 - EXTREME)
        self._draft += NEWS * (chances - self._draft)

    @property
    def turn(self) -> float:
        """The sweeps in which every subtree moves once, about: one at least."""
        return max(1.0, sum(tree.stages for tree in self._subtrees) / len(self._groups))

    def count(self) -> tuple[Ints, Ints, Ints]:
        """For each share, who is counted in its body, and of them who has the head.

        Third, who is in its body, word by word.
        """
        shares = self._shares
        counts = np.bitwise_count(meet(self._state.words, shares.rows)).astype(np.int64)
        bodies = counts[shares.bodies]
        both = (counts[shares.boths] * self._allowed).sum(1)
        return (bodies * self._allowed).sum(1), both, bodies

    def weigh(self, terms: Ints, factors: Floats, words: int) -> Floats:
        """A sum of products, in each of the first words."""
        some: Words = self._state.words[:, :words]
        return np.asarray(factors @ np.bitwise_count(meet(some, terms)))

    def column(self, place: int) -> Floats32:
        """What one chain has."""
        return self._state.values[: self._names, place]

    def _grow(self) -> list[Subtree]:
        """A subtree for each name from which others follow."""
        clauses: dict[int, list[Literals]] = {}
        for clause in self._spelt:
            for literal in clause:
                clauses.setdefault(literal, []).append(clause)
        below: list[list[int]] = [[] for _ in self._closures]
        for name, mask in enumerate(self._closures):
            for above in bits(mask & ~(1 << name)):
                below[above].append(name)
        touching: list[list[int]] = [[] for _ in self._closures]
        products = self._shares.products
        for number, product in enumerate(products):
            for name in product:
                touching[name].append(number)
        sizes: Mapping[int, int] = {
            name: mask.bit_count() for name, mask in enumerate(self._closures)
        }
        subtrees = []
        for top, names in enumerate(below):
            if names:
                order = sorted(names, key=lambda name: (sizes[name], name))
                near = sorted({number for name in (top, *order) for number in touching[name]})
                subtrees.append(Subtree(top, order, self._size, clauses, products, near))
        return subtrees
