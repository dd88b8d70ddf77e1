"""The paper's three choices of concepts and roles from YAGO3, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from boxsel.build.graph.choice import EVERYTHING, Choice
from boxsel.errors import BoxselError

PERSON = "wordnet_person_100007846"
COUNTRY = "wordnet_country_108544813"

RECIPES: Mapping[str, Choice] = MappingProxyType(
    {
        "person": Choice(
            under=PERSON, root=PERSON, top=127, top_roles=6, roles_from=PERSON, conjoined=50
        ),
        "country": Choice(
            under=COUNTRY, root=COUNTRY, top=30, top_roles=1, roles_from=COUNTRY, conjoined=30
        ),
        "hybrid": Choice(at_ends=True, root=EVERYTHING, top=13, top_roles=18, conjoined=13),
    }
)


def recipe(name: str) -> Choice:
    """The recipe of this name.

    Examples:
        >>> recipe("country").top
        30
    """
    try:
        return RECIPES[name]
    except KeyError:
        known = ", ".join(RECIPES)
        raise BoxselError(f"there is no recipe {name!r}: choose one of {known}") from None
