"""Basic concepts and types.

The *basic concepts* are the names and the existentials `∃r.X` that occur. A *type* says of each
whether it is true. It is an integer: bit i is the i-th basic concept. So every concept of SEL, a
conjunction of basic concepts, is a mask, and a type `t` has a concept iff `t & mask == mask`.

Boolean combinations, which only queries have, are numbered like basic concepts: `definitions` says
what they mean, as clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.compile.definitions import stages
from boxsel.logic.booleans import AtLeast, Combination, Not
from boxsel.logic.concepts import Boolean, Bottom, Concept, Exists, Name, Top, conjuncts
from boxsel.logic.interpretations import members
from boxsel.logic.population import Population

Basic = Name | Exists | Boolean
Type = int
Mask = int

LONG: Final = 4096
MANY: Final = 64
"""Of masks that are this long and have so many ones, all are found at once: each one by itself
would go through the whole mask."""


class Vocabulary:
    """The basic concepts of some concepts, numbered in order of occurrence.

    Examples:
        >>> from boxsel.syntax.parser import parse_concept
        >>> concept = parse_concept("Parent and hasChild some (Woman and Doctor)")
        >>> vocabulary = Vocabulary([concept])
        >>> [str(basic) for basic in vocabulary.basics]
        ['Parent', 'Woman', 'Doctor', 'hasChild some (Woman and Doctor)']
    """

    def __init__(self, concepts: Iterable[Concept]) -> None:
        self._index: dict[Basic, int] = {}
        self._masks: dict[Concept, Mask | None] = {}
        self._names: dict[Type, tuple[Name, ...]] = {}
        self._octets: dict[tuple[int, int], tuple[Name, ...]] = {}
        for concept in concepts:
            self._number(concept)
        self.basics: tuple[Basic, ...] = tuple(self._index)
        self._gates = [basic for basic in self.basics if isinstance(basic, Combination)]

    def __len__(self) -> int:
        return len(self.basics)

    def bit(self, basic: Basic) -> Mask:
        """The mask of one basic concept."""
        return 1 << self._index[basic]

    def mask(self, concept: Concept) -> Mask | None:
        """The basic concepts that a concept is the conjunction of; none if it contains ⊥."""
        if concept not in self._masks:
            self._masks[concept] = self._find_mask(concept)
        return self._masks[concept]

    def covers(self, concept: Concept) -> bool:
        """Whether every basic concept of a concept is numbered."""
        return all(
            isinstance(part, Top | Bottom) or part in self._index for part in conjuncts(concept)
        )

    def combined(self, kind: Type) -> Type:
        """A type of names and existentials, with the Boolean combinations that are true of it.

        Examples:
            >>> from boxsel.syntax.parser import parse_query
            >>> vocabulary = Vocabulary([parse_query("(not (A or B) | B or C)").head])
            >>> [str(basic) for basic in vocabulary.true_in(vocabulary.combined(0))]
            ['not (A or B)']
        """
        for gate in self._gates:  # operands are numbered before what combines them
            masks = map(self.mask, gate.operands)
            true = sum(mask is not None and has(kind, mask) for mask in masks)
            least = gate.least if isinstance(gate, AtLeast) else 1
            if (not true) if isinstance(gate, Not) else true >= least:
                kind |= self.bit(gate)
        return kind

    def true_in(self, kind: Type) -> tuple[Basic, ...]:
        """The basic concepts that a type, or a mask, makes true."""
        return tuple(self.basics[position] for position in bits(kind))

    def names_in(self, kind: Type) -> tuple[Name, ...]:
        """The names that a type makes true; remembered, since many models have the same types."""
        if kind not in self._names:
            size = (kind.bit_length() + 7) // 8
            octets = enumerate(kind.to_bytes(size, "little"))
            self._names[kind] = tuple(
                name for place, octet in octets if octet for name in self._octet(place, octet)
            )
        return self._names[kind]

    def weigh(self, data: Population) -> dict[Type, Fraction]:
        """The weights of types in a population; names that are not numbered are left out.

        Where it is a model of some axioms, its types obey their clauses and rows, and witness each
        other.
        """
        kinds: list[Type] = [0] * len(data.patterns)
        for position, basic in enumerate(self.basics):
            for place in members(data.interpretation.places(basic)):
                kinds[place] |= 1 << position
        weights: dict[Type, Fraction] = {}
        for kind, pattern in zip(kinds, data.patterns, strict=True):
            weights[kind] = weights.get(kind, Fraction(0)) + pattern.members
        return weights

    def _octet(self, place: int, octet: int) -> tuple[Name, ...]:
        """The names that eight bits make true; remembered, since many types have the same."""
        if (place, octet) not in self._octets:
            true = self.true_in(octet << 8 * place)
            self._octets[place, octet] = tuple(one for one in true if isinstance(one, Name))
        return self._octets[place, octet]

    def _find_mask(self, concept: Concept) -> Mask | None:
        mask = 0
        for part in conjuncts(concept):
            match part:
                case Top():
                    continue
                case Name() | Exists() | Boolean():
                    mask |= self.bit(part)
                case _:
                    return None
        return mask

    def _number(self, concept: Concept) -> None:
        if concept in self._masks:
            return
        for part in conjuncts(concept):
            if isinstance(part, Exists):
                self._number(part.filler)
            elif isinstance(part, Boolean):
                for operand in (*part.operands, *reversed(stages(part))):
                    self._number(operand)
            if isinstance(part, Name | Exists | Boolean):
                self._index.setdefault(part, len(self._index))
        self._masks[concept] = self._find_mask(concept)


def has(kind: Type, mask: Mask) -> bool:
    """Whether a type has a concept."""
    return kind & mask == mask


def bits(mask: Mask) -> Iterator[int]:
    """The positions of the ones.

    Examples:
        >>> list(bits(0b1010))
        [1, 3]
    """
    if mask.bit_length() > LONG and mask.bit_count() > MANY:
        octets = np.frombuffer(mask.to_bytes(mask.bit_length() // 8 + 1, "little"), np.uint8)
        yield from np.flatnonzero(np.unpackbits(octets, bitorder="little")).tolist()
        return
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_at(positions: Iterable[int]) -> Mask:
    """The mask with ones at some positions.

    Examples:
        >>> bin(mask_at([1, 3]))
        '0b1010'
    """
    places = np.fromiter(positions, np.intp)
    table = np.zeros(places.max(initial=-1) + 1, bool)
    table[places] = True
    return int.from_bytes(np.packbits(table, bitorder="little").tobytes(), "little")
