"""Groups that are capped in size, where none of a tree decomposition would be small enough.

Basic concepts are eliminated one after another, as in a tree decomposition. But what one of them is
together with then is not put into one group: it is parted into *mini-buckets*, which have at the
most so many members. Each hands on what it has besides, and they agree on what they share. Whatever
is true of everybody is true in such groups; that they agree does not make a population of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from itertools import pairwise

from boxsel.machine.budget import NO_LIMIT, Budget


@dataclass
class Capped:
    """Groups, the place of the group that each hands on to, and pairs that agree besides.

    Who hands on nothing is above itself.
    """

    members: list[tuple[int, ...]] = field(default_factory=list)
    above: list[int] = field(default_factory=list)
    across: list[tuple[int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class _Bucket:
    """What stands together, and the group that it comes from, if it was handed on."""

    members: frozenset[int]
    origin: int | None = None


def cap(groups: Iterable[Collection[int]], most: int, budget: Budget = NO_LIMIT) -> Capped:
    """Groups of at the most so many members, unless one that is given has more.

    Next is whoever is together with the fewest.

    Examples:
        >>> capped = cap([(0, 1), (1, 2), (2, 3), (3, 0)], 2)
        >>> capped.members, capped.across
        ([(0, 1), (0, 3), (1, 2), (2, 3)], [(0, 1)])
    """
    return _Elimination(groups, most, budget).run()


class _Elimination:
    def __init__(self, groups: Iterable[Collection[int]], most: int, budget: Budget) -> None:
        self._most, self._budget = most, budget
        self._found = Capped()
        self._buckets: dict[int, dict[_Bucket, None]] = {}
        for group in dict.fromkeys(frozenset(one) for one in groups):
            self._put(_Bucket(group))
        self._costs = {member: self._cost(member) for member in self._buckets}

    def run(self) -> Capped:
        """Eliminate all."""
        queue = [(cost, member) for member, cost in self._costs.items()]
        heapify(queue)
        while queue:
            self._budget.check()
            cost, member = heappop(queue)
            if self._costs.get(member) != cost:
                continue  # it has changed since then
            del self._costs[member]
            for other in self._eliminate(member):
                self._costs[other] = self._cost(other)
                heappush(queue, (self._costs[other], other))
        roots = [place for place, above in enumerate(self._found.above) if place == above]
        self._found.across += pairwise(roots)  # all weigh the same
        return self._found

    def _eliminate(self, member: int) -> set[int]:
        """Part what a member is together with; who was."""
        buckets = sorted(self._buckets.pop(member), key=lambda bucket: -len(bucket.members))
        others = {other for bucket in buckets for other in bucket.members} - {member}
        for bucket in buckets:
            for other in bucket.members - {member}:
                self._buckets[other].pop(bucket, None)
        before: int | None = None
        for part in self._parted(buckets):
            place = self._add(part)
            if before is not None:
                self._found.across.append((before, place))
            before = place
            rest = frozenset(self._found.members[place]).intersection(others) & _all(part)
            if rest:
                self._put(_Bucket(rest, place))
        return others

    def _parted(self, buckets: Iterable[_Bucket]) -> list[list[_Bucket]]:
        """Parts that have few members together; each bucket goes where it adds the fewest."""
        parts: list[tuple[set[int], list[_Bucket]]] = []
        for bucket in buckets:
            fitting = [part for part in parts if len(part[0] | bucket.members) <= self._most]
            if fitting:
                best = min(fitting, key=lambda part: len(bucket.members - part[0]))
                best[0].update(bucket.members)
                best[1].append(bucket)
            else:
                parts.append((set(bucket.members), [bucket]))
        return [part for _, part in parts]

    def _add(self, part: list[_Bucket]) -> int:
        """The place of a group with all of a part: one that hands on to it may be it already."""
        found, wanted = self._found, _all(part)
        origins = [bucket.origin for bucket in part if bucket.origin is not None]
        same = (place for place in origins if wanted.issubset(found.members[place]))
        place = next(same, len(found.members))
        if place == len(found.members):
            found.members.append(tuple(sorted(wanted)))
            found.above.append(place)
        for origin in origins:
            if origin != place:
                found.above[origin] = place
        return place

    def _put(self, bucket: _Bucket) -> None:
        for member in bucket.members:
            self._buckets.setdefault(member, {})[bucket] = None

    def _cost(self, member: int) -> int:
        return len(_all(self._buckets[member]))


def _all(buckets: Iterable[_Bucket]) -> frozenset[int]:
    return frozenset().union(*(bucket.members for bucket in buckets))
