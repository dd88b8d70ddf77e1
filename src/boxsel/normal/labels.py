"""How fresh names are shown: a prefix of their own, and the text of their concept as label."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final

from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.normal.definitions import FRESH_NAMESPACE, subconcepts

FRESH_PREFIX: Final = "normal"
"""The prefix of fresh names, unless the knowledge base uses it for something else."""

LABELLED_PARTS: Final = 50
"""Fresh names of concepts with more parts than this get no label: no one would read it."""


def with_fresh_prefix(prefixes: Prefixes) -> Prefixes:
    """The prefixes with one for fresh names."""
    return Prefixes({FRESH_PREFIX: FRESH_NAMESPACE, **prefixes})


def fresh_labels(kb: KB, origin: Mapping[Name, Concept]) -> dict[str, str]:
    """The text of each origin that is short and is no other name's label."""
    used = set(kb.labels.values())
    texts = {
        name.iri: concept.text(kb.prefixes)
        for name, concept in origin.items()
        if _is_short(concept)
    }
    return {iri: text for iri, text in texts.items() if text not in used}


def _is_short(concept: Concept) -> bool:
    parts = islice(subconcepts(concept), LABELLED_PARTS + 1)
    return sum(1 for _ in parts) <= LABELLED_PARTS
