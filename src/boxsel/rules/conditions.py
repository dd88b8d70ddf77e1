"""What an application of a rule rests on, beside the numbers: how its concepts lie.

The figures are those of the index; here they are spelt out as axioms about the concepts as
given. A condition that is true by its spelling is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from boxsel.logic.axioms import Axiom, Equivalence, Inclusion
from boxsel.logic.concepts import BOTTOM, TOP, Concept, conjunction, conjuncts
from boxsel.logic.statements import Query
from boxsel.normal.definitions import without_top


def part(query: Query) -> Concept:
    """What is in the body and in the head."""
    return without_top(conjunction(query.body, query.head))


def same(first: Concept, second: Concept) -> Iterator[Axiom]:
    """Two concepts have the same instances: an inclusion where the other is in the spelling.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> DeptA, Applicant = names("DeptA Applicant")
        >>> print(*same(DeptA, Applicant & DeptA))
        DeptA SubClassOf Applicant
    """
    first, second = without_top(first), without_top(second)
    one, other = set(conjuncts(first)) - {TOP}, set(conjuncts(second)) - {TOP}
    if one <= other:
        yield from included(first, second)
    elif other <= one:
        yield from included(second, first)
    else:
        yield Equivalence(first, second)


def included(narrower: Concept, wider: Concept) -> Iterator[Axiom]:
    """A concept is included in another."""
    told = set(conjuncts(narrower))
    missing = [one for one in conjuncts(without_top(wider)) if one not in told and one != TOP]
    if missing:
        yield Inclusion(without_top(narrower), conjunction(*missing))


def triangle(upper_part: Query, lower_part: Query, whole: Query) -> Iterator[Axiom]:
    """Shares of Y in X, of Z in Y and of Z in X."""
    yield from same(whole.body, upper_part.body)
    yield from same(lower_part.body, part(upper_part))
    yield from same(part(whole), conjunction(part(upper_part), lower_part.head))


def diamond(
    first: Query, inside: Query | None, second: Query, across: Query | None = None
) -> Iterator[Axiom]:
    """Shares (A | B), (Q | A ⊓ B), (Q | B) and (A | B ⊓ Q)."""
    yield from same(second.body, first.body)
    both = conjunction(part(first), second.head)
    if inside is not None:
        yield from same(inside.body, part(first))
        yield from same(conjunction(part(first), inside.head), both)
    if across is not None:
        yield from same(across.body, part(second))
        yield from same(conjunction(part(second), across.head), both)


def split(first: Query, second: Query, both: Query) -> Iterator[Axiom]:
    """Shares (A | B), (Q | B) and (A ⊓ Q | B)."""
    yield from same(first.body, both.body)
    yield from same(second.body, both.body)
    yield from same(part(both), conjunction(part(first), second.head))


def wider(narrower: Query, wide: Query) -> Iterator[Axiom]:
    """Shares (E | B) and (D | B) with E included in D."""
    yield from same(narrower.body, wide.body)
    yield from included(part(narrower), wide.head)


def exclusive(heads: Sequence[Query]) -> Iterator[Axiom]:
    """Shares of heads that exclude each other, in one body."""
    for one in heads[1:]:
        yield from same(one.body, heads[0].body)
    for one, two in combinations(heads, 2):
        yield Inclusion(without_top(conjunction(part(one), two.head)), BOTTOM)
