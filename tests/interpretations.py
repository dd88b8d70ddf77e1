"""Small finite interpretations, with the meaning of concepts and axioms spelt out in sets.

Nothing here is clever: it is the definition of the semantics, for tests to compare with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations, product
from typing import TypeVar

from hypothesis import strategies as st

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
from boxsel.logic.concepts import And, Bottom, Concept, Exists, Individual, Name, Role, Top
from boxsel.logic.kb import KB, Signature

Elements = frozenset[int]
Pairs = frozenset[tuple[int, int]]
T = TypeVar("T", int, tuple[int, int])


@dataclass(frozen=True)
class Interpretation:
    """A finite non-empty domain, and what names mean in it; names not given are empty."""

    domain: Elements
    names: Mapping[Name, Elements] = field(default_factory=dict)
    roles: Mapping[Role, Pairs] = field(default_factory=dict)
    individuals: Mapping[Individual, int] = field(default_factory=dict)

    def extension(self, concept: Concept) -> Elements:
        """The elements that are instances of a concept."""
        match concept:
            case Top():
                return self.domain
            case Bottom():
                return frozenset()
            case Name():
                return self.names.get(concept, frozenset())
            case And():
                return frozenset.intersection(*map(self.extension, concept.operands))
            case Exists():
                filler = self.extension(concept.filler)
                pairs = self.roles.get(concept.role, frozenset())
                return frozenset(x for x, y in pairs if y in filler)
        raise TypeError(concept)

    def share(self, head: Concept, body: Concept) -> Fraction | None:
        """The share of the body that belongs to the head; none if the body is empty."""
        inside = self.extension(body)
        if not inside:
            return None
        return Fraction(len(inside & self.extension(head)), len(inside))

    def satisfies(self, axiom: Axiom) -> bool:
        """Whether an axiom is true."""
        match axiom:
            case Conditional():
                share = self.share(axiom.head, axiom.body)
                return share is None or axiom.bounds.lower <= share <= axiom.bounds.upper
            case Inclusion():
                return self.extension(axiom.left) <= self.extension(axiom.right)
            case Equivalence():
                return len({self.extension(member) for member in axiom.members}) == 1
            case Disjointness():
                extensions = map(self.extension, axiom.members)
                return all(not (one & other) for one, other in combinations(extensions, 2))
            case RoleInclusion():
                return self._pairs(axiom.sub) <= self._pairs(axiom.sup)
            case Domain():
                allowed = self.extension(axiom.concept)
                return all(x in allowed for x, _ in self._pairs(axiom.role))
            case Range():
                allowed = self.extension(axiom.concept)
                return all(y in allowed for _, y in self._pairs(axiom.role))
            case ConceptAssertion():
                return self.individuals[axiom.individual] in self.extension(axiom.concept)
            case RoleAssertion():
                pair = self.individuals[axiom.subject], self.individuals[axiom.object]
                return pair in self._pairs(axiom.role)
        raise TypeError(axiom)

    def is_model(self, kb: KB) -> bool:
        """Whether every axiom of a knowledge base is true."""
        return all(map(self.satisfies, kb.axioms))

    def extended(self, meaning: Mapping[Name, Elements]) -> Interpretation:
        """The same interpretation with further (or other) meanings of names."""
        return replace(self, names={**self.names, **meaning})

    def extensions_by(self, names: tuple[Name, ...]) -> Iterator[Interpretation]:
        """Every interpretation that differs from this one in the meaning of some names only."""
        subsets = [_subset(self.domain, bits) for bits in range(2 ** len(self.domain))]
        for choice in product(subsets, repeat=len(names)):
            yield self.extended(dict(zip(names, choice, strict=True)))

    def _pairs(self, role: Role) -> Pairs:
        return self.roles.get(role, frozenset())


def interpretations(
    signature: Signature, *, min_size: int = 1, max_size: int = 3
) -> st.SearchStrategy[Interpretation]:
    """Interpretations of some names over small domains."""
    return st.integers(min_size, max_size).flatmap(lambda size: _of_size(signature, size))


def _of_size(signature: Signature, size: int) -> st.SearchStrategy[Interpretation]:
    domain = frozenset(range(size))
    square = frozenset(product(domain, domain))
    subsets = st.integers(0, 2**size - 1).map(lambda bits: _subset(domain, bits))
    relations = st.integers(0, 2 ** (size * size) - 1).map(lambda bits: _subset(square, bits))
    return st.builds(
        Interpretation,
        st.just(domain),
        st.fixed_dictionaries(dict.fromkeys(signature.concepts, subsets)),
        st.fixed_dictionaries(dict.fromkeys(signature.roles, relations)),
        st.fixed_dictionaries(
            {individual: st.sampled_from(sorted(domain)) for individual in signature.individuals}
        ),
    )


def _subset(items: frozenset[T], bits: int) -> frozenset[T]:
    return frozenset(item for place, item in enumerate(sorted(items)) if bits >> place & 1)
