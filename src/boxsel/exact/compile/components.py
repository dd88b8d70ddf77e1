"""Which statements hang together, by the names and roles that they share.

What two components are about is independent in the most even population: so a typical share needs
the statements of its own components only.
"""

from __future__ import annotations

from collections.abc import Iterable

from boxsel.logic.concepts import Entity
from boxsel.logic.kb import KB


class Components:
    r"""The statements of a knowledge base in parts that have no name or role in common.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> from boxsel.logic.concepts import Name
        >>> parts = Components(parse_kb("(B | A)[0.2]\n(D | C)[0.5]\n(C | B)[0, 0.5]\nE(e)"))
        >>> parts.around([Name("B")]), parts.around([Name("E")])
        ((0, 1, 2), (3,))
    """

    def __init__(self, kb: KB) -> None:
        above: dict[Entity, Entity] = {}

        def top(entity: Entity) -> Entity:
            while (higher := above.setdefault(entity, entity)) != entity:
                above[entity] = above[higher]  # so that the next one has half the way
                entity = above[entity]
            return entity

        statements = [tuple(dict.fromkeys(axiom.entities())) for axiom in kb.axioms]
        for entities in statements:
            for entity in entities:
                above[top(entity)] = top(entities[0])
        self._top = {entity: top(entity) for entity in tuple(above)}
        self._parts: dict[Entity, list[int]] = {}
        for number, entities in enumerate(statements):
            if entities:
                self._parts.setdefault(top(entities[0]), []).append(number)

    def around(self, entities: Iterable[Entity]) -> tuple[int, ...]:
        """The numbers of the statements that hang together with some names and roles."""
        tops = {self._top[entity] for entity in entities if entity in self._top}
        return tuple(sorted(number for top in tops for number in self._parts.get(top, ())))
