"""Finite interpretations, with the meaning of concepts and axioms spelt out in sets.

An element stands for any number of members that are alike; weights say how many, up to a common
factor. Every member of an element is linked to every member of the elements that it has edges to.

A set of elements is a whole number, with one bit for each: sets of thousands meet in one step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property, reduce
from itertools import chain, combinations
from math import lcm
from operator import or_
from typing import Final

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.booleans import AtLeast, Not, Or
from boxsel.logic.concepts import TOP, And, Concept, Exists, Individual, Name, Role, Top

Pairs = frozenset[tuple[int, int]]
Places = int
"""A set of elements: the bit of each that is in it is 1."""

LONG_DENOMINATOR: Final = 256
"""The binary digits of denominators that are long."""


class Weights:
    """The weights of elements, to be added up over many sets of them.

    Weights of a few long numbers among many short ones are added up apart: a common denominator
    would make all of them long.

    Examples:
        >>> weights = Weights([Fraction(1, 2), 3, 0])
        >>> str(weights.total(0b011)), str(weights.total(0b101))
        ('7/2', '1/2')
    """

    def __init__(self, weights: Sequence[int | Fraction]) -> None:
        self._size = len(weights)
        is_long = [weight.denominator.bit_length() > LONG_DENOMINATOR for weight in weights]
        self._parts: list[tuple[int, _Sums]] = []
        for part in sorted({*is_long}):
            own = [
                weight if long == part else 0 for weight, long in zip(weights, is_long, strict=True)
            ]
            unit = lcm(*(number.denominator for number in own))
            self._parts.append((unit, _Sums([int(number * unit) for number in own])))
        self.unit = lcm(*(unit for unit, _ in self._parts))
        """A number that makes all weights whole."""

    def __len__(self) -> int:
        return self._size

    def total(self, places: Places) -> Fraction:
        """The weight of a set."""
        return Fraction(self.whole(places), self.unit)

    def whole(self, places: Places) -> int:
        """The weight of a set, times the unit."""
        return sum(self.unit // unit * sums.add(places) for unit, sums in self._parts)


class _Sums:
    """Sums of whole numbers over sets of their places.

    Many numbers are kept digit by digit, in the binary system: for each digit the elements whose
    number has it. So a sum is as many counts of bits as there are digits, however many numbers.
    """

    def __init__(self, numbers: Sequence[int]) -> None:
        self._size = len(numbers)
        self._own = [(place, number) for place, number in enumerate(numbers) if number]
        digits = max((abs(number).bit_length() for _, number in self._own), default=0)
        self._digits: list[Places] | None = None
        if digits < len(self._own) and min(numbers) >= 0:  # else adding them up is faster
            self._digits = [
                as_places((place for place, own in self._own if own >> digit & 1), len(numbers))
                for digit in range(digits)
            ]

    def add(self, places: Places) -> int:
        """The sum of the numbers at some places."""
        if not places:
            return 0
        if self._digits is not None:
            return sum((places & digit).bit_count() << n for n, digit in enumerate(self._digits))
        inside = f"{places:0{self._size}b}"[::-1]
        return sum(number for place, number in self._own if inside[place] == "1")


def as_places(members: Iterable[int], size: int) -> Places:
    """Some of so many elements as a set.

    Examples:
        >>> bin(as_places([0, 3], 4))
        '0b1001'
    """
    digits = bytearray(size // 8 + 1)
    for place in members:
        digits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(digits, "little")


def members(places: Places) -> Iterable[int]:
    """The elements of a set, in order.

    Examples:
        >>> list(members(0b1001))
        [0, 3]
    """
    return (place for place, digit in enumerate(bin(places)[:1:-1]) if digit == "1")


@dataclass(frozen=True)
class Interpretation:
    """Elements, counted from 0, by their names; the edges of roles; and where individuals are.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> A, B = Name("A"), Name("B")
        >>> interpretation = Interpretation((frozenset({A}), frozenset({A, B})))
        >>> interpretation.satisfies(conditional(B, given=A, exactly="1/3"), Weights([2, 1]))
        True
    """

    names: tuple[Collection[Name], ...]
    edges: Mapping[Role, Pairs] = field(default_factory=dict)
    individuals: Mapping[Individual, int] = field(default_factory=dict)
    _known: dict[Concept, Places] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def extension(self, concept: Concept) -> frozenset[int]:
        """The elements that are instances of a concept."""
        return frozenset(members(self.places(concept)))

    def places(self, concept: Concept) -> Places:
        """The same, as a set that is quick to compute with."""
        if concept not in self._known:
            self._known[concept] = self._instances(concept)
        return self._known[concept]

    def share(self, head: Concept, body: Concept, weights: Weights) -> Fraction | None:
        """The share of the body that belongs to the head; none if the body has no weight."""
        inside = self.places(body)
        total = weights.whole(inside)
        return Fraction(weights.whole(inside & self.places(head)), total) if total else None

    def satisfies(self, axiom: Axiom, *weightings: Weights) -> bool:
        """Whether an axiom is true; a conditional, in each of some weightings."""
        if isinstance(axiom, Conditional):
            body = self.places(axiom.body)
            both = body & self.places(axiom.head)
            return all(
                not (total := weights.whole(body))
                or axiom.proportion.allows(weights.whole(both), total)
                for weights in weightings
            )
        sets = [self.places(concept) for concept in axiom.concepts()]
        pairs = [self.edges.get(role, frozenset()) for role in axiom.roles()]
        places = [self.individuals.get(individual) for individual in axiom.individuals()]
        match axiom:
            case Inclusion():
                return sets[0] & sets[1] == sets[0]
            case Equivalence():
                return len(set(sets)) == 1
            case Disjointness():
                return not any(one & other for one, other in combinations(sets, 2))
            case RoleInclusion():
                return pairs[0] <= pairs[1]
            case Domain():
                return all(sets[0] >> subject & 1 for subject in {place for place, _ in pairs[0]})
            case Range():
                return all(sets[0] >> target & 1 for target in {place for _, place in pairs[0]})
            case ConceptAssertion():
                return places[0] is not None and bool(sets[0] >> places[0] & 1)
            case RoleAssertion():
                return (places[0], places[1]) in pairs[0]
        raise TypeError(f"{type(axiom).__name__} has no meaning here")

    @cached_property
    def _named(self) -> Mapping[Name, Places]:
        # By identity, which takes a third of the time: mostly there is one object for a name.
        objects: dict[int, Name] = {}
        having: dict[int, list[int]] = {}
        for place, names in enumerate(self.names):
            for name in names:
                key = id(name)
                if key not in having:
                    having[key], objects[key] = [], name
                having[key].append(place)
        named: dict[Name, Places] = {}
        for key, places in having.items():
            name = objects[key]
            named[name] = named.get(name, 0) | as_places(places, len(self.names))
        return named

    @cached_property
    def _subjects(self) -> Mapping[Role, Mapping[int, Sequence[int]]]:
        """Of every role and object, the subjects."""
        subjects: dict[Role, dict[int, list[int]]] = {role: {} for role in self.edges}
        for role, pairs in self.edges.items():
            for subject, target in pairs:
                subjects[role].setdefault(target, []).append(subject)
        return subjects

    def _instances(self, concept: Concept) -> Places:
        match concept:
            case Top():
                return (1 << len(self.names)) - 1
            case Name():
                return self._named.get(concept, 0)
            case And():
                inside = self.places(concept.operands[0])
                for operand in concept.operands[1:]:
                    inside &= self.places(operand)
                return inside
            case Exists():
                filler, subjects = self.places(concept.filler), self._subjects.get(concept.role, {})
                reached = (having for target, having in subjects.items() if filler >> target & 1)
                return as_places(chain.from_iterable(reached), len(self.names))
            case Not():
                return self.places(TOP) & ~self.places(concept.operand)
            case Or():
                return reduce(or_, map(self.places, concept.operands))
            case AtLeast():
                reached_by = [self.places(TOP), *[0] * concept.least]  # how many were had so far
                for operand in concept.operands:
                    having = self.places(operand)
                    for count in range(concept.least, 0, -1):
                        reached_by[count] |= reached_by[count - 1] & having
                return reached_by[-1]
        return 0  # ⊥
