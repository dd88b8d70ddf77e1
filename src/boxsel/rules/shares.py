"""The shares in play: which part of which body, and what was stated of it.

A share `(D | C)` compares the region of C ⊓ D, its *part*, with that of C. Two spellings with
the same body and part are one share. Its *readings* are heads that leave the same part: as
given, as what the part adds to the body, and as the definition of a name.

Shares that saturation knows to be 0 or 1 are put into the table where they are stated or on
the way to a query, because rules build on them; nothing is to be learned about them.

To reach `(Q | B)` from statistics about parts of parts of B, the shares of Q in those parts must be
in play too. From each query we go down to every part of its body that is a body itself, and up to
every body that it is a part of.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable
from copy import copy
from enum import Enum
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import Final, TypeVar

from boxsel.logic.axioms import Conditional
from boxsel.logic.proportions import ONE, ZERO
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.normal.completion import STEPS_BETWEEN_LOOKS
from boxsel.rules.knowledge import Knowledge, Region


class Certain(Enum):
    """A share that needs no rule: saturation knows it."""

    ALL = "the body is included in the head"
    NONE = "the body and the head are disjoint"
    VACUOUS = "the body is empty"


Item = TypeVar("Item", bound=Hashable)


class Numbered(list[Item]):
    """Things by number, each once."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: dict[Item, int] = {}

    def copy(self) -> Numbered[Item]:
        """The same things with the same numbers."""
        other = Numbered[Item]()
        other.extend(self)
        other.ids = self.ids.copy()
        return other

    def number(self, item: Item) -> int:
        """The number of a thing, a new one if it is new."""
        number = self.ids.get(item)
        if number is None:
            number = self.ids[item] = len(self)
            self.append(item)
        return number


class Shares:
    """A growing table: share number `n` has `bodies[n]`, `heads[n]`, `parts[n]`, `queries[n]`.

    `bounds` has its lower and its upper ends, `stated` the conditionals that they come from.
    """

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        self.regions = Numbered[Region | None]()
        self.head_regions = Numbered[Region]()
        self.bodies: list[int] = []
        self.heads: list[int] = []
        self.parts: list[int] = []
        self.queries: list[Query] = []
        self.certain: list[Certain | None] = []
        self.bounds: tuple[list[Fraction], list[Fraction]] = ([], [])
        self.stated: tuple[list[Conditional | None], list[Conditional | None]] = ([], [])
        self._closures: dict[Region, Region] = {}
        self._numbers: dict[tuple[int, int], int] = {}
        self.readings: dict[tuple[int, int], None] = {}
        self._certain_numbers: dict[tuple[int, int], int] = {}

    def __len__(self) -> int:
        return len(self.bodies)

    def copy(self) -> Shares:
        """The same table, to grow by itself; what is known of regions is shared."""
        other = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, Numbered | list | dict):
                setattr(other, name, value.copy())
        other.bounds = self.bounds[0].copy(), self.bounds[1].copy()
        other.stated = self.stated[0].copy(), self.stated[1].copy()
        return other

    def number(self, query: Query) -> int | Certain:
        """The share that a query asks about, put into the table if it is new."""
        body = self.knowledge.region(query.body)
        if body is None:
            return Certain.VACUOUS
        head = self.knowledge.region(query.head)
        return Certain.NONE if head is None else self.between(body, head, query)

    def known(self, query: Query) -> int | Certain | None:
        """The share that a query asks about, or nothing if it is not in the table."""
        try:
            body, head = map(self.knowledge.region, (query.body, query.head))
        except KeyError:
            return None
        if body is None:
            return Certain.VACUOUS
        part = None if head is None else self.knowledge.meet(body, head)
        if part is None:
            return Certain.NONE
        if part == body:
            return Certain.ALL
        key = self.regions.ids.get(body, -1), self.regions.ids.get(part, -1)
        return self._numbers.get(key)

    def between(self, body: Region, head: Region, query: Query | None = None) -> int | Certain:
        """The share of a head region in a body region, put into the table if it is new."""
        part = self.knowledge.meet(body, head)
        # What the head adds to the body; if that is nothing, all of it tells it from others.
        rest = head - self.closure(body) or head
        key = self.regions.number(body), self.regions.number(part)
        if part is None or part == body:
            certain = Certain.NONE if part is None else Certain.ALL
            if rest:
                same = key[0], self.head_regions.number(rest)
                if same not in self._certain_numbers:
                    self._certain_numbers[same] = len(self.bodies)
                    self._add(key, rest, query, certain)
                self._read(self._certain_numbers[same], (rest, head))
            return certain
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.bodies)
            self._add(key, rest, query, None)
        added = part - self.closure(body)
        # A shorter reading: what was given amounts to a defined name. A longer one tells nothing.
        self._read(number, (rest, head, added) if len(added) <= len(rest) else (rest, head))
        return number

    def state(self, axiom: Conditional) -> int | Certain:
        """Take a conditional as stated."""
        number = self.number(Query(axiom.head, axiom.body))
        if isinstance(number, int):
            (lower, upper), bounds = self.bounds, axiom.bounds
            if bounds.lower > lower[number]:
                lower[number], self.stated[0][number] = bounds.lower, axiom
            if bounds.upper < upper[number]:
                upper[number], self.stated[1][number] = bounds.upper, axiom
        return number

    def closure(self, region: Region) -> Region:
        """Every atom that includes a region."""
        known = self._closures.get(region)
        if known is None:
            known = self._closures[region] = self.knowledge.closure(region)
        return known

    def _read(self, share: int, heads: Iterable[Region]) -> None:
        """Note the heads under which a share may be found."""
        for head in heads:
            reading = share, self.head_regions.number(head)
            self.readings.setdefault(reading)
            made_of = self.knowledge.made_of(head)
            if made_of is not None:
                reading = share, self.head_regions.number(made_of)
                self.readings.setdefault(reading)

    def _add(
        self, key: tuple[int, int], head: Region, query: Query | None, certain: Certain | None
    ) -> None:
        body = self.regions[key[0]]
        assert body is not None
        self.bodies.append(key[0])
        self.parts.append(key[1])
        self.heads.append(self.head_regions.number(head))
        self.queries.append(query or Query(*map(self.knowledge.concept, (head, body))))
        self.certain.append(certain)
        self.bounds[0].append(ONE if certain is Certain.ALL else ZERO)
        self.bounds[1].append(ZERO if certain is Certain.NONE else ONE)
        for stated in self.stated:
            stated.append(None)


