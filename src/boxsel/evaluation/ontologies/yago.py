"""The paper's ontologies, from YAGO3's own files or from a part of it in the same layout."""

from __future__ import annotations

from functools import partial
from typing import Final

from boxsel.evaluation.ontologies.population import counted
from boxsel.evaluation.ontologies.recipe import Files, Recipe, Sources
from boxsel.evaluation.ontology import Ontology

TYPES: Final = "yagoTypes.tsv"
TAXONOMY: Final = "yagoTaxonomy.tsv"
BACKBONE: Final = "wordnetBackbone.tsv"
FACTS: Final = "yagoFacts.tsv"

SOURCES: Final = Sources(
    "YAGO3", ("yago3", "yago3-mini"), (TYPES, TAXONOMY, FACTS), optional=(BACKBONE,)
)
"""The whole of YAGO3 goes before a part of it. The backbone is what a part may lack of WordNet."""


def _built(choice: str, files: Files) -> Ontology:
    from boxsel.build.graphs.choice import recipe
    from boxsel.build.graphs.inputs import Inputs

    inputs = Inputs(
        types=(str(files[TYPES]),),
        taxonomy=tuple(str(files[name]) for name in (TAXONOMY, BACKBONE) if name in files),
        facts=(str(files[FACTS]),),
    )
    folder = files[TYPES].parent.name
    origin = f"YAGO3 ({folder}), the recipe {choice} of the graph builder"
    return counted(f"yago-{choice}", inputs, recipe(choice), origin)


RECIPES: Final = tuple(
    Recipe(f"yago-{choice}", partial(_built, choice), SOURCES)
    for choice in ("person", "country", "hybrid")
)
