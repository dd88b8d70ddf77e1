"""Tree decompositions: groups of basic concepts that hang together like a tree.

Draw an edge between basic concepts that occur in one statement. A *tree decomposition* is a tree of
*bags* of them such that both ends of every edge are in some bag, and the bags that have a basic
concept are connected. So each statement is about some bag, and what two sides of the tree have in
common is what two neighbouring bags share.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from boxsel.exact.compile.vocabulary import Mask, bits


@dataclass(frozen=True)
class Bag:
    """Some basic concepts, and the place of the bag above; the root is above itself."""

    members: Mask
    above: int


def decompose(about: Iterable[Mask], widest: int) -> list[Bag] | None:
    """Bags for the basic concepts that occur together, each above those below it.

    Whoever would join the fewest others that are not joined yet is taken out first (*min-fill*).
    None if a bag would have more than `widest` members.

    Examples:
        >>> decompose([0b0011, 0b0110, 0b1100], 4)
        [Bag(members=12, above=0), Bag(members=6, above=0), Bag(members=3, above=1)]
    """
    near: dict[int, Mask] = {}
    for mask in dict.fromkeys(about):
        for bit in bits(mask):
            near[bit] = near.get(bit, 0) | mask
    near = {bit: mask & ~(1 << bit) for bit, mask in near.items()}
    missing = {bit: _fill(near, bit) for bit in near}
    heap = [(count, near[bit].bit_count(), bit) for bit, count in missing.items()]
    heapify(heap)
    taken: dict[int, Mask] = {}  # in order: those taken out, with whom they had around them then
    while heap:
        count, degree, bit = heappop(heap)
        if bit in taken or (count, degree) != (missing[bit], near[bit].bit_count()):
            continue
        around = taken[bit] = near[bit]
        if degree >= widest:
            return None
        touched = around
        for other in bits(around):
            if count:
                touched |= near[other]
                near[other] |= around & ~(1 << other)
            near[other] &= ~(1 << bit)
        for other in bits(touched & ~(1 << bit)):
            if other not in taken:
                missing[other] = _fill(near, other)
                heappush(heap, (missing[other], near[other].bit_count(), other))
    return _bags(taken)


def _fill(near: dict[int, Mask], bit: int) -> int:
    """How many pairs around a basic concept are not joined."""
    around = near[bit]
    return sum((around & ~near[one] & ~(1 << one)).bit_count() for one in bits(around)) // 2


def _bags(taken: dict[int, Mask]) -> list[Bag]:
    """The bags in the order of the tree; one that is inside the bag below it is left out."""
    order = {bit: place for place, bit in enumerate(taken)}
    above = {
        bit: min(bits(around), key=order.__getitem__) if around else None
        for bit, around in taken.items()
    }
    members = {bit: around | 1 << bit for bit, around in taken.items()}
    same: dict[int, int] = {}  # a bag that is inside another is that other

    def find(bit: int) -> int:
        while bit in same:
            bit = same[bit]
        return bit

    for bit in taken:
        higher = above[bit]
        if higher is not None and not members[higher] & ~members[bit] and find(higher) == higher:
            members[higher] = members[bit]
            same[bit] = higher
    bags: list[Bag] = []
    places: dict[int, int] = {}
    for bit in reversed(taken):
        if bit in same:
            continue
        higher = above[bit]
        places[bit] = len(bags)
        bags.append(Bag(members[bit], 0 if higher is None else places[find(higher)]))
    return bags
