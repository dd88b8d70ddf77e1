"""Populations: members that are alike are one pattern, with how many there are.

A knowledge base that was counted from data has a model: the data. What has to be kept of it are its
patterns, which are few, and not its members. A pattern says which names its members have, and for
each role the patterns of their objects: every member is linked to a member of each of these, and to
nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Axiom, ConceptAssertion, RoleAssertion
from boxsel.logic.concepts import Concept, Name, Role
from boxsel.logic.interpretations import Interpretation, Weights
from boxsel.wording import several


class Pattern(NamedTuple):
    """So many members that are alike, in numbers.

    `names` are the places of their names, `objects` for each role the places of the patterns that
    they are linked to.
    """

    members: int
    names: tuple[int, ...]
    objects: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Population:
    """Patterns with counts, over some names and roles; all other names are empty.

    Examples:
        >>> A, B, r = Name("A"), Name("B"), Role("r")
        >>> patterns = (Pattern(3, (0,), ((1,),)), Pattern(5, (0, 1)))
        >>> population = Population((A, B), (r,), patterns)
        >>> population
        <Population: 8 members of 2 patterns>
        >>> population.share(B, A), population.share(r.some(B), A)
        (Fraction(5, 8), Fraction(3, 8))
    """

    concepts: tuple[Name, ...]
    roles: tuple[Role, ...]
    patterns: tuple[Pattern, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "patterns", tuple(map(_plain, self.patterns)))
        for pattern in self.patterns:
            if len(pattern.objects) > len(self.roles):
                raise InvalidStatementError(
                    f"a pattern has objects of {len(pattern.objects)} roles, and there are"
                    f" {len(self.roles)}"
                )
            if pattern.members < 1:
                raise InvalidStatementError(
                    f"a pattern has a count of at least 1, found {pattern.members}"
                )
        _check_places((pattern.names for pattern in self.patterns), len(self.concepts), "concept")
        linked = chain.from_iterable(pattern.objects for pattern in self.patterns)
        _check_places(linked, len(self.patterns), "pattern")

    @cached_property
    def size(self) -> int:
        """How many members there are."""
        return sum(pattern.members for pattern in self.patterns)

    @cached_property
    def interpretation(self) -> Interpretation:
        """The patterns as elements: which of them belong to a concept, and what is true."""
        edges: dict[Role, set[tuple[int, int]]] = {}
        for subject, pattern in enumerate(self.patterns):
            for role, objects in zip(self.roles, pattern.objects, strict=False):
                edges.setdefault(role, set()).update((subject, target) for target in objects)
        return Interpretation(
            tuple(frozenset(self.concepts[n] for n in pattern.names) for pattern in self.patterns),
            {role: frozenset(pairs) for role, pairs in edges.items()},
        )

    @cached_property
    def weights(self) -> Weights:
        """The counts, to be added up."""
        return Weights([pattern.members for pattern in self.patterns])

    def count(self, concept: Concept) -> int:
        """How many members belong to a concept."""
        return self.weights.whole(self.interpretation.places(concept))

    def share(self, head: Concept, body: Concept) -> Fraction | None:
        """The share of the body that belongs to the head; none if nobody belongs to the body."""
        return self.interpretation.share(head, body, self.weights)

    def is_model(self, axioms: Iterable[Axiom]) -> bool:
        """Whether all axioms are true; assertions aside, since nobody here has a name."""
        return bool(self.patterns) and all(
            isinstance(axiom, ConceptAssertion | RoleAssertion)
            or self.interpretation.satisfies(axiom, self.weights)
            for axiom in axioms
        )

    @property
    def text(self) -> str:
        """How large it is, in words."""
        members, patterns = several(self.size, "member"), several(len(self.patterns), "pattern")
        return f"{members} of {patterns}"

    @property
    def sizes(self) -> dict[str, int]:
        """The same as a JSON object."""
        return {"members": self.size, "patterns": len(self.patterns)}

    def __repr__(self) -> str:
        return f"<Population: {self.text}>"


def _plain(pattern: Pattern) -> Pattern:
    """The same without roles at the end that link it to nobody."""
    objects = pattern.objects
    while objects and not objects[-1]:
        objects = objects[:-1]
    return pattern if objects is pattern.objects else pattern._replace(objects=objects)


def _check_places(lists: Iterable[tuple[int, ...]], limit: int, what: str) -> None:
    for places in lists:
        if places and not (0 <= min(places) and max(places) < limit):
            wrong = next(place for place in places if not 0 <= place < limit)
            raise InvalidStatementError(
                f"there is no {what} {wrong}: they are numbered from 0 to {limit - 1}"
            )
