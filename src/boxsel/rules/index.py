"""The shares in play as arrays, and the figures that rules look for among them.

Every figure is found by joins over sorted keys, never by comparing all shares with all. A share
may have several *readings*, heads that leave the same part of its body: each is tried.

- A *triangle*: X ⊒ Y ⊒ Z with the shares of Y in X, of Z in Y and of Z in X.
- A *diamond*: a body B with heads A and Q, and the share of Q in B ⊓ A; where they are in
  play, also the share of Q in B and that of A in B ⊓ Q.
- A *split*: a head that is a conjunction, and two heads that make it up, of one body.
- An *inclusion*: two heads of one body, one included in the other.
- A *family*: heads of one body that exclude each other. Disjointness may be told in pairs: they are
  gathered into cliques, because a sum over five exclusive heads says more than ten sums over two.
  The cover is greedy, in an order that does not depend on that of the axioms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.concepts import Exists
from boxsel.machine.budget import NO_LIMIT, Budget
from boxsel.normal.completion import STEPS_BETWEEN_LOOKS
from boxsel.rules.knowledge import Knowledge, Region
from boxsel.rules.shares import Shares

Numbers = NDArray[np.int64]

Columns = Sequence[Numbers]
"""Shares that stand together, row by row: a column for each place in a figure."""

Table = list[list[tuple[int, ...]]]
"""For each head, some entries of one length."""

_MOST_SPLIT: Final = 8  # longer conjunctions are split off one atom at a time only


class Index:
    """The table of shares, frozen into arrays; `OutOfTimeError` if figures take too long."""

    def __init__(self, shares: Shares, budget: Budget = NO_LIMIT) -> None:
        self.shares, self._budget = shares, budget
        self.bodies = _numbers(shares.bodies)
        self.parts = _numbers(shares.parts)
        self._share = _numbers([share for share, _ in shares.readings])
        self._head = _numbers([head for _, head in shares.readings])
        self._uncertain = np.array([one is None for one in shares.certain], bool)
        self._width = max(len(shares.regions), len(shares.head_regions), 1)
        self._by_head = _Lookup(self.bodies[self._share] * self._width + self._head, self._share)
        self._by_part = _Lookup(
            self.bodies * self._width + self.parts, np.arange(len(shares.bodies))
        )

    @cached_property
    def _inside(self) -> tuple[Numbers, Numbers]:
        """Each reading of a share with each reading of a share whose body is its part."""
        bodies, parts = self.bodies[self._share], self.parts[self._share]
        order = np.argsort(bodies, kind="stable")
        starts = np.searchsorted(bodies[order], np.arange(self._width + 1))
        counts = (starts[1:] - starts[:-1])[parts] * self._uncertain[self._share]
        outer = np.repeat(np.arange(len(parts)), counts)
        return outer, order[_ranges(starts[parts], counts)]

    @cached_property
    def triangles(self) -> Columns:
        """Every triangle: the shares of Y in X, of Z in Y and of Z in X."""
        outer, inner = (self._share[reading] for reading in self._inside)
        whole = self._by_part.find(self.bodies[outer] * self._width + self.parts[inner])
        return self._found(outer, inner, whole)

    @cached_property
    def diamonds(self) -> Columns:
        """Every diamond: (A | B), (Q | A ⊓ B), (Q | B) and (A | B ⊓ Q), or -1 for the last."""
        outer, inner = self._inside
        first = self._share[outer]
        second = self._of_same_body(first, self._head[inner])
        known = np.flatnonzero(second >= 0)
        known = known[self._uncertain[second[known]]]
        outer, inner, first, second = (column[known] for column in (outer, inner, first, second))
        across = self._by_head.find(self.parts[second] * self._width + self._head[outer])
        return _distinct(first, self._share[inner], second, across)

    @cached_property
    def full_diamonds(self) -> Columns:
        """The diamonds of which all four shares are in play."""
        known = self.diamonds[-1] >= 0
        return [column[known] for column in self.diamonds]

    @cached_property
    def splits(self) -> Columns:
        """Every split: the shares (A | B), (Q | B) and (A ⊓ Q | B)."""
        regions, ids = self.shares.head_regions, self.shares.head_regions.ids
        table: Table = [
            [
                (ids[part], ids[region - part])
                for part in _parts(region)
                if part in ids and region - part in ids
            ]
            for region in self._budget.watched(regions, STEPS_BETWEEN_LOOKS)
        ]
        reading, heads = _expand(table, self._head, 2)
        both = self._share[reading]
        first, second = (self._of_same_body(both, head) for head in heads)
        return self._found(first, second, both)

    def inclusions(self, *, through_role: bool) -> Columns:
        """The shares (E | B) and (D | B) with E ⊑ D: between existentials, or between others."""
        *shares, between_roles = self._inclusions
        chosen = (between_roles > 0) == through_role
        return [column[chosen] for column in shares]

    @cached_property
    def _inclusions(self) -> Columns:
        """Every inclusion between heads of one body, and whether both are existentials."""
        regions, ids = self.shares.head_regions, self.shares.head_regions.ids
        longer: dict[int, list[int]] = {}
        for number, region in enumerate(regions):
            if len(region) > 1:
                longer.setdefault(min(region), []).append(number)

        def above(number: int) -> Iterator[tuple[int, ...]]:
            closure = self.shares.closure(regions[number])
            for atom in closure:
                single = ids.get(frozenset((atom,)))
                if single is not None and single != number:
                    yield (single,)
                for other in longer.get(atom, ()):
                    if other != number and regions[other] <= closure:
                        yield (other,)

        numbers = self._budget.watched(range(len(regions)), STEPS_BETWEEN_LOOKS)
        table: Table = [list(above(number)) for number in numbers]
        reading, (head,) = _expand(table, self._head, 1)
        is_role = np.array([self._is_existential(region) for region in regions], bool)
        through = (is_role[self._head[reading]] & is_role[head]).astype(np.int64)
        narrower = self._share[reading]
        narrower, wide, through = self._found(
            narrower, self._of_same_body(narrower, head), also=through
        )
        different = narrower != wide
        return narrower[different], wide[different], through[different]

    @cached_property
    def families(self) -> Columns:
        """The shares of exclusive heads of one body: member by member, with its family."""
        groups, table = self._groups
        reading, (group,) = _expand(table, self._head, 1)
        member, group = self._found(self._share[reading], also=group)
        family = _in_company(self.bodies[member] * groups + group)
        kept = family >= 0
        return member[kept], family[kept]

    @cached_property
    def distinctions(self) -> Columns:
        """The diamonds whose first heads exclude each other and that have the same second share.

        Case by case (A | B), (Q | A ⊓ B) and the distinction that it belongs to; then, for each
        distinction, the share (Q | B).
        """
        groups, table = self._groups
        reading, (group,) = _expand(table, self._head, 1)
        member, group = _distinct(self._share[reading], group)
        # Each diamond with each group that its first share is in.
        first, inside, second, _ = self.diamonds
        starts = np.searchsorted(member, np.arange(len(self.bodies) + 1))
        counts = (starts[1:] - starts[:-1])[first]
        row = np.repeat(np.arange(len(first)), counts)
        key = second[row] * groups + group[_ranges(starts[first], counts)]
        # A case counts once, however often it is found.
        order = np.lexsort((first[row], key))
        key, row = key[order], row[order]
        repeated = (key[1:] == key[:-1]) & (first[row[1:]] == first[row[:-1]])
        once = np.concatenate((np.ones(len(key[:1]), bool), ~repeated))
        key, row = key[once], row[once]
        which = _in_company(key)
        kept = which >= 0
        row, which = row[kept], which[kept]
        example = np.searchsorted(which, np.arange(which[-1] + 1 if len(which) else 0))
        return first[row], inside[row], which, second[row[example]]

    @cached_property
    def _groups(self) -> tuple[int, Table]:
        """How many exclusive groups there are, and those of each head."""
        groups = exclusive_groups(self.shares.knowledge, self._budget)
        table: Table = [[] for _ in self.shares.head_regions]
        for group, members in enumerate(groups):
            for atom in members:
                head = self.shares.head_regions.ids.get(frozenset((atom,)))
                if head is not None:
                    table[head].append((group,))
        return max(len(groups), 1), table

    def _is_existential(self, region: Region) -> bool:
        atoms = self.shares.knowledge.atoms
        return len(region) == 1 and all(isinstance(atoms[atom], Exists) for atom in region)

    def _found(self, *columns: Numbers, also: Numbers | None = None) -> list[Numbers]:
        """The different rows in which every column is a share that is not certain."""
        keep = np.logical_and.reduce([column >= 0 for column in columns])
        for column in columns:
            keep[keep] = self._uncertain[column[keep]]
        kept = (*columns, also) if also is not None else columns
        return _distinct(*(column[keep] for column in kept))

    def _of_same_body(self, share: Numbers, head: Numbers) -> Numbers:
        return self._by_head.find(self.bodies[share] * self._width + head)


class _Lookup:
    """The values of keys, found many at a time."""

    def __init__(self, keys: Numbers, values: Numbers) -> None:
        order = np.argsort(keys, kind="stable")
        self._keys = keys[order]
        self._values = values[order]

    def find(self, keys: Numbers) -> Numbers:
        """The value of each key, -1 where there is none."""
        if not len(self._keys):
            return np.full(len(keys), -1, np.int64)
        places = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[places] == keys, self._values[places], -1)


def _distinct(*columns: Numbers) -> list[Numbers]:
    """The different rows, in order."""
    order = np.lexsort(columns[::-1])
    rows = [column[order] for column in columns]
    if not len(order):
        return rows
    new = np.logical_or.reduce([row[1:] != row[:-1] for row in rows])
    kept = np.concatenate((np.ones(1, bool), new))
    return [row[kept] for row in rows]


class Rows:
    """The rows that have each of the labels 0, 1, 2, …."""

    def __init__(self, labels: Numbers) -> None:
        self._order = np.argsort(labels, kind="stable")
        self._ends = np.cumsum(np.bincount(labels)) if len(labels) else labels

    def __getitem__(self, label: int) -> list[int]:
        start = self._ends[label - 1] if label else 0
        return [int(row) for row in self._order[start : self._ends[label]]]


def _expand(table: Table, heads: Numbers, width: int) -> tuple[Numbers, list[Numbers]]:
    """Each row with each entry that the table has for its head."""
    sizes = _numbers([len(entries) for entries in table])
    starts = np.concatenate((_numbers([0]), np.cumsum(sizes)))
    flat = np.array([entry for entries in table for entry in entries], np.int64)
    counts = sizes[heads] if len(heads) else heads
    entries = flat.reshape(-1, width)[_ranges(starts[heads], counts)]
    rows = np.repeat(np.arange(len(heads)), counts)
    return rows, [entries[:, column] for column in range(width)]


def _in_company(keys: Numbers) -> Numbers:
    """A label for each key, 0, 1, 2, …; -1 for a key that occurs once only."""
    _, label, sizes = np.unique(keys, return_inverse=True, return_counts=True)
    kept = np.cumsum(sizes > 1) - 1
    return np.where(sizes[label] > 1, kept[label], -1)


def _numbers(values: list[int]) -> Numbers:
    return np.array(values, np.int64)


def _ranges(starts: Numbers, counts: Numbers) -> Numbers:
    """start, start + 1, … for each start, as many as its count says."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total) - np.repeat(ends - counts - starts, counts)


