"""The paper's Algorithm 1, slow and obvious: sets of entities, and one question after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from boxsel.build.graphs.choice import Chosen, Counts
from boxsel.build.graphs.engine import Engine


@dataclass(frozen=True)
class Graph:
    """The rows of a graph; they may repeat."""

    types: tuple[tuple[str, str], ...] = ()
    taxonomy: tuple[tuple[str, str], ...] = ()
    facts: tuple[tuple[str, str, str], ...] = ()

    def superclasses(self, name: str) -> set[str]:
        """A class and everything above it."""
        found, waiting = {name}, [name]
        while waiting:
            for superclass in self._directly_above.get(waiting.pop(), ()):
                if superclass not in found:
                    found.add(superclass)
                    waiting.append(superclass)
        return found

    @cached_property
    def _directly_above(self) -> dict[str, set[str]]:
        links: dict[str, set[str]] = {}
        for sub, sup in self.taxonomy:
            links.setdefault(sub, set()).add(sup)
        return links

    def instances(self) -> dict[str, set[str]]:
        """The entities of every class, those of its subclasses included."""
        above = {name: self.superclasses(name) for name in {c for _, c in self.types}}
        found: dict[str, set[str]] = {}
        for entity, name in self.types:
            for superclass in above[name]:
                found.setdefault(superclass, set()).add(entity)
        return found

    def subjects(self, role: str, ends: set[str] | None = None) -> set[str]:
        """Who is linked by a role to one of these entities, or to any."""
        return {s for s, r, o in self.facts if r == role and (ends is None or o in ends)}

    def entities(self) -> set[str]:
        """Everything that has a type or is in a fact."""
        ends = {end for s, _, o in self.facts for end in (s, o)}
        return {entity for entity, _ in self.types} | ends

    def above(self, concepts: tuple[str, ...]) -> dict[str, list[int]]:
        """For each class the places of the concepts that it is at or below."""
        names = {c for _, c in self.types} | {sub for sub, _ in self.taxonomy}
        places = {}
        for name in names:
            above = self.superclasses(name)
            places[name] = [k for k, concept in enumerate(concepts) if concept in above]
        return {name: found for name, found in places.items() if found}


def reference_counts(graph: Graph, chosen: Chosen) -> Counts:
    """Every count by its definition."""
    instances = graph.instances()
    named = [instances.get(name, set()) for name in chosen.concepts]
    conjoined = [named[place] for place in chosen.conjoined]
    reached = [[graph.subjects(role, ends) for ends in named] for role in chosen.roles]
    members = len(set().union(*named))
    if chosen.everything:
        named.append(graph.entities())
        for role, starts in zip(chosen.roles, reached, strict=True):
            starts.append(graph.subjects(role))
    names, roles, few = len(named), len(reached), len(conjoined)

    def table(values: list[int], *shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        return np.array(values, np.int64).reshape(shape)

    return Counts(
        chosen,
        pairs=table([len(a & b) for a, b in product(named, named)], names, names),
        triples=table(
            [len(a & b & c) for a, b, c in product(conjoined, conjoined, conjoined)],
            *(few, few, few),
        ),
        reached=table([len(start) for starts in reached for start in starts], roles, names),
        linked=table(
            [len(start & b) for starts in reached for start in starts for b in named],
            *(roles, names, names),
        ),
        members=members,
    )


def assert_same(found: Counts, expected: Counts) -> None:
    """All counts are equal; pattern tables may differ."""
    assert found.chosen == expected.chosen
    assert found.members == expected.members
    for name in ("pairs", "triples", "reached", "linked"):
        left, right = getattr(found, name), getattr(expected, name)
        assert left.dtype == right.dtype == np.int64, name
        assert left.shape == right.shape, name
        assert (left == right).all(), name


def load_graph(engine: Engine, graph: Graph) -> None:
    """Put a graph into an engine."""
    for name, columns, rows in (
        ("types", ("entity", "class"), graph.types),
        ("taxonomy", ("sub", "sup"), graph.taxonomy),
        ("facts", ("subject", "role", "object"), graph.facts),
    ):
        values = [[row[place] for row in rows] for place in range(len(columns))]
        engine.load(name, dict.fromkeys(columns, "VARCHAR"), values)
