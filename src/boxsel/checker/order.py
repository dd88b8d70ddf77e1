"""The order in which things that stand in groups are eliminated, one after another.

To eliminate one is to put all that it is together with into one group. An order is good if these
groups stay small, as they can where the groups hang together like a tree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from heapq import heapify, heappop, heappush
from typing import Final, NamedTuple

from boxsel.machine.budget import NO_LIMIT, Budget

WIDEST: Final = 64
"""What is together with more is not eliminated. Of names that exclude each other, 60 take 0.1 s and
250 take 4 s; a solver takes less for them."""

Near = dict[int, set[int]]


class TooWideError(Exception):
    """Things hang together too closely."""


class _Cost(NamedTuple):
    """What it takes to put others together: new pairs, each counted twice, among so many."""

    pairs: int
    others: int


def eliminate(
    groups: Iterable[Collection[int]], budget: Budget = NO_LIMIT, widest: int = WIDEST
) -> list[tuple[int, set[int]]]:
    """Things in the order of their elimination, each with those that it is then together with.

    Next is who makes the fewest new pairs, and of these who is together with the fewest.
    `TooWideError` if all that are left are together with too many.

    Examples:
        >>> eliminate([(1, 2), (2, 3), (3, 4), (4, 1)])
        [(1, {2, 4}), (2, {3, 4}), (3, {4}), (4, set())]
    """
    near = _near(groups, widest)
    costs = {member: _cost(near, member, widest) for member in near}
    queue = [(cost, member) for member, cost in costs.items() if cost.others <= widest]
    heapify(queue)
    order = []
    while queue:
        budget.check()
        cost, member = heappop(queue)
        if costs.get(member) != cost:
            continue  # it has changed since then
        del costs[member]
        others = near.pop(member)
        order.append((member, others))
        for other in others:
            near[other].discard(member)
        changed = _joined(near, others) if cost.pairs else others
        for other in changed:
            old = costs[other]
            simple = not cost.pairs and old.others <= widest
            costs[other] = new = _less(old, cost) if simple else _cost(near, other, widest)
            if new.others <= widest:
                heappush(queue, (new, other))
    if near:
        raise TooWideError
    return order


def _near(groups: Iterable[Collection[int]], widest: int) -> Near:
    near: Near = {}
    for group in groups:
        if len(group) > widest + 1:
            raise TooWideError
        for member in group:
            near.setdefault(member, set()).update(group)
    for member, others in near.items():
        others.discard(member)
    return near


def _cost(near: Near, member: int, widest: int) -> _Cost:
    others = near[member]
    count = len(others)
    if count > widest:
        return _Cost(0, count)  # nobody asks for its pairs
    there = sum([len(near[other] & others) for other in others])
    return _Cost(count * (count - 1) - there, count)


def _less(cost: _Cost, gone: _Cost) -> _Cost:
    """The cost without one whose others are all together: it was apart from all the rest."""
    return _Cost(cost.pairs - 2 * (cost.others - gone.others), cost.others - 1)


def _joined(near: Near, others: set[int]) -> set[int]:
    """Put things together; those whose costs change by that."""
    changed = set(others)
    for other in others:
        missing = others - near[other] - {other}
        for new in missing:
            changed |= near[other] & near[new]
        near[other] |= missing
    return changed
