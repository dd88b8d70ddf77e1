"""The classes of a graph in their order: what is above what, as a taxonomy, and as matrices."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from boxsel.logic.axioms import Axiom, Equivalence, Inclusion
from boxsel.logic.concepts import TOP, Concept
from boxsel.logic.names import TOP_IRI

Truths = NDArray[np.bool_]


@dataclass(frozen=True)
class Taxonomy:
    """Subclass links, closed upwards. Classes that lie on a cycle are the same class.

    Examples:
        >>> taxonomy = Taxonomy.of([("Singer", "Artist"), ("Artist", "Person")])
        >>> sorted(taxonomy.above("Singer"))
        ['Artist', 'Person', 'Singer']
        >>> sorted(taxonomy.below("Artist"))
        ['Artist', 'Singer']
    """

    groups: tuple[tuple[str, ...], ...]
    """Classes that are the same; most groups have one."""
    group_of: Mapping[str, int]
    parents: tuple[tuple[int, ...], ...]
    """For each group, the groups right above it."""
    children: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, links: Iterable[Sequence[str]]) -> Taxonomy:
        """The taxonomy of links from a class to a superclass."""
        pairs = [(low, high) for low, high in links if low != high and high != TOP_IRI]
        names = sorted({name for pair in pairs for name in pair})
        number = {name: place for place, name in enumerate(names)}
        ends = np.array([[number[low], number[high]] for low, high in pairs], dtype=np.int64)
        component = _components(ends.reshape(-1, 2), len(names))
        members: dict[int, list[str]] = {}
        for name, group in zip(names, component, strict=True):
            members.setdefault(group, []).append(name)
        # Groups are numbered in the order of their first names, so that nothing depends on SciPy.
        order = {group: place for place, group in enumerate(members)}
        above: list[set[int]] = [set() for _ in order]
        below: list[set[int]] = [set() for _ in order]
        for low, high in ends.reshape(-1, 2).tolist():
            down, up = order[component[low]], order[component[high]]
            if down != up:
                above[down].add(up)
                below[up].add(down)
        return cls(
            tuple(tuple(group) for group in members.values()),
            {name: order[group] for name, group in zip(names, component, strict=True)},
            tuple(tuple(sorted(one)) for one in above),
            tuple(tuple(sorted(one)) for one in below),
        )

    @property
    def cycles(self) -> tuple[tuple[str, ...], ...]:
        """The groups of classes that lie on a cycle."""
        return tuple(group for group in self.groups if len(group) > 1)

    def above(self, name: str) -> frozenset[str]:
        """The class, those that are the same, and every superclass."""
        return self._reach(name, self.parents)

    def below(self, name: str) -> frozenset[str]:
        """The class, those that are the same, and every subclass."""
        return self._reach(name, self.children)

    def _reach(self, name: str, links: tuple[tuple[int, ...], ...]) -> frozenset[str]:
        start = self.group_of.get(name)
        if start is None:
            return frozenset({name})
        seen, stack = {start}, [start]
        while stack:
            for group in links[stack.pop()]:
                if group not in seen:
                    seen.add(group)
                    stack.append(group)
        return frozenset(member for group in seen for member in self.groups[group])


def _components(ends: np.ndarray[tuple[int, int], np.dtype[np.int64]], count: int) -> list[int]:
    """The strongly connected component of each class."""
    links = csr_array((np.ones(len(ends), bool), (ends[:, 0], ends[:, 1])), shape=(count, count))
    labels: list[int] = connected_components(links, connection="strong")[1].tolist()
    return labels


@dataclass(frozen=True, eq=False)
class Order:
    """Which of some concepts are below which, by the taxonomy alone.

    `below[a, b]`: a ⊑ b, every concept below itself. Of concepts that are the same, the first
    stands for all: it is their `leader`.
    """

    below: Truths

    @classmethod
    def of(cls, taxonomy: Taxonomy, concepts: Sequence[str | None]) -> Order:
        """The order of concepts given by their names in the graph; `None` is ⊤."""
        size = len(concepts)
        below = np.eye(size, dtype=bool)
        place = {name: number for number, name in enumerate(concepts)}
        for number, name in enumerate(concepts):
            if name is None:
                below[:, number] = True
                continue
            for higher in taxonomy.above(name):
                if higher in place:
                    below[number, place[higher]] = True
        return cls(below)

    @property
    def leaders(self) -> Truths:
        """The concepts that stand for themselves."""
        same = self.below & self.below.T
        first: Truths = np.argmax(same, axis=1) == np.arange(len(same))
        return first

    @property
    def strictly(self) -> Truths:
        """`strictly[a, b]`: a ⊑ b and not b ⊑ a."""
        return self.below & ~self.below.T

    def axioms(self, concepts: Sequence[Concept]) -> Iterator[Axiom]:
        """The fewest axioms that say the same: equivalences, and inclusions without detours."""
        same = self.below & self.below.T
        leaders = self.leaders
        for leader in np.flatnonzero(leaders).tolist():
            members = np.flatnonzero(same[leader]).tolist()
            if len(members) > 1:
                yield Equivalence(*(concepts[member] for member in members))
        strictly = self.strictly & leaders[:, None] & leaders[None, :]
        # An inclusion with something in between follows from two others.
        detours = (strictly.astype(np.int64) @ strictly.astype(np.int64)) > 0
        for low, high in np.argwhere(strictly & ~detours).tolist():
            if concepts[high] is not TOP:
                yield Inclusion(concepts[low], concepts[high])
