"""The types of a bag: those over its basic concepts that obey the clauses about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Clause
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.types.enumeration import enumerate_types
from boxsel.machine.budget import Budget

Positions = tuple[int, ...]
Numbers = NDArray[np.int64]
PAIR: Final = 2
WORD_BITS: Final = 62
"""Types over more basic concepts do not fit into 64 bits: they are integers of Python."""


class TooWideError(Exception):
    """A bag would have too many members or types."""


class BagClauses:
    """Clauses by the basic concepts that they are about, and the types that obey them."""

    def __init__(self, clauses: Iterable[Clause], limit: int, budget: Budget) -> None:
        self._limit, self._budget = limit, budget
        self._listed: dict[tuple[int, frozenset[tuple[Mask, Mask]]], Numbers] = {}
        positions = MaskPositions()
        known = dict.fromkeys(
            (positions.of(clause.body), positions.of(clause.heads)) for clause in clauses
        )
        self.about = [(*body, *heads) for body, heads in known]
        self.exclusions = sum(len(body) == PAIR and not heads for body, heads in known)
        """How many clauses say that two basic concepts exclude each other."""
        counts = Counter(position for about in self.about for position in about)
        self._by_rarest: dict[int, list[tuple[Positions, Positions]]] = {}
        self._is_refuted = ((), ()) in known
        self._direct: dict[int, list[int]] = {}  # what each basic concept has by one clause
        self._implied: dict[int, frozenset[int]] = {}
        for (body, heads), about in zip(known, self.about, strict=True):
            if about:
                rarest = min(about, key=counts.__getitem__)
                self._by_rarest.setdefault(rarest, []).append((body, heads))
            if len(body) == 1 == len(heads):
                self._direct.setdefault(body[0], []).append(heads[0])

    def obeying(self, members: Positions) -> Numbers:
        """The types over some basic concepts, in their own numbers: most bags are like another."""
        inside = self._within(members)
        key = len(members), inside
        if key not in self._listed:
            clauses, every = (Clause(*sides) for sides in inside), (1 << len(members)) - 1
            listed = enumerate_types(clauses, every, self._limit, self._budget)
            if listed is None:
                raise TooWideError
            short = len(members) <= WORD_BITS
            self._listed[key] = np.array(listed, np.int64 if short else object)
        return self._listed[key]

    def _within(self, members: Positions) -> frozenset[tuple[Mask, Mask]]:
        """The bodies and heads of the clauses about some basic concepts, in their own numbers."""
        places = {position: place for place, position in enumerate(members)}
        within = {(0, 0)} if self._is_refuted else set()
        for member in members:
            for sides in self._by_rarest.get(member, ()):
                if all(position in places for side in sides for position in side):
                    body, heads = (
                        sum(1 << places[position] for position in side) for side in sides
                    )
                    within.add((body, heads))
        for member in members:
            for head in self._consequences(member).intersection(members):
                within.add((1 << places[member], 1 << places[head]))
        return frozenset(within)

    def _consequences(self, position: int) -> frozenset[int]:
        """What a basic concept has besides, by clauses that say so of one at a time."""
        if position not in self._implied:
            inside, queue = {position}, [position]
            for implied in queue:
                fresh = [head for head in self._direct.get(implied, ()) if head not in inside]
                inside.update(fresh)
                queue += fresh
            self._implied[position] = frozenset(inside - {position})
        return self._implied[position]


class MaskPositions:
    """The positions of the ones of masks, which are long: those of one object are found once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Mask, Positions]] = {}

    def of(self, mask: Mask) -> Positions:
        """Where a mask has ones."""
        if id(mask) not in self._known:
            self._known[id(mask)] = mask, tuple(bits(mask))
        return self._known[id(mask)][1]
