"""The population behind an end of an answer: who there is, how many, and linked to whom."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.concepts import Name, Role, entities
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.statements import Query
from boxsel.pictures.mosaic import MOST_NAMES, draw_mosaic
from boxsel.wording import several

LARGEST_COUNT: Final = 10**9
"""Of larger populations shares are told, and no counts."""
MOST_ROWS: Final = 20
"""So many kinds are told in text; JSON and Python have all of them."""


@dataclass(frozen=True)
class Kind:
    """Everybody of whom the same is true: how many they are, their names, and their links.

    A link is to somebody of the kind of a number. `asked` says whether they have the body of the
    query, and its head.
    """

    count: int
    names: tuple[Name, ...]
    links: tuple[tuple[Role, int], ...]
    asked: tuple[bool, bool]


@dataclass(frozen=True)
class AttainingPopulation:
    """A population in which a query has the share of an end, the most frequent kinds first.

    Kinds that count 0 have to be there, as few as one likes: the end is approached then, or they
    are the objects of links. The population of an end has no members that the end does not need.
    """

    query: Query
    kinds: tuple[Kind, ...]

    @property
    def size(self) -> int:
        """How many individuals there are."""
        return sum(kind.count for kind in self.kinds)

    def share(self, kind: Kind) -> Fraction:
        """The share of a kind."""
        return Fraction(kind.count, self.size)

    def lines(self, prefixes: Prefixes) -> Iterator[str]:
        """The population for people, as a table."""
        many = f" of {several(len(self.kinds), 'kind')}"
        whole = self.size <= LARGEST_COUNT
        yield f"a population with it: {several(self.size, 'individual') if whole else 'one'}{many}"
        for number, kind in enumerate(self.kinds[:MOST_ROWS], 1):
            count = f"{kind.count:,}" if whole else f"{float(self.share(kind)):.4g}"
            if not kind.count:
                count = "few"
            links = "".join(f", {role.text(prefixes)} ({to + 1})" for role, to in kind.links)
            named = ", ".join(name.text(prefixes) for name in kind.names) or "no names"
            mark = f"({number}) " if any(kind.links for kind in self.kinds) else ""
            yield f"  {count:>9}  {mark}{named}{links}"
        if len(self.kinds) > MOST_ROWS:
            yield f"  … and {several(len(self.kinds) - MOST_ROWS, 'kind')} more (all are in --json)"

    def to_json(self, prefixes: Prefixes) -> list[dict[str, Any]]:
        """The kinds as JSON objects; counts past all sense are left out."""
        whole = self.size <= LARGEST_COUNT
        return [
            {
                "count": kind.count if whole else None,
                "share": float(self.share(kind)),
                "names": [name.text(prefixes) for name in kind.names],
                "links": [
                    {"role": role.text(prefixes), "kind": number} for role, number in kind.links
                ],
            }
            for kind in self.kinds
        ]

    def picture(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """A mosaic as SVG, areas being shares: of the names of the query, if it has few.

        Otherwise, and where it has roles, of its body and its head. The head gives the colour.
        """
        body, head = self.query.body, self.query.head
        used = [*dict.fromkeys((*entities(body), *entities(head)))]
        names = [entity for entity in used if isinstance(entity, Name)]
        by_name = isinstance(head, Name) and 0 < len(names) == len(used) <= MOST_NAMES
        shares: dict[tuple[bool, ...], float] = {}
        for kind in self.kinds:
            having = tuple(name in kind.names for name in names) if by_name else kind.asked
            shares[having] = shares.get(having, 0.0) + float(self.share(kind))
        shown = names if by_name else [body, head]
        return draw_mosaic([concept.text(prefixes) for concept in shown], shares)


def attaining_population(model: WeightedModel, query: Query) -> AttainingPopulation:
    """The kinds of a model by their main weights, made whole."""
    members = model.interpretation
    body, head = members.places(query.body), members.places(query.head)
    counts = [model.weights.whole(1 << place) for place in range(len(model.elements))]
    order = sorted(range(len(counts)), key=lambda place: -counts[place])
    numbers = {place: number for number, place in enumerate(order)}
    links: dict[int, list[tuple[Role, int]]] = {}
    for edge in model.edges:
        links.setdefault(edge.subject, []).append((edge.role, numbers[edge.object]))
    kinds = (
        Kind(
            counts[place],
            model.elements[place].names,
            tuple(links.get(place, ())),
            (bool(body >> place & 1), bool(head >> place & 1)),
        )
        for place in order
    )
    return AttainingPopulation(query, tuple(kinds))
