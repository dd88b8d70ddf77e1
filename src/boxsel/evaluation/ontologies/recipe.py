"""How an ontology comes about: from which files, and by which choice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from boxsel.evaluation.ontologies.sources import Sources
from boxsel.evaluation.ontology import Ontology

Files = Mapping[str, Path]
"""The source files by the names that `Sources` gives them."""


@dataclass(frozen=True)
class Recipe:
    """A named ontology; `build` gets the files of its sources, and none where it needs none."""

    name: str
    build: Callable[[Files], Ontology]
    sources: Sources | None = None
