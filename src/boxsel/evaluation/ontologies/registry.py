"""The ontologies by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies import codex, hpo, synthetic, yago
from boxsel.evaluation.ontologies.recipe import Recipe

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
    try:
        return ONTOLOGIES[name]
    except KeyError:
        known = ", ".join(ONTOLOGIES)
        raise BoxselError(f"there is no ontology {name!r}: choose one of {known}") from None
