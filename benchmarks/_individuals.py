"""Individuals that satisfy a knowledge base, which is made by looking at them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Final

import numpy as np
from _generators import Generated, Members
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Equivalence, Inclusion
from boxsel.logic.concepts import TOP, And, Concept, Exists, Name, Role, conjunction, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query

TRIES: Final = 50
"""How often a statement or a question is tried, on average, before there are fewer."""
POWERS: Final = 8
"""Over how many powers of ten the weights of individuals spread, where some are rare."""
ENOUGH: Final = 20
"""Under conjunctions with fewer individuals there are no names."""

Random = np.random.Generator
Room = Callable[[Random, Fraction], Interval]


class Individuals:
    """Individuals, what they are and are linked to, and what is stated of them.

    If some are `rare`, each stands for many, whose numbers spread over `POWERS` powers of ten.
    """

    def __init__(self, seed: tuple[int, int], size: int = 3000, *, rare: bool = False) -> None:
        self.random = np.random.default_rng(seed)
        self.size = size
        self.axioms: list[Axiom] = []
        self.concepts: list[Concept] = []
        """What statements and questions may be about."""
        self._rank = self.random.integers(0, POWERS, size) if rare else None
        self._weights = np.ones(size, np.int64)
        if self._rank is not None:
            self._weights = 10 ** (POWERS - self._rank) * self.random.integers(1, 10, size)
        self._members: dict[Concept, Members] = {TOP: np.ones(size, bool)}
        self._links: dict[Role, tuple[NDArray[np.int64], Members]] = {}

    def members(self, concept: Concept) -> Members:
        """Who belongs to a concept."""
        if isinstance(concept, And):
            first, *others = (self.members(part) for part in concept.operands)
            return reduce(np.logical_and, others, first)
        if concept not in self._members:
            assert isinstance(concept, Exists)
            objects, linked = self._links[concept.role]
            having = self.members(concept.filler)[objects] & linked
            self._members[concept] = having[0] | having[1]
        return self._members[concept]

    def some(self, low: float, high: float) -> Members:
        """Individuals at random, at a rate between two, or the rare ones among them."""
        found = self.random.random(self.size) < self.random.uniform(low, high)
        return found if self._rank is None else found & (self._rank >= self.random.integers(7))

    def pick(self, count: int, among: Sequence[Concept] | None = None) -> list[Concept]:
        """So many different concepts, or all, if they are fewer."""
        among = self.concepts if among is None else among
        chosen = self.random.choice(len(among), min(count, len(among)), replace=False)
        return [among[place] for place in chosen.tolist()]

    def any_of(self, longer: float) -> Callable[[], Sequence[Concept]]:
        """A choice of a head and a body at random, of two with the chance `longer`."""
        return lambda: self.pick(2 + (self.random.random() < longer))

    def common(self, count: int, among: Sequence[Concept] | None = None) -> list[Concept]:
        """Up to so many concepts with individuals in common."""
        found: list[Concept] = []
        for one in self.pick(count, among):
            if self.members(conjunction(*found, one)).sum() >= ENOUGH:
                found.append(one)
        return found

    def name(self, text: str, members: Members, *above: Concept) -> Name:
        """A name for these inside others, or for one of the others if that leaves none."""
        name, inside = Name(text), self.members(conjunction(*above))
        members = members & inside
        if not members.any():
            members[self.random.choice(np.flatnonzero(inside))] = True
        self._members[name] = members
        self.axioms += [Inclusion(name, one) for one in above]
        self.concepts.append(name)
        return name

    def depend(self, text: str, rate: float, on: Sequence[Concept]) -> None:
        """A name for individuals at a rate, which is another one inside each of some concepts."""
        rates = np.full(self.size, rate)
        for one in on:
            rates[self.members(one)] = self.random.random()
        self.name(text, self.random.random(self.size) < rates)

    def define(self, text: str) -> None:
        """A name that is equivalent to a conjunction, if two have individuals in common."""
        both = conjunction(*self.common(2))
        name = self.name(text, self.members(both))
        if isinstance(both, And):
            self.axioms.append(Equivalence(name, both))

    def nest(
        self, text: str, count: int, chance: float, *, recent: int = 0, defined: float = 0.0
    ) -> None:
        """Names, each with a chance inside one of the recent ones, or of all."""
        for place in range(count):
            kind = self.random.random()
            if place > 3 and kind < defined:
                self.define(f"{text}{place}")
            elif place > 3 and kind < defined + chance:
                above = self.common(1, self.concepts[-recent:])
                self.name(f"{text}{place}", self.some(0.3, 0.95), *above)
            else:
                self.name(f"{text}{place}", self.some(0.05, 0.9))

    def split(
        self, text: str, count: int, kind: NDArray[np.int64], above: Sequence[Concept] = ()
    ) -> list[Concept]:
        """So many disjoint names, by the kind of each individual; each has somebody."""
        inside = self.random.permutation(np.flatnonzero(self.members(conjunction(*above))))
        kind[inside[:count]] = np.arange(count)
        found: list[Concept] = [
            self.name(f"{text}{place}", kind == place, *above) for place in range(count)
        ]
        self.axioms.append(Disjointness(*found))
        return found

    def divide(
        self, text: str, count: int, most: int, *, rest: int = 0
    ) -> list[tuple[Concept, Concept]]:
        """So many parts of everybody and of parts, each with what it is a part of.

        Individuals may be in none of the parts, if there is a rest.
        """
        whole, found = list[Concept]([TOP]), list[tuple[Concept, Concept]]()
        while whole and len(found) < count:
            above = whole.pop(int(self.random.integers(len(whole))))
            if self.members(above).sum() < ENOUGH:
                continue
            parts = int(self.random.integers(2, most + 1))
            shares = self.random.dirichlet(np.ones(parts + rest))
            kind = self.random.choice(parts + rest, self.size, p=shares)
            inside = self.split(f"{text}{len(found)}x", parts, kind, [above] if found else [])
            found += [(one, above) for one in inside]
            whole += inside
        return found

    def link(self, role: Role, objects: NDArray[np.int64], linked: Members) -> None:
        """The objects of each individual, two of them, and which of the links there are."""
        self._links[role] = objects, linked

    def share(self, head: Concept, body: Concept) -> Fraction | None:
        """Which part of the body belongs to the head, if anything does."""
        inside = self.members(body)
        both = inside & self.members(head)
        weight = int(self._weights[inside].sum())
        return Fraction(int(self._weights[both].sum()), weight) if weight else None

    def generated(
        self,
        conditionals: int,
        queries: int,
        pick: Callable[[], Sequence[Concept]],
        room: Room | None = None,
    ) -> Generated:
        """The knowledge base with conditionals about what `pick` chooses: a head, and a body."""
        stated: dict[tuple[Concept, Concept], None] = {}
        for _ in range(TRIES * conditionals):
            if len(stated) == conditionals:
                break
            head, *rest = pick()
            body = conjunction(*rest)
            share = self.share(head, body)
            if rest and head not in rest and share is not None and (head, body) not in stated:
                stated[head, body] = None
                interval = (room or any_room)(self.random, share)
                self.axioms.append(Conditional(head, body, interval))
        return Generated(KB.of(*self.axioms), self._open(list(stated), queries))

    def _open(self, stated: list[tuple[Concept, Concept]], count: int) -> tuple[Query, ...]:
        """Questions that not all, nor none of the body's individuals answer."""
        heads: dict[Concept, list[Concept]] = {}
        for head, body in stated:
            for part in conjuncts(body):
                heads.setdefault(part, []).append(head)
        first = [(heads[head], body) for head, body in stated if head in heads]
        taken, asked = set(stated), list[Query]()
        for _ in range(TRIES * count):
            if len(asked) == count:
                break
            if first and len(asked) % 3 != 1:
                further, body = first[int(self.random.integers(len(first)))]
                (head,) = self.pick(1, further)
            else:
                head, *rest = self.any_of(0.5)()
                body = conjunction(*rest)
            share = self.share(head, body)
            if share and share < 1 and head not in conjuncts(body) and (head, body) not in taken:
                taken.add((head, body))
                asked.append(Query(head, body))
        return tuple(asked)


