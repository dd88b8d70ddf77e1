"""Types: which basic concepts are true of an element, and what is asked about them.

The *basic concepts* are names, existentials and ⊥: every concept is a conjunction of them. Axioms
say what each element obeys by itself, as clauses over basic concepts; a question is a linear form
with numbers of any length. Where types are few they are listed: no solver is needed to look at a
thousand of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain, combinations, pairwise
from math import lcm
from typing import Final

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
        inside, found = set(queue), list[Clause]()
        waiting: dict[Concept | None, list[Clause]] = {}  # by a concept of the body, not inside
        while queue:
            concept = queue.pop()
            for body, heads in (*self._by_one.get(concept, ()), *waiting.pop(concept, ())):
                missing = next((one for one in body if one not in inside), None)
                if missing is not None:
                    waiting.setdefault(missing, []).append((body, heads))
                    continue
                found.append((body, heads))
                queue.extend(heads - inside)
                inside |= heads
        return found


def existentials(concepts: Iterable[Concept]) -> list[Exists]:
    """Every existential that occurs in some concepts, at any depth."""
    found: dict[Exists, None] = {}
    stack = list(concepts)
    while stack:
        for part in conjuncts(stack.pop()):
            if isinstance(part, Exists) and part not in found:
                found[part] = None
                stack.append(part.filler)
    return list(found)


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


LARGEST: Final = 2**20_000
"""Longer numbers are refused: a question would take too long."""

Form = Mapping[Basics, Fraction]
"""A linear form: its value at a type is the sum over the keys that the type has."""


class UndecidedError(Exception):
    """A question that could not be answered."""


def whole(numbers: Collection[Fraction]) -> list[int]:
    """The numbers, times a common denominator."""
    scale = 1
    for number in numbers:
        scale = lcm(scale, number.denominator)
        if max(scale, abs(number.numerator)) > LARGEST:
            raise UndecidedError("the numbers are too long to be checked")
    return [int(number * scale) for number in numbers]


MOST_LISTED: Final = 10
"""Types of more basic concepts than this are not listed."""


def listed_type(
    obeyed: Clauses,
    form: Form,
    least: int,
    has: Basics = frozenset(),
    lacks: Sequence[Basics] = (),
) -> bool | None:
    """Whether a form is at least so large at a type that obeys clauses; none if they are many.

    The form is in whole numbers, scaled as much as that takes: at least 1 is above 0. The type
    has some basic concepts, and of each of some sets it lacks one. A concept that nothing leads to
    may be false in it.

    Examples:
        >>> from fractions import Fraction
        >>> from boxsel.logic.concepts import names
        >>> a, b = (frozenset({name}) for name in names("A B"))
        >>> sizes = {a: Fraction(-1, 2), b: Fraction(1, 2)}
        >>> [listed_type(Clauses([(b, a)]), sizes, least) for least in (0, 1)]
        [True, False]
    """
    known = frozenset().union(has, *lacks, *form)
    relevant = obeyed.around(known)
    known = known.union(*(heads for _, heads in relevant))
    if len(known) > MOST_LISTED:
        return None
    place = {concept: 1 << number for number, concept in enumerate(known)}

    def mask(concepts: frozenset[Concept]) -> int:
        return sum(place[one] for one in concepts)

    rules = [(mask(body), mask(heads)) for body, heads in relevant]
    terms = list(zip(map(mask, form), whole(form.values()), strict=True))
    needed, excluded = mask(has), [mask(one) for one in lacks]
    return any(
        all(kind & body != body or kind & heads for body, heads in rules)
        and not any(kind & one == one for one in excluded)
        and sum(number for key, number in terms if kind & key == key) >= least
        for kind in range(1 << len(known))
        if kind & needed == needed
    )
