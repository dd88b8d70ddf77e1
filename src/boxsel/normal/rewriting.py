"""The rules that rewrite a deterministic axiom into axioms in normal form.

Rule names in comments are those of the EL literature (NF0–NF4). What a rule leaves complex
gets a name from the definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

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
from boxsel.logic.concepts import BOTTOM, TOP, And, Concept, Exists, Name, Top, conjuncts
from boxsel.logic.proportions import Count, Proportion
from boxsel.normal.definitions import Atom, Definitions, without_top


def is_deterministic(proportion: Proportion) -> bool:
    """Whether a conditional with this proportion is an inclusion or a disjointness."""
    if isinstance(proportion, Count):
        return proportion.count in (0, proportion.total)
    lower = proportion.lower
    return proportion.upper.numerator == 0 or lower.numerator == lower.denominator


class Rewriting:
    """The rules, one for each kind of axiom."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        # Any: each rule takes the axioms of its own kind only.
        self._rules: dict[type[Axiom], Callable[[Any], Iterator[Axiom]]] = {
            Conditional: self._conditional,
            Inclusion: self._told,
            Equivalence: self._equivalence,
            Disjointness: lambda axiom: self._disjointness(map(_plain, axiom.members)),
            RoleInclusion: lambda axiom: iter((axiom,) if axiom.sub != axiom.sup else ()),
            Domain: self._domain,
            Range: self._range,
            ConceptAssertion: self._concept_assertion,
            RoleAssertion: lambda axiom: iter((axiom,)),
        }

    def normal(self, axiom: Axiom) -> Iterator[Axiom]:
        """A deterministic axiom in normal form: any number of axioms, none for a tautology."""
        return self._rules[type(axiom)](axiom)

    def _conditional(self, axiom: Conditional) -> Iterator[Axiom]:
        head, body = without_top(axiom.head), without_top(axiom.body)
        if axiom.bounds.upper == 0:
            return self._disjointness((body, head))
        return self._inclusion(body, head)

    def _told(self, axiom: Inclusion) -> Iterator[Axiom]:
        left, right = axiom.left, axiom.right
        if type(left) is type(right) is Name:  # by far the most common in large hierarchies
            return iter((axiom,) if left != right else ())
        return self._inclusion(_plain(left), _plain(right))

    def _inclusion(self, left: Concept, right: Concept) -> Iterator[Axiom]:
        if right is BOTTOM:
            yield self._empty(left)
            return
        told = frozenset(conjuncts(left))
        for conjunct in conjuncts(right):  # NF4
            if conjunct in told or isinstance(conjunct, Top):
                continue
            if isinstance(conjunct, Exists) and not isinstance(left, Atom):  # NF0
                yield Inclusion(self._definitions.above(left), self._definitions.right(conjunct))
            else:  # NF1, NF2, NF3
                yield Inclusion(self._definitions.left(left), self._definitions.right(conjunct))

    def _empty(self, concept: Concept) -> Axiom:
        left = self._definitions.left(concept)
        return Disjointness(*left.operands) if isinstance(left, And) else Inclusion(left, BOTTOM)

    def _equivalence(self, axiom: Equivalence) -> Iterator[Axiom]:
        members = dict.fromkeys(map(_plain, axiom.members))
        # Through one member: the inclusions of each in each would be quadratic. It is an atom if
        # there is one, else short, because it is compared with every other.
        pivot = min(members, key=lambda one: (not isinstance(one, Atom), len(conjuncts(one))))
        told = frozenset(conjuncts(pivot))
        for member in members:
            if member != pivot:
                yield from self._inclusion(pivot, member)
                if not told.issubset(conjuncts(member)):
                    yield from self._inclusion(member, self._definitions.below(pivot))

    def _disjointness(self, members: Iterable[Concept]) -> Iterator[Axiom]:
        occurrences = Counter(members)
        if len(occurrences) > 1 and TOP in occurrences:
            del occurrences[TOP]
            yield from map(self._empty, occurrences)  # what is disjoint with ⊤ is empty
            return
        for member, times in occurrences.items():
            if times > 1:  # what is disjoint with itself is empty
                yield self._empty(member)
        if len(occurrences) > 1:
            yield Disjointness(*map(self._definitions.above, occurrences))

    def _domain(self, axiom: Domain) -> Iterator[Axiom]:
        return self._inclusion(Exists(axiom.role, TOP), _plain(axiom.concept))

    def _range(self, axiom: Range) -> Iterator[Axiom]:
        concept = _plain(axiom.concept)
        if concept is BOTTOM:
            yield Inclusion(Exists(axiom.role, TOP), BOTTOM)
            return
        for atom in self._atoms_below(concept):
            yield Range(axiom.role, atom)

    def _concept_assertion(self, axiom: ConceptAssertion) -> Iterator[Axiom]:
        for atom in self._atoms_below(_plain(axiom.concept)):
            yield ConceptAssertion(atom, axiom.individual)

    def _atoms_below(self, concept: Concept) -> Iterator[Atom]:
        """Names whose conjunction says as much as the concept; none for ⊤."""
        for conjunct in conjuncts(concept):
            if not isinstance(conjunct, Top):
                yield self._definitions.below(conjunct)


def _plain(concept: Concept) -> Concept:
    """The concept without ⊤ as a conjunct; with ⊥ anywhere inside, it is ⊥."""
    return BOTTOM if concept.mentions_bottom else without_top(concept)