MOST_GOALS: Final = 100_000
"""How many shares are put into play on behalf of queries; a level is taken whole or not at all."""

_MOST_BODIES: Final = 50  # of one part, to be compared with each other

_Goal = tuple[int, Region]
"""A body by number, and what is asked about it."""


def add_goals(shares: Shares, queries: Iterable[int], budget: Budget) -> None:
    """Put the shares into play that queries may be answered through."""
    budget.check()
    asked = list(queries)
    for number in asked:
        _add_conjuncts(shares, number)
    inside, around = _neighbours(shares)
    level = {(shares.bodies[number], _head(shares, number)) for number in asked}
    visited: set[_Goal] = set()
    while level and len(visited) + len(level) <= MOST_GOALS:
        visited |= level
        following: set[_Goal] = set()
        # In a fixed order, so that shares are numbered alike in every run.
        ordered = sorted(level, key=lambda goal: (goal[0], sorted(goal[1])))
        for body, head in budget.watched(ordered, STEPS_BETWEEN_LOOKS):
            share = shares.between(_region(shares, body), head)
            if isinstance(share, int):
                rest = _head(shares, share)
                for part in inside[body]:
                    if part in inside:
                        following.add((part, rest))
                    elif shares.knowledge.meet(_region(shares, part), rest) is None:
                        shares.between(_region(shares, part), rest)
                following.update((other, rest) for other in around[body])
        level = following - visited


def add_totals(shares: Shares, budget: Budget) -> None:
    """Put the shares into play that several parts of a body add up to, and what these add up to.

    Nobody need state a total: two partitions of one body may disagree about it.
    """
    before = -1
    while before < len(shares) <= MOST_GOALS:
        before = len(shares)
        _, around = _neighbours(shares)
        parts: Counter[tuple[int, int]] = Counter()
        for part, head, certain in budget.watched(
            list(zip(shares.bodies, shares.heads, shares.certain, strict=True)),
            STEPS_BETWEEN_LOOKS,
        ):
            if certain is None:
                parts.update((body, head) for body in around.get(part, ()))
        for (body, head), count in parts.items():
            if count > 1:
                shares.between(_region(shares, body), shares.head_regions[head])


def close_triangles(shares: Shares, budget: Budget) -> None:
    """Where two bodies have a part in common and one includes the other, compare them too."""
    _, around = _neighbours(shares)
    for bodies in budget.watched(around.values(), STEPS_BETWEEN_LOOKS):
        if len(bodies) > 1 and len(bodies) <= _MOST_BODIES:
            for one, two in permutations(map(partial(_region, shares), bodies), 2):
                if one <= shares.closure(two):
                    shares.between(one, two)


def _neighbours(shares: Shares) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
    """The parts of each body, and the bodies of each part, of shares that are not certain."""
    inside: dict[int, list[int]] = defaultdict(list)
    around: dict[int, list[int]] = defaultdict(list)
    for body, part, certain in zip(shares.bodies, shares.parts, shares.certain, strict=True):
        if certain is None:
            inside[body].append(part)
            around[part].append(body)
    return inside, around


def _region(shares: Shares, number: int) -> Region:
    region = shares.regions[number]
    assert region is not None
    return region


def _head(shares: Shares, number: int) -> Region:
    return shares.head_regions[shares.heads[number]]


def _add_conjuncts(shares: Shares, number: int) -> None:
    """The conjuncts of a head, one by one and together, so that bounds can be built up."""
    body, head = _region(shares, shares.bodies[number]), _head(shares, number)
    if len(head) < 2:
        return
    place = shares.knowledge.order
    atoms = sorted(head, key=place.__getitem__)
    for count, atom in enumerate(atoms, 1):
        shares.between(body, frozenset((atom,)))
        shares.between(body, frozenset(atoms[:count]))