def any_room(random: Random, share: Fraction, points: float = 0.1) -> Interval:
    """A point, or room below and above, of up to 0.005 to 0.15."""
    if random.random() < points:
        return Interval(share, share)
    most = 10 ** random.uniform(np.log10(0.005), np.log10(0.15))
    below, above = (Fraction(most * random.uniform(0.2, 1)) for _ in range(2))
    lower = Fraction(int(10_000 * max(Fraction(0), share - below)), 10_000)
    upper = Fraction(int(10_000 * (share + above)) + 1, 10_000)
    return Interval(lower, min(Fraction(1), upper))


def relative_room(random: Random, share: Fraction) -> Interval:
    """A point, room of up to 0.3 of the share, or of up to 0.15."""
    kind = random.random()
    if kind < 0.15:
        return Interval(share, share)
    low, high, of = (20, 300, share) if kind < 0.6 else (5, 150, Fraction(1))
    below, above = (of * Fraction(int(one), 1000) for one in random.integers(low, high, 2))
    return Interval(max(Fraction(0), share - below), min(Fraction(1), share + above))


def part_of_it(random: Random, share: Fraction) -> Interval:
    """Room of up to a fifth of the share."""
    below, above = (share * Fraction(int(one), 1000) for one in random.integers(20, 200, 2))
    return Interval(share - below, min(Fraction(1), share + above))


def percent(_: Random, share: Fraction) -> Interval:
    """All that is rounded to the same whole per cent."""
    middle = Fraction(round(100 * share), 100)
    half = Fraction(1, 200)
    return Interval(max(Fraction(0), middle - half), min(Fraction(1), middle + half))
