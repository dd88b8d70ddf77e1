"""The classes of a graph in their order: what is above what, cycles included."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from boxsel.logic.names import TOP_IRI


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
    def of(cls, links: Iterable[tuple[str, str]]) -> Taxonomy:
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

    def __contains__(self, name: object) -> bool:
        return name in self.group_of

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
