"""What is counted into an ontology: a population with its concepts and links, or a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

import numpy as np
from numpy.typing import NDArray

from boxsel.build.graphs.patterns import Ones, add_triples, mirrored, pairs
from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Ints
from boxsel.evaluation.ontology import Ontology
from boxsel.logic.names import BARE_NAMESPACE, absolute_iri

if TYPE_CHECKING:
    from boxsel.build.graphs.choice import Choice
    from boxsel.build.graphs.inputs import Inputs


@dataclass(frozen=True, eq=False)
class Population:
    """Entities, each with some of the concepts, and linked to others by roles.

    `members[entity, concept]` is 1 or 0. `links` has for each role the places of subjects and of
    objects: [2, links]. Every entity belongs to the root.

    Examples:
        >>> members = np.array([[1, 0], [1, 1], [0, 1]], np.uint8)
        >>> people = Population(("Cook", "Pilot"), members, {"knows": np.array([[0, 2], [1, 1]])})
        >>> found = people.counted("people", root="Person", conjoined=2)
        >>> found.pairs.tolist()
        [[2, 1, 2], [1, 2, 2], [2, 2, 3]]
        >>> found.linked[0, 1].tolist()  # of the two who know a pilot, one is a cook, one a pilot
        [1, 1, 2]
    """

    concepts: tuple[str, ...]
    members: Ones
    links: Mapping[str, Ints] = field(default_factory=dict)

    def __post_init__(self) -> None:
        size = len(self.members)
        assert self.members.shape == (size, len(self.concepts))
        for places in self.links.values():
            assert places.shape[0] == 2
            assert not places.size or 0 <= places.min() <= places.max() < size

    @classmethod
    def of(
        cls,
        entities: Sequence[str],
        members: Mapping[str, set[str]],
        links: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    ) -> Self:
        """A population from names: who is in each concept, and who is linked to whom.

        What is said about others than its entities is left out.
        """
        places = {entity: place for place, entity in enumerate(entities)}
        ones = np.zeros((len(places), len(members)), np.uint8)
        for column, having in enumerate(members.values()):
            ones[[places[entity] for entity in having if entity in places], column] = 1
        within = {
            role: [(places[one], places[two]) for one, two in facts if {one, two} <= places.keys()]
            for role, facts in (links or {}).items()
        }
        arrays = {
            role: np.array(facts, np.int64).reshape(-1, 2).T for role, facts in within.items()
        }
        return cls(tuple(members), ones, arrays)

    def counted(
        self,
        name: str,
        *,
        root: str | None,
        conjoined: int,
        origin: str = "",
        labels: Mapping[str, str] | None = None,
    ) -> Ontology:
        """The ontology of all counts; conjunctions are over the first `conjoined` concepts."""
        everyone = np.ones(len(self.members), np.int64)
        with_root = np.hstack([self.members, everyone[:, None].astype(np.uint8)])
        size, chosen = len(self.concepts), min(conjoined, len(self.concepts))
        triples = np.zeros((chosen,) * 3, np.int64)
        add_triples(triples, self.members[:, :chosen], everyone)
        linked = np.zeros((len(self.links), size, size + 1), np.int64)
        for role, places in enumerate(self.links.values()):
            linked[role] = pairs(self._reaching(places), everyone, with_root)
        return Ontology(
            name,
            self.concepts,
            root,
            tuple(self.links),
            tuple(range(chosen)),
            pairs(with_root, everyone, with_root),
            mirrored(triples),
            linked[:, :, -1].copy(),
            linked,
            origin,
            dict(labels or {}),
        )

    def _reaching(self, places: Ints) -> NDArray[np.uint8]:
        """Who is linked to someone in each concept."""
        found = np.zeros_like(self.members)
        if places.size:
            ordered = places[:, np.argsort(places[0], kind="stable")]
            subjects, starts = np.unique(ordered[0], return_index=True)
            found[subjects] = np.maximum.reduceat(self.members[ordered[1]], starts, axis=0)
        return found


def counted(name: str, inputs: Inputs, choice: Choice, origin: str) -> Ontology:
    """Count a choice from a graph; the choice must have a root."""
    # Imported here: what only loads ontologies must not need DuckDB.
    from boxsel.build.graphs import names
    from boxsel.build.graphs.building import counted_graph

    if choice.root is None:
        raise BoxselError(f"{name}: the choice has no root, and its conditionals need one")
    found = counted_graph(inputs, choice)
    chosen, place = found.selection.chosen, found.selection.root
    assert place is not None
    counts = found.counts
    spelt = {
        name: _short(iri) for name, iri in names.iris((*chosen.concepts, *chosen.roles)).items()
    }
    # Whether it is a class or ⊤, the root is the last concept, and nothing reaches for it.
    return Ontology(
        name,
        tuple(spelt[concept] for concept in chosen.concepts[:place]),
        None if chosen.everything else spelt[chosen.concepts[place]],
        tuple(spelt[role] for role in chosen.roles),
        chosen.conjoined,
        counts.pairs,
        counts.triples,
        np.ascontiguousarray(counts.reached[:, :place]),
        np.ascontiguousarray(counts.linked[:, :place, :]),
        "; ".join((origin, *found.selection.shortfalls)),
        {spelt[one]: label for one, label in found.labels.items()},
    )


def _short(iri: str) -> str:
    """A bare name instead of its IRI, where that means the same."""
    bare = iri.removeprefix(BARE_NAMESPACE)
    return bare if absolute_iri(bare) == iri else iri
