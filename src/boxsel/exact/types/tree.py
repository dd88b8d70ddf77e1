"""Tree decompositions: groups of basic concepts that hang together like a tree.

Draw an edge between basic concepts that occur in one statement. A *tree decomposition* is a tree of
*bags* of them such that both ends of every edge are in some bag, and the bags that have a basic
concept are connected. So each statement is about some bag, and what two sides of the tree have in
common is what two neighbouring bags share.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from boxsel.checker.order import TooWideError, eliminate
from boxsel.machine.budget import NO_LIMIT, Budget


@dataclass(frozen=True)
class Branch:
    """The basic concepts of a bag, in order, and the place of the bag above.

    The root is above itself.
    """

    members: tuple[int, ...]
    above: int


def decompose(
    about: Iterable[tuple[int, ...]], widest: int, budget: Budget = NO_LIMIT
) -> list[Branch] | None:
    """Bags for the basic concepts that occur together, each after the one above it.

    Whoever would join the fewest others that are not joined yet is taken out first (*min-fill*).
    None if a bag would have more than `widest` members.

    Examples:
        >>> for branch in decompose([(0, 1), (1, 2), (2, 3)], 4):
        ...     print(branch.members, branch.above)
        (2, 3) 0
        (1, 2) 0
        (0, 1) 1
    """
    try:
        return _branches(dict(eliminate(dict.fromkeys(about), budget, widest - 1)))
    except TooWideError:
        return None


def _branches(taken: dict[int, set[int]]) -> list[Branch]:
    """The bags in the order of the tree; one that is inside the bag below it is left out."""
    order = {member: place for place, member in enumerate(taken)}
    above = {
        member: min(around, key=order.__getitem__) if around else None
        for member, around in taken.items()
    }
    members = {member: around | {member} for member, around in taken.items()}
    same: dict[int, int] = {}  # a bag that is inside another is that other

    def find(member: int) -> int:
        while member in same:
            member = same[member]
        return member

    for member in taken:
        higher = above[member]
        if higher is not None and members[higher] <= members[member] and find(higher) == higher:
            members[higher] = members[member]
            same[member] = higher
    branches: list[Branch] = []
    places: dict[int, int] = {}
    for member in reversed(taken):
        if member in same:
            continue
        higher = above[member]
        places[member] = len(branches)
        top = 0 if higher is None else places[find(higher)]
        branches.append(Branch(tuple(sorted(members[member])), top))
    return branches
