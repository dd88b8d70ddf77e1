"""A tree of bags, each with its types: where statements stand, and what neighbours share.

A bag numbers its own basic concepts, so that its types are short however many there are in all.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Clause, Row
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.lp.ratios import spanning
from boxsel.exact.types.enumeration import enumerate_types
from boxsel.exact.types.tree import decompose
from boxsel.machine.budget import Budget

WIDEST: Final = 48
"""Bags of more members are not tried: their types could not be listed."""

Positions = tuple[int, ...]
Numbers = NDArray[np.int64]
Places = NDArray[np.intp]


class TooWideError(Exception):
    """A bag would have too many members or types."""


@dataclass(frozen=True)
class Line:
    """What statements say about the share of `body` that has `both`, in a bag's own numbers.

    Each side is the number of its row, and the bound.
    """

    body: Mask
    both: Mask
    lower: tuple[int, Fraction] | None
    upper: tuple[int, Fraction] | None

    @cached_property
    def point(self) -> Fraction | None:
        """The share, if it is one number."""
        if self.lower is None or self.upper is None or self.lower[1] != self.upper[1]:
            return None
        return self.lower[1]


@dataclass(frozen=True, eq=False)
class Bag:
    """Basic concepts, in order, the types over them, and the lines that stand here."""

    members: Positions
    kinds: Numbers
    lines: tuple[Line, ...] = ()

    def mask(self, positions: Iterable[int]) -> Mask:
        """Some members, in the bag's own numbers."""
        return sum(1 << self.members.index(position) for position in positions)

    def have(self, mask: Mask) -> NDArray[np.bool_]:
        """Which types have all of a mask."""
        having: NDArray[np.bool_] = (self.kinds & mask) == mask
        return having

    def patterns(self, shared: Positions) -> Numbers:
        """What each type says about some members."""
        found = np.zeros(len(self.kinds), np.int64)
        for new, position in enumerate(shared):
            found |= (self.kinds >> self.members.index(position) & 1) << new
        return found


@dataclass(frozen=True)
class Border:
    """What two neighbouring bags share: the number of the pattern that each type of each has.

    `patterns` are what they say about the shared basic concepts.
    """

    patterns: Numbers
    own: Places
    other: Places

    @property
    def turned(self) -> Border:
        """The same from the other side."""
        return replace(self, own=self.other, other=self.own)


