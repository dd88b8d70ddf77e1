"""The reference that the exact reasoner is compared with: every type listed, nothing clever.

It works on the axioms as they are written. A *basic concept* is a name or an existential that
occurs anywhere; a *type* is the set of basic concepts that are true of an element. A model is
a non-negative weight on each type that obeys the conditionals, if every type of positive
weight finds the witnesses of its existentials among the types of positive weight. Two models
side by side are a model, so there is a largest set of types that occur together: the
*surviving* types. Everything is read off them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Literal

from boxsel.logic.axioms import (
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
from boxsel.logic.concepts import (
    TOP,
    And,
    Boolean,
    Bottom,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    Top,
)
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from tests.exact.simplex import maximise

Type = frozenset[Concept]
"""The basic concepts that are true of an element; all others are false of it."""

Weights = Mapping[Type, Fraction]
"""How many elements each type has, up to a common factor."""


@dataclass(frozen=True)
class Answer:
    """What a query gives: bounds, or the reason why there are none."""

    status: Literal["inconsistent", "vacuous", "bounded"]
    lower: Fraction | None = None
    upper: Fraction | None = None


def answer(kb: KB, query: Query) -> Answer:
    """The tight bounds of a query.

    Examples:
        >>> from boxsel import parse, parse_query
        >>> answer(parse("(B | A)[1/4, 1/2]"), parse_query("(B | A)"))
        Answer(status='bounded', lower=Fraction(1, 4), upper=Fraction(1, 2))
    """
    basics = basic_concepts(kb, query.head, query.body)
    types = surviving_types(kb, basics)
    if not _has_model(kb, types, basics):
        return Answer("inconsistent")
    instances = [kind for kind in types if holds(query.body, kind)]
    if not instances:
        return Answer("vacuous")
    inside = [instance for instance in instances if holds(query.head, instance)]
    outside = [instance for instance in instances if not holds(query.head, instance)]
    least = 1 - _weight(heaviest(kb, types, query.body, outside), outside)
    most = _weight(heaviest(kb, types, query.body, inside), inside)
    return Answer("bounded", least, most)


def is_consistent(kb: KB) -> bool:
    """Whether the knowledge base has a model."""
    basics = basic_concepts(kb)
    return _has_model(kb, surviving_types(kb, basics), basics)


def empty_names(kb: KB) -> frozenset[Name]:
    """The names that are empty in every model: all names, if there is no model."""
    basics = basic_concepts(kb)
    types = surviving_types(kb, basics)
    names = frozenset(kb.signature.concepts)
    return names.difference(*types) if _has_model(kb, types, basics) else names


def _has_model(kb: KB, types: Sequence[Type], basics: Sequence[Concept]) -> bool:
    return bool(types) and assignment(kb, types, basics) is not None


def _weight(weights: Weights, types: Iterable[Type]) -> Fraction:
    return sum((weights[kind] for kind in types), Fraction(0))


def basic_concepts(kb: KB, *concepts: Concept) -> tuple[Concept, ...]:
    """The names and existentials that occur in a knowledge base or in further concepts."""
    found: dict[Concept, None] = dict.fromkeys(kb.signature.concepts)
    stack = [concept for axiom in kb.axioms for concept in axiom.concepts()]
    stack += [Exists(domain.role, TOP) for domain in kb.axioms_of(Domain)]
    stack += concepts
    while stack:
        concept = stack.pop()
        match concept:
            case Name():
                found[concept] = None
            case And() | Boolean():
                stack.extend(concept.operands)
            case Exists():
                found[concept] = None
                stack.append(concept.filler)
    return tuple(found)


def holds(concept: Concept, type_: Type) -> bool:
    """Whether a concept is true of the elements of a type."""
    match concept:
        case Top():
            return True
        case Bottom():
            return False
        case And():
            return all(holds(operand, type_) for operand in concept.operands)
        case Not():
            return not holds(concept.operand, type_)
        case Or():
            return any(holds(operand, type_) for operand in concept.operands)
        case AtLeast():
            return sum(holds(operand, type_) for operand in concept.operands) >= concept.least
    return concept in type_


def surviving_types(kb: KB, basics: Sequence[Concept]) -> tuple[Type, ...]:
    """The types over basic concepts that occur in some model, assertions left aside."""
    edges = Edges.of(kb, basics)
    types = tuple(subset for subset in _subsets(basics) if _obeys(kb, subset))
    while True:
        supported = tuple(
            concepts for concepts, weight in common_weights(kb, types).items() if weight > 0
        )
        rest = edges.with_witnesses(supported)
        if len(rest) == len(types):
            return types
        types = rest


def _subsets(basics: Sequence[Concept]) -> Iterator[Type]:
    for bits in range(2 ** len(basics)):
        yield frozenset(basic for place, basic in enumerate(basics) if bits >> place & 1)


def _obeys(kb: KB, type_: Type) -> bool:
    """Whether the axioms that speak of one element at a time are true of a type."""
    for axiom in kb.axioms:
        match axiom:
            case Inclusion():
                good = not holds(axiom.left, type_) or holds(axiom.right, type_)
            case Domain():
                good = not holds(Exists(axiom.role, TOP), type_) or holds(axiom.concept, type_)
            case Equivalence():
                good = all(
                    holds(one, type_) == holds(other, type_)
                    for one, other in pairwise(axiom.members)
                )
            case Disjointness():
                good = not any(
                    holds(one, type_) and holds(other, type_)
                    for one, other in combinations(axiom.members, 2)
                )
            case _:
                good = True
        if not good:
            return False
    return True


@dataclass(frozen=True)
class Edges:
    """Which types a role may link."""

    existentials: tuple[Exists, ...]
    above: Mapping[Role, frozenset[Role]]
    ranges: tuple[Range, ...]

    @classmethod
    def of(cls, kb: KB, basics: Iterable[Concept]) -> Edges:
        existentials = tuple(basic for basic in basics if isinstance(basic, Exists))
        roles = {*kb.signature.roles, *(existential.role for existential in existentials)}
        above = {role: frozenset({role}) for role in roles}
        for _ in roles:  # a chain of inclusions has fewer steps than there are roles
            for axiom in kb.axioms_of(RoleInclusion):
                above = {
                    role: above[role] | {axiom.sup} if axiom.sub in above[role] else above[role]
                    for role in roles
                }
        return cls(existentials, above, tuple(kb.axioms_of(Range)))

    def in_range(self, role: Role, target: Type) -> bool:
        """Whether a type may be at the end of the role at all."""
        return all(
            holds(axiom.concept, target) for axiom in self.ranges if axiom.role in self.above[role]
        )

    def demands(self, role: Role, target: Type) -> Type:
        """The existentials that an edge of the role to the target makes true at its source."""
        return frozenset(
            existential
            for existential in self.existentials
            if existential.role in self.above[role] and holds(existential.filler, target)
        )

    def allowed(self, role: Role, source: Type, target: Type) -> bool:
        """Whether the role may link an element of the source to one of the target."""
        return self.in_range(role, target) and self.demands(role, target) <= source

    def with_witnesses(self, types: tuple[Type, ...]) -> tuple[Type, ...]:
        """The types that find a witness in `types` for each existential that is true of them."""
        # `allowed`, with what depends on the target alone worked out once.
        offers = {
            existential: {
                self.demands(existential.role, target)
                for target in types
                if holds(existential.filler, target) and self.in_range(existential.role, target)
            }
            for existential in self.existentials
        }
        return tuple(
            source
            for source in types
            if all(
                any(demanded <= source for demanded in offers[existential])
                for existential in self.existentials
                if existential in source
            )
        )


def _column(kb: KB, type_: Type) -> tuple[int, ...]:
    """The coefficients of a type in the rows of the conditionals, `Σ coefficient · weight ≤ 0`.

    (D | C)[l, u] gives l · |C| ≤ |C ⊓ D| and |C ⊓ D| ≤ u · |C|, both times a denominator.
    """
    column = []
    for axiom in kb.axioms_of(Conditional):
        lower, upper = axiom.bounds.lower, axiom.bounds.upper
        body = int(holds(axiom.body, type_))
        both = int(body and holds(axiom.head, type_))
        column.append(lower.numerator * body - lower.denominator * both)
        column.append(upper.denominator * both - upper.numerator * body)
    return tuple(column)


def common_weights(kb: KB, types: Sequence[Type]) -> Weights:
    """Weights that obey the conditionals, with as many types of positive weight as possible."""
    groups = _grouped(types, lambda concepts: _column(kb, concepts))
    rows = list(zip(*groups, strict=True))
    total = [Fraction(0)] * len(groups)
    while True:
        # Weights can be scaled: if the groups without weight can have some, they can have 1.
        others = [int(weight == 0) for weight in total]
        best = maximise(others, [*rows, others], [0] * len(rows) + [1])
        if best.value == 0:
            return _spread(groups, total)
        # Weights that obey the conditionals still do so when added up.
        total = [one + other for one, other in zip(total, best.point, strict=True)]


def heaviest(kb: KB, types: Sequence[Type], body: Concept, counted: Collection[Type]) -> Weights:
    """Weights that obey the conditionals and make some types of the body weigh most.

    The body may weigh at most 1. If the best total is positive then the body weighs exactly 1,
    since all weights could be scaled up otherwise, and the total is the largest share. If it
    is 0 the largest share is 0 too, in whichever weights the body has any.
    """
    groups = _grouped(
        types,
        lambda concepts: (
            *_column(kb, concepts),
            int(holds(body, concepts)),
            int(concepts in counted),
        ),
    )
    *rows, sizes, gains = zip(*groups, strict=True)
    best = maximise(gains, [*rows, sizes], [0] * len(rows) + [1])
    return _spread(groups, best.point)


def _grouped(
    types: Sequence[Type], column: Callable[[Type], tuple[int, ...]]
) -> dict[tuple[int, ...], list[Type]]:
    """The types with equal columns together: they can take each other's weight."""
    groups: dict[tuple[int, ...], list[Type]] = {}
    for kind in types:
        groups.setdefault(column(kind), []).append(kind)
    return groups


