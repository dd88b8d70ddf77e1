"""The ontologies by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from boxsel.evaluation.ontologies import codex, hpo, synthetic, yago
from boxsel.evaluation.ontologies.recipe import Recipe
from boxsel.wording import expect_known

ONTOLOGIES: Final[Mapping[str, Recipe]] = MappingProxyType(
    {recipe.name: recipe for family in (yago, codex, hpo, synthetic) for recipe in family.RECIPES}
)


def recipe_of(name: str) -> Recipe:
    """How the ontology of this name comes about.

    Examples:
        >>> recipe_of("small").sources is None
        True

    Raises:
        BoxselError: There is no such ontology.
    """
    expect_known("ontology", name, ONTOLOGIES)
    return ONTOLOGIES[name]
