"""Normalisation: a knowledge base in normal form that has the same entailments.

This is the one place where `(D | C)[1]` and `C ⊑ D`, and `(D | C)[0]` and the disjointness of
C and D, become the same statement. Rule names in comments are those of the EL literature
(NF0–NF4). What a rule leaves complex gets a name from the definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from boxsel.errors import InvalidStatementError
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
from boxsel.logic.concepts import BOTTOM, TOP, And, Concept, Exists, Name, Top, conjuncts, entities
from boxsel.logic.expecting import expect_several
from boxsel.logic.kb import KB
from boxsel.logic.names import TOP_IRI, Prefixes
from boxsel.logic.proportions import Count, Proportion
from boxsel.logic.statements import NO_NOTE, Statement
from boxsel.machine.budget import Budget, Limit
from boxsel.machine.collecting import without_cycle_collection
from boxsel.machine.progress import track
from boxsel.normal.completion import STEPS_BETWEEN_LOOKS
from boxsel.normal.definitions import (
    FRESH_NAMESPACE,
    FRESH_PREFIX,
    Atom,
    Definitions,
    fresh_labels,
    without_top,
)


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
        pivot = min(
            members, key=lambda concept: (not isinstance(concept, Atom), len(conjuncts(concept)))
        )
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


@dataclass(frozen=True)
class NormalForm:
    """A knowledge base in normal form, and what its fresh names stand for.

    `origin` gives the concept of each fresh name, over the names of the original.
    """

    kb: KB
    origin: Mapping[Name, Concept]
    _atoms: Mapping[Concept, Atom]

    def atom(self, concept: Concept | str) -> Atom:
        """The atom with the same instances as this concept.

        It exists for atoms, for the heads and bodies of conditionals that were not
        deterministic, and for the concepts that `normalize` was asked to name.
        """
        plain = without_top(self.kb.concept(concept))
        if isinstance(plain, Atom):
            return plain
        try:
            return self._atoms[plain]
        except KeyError:
            raise InvalidStatementError(
                f"{concept} has no name in this normal form: ask for one with also="
            ) from None


def normalize(kb: KB, *, also: Iterable[Concept | str] = (), budget: Limit = None) -> NormalForm:
    """The normal form of a knowledge base, with names for further concepts if asked.

    Linear in the size of the knowledge base; one that is in normal form stays as it is. The
    names in `also` become part of the signature. `OutOfTimeError` if a budget is spent on the way.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> Admitted, DeptA, Woman = names("Admitted DeptA Woman")
        >>> normal = normalize(KB.of(conditional(Admitted, given=DeptA & Woman, exactly=0.8)))
        >>> for statement in normal.kb:
        ...     print(statement.text(normal.kb.prefixes))
        (Admitted | normal:1)[0.8]
        DeptA and Woman SubClassOf normal:1
        normal:1 SubClassOf DeptA
        normal:1 SubClassOf Woman
        >>> print(*normal.origin.values())
        DeptA and Woman
    """
    with without_cycle_collection():
        concepts = tuple(map(kb.concept, expect_several("concepts", also)))
        return _normalize(kb, concepts, Budget.of(budget))


def _normalize(kb: KB, further: tuple[Concept, ...], budget: Budget) -> NormalForm:
    known = frozenset(chain(kb.signature, *map(entities, further)))
    work = _Normalisation(Definitions({entity.iri for entity in known} | kb.labels.keys()))
    statements = track(kb.statements, "normalising", len(kb))
    for statement in budget.watched(statements, STEPS_BETWEEN_LOOKS):
        work.take(statement)
    for concept in budget.watched(further, STEPS_BETWEEN_LOOKS):
        work.name(concept)
    origin = {name: concept for concept, name in work.definitions.names.items()}
    fresh = {FRESH_PREFIX: FRESH_NAMESPACE} if origin else {}
    normal = replace(
        kb,
        statements=tuple(work.statements),
        prefixes=Prefixes({**fresh, **kb.prefixes}),
        labels={**kb.labels, **fresh_labels(kb, origin)},
        declared=known,
    )
    return NormalForm(normal, MappingProxyType(origin), MappingProxyType(work.exact))


class _Normalisation:
    """The statements in normal form so far, each once."""

    def __init__(self, definitions: Definitions) -> None:
        self.definitions = definitions
        self._rewriting = Rewriting(definitions)
        self.statements: list[Statement] = []
        self.exact: dict[Concept, Atom] = {}
        self._seen: set[Statement] = set()
        # Hashing a proportion is slow and the same head and body seldom meet twice, so
        # conditionals are told apart by these first: body, then head.
        self._conditionals: dict[str, dict[str, Statement | None]] = {}

    def take(self, statement: Statement) -> None:
        """Add the normal form of a statement, followed by the definitions it needs."""
        axiom = statement.axiom
        if isinstance(axiom, Conditional) and not is_deterministic(axiom.proportion):
            self._take_conditional(axiom, statement)
        else:
            for normal in self._rewriting.normal(axiom):
                same = normal is axiom or normal == axiom
                self._add(statement if same else Statement(normal, statement.note))
        if self.definitions.pending:
            self._define()

    def name(self, concept: Concept) -> None:
        """Give a concept a name with the same instances."""
        if concept.mentions_bottom:
            raise InvalidStatementError(f"{concept} is owl:Nothing: it needs no name")
        self._exactly(concept)
        self._define()

    def _take_conditional(self, axiom: Conditional, statement: Statement) -> None:
        head, body = axiom.head, axiom.body
        if type(head) is not Name or type(body) is not Name:  # SNF0
            head, body = self._exactly(head), self._exactly(body)
            statement = Statement(Conditional(head, body, axiom.proportion), statement.note)
        heads = self._conditionals.setdefault(_iri(body), {})
        key = _iri(head)
        if key not in heads:
            heads[key] = statement
            self.statements.append(statement)
            return
        first = heads[key]
        if first is not None:
            self._seen.add(first)
            heads[key] = None
        self._add(statement)

    def _exactly(self, concept: Concept) -> Atom:
        if type(concept) is Name:
            return concept
        atom = self.exact.get(concept)
        if atom is None:
            plain = without_top(concept)
            atom = self.definitions.exactly(plain)
            self.exact[concept] = self.exact[plain] = atom
        return atom

    def _add(self, statement: Statement) -> None:
        if statement not in self._seen:
            self._seen.add(statement)
            self.statements.append(statement)

    def _define(self) -> None:
        # Definitions say nothing about the world, so the note stays with the statement. None
        # can be repeated: their names are fresh.
        self.statements.extend(Statement(axiom, NO_NOTE) for axiom in self.definitions.drain())


def _iri(atom: Concept) -> str:
    return atom.iri if type(atom) is Name else TOP_IRI