def _spread(groups: Mapping[tuple[int, ...], list[Type]], weights: Sequence[Fraction]) -> Weights:
    """The weight of each group in equal parts on its types."""
    return {
        concepts: weight / len(group)
        for group, weight in zip(groups.values(), weights, strict=True)
        for concepts in group
    }


def assignment(
    kb: KB, types: Sequence[Type], basics: Sequence[Concept]
) -> Mapping[Individual, Type] | None:
    """Types for the individuals under which every assertion holds, if there are such types.

    A type that survives can have as many elements as there are individuals, so that assertions
    matter in no other way.
    """
    return _completed(kb, types, Edges.of(kb, basics), {})


def _completed(
    kb: KB, types: Sequence[Type], edges: Edges, given: Mapping[Individual, Type]
) -> Mapping[Individual, Type] | None:
    """The given types, and types for the other individuals."""
    missing = next(
        (individual for individual in kb.signature.individuals if individual not in given), None
    )
    if missing is None:
        return given
    for kind in types:
        longer = {**given, missing: kind}
        if _assertions_hold(kb, edges, missing, longer):
            found = _completed(kb, types, edges, longer)
            if found is not None:
                return found
    return None


def _assertions_hold(
    kb: KB, edges: Edges, individual: Individual, given: Mapping[Individual, Type]
) -> bool:
    """Whether the assertions about an individual hold, as far as types are given."""
    for axiom in kb.axioms:
        match axiom:
            case ConceptAssertion() if axiom.individual == individual:
                good = holds(axiom.concept, given[individual])
            case RoleAssertion() if individual in axiom.individuals() and given.keys() >= {
                *axiom.individuals()
            }:
                good = edges.allowed(axiom.role, given[axiom.subject], given[axiom.object])
            case _:
                good = True
        if not good:
            return False
    return True