def _parts(region: Region) -> Iterable[Region]:
    """The subsets to split a conjunction by, each with its complement elsewhere in the list."""
    if len(region) < 2:
        return
    sizes = range(1, len(region)) if len(region) <= _MOST_SPLIT else (1, len(region) - 1)
    for size in sizes:
        yield from map(frozenset, combinations(sorted(region), size))


MOST_GROUPS: Final = 4
"""How many cliques an atom takes part in at most: the largest ones."""


def exclusive_groups(knowledge: Knowledge, budget: Budget) -> list[tuple[int, ...]]:
    """Groups of at least two atoms, no two of which share an instance."""
    told = [tuple(dict.fromkeys(group)) for group in knowledge.groups]
    return told + _cliques(knowledge, budget)


def _cliques(knowledge: Knowledge, budget: Budget) -> list[tuple[int, ...]]:
    place = knowledge.order
    neighbours: dict[int, set[int]] = defaultdict(set)
    for one, two in knowledge.disjoint_pairs():
        neighbours[one].add(two)
        neighbours[two].add(one)
    edges = sorted(
        (tuple(sorted(pair, key=place.__getitem__)) for pair in knowledge.disjoint_pairs()),
        key=lambda pair: [place[atom] for atom in pair],
    )
    covered: set[tuple[int, int]] = set()
    cliques = []
    for one, two in budget.watched(edges, STEPS_BETWEEN_LOOKS):
        if (one, two) in covered:
            continue
        clique, common = [one, two], neighbours[one] & neighbours[two]
        while common:
            atom = min(common, key=place.__getitem__)
            clique.append(atom)
            common &= neighbours[atom]
        covered.update((first, second) for first in clique for second in clique)
        cliques.append(tuple(clique))
    return _largest(cliques)


def _largest(cliques: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The cliques that are among the largest of one of their atoms."""
    times: dict[int, int] = defaultdict(int)
    kept = []
    for clique in sorted(cliques, key=len, reverse=True):
        if any(times[atom] < MOST_GROUPS for atom in clique):
            kept.append(clique)
            for atom in clique:
                times[atom] += 1
    return kept
