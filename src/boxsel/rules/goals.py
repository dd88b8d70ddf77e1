"""Shares that are not stated but stand between what is stated and what is asked.

Rules speak of shares in play. To reach `(Q | B)` from statistics about parts of parts of B,
the shares of Q in those parts must be in play too. From each query we go down to every part
of its body that is a body itself, and up to every body that it is a part of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from itertools import permutations
from typing import Final

from boxsel.machine.budget import Budget
from boxsel.rules.knowledge import EVERY, Region
from boxsel.rules.shares import Shares

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
        for body, head in budget.watched(ordered, EVERY):
            share = shares.between(_region(shares, body), head)
            if isinstance(share, int):
                rest = _head(shares, share)
                for part in inside[body]:
                    if part in inside:
                        following.add((part, rest))
                    elif shares.is_none(_region(shares, part), rest):
                        shares.between(_region(shares, part), rest)
                following.update((other, rest) for other in around[body])
        level = following - visited


def close_triangles(shares: Shares, budget: Budget) -> None:
    """Where two bodies have a part in common and one includes the other, compare them too."""
    _, around = _neighbours(shares)
    for bodies in budget.watched(around.values(), EVERY):
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
