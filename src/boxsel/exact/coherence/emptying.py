"""Few statements that empty a concept, if saturation and single bodies are enough to see it.

A knowledge base with a slip leaves many names empty, and what makes a question about one of them
slow is all that has nothing to do with it. So bodies whose own bounds exclude each other, or whose
members would need an impossible head, are excluded one after another until the concept is
impossible: what excluded them, with the statements that have no numbers, empties it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from boxsel.exact.coherence.elements import Elements
from boxsel.exact.coherence.realising import Realising
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget
from boxsel.machine.collecting import without_cycle_collection
from boxsel.normal.normalize import is_deterministic


@dataclass(frozen=True)
class Unemptied:
    """Concepts that nothing seen here empties: the one asked about, and names beside it."""

    concepts: frozenset[Concept]
    _elements: Elements = field(repr=False)
    _budget: Budget = field(repr=False)

    def find_members(self, *concepts: Concept) -> frozenset[Concept]:
        """Those of some concepts that one population has members of; of others, who knows."""
        elements = self._elements
        numbers = {concept: elements.number(concept) for concept in concepts}
        asked = (frozenset((number,)) for number in numbers.values())
        shown = Realising(elements, self._budget).run(asked)
        members: set[int] = set().union(*map(elements.members, shown.weights))
        return frozenset(concept for concept in concepts if numbers[concept] in members)


def find_emptying(
    statements: Sequence[Statement], concept: Concept, budget: Budget
) -> tuple[int, ...] | Unemptied:
    r"""The places of statements that empty a concept, few of them with numbers, if they are seen.

    Else all bodies are excluded that can be, in whatever order, so that no question about the same
    statements and a concept that is still possible can end in another way.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> from boxsel.syntax.parser import parse_kb
        >>> text = "(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A\n(C | D)[0.5]\n(E | D)[0.1]"
        >>> find_emptying(parse_kb(text).statements, Name("C"), Budget())
        (0, 1, 2)
        >>> unemptied = find_emptying(parse_kb(text).statements, Name("E"), Budget())
        >>> sorted(map(str, unemptied.concepts))
        ['B', 'E']
    """
    with without_cycle_collection():
        return _find(statements, concept, budget)


def _find(
    statements: Sequence[Statement], concept: Concept, budget: Budget
) -> tuple[int, ...] | Unemptied:
    elements = Elements(KB(tuple(statements)), budget, (concept,))
    number = elements.number(concept)
    used: set[int] = set()
    while elements.having([number]) is not None:
        body = next(chain(elements.headless, elements.clashing), None)
        if body is None:
            possible = (name for name, one in elements.named.items() if elements.possible(one))
            return Unemptied(frozenset((concept, *possible)), elements, budget)
        used.update(elements.blame(body))
        elements.rule_out(body)
    return tuple(
        place
        for place, statement in enumerate(statements)
        if place in used
        or not isinstance(statement.axiom, Conditional)
        or is_deterministic(statement.axiom.proportion)
    )