@dataclass
class Bags:
    """The tree. `above` are the places of the bags above; the root, the first, is above itself."""

    bags: list[Bag]
    above: list[int]
    beside: list[list[int]]
    _clauses: _Clauses
    _holders: dict[int, list[int]]
    _borders: dict[tuple[Bag, Bag], Border] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.bags)

    @property
    def size(self) -> int:
        """The number of types."""
        return sum(len(bag.kinds) for bag in self.bags)

    @property
    def width(self) -> int:
        """The largest number of members of a bag, less one."""
        return max(len(bag.members) for bag in self.bags) - 1

    def border(self, one: int, other: int) -> Border:
        """What a bag shares with a neighbour."""
        key = self.bags[one], self.bags[other]
        if key not in self._borders:
            border = _border(*key)
            self._borders[key], self._borders[key[::-1]] = border, border.turned
        return self._borders[key]

    def holding(self, positions: Iterable[int]) -> int | None:
        """The first bag that has some basic concepts."""
        wanted = set(positions)
        if not wanted:
            return 0
        fewest = min((self._holders[one] for one in wanted), key=len)
        return next((one for one in fewest if wanted.issubset(self.bags[one].members)), None)

    def path(self, start: int, holder: int) -> list[int]:
        """The bags from one to the nearest that has a basic concept, both included."""
        before: dict[int, int] = {start: start}
        queue = deque([start])
        while queue:
            place = queue.popleft()
            if holder in self.bags[place].members:
                found = [place]
                while before[found[-1]] != found[-1]:
                    found.append(before[found[-1]])
                return found[::-1]
            for other in self.beside[place]:
                if other not in before:
                    before[other] = place
                    queue.append(other)
        raise AssertionError("every basic concept is in a bag")

    def around(self, start: Iterable[int]) -> Iterator[int]:
        """The bags by their distance from some that are connected, these first."""
        queue = deque(start)
        seen = set(queue)
        while queue:
            place = queue.popleft()
            yield place
            for other in self.beside[place]:
                if other not in seen:
                    seen.add(other)
                    queue.append(other)

    def joined(self, positions: Positions) -> tuple[Bags, set[int]]:
        """The tree with a bag that has all of some basic concepts, and the bags that differ."""
        start = max(
            self._holders[positions[0]],
            key=lambda place: len(set(positions).intersection(self.bags[place].members)),
        )
        more: dict[int, set[int]] = {start: set()}
        for position in positions:
            for place in self.path(start, position):
                more.setdefault(place, set()).add(position)
        bags = list(self.bags)
        for place, added in more.items():
            members = tuple(sorted(added.union(self.bags[place].members)))
            if members != self.bags[place].members:
                bags[place] = self._wider(self.bags[place], members)
        holders = {
            position: [start, *(place for place in self._holders[position] if place != start)]
            for position in positions
        }
        changed = Bags(
            bags,
            self.above,
            self.beside,
            self._clauses,
            self._holders | holders,
            self._borders,
        )
        return changed, set(more)

    def _wider(self, bag: Bag, members: Positions) -> Bag:
        if len(members) > WIDEST:
            raise TooWideError
        places = {position: place for place, position in enumerate(members)}
        moved = [1 << places[position] for position in bag.members]

        def renumber(mask: Mask) -> Mask:
            return sum(moved[place] for place in bits(mask))

        lines = tuple(
            replace(line, body=renumber(line.body), both=renumber(line.both)) for line in bag.lines
        )
        return Bag(members, self._clauses.obeying(members), lines)


def compile_bags(
    clauses: Iterable[Clause], rows: Sequence[Row], width: int, limit: int, budget: Budget
) -> Bags:
    """The tree of some clauses and rows; no bag of it has more types than a limit.

    Raises:
        TooWideError: There is no such tree.
    """
    known = _Clauses(clauses, limit, budget)
    stated = _stated(rows)
    about = [*known.about, *(both for _, both in stated)]
    about += [(position,) for position in range(width)]
    tree = decompose(filter(None, about), WIDEST, budget)
    if tree is None:
        raise TooWideError
    members = [branch.members for branch in tree] or [()]
    holders: dict[int, list[int]] = {}
    for place, inside in enumerate(members):
        for position in inside:
            holders.setdefault(position, []).append(place)
    kinds = [known.obeying(inside) for inside in budget.watched(members)]
    above = [branch.above for branch in tree] or [0]
    beside: list[list[int]] = [[] for _ in members]
    for place, higher in enumerate(above[1:], 1):
        beside[place].append(higher)
        beside[higher].append(place)
    bags = [Bag(inside, own) for inside, own in zip(members, kinds, strict=True)]
    found = Bags(bags, above, beside, known, holders)
    lines: dict[int, list[Line]] = {}
    spare = _spare(found, stated)
    for (body, both), (lower, upper) in stated.items():
        if (body, both) in spare:
            continue
        home = found.holding(both)
        assert home is not None  # every statement is in a bag
        line = Line(bags[home].mask(body), bags[home].mask(both), lower, upper)
        lines.setdefault(home, []).append(line)
    for home, own in lines.items():
        bags[home] = replace(bags[home], lines=tuple(own))
    return found


