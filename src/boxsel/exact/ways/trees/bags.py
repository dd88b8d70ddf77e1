"""A tree of bags, each with its types: where statements stand, and what neighbours share.

A bag numbers its own basic concepts, so that its types are short however many there are in all.
"""

from __future__ import annotations

from collections import deque
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
from boxsel.exact.types.minibuckets import cap
from boxsel.exact.types.tree import decompose
from boxsel.exact.ways.trees.clauses import BagClauses, MaskPositions
from boxsel.exact.ways.trees.clauses import Numbers as Numbers
from boxsel.exact.ways.trees.clauses import Positions as Positions
from boxsel.exact.ways.trees.clauses import TooWideError as TooWideError
from boxsel.machine.budget import Budget

WIDEST: Final = 48
"""Bags of more members are mostly not tried: their types could not be listed."""
EXCLUSIVE: Final = 1024
"""They are where so many members may exclude each other: of 70 groups there are 71 types."""

Places = NDArray[np.intp]


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
        patterns = np.zeros(len(self.kinds), self.kinds.dtype)
        for new, position in enumerate(shared):
            patterns |= (self.kinds >> self.members.index(position) & 1) << new
        return patterns


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
    """The tree. `above` are the places of the bags above; the root, the first, is above itself.

    Where bags were capped, they are no tree of everything, and some agree `across`.
    """

    bags: list[Bag]
    above: list[int]
    beside: list[list[int]]
    _clauses: BagClauses
    _holders: dict[int, list[int]]
    _borders: dict[tuple[Bag, Bag], Border] = field(default_factory=dict)
    across: list[tuple[int, int]] = field(default_factory=list)

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
    known = BagClauses(clauses, limit, budget)
    stated = _stated(rows)
    about = [*known.about, *(both for _, both in stated)]
    about += [(position,) for position in range(width)]
    widest = EXCLUSIVE if known.exclusions >= WIDEST * (WIDEST - 1) // 2 else WIDEST
    tree = decompose(filter(None, about), widest, budget)
    if tree is None:
        raise TooWideError
    members = [branch.members for branch in tree] or [()]
    bags = _list_bags(known, members, [branch.above for branch in tree] or [0], budget)
    spare = _spare(bags, stated)
    _place_lines(bags, {pair: sides for pair, sides in stated.items() if pair not in spare})
    return bags


def compile_capped_bags(
    clauses: Iterable[Clause],
    rows: Sequence[Row],
    asked: Positions,
    most: int,
    limit: int,
    budget: Budget,
) -> Bags:
    """Bags of at the most so many members for some rows and a question; they are no tree.

    Clauses are about them that say nothing of others, or something of what is asked.

    Raises:
        TooWideError: A bag has more types than a limit.
    """
    known, stated = BagClauses(clauses, limit, budget), _stated(rows)
    groups = [asked, *(both for _, both in stated)]
    inside = {position for group in groups for position in group}
    groups += (
        about for about in known.about if inside.issuperset(about) or not {*about}.isdisjoint(asked)
    )
    capped = cap(filter(None, groups), most, budget)
    if max(map(len, capped.members), default=0) > WIDEST:
        raise TooWideError
    members, above = (capped.members, capped.above) if capped.members else ([()], [0])
    bags = _list_bags(known, members, above, budget)
    bags.across = capped.across
    _place_lines(bags, stated)
    return bags


def _list_bags(
    known: BagClauses, members: Sequence[Positions], above: list[int], budget: Budget
) -> Bags:
    """Bags with their types, and without lines."""
    holders: dict[int, list[int]] = {}
    beside: list[list[int]] = [[] for _ in members]
    for place, inside in enumerate(members):
        for position in inside:
            holders.setdefault(position, []).append(place)
        if above[place] != place:
            beside[place].append(above[place])
            beside[above[place]].append(place)
    kinds = [known.obeying(inside) for inside in budget.watched(members)]
    bags = [Bag(inside, own) for inside, own in zip(members, kinds, strict=True)]
    return Bags(bags, above, beside, known, holders)


def _place_lines(bags: Bags, stated: Stated) -> None:
    """Give each line to a bag that has its basic concepts."""
    lines: dict[int, list[Line]] = {}
    for (body, both), (lower, upper) in stated.items():
        home = bags.holding(both)
        assert home is not None  # every statement is in a bag
        bag = bags.bags[home]
        lines.setdefault(home, []).append(Line(bag.mask(body), bag.mask(both), lower, upper))
    for home, own in lines.items():
        bags.bags[home] = replace(bags.bags[home], lines=tuple(own))


Side = tuple[int, Fraction] | None
Stated = dict[tuple[Positions, Positions], tuple[Side, Side]]
"""The tightest bounds of each pair of a body and what has the head too."""


def _stated(rows: Sequence[Row]) -> Stated:
    positions = MaskPositions()
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
    points.sort(key=lambda point: sets[point[0][0]][1].count(1))
    kept = spanning((sets[both], sets[body], share) for (body, both), share in points)
    return {pair for (pair, _), is_kept in zip(points, kept, strict=True) if not is_kept}


def _border(one: Bag, other: Bag) -> Border:
    inside = set(other.members)
    shared = tuple(member for member in one.members if member in inside)
    parts = one.patterns(shared), other.patterns(shared)
    distinct = np.unique(np.concatenate(parts))
    own, others = (np.searchsorted(distinct, part) for part in parts)
    return Border(distinct, own, others)
