"""Which statements are near a query: the parts of a knowledge base that bound it soonest.

Most of what is known about a share `(D | C)` comes by one *third* concept X, through statements
about C, D and X alone: a chain `(X | C)`, `(D | X)`, `(X | D)`, or modus ponens `(X | C)`,
`(D | X ⊓ C)`. The statements are indexed once, so that a query costs about as much as there are
statements about its own concepts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.booleans import basic_parts
from boxsel.logic.concepts import Bottom, Concept, Entity, Top, entities
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement

Basics = frozenset[int]
EVERYTHING: Final = -1
"""The number of ⊤."""
FIRST_NEIGHBOURHOOD: Final = 8
"""How many statements the first neighbourhood has."""


@dataclass(frozen=True)
class Triangle:
    """A third concept and the positions of the statements about it and the query's own."""

    third: int
    statements: tuple[int, ...]


class Nearness:
    r"""The statements of a knowledge base by the basic concepts in them.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb, parse_query
        >>> kb = parse_kb("(X | C)[0.5]\n(D | X)[0.2]\n(X | D)[0.1]\n(E | D)[0.3]")
        >>> near = Nearness(kb)
        >>> [one.statements for one in near.triangles(parse_query("(D | C)"))]
        [(0, 1, 2)]
    """

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._numbers: dict[Concept, int] = {}
        self._parts: dict[Concept, Basics] = {}
        self._about: list[Basics] = []
        self._users: dict[int, list[int]] = {}
        for position, statement in enumerate(kb.statements):
            about = self._basics(statement.axiom.concepts())
            self._about.append(about)
            for basic in about:
                self._users.setdefault(basic, []).append(position)

    def triangles(self, query: Query) -> list[Triangle]:
        """The third concepts that statements join to the body and to the head, best first.

        A body ⊤ has no basic concepts: what is joined to the head alone is joined to both.
        """
        head, body = self._basics((query.head,)), self._basics((query.body,))
        own = head | body
        core: list[int] = []
        around: dict[int, list[int]] = {}
        joined: dict[int, set[int]] = {}
        for position in self._using(own):
            third = self._about[position] - own
            if not third:
                core.append(position)
            elif len(third) == 1:
                (single,) = third
                around.setdefault(single, []).append(position)
                joined.setdefault(single, set()).update(self._about[position] & own)
        for single in around if not body else ():
            # A statement about the third concept alone says how much of everything it is.
            around[single] += (n for n in self._users[single] if len(self._about[n]) == 1)
        both = [
            Triangle(single, tuple(sorted({*core, *positions})))
            for single, positions in around.items()
            if joined[single] & head and (not body or joined[single] & body)
        ]
        return sorted(both, key=lambda triangle: -len(triangle.statements))

    def path(self, query: Query) -> tuple[int, ...] | None:
        """The concepts between head and body on a shortest way, each joined to the next twice.

        Two conditionals `(Y | X)` and `(X | Y)` say how the sizes of X and Y compare; along a way
        of such pairs, those of the head and of the body.
        """
        head, body = (self._single(concept) for concept in (query.head, query.body))
        if head is None or body is None:
            return None
        return _way(self._compared, head, body)

    def behind(self, axioms: Iterable[Axiom], *concepts: Concept) -> tuple[int, ...]:
        """The positions of statements from which some axioms may follow, and others with them.

        They are about the axioms' concepts and some more, for an inclusion also about those on a
        way of stated inclusions from its left to its right; or say that two of them are disjoint.
        """
        inside = set(self._basics(concepts))
        for axiom in axioms:
            inside |= self._basics(axiom.concepts())
            if isinstance(axiom, Inclusion):
                left = self._single(axiom.left)
                for right in self._of(axiom.right) if left is not None else ():
                    inside.update(_way(self._included, left, right) or ())
        return tuple(
            number
            for number in self._using(frozenset(inside))
            if self._about[number] <= inside
            or (
                isinstance(self._kb.statements[number].axiom, Disjointness)
                and len(self._about[number] & inside) > 1
            )
        )

    @cached_property
    def _included(self) -> dict[int | None, list[int]]:
        """For each basic concept, those that are stated to include it."""
        above: dict[int | None, list[int]] = {}
        for axiom in self._kb.axioms:
            match axiom:
                case Conditional() if axiom.bounds.lower == 1:
                    above.setdefault(self._single(axiom.body), []).extend(self._of(axiom.head))
                case Inclusion():
                    above.setdefault(self._single(axiom.left), []).extend(self._of(axiom.right))
        return above

    @cached_property
    def _compared(self) -> dict[int | None, list[int]]:
        """For each basic concept, or ⊤, those of which it is known how their sizes compare."""
        links: set[tuple[int | None, int | None]] = set()
        for axiom in self._kb.axioms:
            match axiom:
                case Conditional() if axiom.bounds.lower > 0:
                    links.add((self._single(axiom.body), self._single(axiom.head)))
                case Inclusion():
                    links.add((self._single(axiom.left), self._single(axiom.right)))
        compared: dict[int | None, list[int]] = {}
        for low, high in links:
            if low is not None and high is not None:
                if low == EVERYTHING:  # of which everything is a part
                    compared.setdefault(high, []).append(low)
                if low == EVERYTHING or (high, low) in links:
                    compared.setdefault(low, []).append(high)
        return compared

    def _single(self, concept: Concept) -> int | None:
        """The number of a concept that is one basic concept, or ⊤."""
        parts = self._of(concept)
        if len(parts) > 1 or isinstance(concept, Bottom) or concept.is_boolean:
            return None
        return next(iter(parts), EVERYTHING)

    def around(self, query: Query, thirds: Iterable[int]) -> tuple[int, ...]:
        """The positions of the statements about a query's concepts and some others alone."""
        inside = self._basics((query.head, query.body)) | frozenset(thirds)
        return tuple(n for n in self._using(inside) if self._about[n] <= inside)

    def _using(self, basics: Basics) -> Iterator[int]:
        """The positions of the statements about any of some basic concepts, in order."""
        yield from sorted({n for basic in basics for n in self._users.get(basic, ())})

    def _basics(self, concepts: Iterable[Concept]) -> Basics:
        return frozenset().union(*map(self._of, concepts))

    def _of(self, concept: Concept) -> Basics:
        """The numbers of the basic concepts that a concept combines."""
        if concept not in self._parts:
            self._parts[concept] = frozenset(
                self._numbers.setdefault(part, len(self._numbers))
                for part in basic_parts(concept)
                if not isinstance(part, Top | Bottom)
            )
        return self._parts[concept]