class _Clauses:
    """Clauses by the basic concepts that they are about, and the types that obey them."""

    def __init__(self, clauses: Iterable[Clause], limit: int, budget: Budget) -> None:
        self._limit, self._budget = limit, budget
        self._listed: dict[tuple[int, frozenset[tuple[Mask, Mask]]], Numbers] = {}
        positions = _Positions()
        known = dict.fromkeys((positions.of(one.body), positions.of(one.heads)) for one in clauses)
        self.about = [(*body, *heads) for body, heads in known]
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
            clauses, every = (Clause(*one) for one in inside), (1 << len(members)) - 1
            listed = enumerate_types(clauses, every, self._limit, self._budget)
            if listed is None:
                raise TooWideError
            self._listed[key] = np.array(listed, np.int64)
        return self._listed[key]

    def _within(self, members: Positions) -> frozenset[tuple[Mask, Mask]]:
        """The bodies and heads of the clauses about some basic concepts, in their own numbers."""
        places = {position: place for place, position in enumerate(members)}
        found = {(0, 0)} if self._is_refuted else set()
        for member in members:
            for sides in self._by_rarest.get(member, ()):
                if all(position in places for side in sides for position in side):
                    body, heads = (sum(1 << places[one] for one in side) for side in sides)
                    found.add((body, heads))
        for member in members:
            for head in self._consequences(member).intersection(members):
                found.add((1 << places[member], 1 << places[head]))
        return frozenset(found)

    def _consequences(self, position: int) -> frozenset[int]:
        """What a basic concept has besides, by clauses that say so of one at a time."""
        if position not in self._implied:
            inside, queue = {position}, [position]
            for one in queue:
                fresh = [head for head in self._direct.get(one, ()) if head not in inside]
                inside.update(fresh)
                queue += fresh
            self._implied[position] = frozenset(inside - {position})
        return self._implied[position]


class _Positions:
    """The positions of the ones of masks, which are long: those of one object are found once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Mask, Positions]] = {}

    def of(self, mask: Mask) -> Positions:
        if id(mask) not in self._known:
            self._known[id(mask)] = mask, tuple(bits(mask))
        return self._known[id(mask)][1]


Side = tuple[int, Fraction] | None
Stated = dict[tuple[Positions, Positions], tuple[Side, Side]]
"""The tightest bounds of each pair of a body and what has the head too."""


def _stated(rows: Sequence[Row]) -> Stated:
    positions = _Positions()
    stated: Stated = {}
    for number, row in enumerate(rows):
        key = positions.of(row.body), positions.of(row.both)
        lower, upper = stated.get(key, (None, None))
        if row.side == "lower" and (lower is None or row.bound > lower[1]):
            lower = number, row.bound
        if row.side == "upper" and (upper is None or row.bound < upper[1]):
            upper = number, row.bound
        stated[key] = lower, upper
    return stated


def _spare(bags: Bags, stated: Stated) -> set[tuple[Positions, Positions]]:
    """Points that follow from others: each is a ratio between the weights of two sets.

    Small sets come first, so that there are few entries in all.
    """
    points = [
        (pair, lower[1])
        for pair, (lower, upper) in stated.items()
        if lower is not None and upper is not None and lower[1] == upper[1]
    ]
    sets: dict[Positions, tuple[int, bytes]] = {}
    for about in {about for pair, _ in points for about in pair}:
        home = bags.holding(about)
        assert home is not None  # every statement is in a bag
        bag = bags.bags[home]
        sets[about] = home, bag.have(bag.mask(about)).tobytes()
    points.sort(key=lambda one: sets[one[0][0]][1].count(1))
    kept = spanning((sets[both], sets[body], share) for (body, both), share in points)
    return {pair for (pair, _), is_kept in zip(points, kept, strict=True) if not is_kept}


def _border(one: Bag, other: Bag) -> Border:
    inside = set(other.members)
    shared = tuple(member for member in one.members if member in inside)
    parts = one.patterns(shared), other.patterns(shared)
    distinct = np.unique(np.concatenate(parts))
    own, others = (np.searchsorted(distinct, part) for part in parts)
    return Border(distinct, own, others)
