"""Which concepts and roles of a graph are asked about, and their counts; the paper's choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.errors import BoxselError
from boxsel.wording import expect_known

EVERYTHING: Final = "owl:Thing"
"""How the root ⊤ is asked for."""

DEFAULT_CONCEPTS: Final = 50
DEFAULT_ROLES: Final = 5
DEFAULT_CONJOINED: Final = 50


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of concepts and roles, before the graph is known; `None` leaves a thing open.

    Concepts are those named, and the `top` most frequent ones among those at or below `under`
    with at least `min_instances` instances; `at_ends` admits only concepts with an instance that
    a chosen role links. Roles are those named, and the `top_roles` with the most facts, of at
    least `min_facts`, counting only facts from instances of `roles_from` to those of `roles_to`.
    The `root` is one more concept, which stands for the population: a class, or ⊤.
    Conjunctions of two are over the `conjoined` most frequent of the concepts.
    """

    concepts: tuple[str, ...] = ()
    under: str | None = None
    top: int | None = None
    min_instances: int | None = None
    without: tuple[str, ...] = ()
    at_ends: bool | None = None
    root: str | None = None
    roles: tuple[str, ...] = ()
    top_roles: int | None = None
    min_facts: int | None = None
    roles_from: str | None = None
    roles_to: str | None = None
    conjoined: int | None = None

    def __post_init__(self) -> None:
        for name in ("top", "min_instances", "top_roles", "min_facts", "conjoined"):
            value = getattr(self, name)
            if value is not None and value < 0:
                raise BoxselError(f"--{name.replace('_', '-')} cannot be negative: {value}")

    def over(self, other: Choice) -> Choice:
        """This choice, and the other's wherever this one leaves a thing open.

        Examples:
            >>> Choice(top=10).over(Choice(top=127, root="Person")).root
            'Person'
        """
        mine = {
            name: value
            for name in self.__dataclass_fields__
            if (value := getattr(self, name)) not in (None, ())
        }
        return replace(other, **mine)

    @property
    def by_rank(self) -> bool:
        """Whether concepts are to be found by rank, not only by name."""
        asked = (self.under, self.top, self.min_instances, self.at_ends)
        return not self.concepts or any(one is not None for one in asked)

    @property
    def roles_by_rank(self) -> bool:
        """Whether roles are to be found by rank, not only by name."""
        asked = (self.top_roles, self.min_facts, self.roles_from, self.roles_to)
        return not self.roles or any(one is not None for one in asked)


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
"""The paper's choices of concepts and roles from YAGO3."""


def recipe(name: str) -> Choice:
    """The paper's choice from YAGO3 of this name.

    Examples:
        >>> recipe("country").top
        30
    """
    expect_known("recipe", name, RECIPES)
    return RECIPES[name]


Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The concepts and roles that conditionals are about, by their names in the graph.

    `conjoined` are the places of the concepts over which conjunctions of two are counted.
    With `everything` all entities are counted too: ⊤ is one more concept.
    """

    concepts: tuple[str, ...]
    roles: tuple[str, ...] = ()
    conjoined: tuple[int, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How many entities there are of each kind that a conditional speaks of.

    With K conjoined concepts, R roles, and N chosen concepts, or one more if ⊤ was asked for, which
    is then the last, in the order in which they were chosen:

    - `pairs[A, B]` = |A ⊓ B|, and |A| on the diagonal: [N, N];
    - `triples[A1, A2, B]` = |A1 ⊓ A2 ⊓ B| over the conjoined concepts: [K, K, K];
    - `linked[r, A, B]` = |B ⊓ ∃r.A|: [R, N, N];
    - `reached[r, A]` = |∃r.A|: [R, N];
    - `members` is how many have a chosen concept.

    `patterns` is how many different rows the pattern tables have: of concepts, then of each role.
    """

    chosen: Chosen
    pairs: Integers
    triples: Integers
    reached: Integers
    linked: Integers
    patterns: tuple[int, ...] = ()
    members: int = 0

    @property
    def sizes(self) -> Integers:
        """|A| for every concept."""
        return np.diagonal(self.pairs)