def neighbourhoods(statements: Sequence[Statement], *around: Concept) -> Iterator[tuple[int, ...]]:
    """The positions of the statements nearest to some concepts, each time twice as many.

    All of them are no neighbourhood.
    """
    near = tuple(_by_distance(statements, around))
    size = FIRST_NEIGHBOURHOOD
    while size < len(near):
        yield near[:size]
        size *= 2


def _by_distance(statements: Sequence[Statement], around: Iterable[Concept]) -> Iterator[int]:
    """The positions in rings around the concepts' names; a ring shares names with that inside."""
    users: dict[Entity, list[int]] = {}
    for number, statement in enumerate(statements):
        for entity in dict.fromkeys(statement.axiom.entities()):
            users.setdefault(entity, []).append(number)
    seen: dict[int, None] = {}
    ring = dict.fromkeys(entity for concept in around for entity in entities(concept))
    known = set(ring)
    while ring:
        fresh = [number for entity in ring for number in users.get(entity, ())]
        fresh = [number for number in dict.fromkeys(fresh) if number not in seen]
        seen |= dict.fromkeys(fresh)
        names = (entity for number in fresh for entity in statements[number].axiom.entities())
        ring = {entity: None for entity in names if entity not in known}
        known |= ring.keys()
    yield from seen | dict.fromkeys(range(len(statements)))


def _way(
    links: Mapping[int | None, Sequence[int]], start: int | None, end: int
) -> tuple[int, ...] | None:
    """A shortest way along links, from the end back to the start."""
    before: dict[int, int | None] = {}
    queue: deque[int | None] = deque([start])
    while queue and end not in before:
        here = queue.popleft()
        for following in links.get(here, ()):
            if following not in before and following != start:
                before[following] = here
                queue.append(following)
    way: list[int] = []
    step: int | None = end if end in before else None
    while step is not None:
        way.append(step)
        step = before.get(step)
    return tuple(way) or None
