"""A choice from a knowledge graph, counted by the graph builder, as an ontology."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from boxsel.errors import BoxselError
from boxsel.evaluation.ontology import Ontology
from boxsel.logic.names import BARE_NAMESPACE, absolute_iri

if TYPE_CHECKING:
    from boxsel.build.graph.choice import Choice
    from boxsel.build.graph.inputs import Inputs


def counted(name: str, inputs: Inputs, choice: Choice, origin: str) -> Ontology:
    """Count a choice from a graph; the choice must have a root."""
    # Imported here: what only loads ontologies must not need DuckDB.
    from boxsel.build.graph import names
    from boxsel.build.graph.building import counted_graph

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
