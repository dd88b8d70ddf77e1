"""Types: which basic concepts are true of an element, and what is asked about them.

The *basic concepts* are names, existentials and ⊥: every concept is a conjunction of them. Axioms
say what each element obeys by itself, as clauses over basic concepts; a question is a linear form
with numbers of any length. A query may have Boolean combinations: they count as basic concepts,
with clauses of their own (`checker.meanings`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, combinations, pairwise

from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Domain, Equivalence, Inclusion
from boxsel.logic.concepts import BOTTOM, TOP, Concept, Exists, conjuncts

Basics = frozenset[Concept]
Clause = tuple[Basics, Basics]
"""Body and heads: whatever has all of the body has at least one of the heads."""


def basics(*concepts: Concept) -> Basics:
    """The basic concepts that some concepts together are the conjunction of."""
    return frozenset(part for concept in concepts for part in conjuncts(concept)) - {TOP}


def clauses(axiom: Axiom) -> Iterator[Clause]:
    """The clauses that every element obeys if an axiom is true.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> [axiom] = parse_kb("A SubClassOf B and r some C").axioms
        >>> sorted(f"{body} -> {head}" for [body], [head] in clauses(axiom))
        ['A -> B', 'A -> r some C']
    """
    for left, right in _inclusions(axiom):
        for head in basics(right):
            yield basics(left), frozenset({head})


class Clauses:
    """Clauses that can be found by what they are about, so that a question costs its own size."""

    def __init__(self, given: Iterable[Clause] = ()) -> None:
        self._by_one: dict[Concept | None, list[Clause]] = {}  # by some concept of the body
        for clause in given:
            self.add(clause)

    def __iter__(self) -> Iterator[Clause]:
        return chain.from_iterable(self._by_one.values())

    def add(self, clause: Clause) -> None:
        """One more clause."""
        self._by_one.setdefault(next(iter(clause[0]), None), []).append(clause)

    def around(self, concepts: Iterable[Concept]) -> list[Clause]:
        """The clauses that matter for some concepts.

        All others hold if only these concepts, and those that the clauses lead to, are true.
        """
        queue: list[Concept | None] = [None, *concepts]
        inside, chosen = set(queue), list[Clause]()
        waiting: dict[Concept | None, list[Clause]] = {}  # by a concept of the body, not inside
        while queue:
            concept = queue.pop()
            for body, heads in (*self._by_one.get(concept, ()), *waiting.pop(concept, ())):
                missing = next((part for part in body if part not in inside), None)
                if missing is not None:
                    waiting.setdefault(missing, []).append((body, heads))
                    continue
                chosen.append((body, heads))
                queue.extend(heads - inside)
                inside |= heads
        return chosen


def existentials(concepts: Iterable[Concept]) -> list[Exists]:
    """Every existential that occurs in some concepts, at any depth."""
    existentials: dict[Exists, None] = {}
    stack = list(concepts)
    while stack:
        for part in conjuncts(stack.pop()):
            if isinstance(part, Exists) and part not in existentials:
                existentials[part] = None
                stack.append(part.filler)
    return list(existentials)


def _inclusions(axiom: Axiom) -> Iterable[tuple[Concept, Concept]]:
    match axiom:
        case Inclusion(left, right):
            return [(left, right)]
        case Domain(role, concept):
            return [(role.some(TOP), concept)]
        case Equivalence():
            return pairwise((*axiom.members, axiom.members[0]))
        case Disjointness():
            return [(one & other, BOTTOM) for one, other in combinations(axiom.members, 2)]
        case Conditional(head, body):
            return _certain(head, body, axiom)
    return []


def _certain(head: Concept, body: Concept, axiom: Conditional) -> list[tuple[Concept, Concept]]:
    """A conditional speaks of each element if its share can only be 0 or 1."""
    if axiom.bounds.lower == 1:
        return [(body, head)]
    if axiom.bounds.upper == 0:
        return [(body & head, BOTTOM)]
    if axiom.bounds.upper < 1 and basics(head) <= basics(body):  # the share is 1, if it is defined
        return [(body, BOTTOM)]
    return []


Form = Mapping[Basics, Fraction]
"""A linear form: its value at a type is the sum over the keys that the type has."""


class UndecidedError(Exception):
    """A question that could not be answered."""
