"""Finite interpretations, with the meaning of concepts and axioms spelt out in sets.

An element stands for any number of members that are alike; weights say how many, up to a common
factor. Every member of an element is linked to every member of the elements that it has edges to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import combinations

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
from boxsel.logic.concepts import And, Concept, Exists, Individual, Name, Role, Top

Pairs = frozenset[tuple[int, int]]
Weights = Sequence[int] | Sequence[Fraction]


@dataclass(frozen=True)
class Interpretation:
    """Elements, counted from 0, by their names; the edges of roles; and where individuals are.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> A, B = Name("A"), Name("B")
        >>> interpretation = Interpretation((frozenset({A}), frozenset({A, B})))
        >>> interpretation.satisfies(conditional(B, given=A, exactly="1/3"), [2, 1])
        True
    """

    names: tuple[frozenset[Name], ...]
    edges: Mapping[Role, Pairs] = field(default_factory=dict)
    individuals: Mapping[Individual, int] = field(default_factory=dict)
    _known: dict[Concept, frozenset[int]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def extension(self, concept: Concept) -> frozenset[int]:
        """The elements that are instances of a concept."""
        if concept not in self._known:
            self._known[concept] = frozenset(self._instances(concept))
        return self._known[concept]

    def share(self, head: Concept, body: Concept, weights: Weights) -> Fraction | None:
        """The share of the body that belongs to the head; none if the body has no weight."""
        inside = self.extension(body)
        total = sum(weights[place] for place in inside)
        if not total:
            return None
        return Fraction(sum(weights[place] for place in inside & self.extension(head))) / total

    def satisfies(self, axiom: Axiom, *weightings: Weights) -> bool:
        """Whether an axiom is true; a conditional, in each of some weightings."""
        sets = [self.extension(concept) for concept in axiom.concepts()]
        pairs = [self.edges.get(role, frozenset()) for role in axiom.roles()]
        places = [self.individuals.get(one) for one in axiom.individuals()]
        match axiom:
            case Conditional():
                shares = (self.share(axiom.head, axiom.body, one) for one in weightings)
                return all(share is None or share in axiom.bounds for share in shares)
            case Inclusion():
                return sets[0] <= sets[1]
            case Equivalence():
                return len(set(sets)) == 1
            case Disjointness():
                return all(one.isdisjoint(other) for one, other in combinations(sets, 2))
            case RoleInclusion():
                return pairs[0] <= pairs[1]
            case Domain():
                return all(subject in sets[0] for subject, _ in pairs[0])
            case Range():
                return all(target in sets[0] for _, target in pairs[0])
            case ConceptAssertion():
                return places[0] in sets[0]
            case RoleAssertion():
                return (places[0], places[1]) in pairs[0]
        raise TypeError(f"{type(axiom).__name__} has no meaning here")

    @cached_property
    def _members(self) -> Mapping[Name, Sequence[int]]:
        members: dict[Name, list[int]] = {}
        for place, names in enumerate(self.names):
            for name in names:
                members.setdefault(name, []).append(place)
        return members

    def _instances(self, concept: Concept) -> Iterable[int]:
        match concept:
            case Top():
                return range(len(self.names))
            case Name():
                return self._members.get(concept, ())
            case And():
                return frozenset.intersection(*map(self.extension, concept.operands))
            case Exists():
                filler = self.extension(concept.filler)
                pairs = self.edges.get(concept.role, frozenset())
                return (subject for subject, target in pairs if target in filler)
        return ()  # ⊥
