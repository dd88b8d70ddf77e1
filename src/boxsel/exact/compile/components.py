"""Which statements hang together, by the names and roles that they share.

What two components are about is independent in the most even population: so a typical share needs
the statements of its own components only.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Final, TypeVar

from boxsel.logic.concepts import Entity
from boxsel.logic.kb import KB
from boxsel.machine.budget import NO_LIMIT, Budget

LOOKED: Final = 1_000
"""After so many statements it is looked how late it is."""

Item = TypeVar("Item", bound=Hashable)


class Components:
    r"""The statements of a knowledge base in parts that have no name or role in common.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> from boxsel.logic.concepts import Name
        >>> parts = Components(parse_kb("(B | A)[0.2]\n(D | C)[0.5]\n(C | B)[0, 0.5]\nE(e)"))
        >>> parts.around([Name("B")]), parts.around([Name("E")])
        ((0, 1, 2), (3,))
    """

    def __init__(self, kb: KB, budget: Budget = NO_LIMIT) -> None:
        """The parts are found in time, or not at all.

        Raises:
            OutOfTimeError: The budget is spent.
        """
        axioms = budget.watched(kb.axioms, LOOKED)
        named = [tuple(dict.fromkeys(axiom.entities())) for axiom in axioms]
        self._parts = {
            entity: part
            for part in connect(budget.watched(named, LOOKED))
            for number in part
            for entity in named[number]
        }

    def around(self, entities: Iterable[Entity]) -> tuple[int, ...]:
        """The numbers of the statements that hang together with some names and roles."""
        parts = {id(part): part for entity in entities if (part := self._parts.get(entity))}
        return tuple(sorted(number for part in parts.values() for number in part))


def connect(groups: Iterable[Sequence[Item]]) -> list[list[int]]:
    """The numbers of groups in parts that have no member in common; a group of nobody is in none.

    Examples:
        >>> connect(["ab", "c", "bd", ""])
        [[0, 2], [1]]
    """
    above: dict[Item, Item] = {}

    def top(member: Item) -> Item:
        while (higher := above.setdefault(member, member)) != member:
            above[member] = above[higher]  # so that the next one has half the way
            member = above[member]
        return member

    numbered = [(number, group) for number, group in enumerate(groups) if group]
    for _, group in numbered:
        for member in group:
            above[top(member)] = top(group[0])
    parts: dict[Item, list[int]] = {}
    for number, group in numbered:
        parts.setdefault(top(group[0]), []).append(number)
    return list(parts.values())
