"""Fresh names for complex concepts, and the inclusions that tie them to what they stand for.

A concept that occurs on the left of an inclusion only needs a name *above* it (C ⊑ X), one on
the right only a name *below* it (X ⊑ C); the head and the body of a conditional need a name
that is *exactly* the concept. All three use the same name for the same concept, and every
definition is a tautology once the name is read as its concept. Files show fresh names with a
prefix of their own, and the text of their concept as label.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import count, islice
from typing import Final

from boxsel.logic.axioms import Inclusion
from boxsel.logic.concepts import And, Concept, Exists, Name, Top, conjunction, conjuncts
from boxsel.logic.kb import KB

Atom = Name | Top
"""A concept name or ⊤."""

FRESH_NAMESPACE: Final = "urn:boxsel:normal:"
"""Where fresh names live."""

_OrderKey = tuple[object, ...]


class Definitions:
    """A growing table of fresh names; it never uses an IRI that is taken."""

    def __init__(self, taken: Collection[str]) -> None:
        self.names: dict[Concept, Name] = {}
        self._taken = taken
        self._numbers = count(1)
        self._defined_as: set[tuple[Concept, bool]] = set()
        self.pending: list[tuple[Concept, bool]] = []
        self._order_keys: dict[Concept, _OrderKey] = {}

    def above(self, concept: Concept) -> Atom:
        """An atom that includes the concept."""
        return self._defined(concept, is_above=True)

    def below(self, concept: Concept) -> Atom:
        """An atom that the concept includes."""
        return self._defined(concept, is_above=False)

    def exactly(self, concept: Concept) -> Atom:
        """An atom with the same instances as the concept."""
        self.above(concept)
        return self.below(concept)

    def left(self, concept: Concept) -> Concept:
        """The concept in the shape of a normal left side: `A`, `A1 ⊓ A2` or `∃r.A`."""
        if isinstance(concept, Exists):
            filler = self.above(concept.filler)
            return concept if filler is concept.filler else Exists(concept.role, filler)
        if isinstance(concept, And):
            halves = self._halves(concept)
            first, second = map(self.above, halves)
            return concept if (first, second) == concept.operands else And(first, second)
        return concept

    def right(self, conjunct: Concept) -> Concept:
        """A conjunct in the shape of a normal right side: `A` or `∃r.A`."""
        if isinstance(conjunct, Exists):
            filler = self.below(conjunct.filler)
            return conjunct if filler is conjunct.filler else Exists(conjunct.role, filler)
        return conjunct

    def drain(self) -> Iterator[Inclusion]:
        """The definitions that became necessary since the last call, in normal form."""
        # A queue instead of recursion: concepts may be nested deeply. Definitions name the
        # parts of a concept and so make more definitions necessary.
        for concept, is_above in self.pending:
            name = self.names[concept]
            if is_above:
                yield Inclusion(self.left(concept), name)
            else:
                for conjunct in conjuncts(concept):
                    yield Inclusion(name, self.right(conjunct))
        self.pending.clear()

    def _defined(self, concept: Concept, *, is_above: bool) -> Atom:
        if isinstance(concept, Atom):
            return concept
        if (concept, is_above) not in self._defined_as:
            self._defined_as.add((concept, is_above))
            self.pending.append((concept, is_above))
        name = self.names.get(concept)
        if name is None:
            iris = (f"{FRESH_NAMESPACE}{number}" for number in self._numbers)
            iri = next(iri for iri in iris if iri not in self._taken)
            name = self.names[concept] = Name(iri)
        return name

    def _halves(self, concept: And) -> tuple[Concept, Concept]:
        """Two parts of equal length: a chain of prefixes would have origins of quadratic size."""
        if len(concept.operands) == 2:
            return concept.operands[0], concept.operands[1]
        # Conjunctions that differ only in order are equal and must be split alike.
        operands = sorted(concept.operands, key=self._order_key)
        middle = len(operands) // 2
        return conjunction(*operands[:middle]), conjunction(*operands[middle:])

    def _order_key(self, concept: Concept) -> _OrderKey:
        keys = self._order_keys
        for part in innermost_first(concept):
            if part not in keys:
                if isinstance(part, And):
                    keys[part] = (3, *sorted(keys[operand] for operand in part.operands))
                elif isinstance(part, Exists):
                    keys[part] = (2, part.role.iri, keys[part.filler])
                else:
                    keys[part] = (1, part.iri) if isinstance(part, Name) else (0,)
        return keys[concept]


def subconcepts(concept: Concept) -> Iterator[Concept]:
    """The concept and every concept inside it, each before its parts."""
    stack = [concept]
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, And):
            stack.extend(part.operands)
        elif isinstance(part, Exists):
            stack.append(part.filler)


def innermost_first(concept: Concept) -> Iterator[Concept]:
    """The concept and every concept inside it, each after its parts."""
    return reversed(list(subconcepts(concept)))


def without_top(concept: Concept) -> Concept:
    """The same set without ⊤ as a conjunct.

    Examples:
        >>> from boxsel.logic.concepts import TOP, Role, names
        >>> A, B = names("A B")
        >>> print(without_top(A & Role("r").some(B & TOP)))
        A and r some B
    """
    conjunctions = (part for part in subconcepts(concept) if isinstance(part, And))
    if not any(isinstance(operand, Top) for part in conjunctions for operand in part.operands):
        return concept
    plain: dict[Concept, Concept] = {}
    for part in innermost_first(concept):
        if isinstance(part, And):
            plain[part] = conjunction(
                *(plain[operand] for operand in part.operands if not isinstance(operand, Top))
            )
        elif isinstance(part, Exists):
            plain[part] = Exists(part.role, plain[part.filler])
        else:
            plain[part] = part
    return plain[concept]


FRESH_PREFIX: Final = "normal"
"""The prefix of fresh names, unless the knowledge base uses it for something else."""

LABELLED_PARTS: Final = 50
"""Fresh names of concepts with more parts than this get no label: no one would read it."""


def fresh_labels(kb: KB, origin: Mapping[Name, Concept]) -> dict[str, str]:
    """The text of each origin that is short and is no other name's label."""
    used = set(kb.labels.values())
    texts = {
        name.iri: concept.text(kb.prefixes)
        for name, concept in origin.items()
        if _is_short(concept)
    }
    return {iri: text for iri, text in texts.items() if text not in used}


def _is_short(concept: Concept) -> bool:
    parts = islice(subconcepts(concept), LABELLED_PARTS + 1)
    return sum(1 for _ in parts) <= LABELLED_PARTS
