"""Rules, and the figures that they are about: shares that stand together.

A rule draws a conclusion about one share from what is known of others. Its statement is its
declaration: it names the shares of a figure, as `(A | B)`, the conclusion last. The figure knows
where such shares are in play (the index finds them) and what that rests on beside the numbers, as
axioms about the concepts as given, which must follow from the deterministic part. A condition that
is true by its spelling is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom, Equivalence, Inclusion
from boxsel.logic.concepts import BOTTOM, TOP, Concept, conjunction, conjuncts
from boxsel.logic.statements import Query
from boxsel.normal.definitions import without_top
from boxsel.rules.amounts import Amount, Bounds
from boxsel.rules.index import Columns, Index, Numbers

Floats = NDArray[np.float64]
Conclude = Callable[[Sequence[Bounds]], Bounds]
Conditions = Callable[[Sequence[Query], Query], Iterable[Axiom]]


class Places(Protocol):
    """Where a rule applies: any number of applications, each with premises and a conclusion."""

    conclusions: Numbers

    def touched(self, changed: NDArray[np.bool_]) -> Numbers:
        """The applications with a premise that changed."""

    def screen(self, which: Numbers, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """What some applications conclude, about: the lower and the upper ends."""

    def premises(self, application: int) -> tuple[int, ...]:
        """The premises of an application, in the order that `conclude` takes them."""


@dataclass(frozen=True, eq=False)
class Rule:
    """A local inference rule.

    Attributes:
        name: what steps call it.
        statement: premises and conclusion in one line.
        tight: whether no smaller interval follows from the premises alone, if they are
            intervals that some population with a non-empty body obeys.
        conclude: the bounds of the conclusion from those of the premises.
        find: the applications among the shares in play.
        conditions: what else an application rests on.
    """

    name: str
    statement: str
    tight: bool
    conclude: Conclude
    find: Callable[[Index], Places]
    conditions: Conditions

    def __repr__(self) -> str:
        return f"<Rule {self.name}: {self.statement}>"


class Applications:
    """Applications that all have the same number of premises: one row of numbers for each place."""

    def __init__(self, conclude: Conclude, premises: Sequence[Numbers], conclusions: Numbers):
        self.conclusions = conclusions
        self._conclude = conclude
        self._premises = premises

    def touched(self, changed: NDArray[np.bool_]) -> Numbers:
        """The applications with a premise that changed."""
        if not len(self.conclusions):
            return self.conclusions
        return np.flatnonzero(np.logical_or.reduce([changed[row] for row in self._premises]))

    def screen(self, which: Numbers, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """The rule itself, on arrays."""
        rows = [row[which] for row in self._premises]
        low, high = self._conclude([Bounds(lower[row], upper[row]) for row in rows])
        return _as_array(low, which), _as_array(high, which)

    def premises(self, application: int) -> tuple[int, ...]:
        """The premises of an application."""
        return tuple(int(row[application]) for row in self._premises)


def _as_array(end: Amount, which: Numbers) -> Floats:
    return np.broadcast_to(np.asarray(end, np.float64), which.shape)


_SHARE = re.compile(r"\([^()|]+ \| [^()|]+\)")


@dataclass(frozen=True, eq=False)
class Figure:
    """Shares that stand together.

    Attributes:
        shares: how the statements of rules spell them.
        rows: where shares in play stand so, a column for each of them.
        rests_on: what makes concepts, as given, stand so; its arguments are a query for each.
    """

    shares: tuple[str, ...]
    rows: Callable[[Index], Columns]
    rests_on: Callable[..., Iterable[Axiom]]

    def rule(self, name: str, statement: str, conclude: Conclude, *, tight: bool) -> Rule:
        """The rule that a statement declares: it names every share of the figure once.

        Examples:
            >>> statement = "(A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] ⊢ (Q | B)[0, 1]"
            >>> DIAMOND.rule("nothing", statement, len, tight=False)
            <Rule nothing: (A | B)[l1, u1], (Q | A ⊓ B)[l2, u2] ⊢ (Q | B)[0, 1]>
        """
        order = [self.shares.index(share) for share in _SHARE.findall(statement)]
        places = [order.index(number) for number in range(len(self.shares))]

        def find(index: Index) -> Applications:
            rows = self.rows(index)
            *premises, conclusion = (rows[number] for number in order)
            return Applications(conclude, premises, conclusion)

        def conditions(premises: Sequence[Query], conclusion: Query) -> Iterable[Axiom]:
            queries = (*premises, conclusion)
            return self.rests_on(*(queries[place] for place in places))

        return Rule(name, statement, tight, conclude, find, conditions)


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
    parts, others = set(conjuncts(first)) - {TOP}, set(conjuncts(second)) - {TOP}
    if parts <= others:
        yield from included(first, second)
    elif others <= parts:
        yield from included(second, first)
    else:
        yield Equivalence(first, second)


def included(narrower: Concept, wider: Concept) -> Iterator[Axiom]:
    """A concept is included in another."""
    told = {TOP, *conjuncts(narrower)}
    missing = [concept for concept in conjuncts(without_top(wider)) if concept not in told]
    if missing:
        yield Inclusion(without_top(narrower), conjunction(*missing))


def exclusive(heads: Sequence[Query]) -> Iterator[Axiom]:
    """Shares of heads that exclude each other, in one body."""
    for head in heads[1:]:
        yield from same(head.body, heads[0].body)
    for first, second in combinations(heads, 2):
        yield Inclusion(without_top(conjunction(part(first), second.head)), BOTTOM)


def diamond(
    first: Query, inside: Query, second: Query, across: Query | None = None
) -> Iterator[Axiom]:
    """Shares (A | B), (Q | A ⊓ B) and (Q | B), and perhaps (A | Q ⊓ B)."""
    yield from same(second.body, first.body)
    both = conjunction(part(first), second.head)
    yield from same(inside.body, part(first))
    yield from same(conjunction(part(first), inside.head), both)
    if across is not None:
        yield from same(across.body, part(second))
        yield from same(conjunction(part(second), across.head), both)


def _triangle(upper_part: Query, lower_part: Query, whole: Query) -> Iterator[Axiom]:
    yield from same(whole.body, upper_part.body)
    yield from same(lower_part.body, part(upper_part))
    yield from same(part(whole), conjunction(part(upper_part), lower_part.head))


def _split(first: Query, second: Query, both: Query) -> Iterator[Axiom]:
    yield from same(first.body, both.body)
    yield from same(second.body, both.body)
    yield from same(part(both), conjunction(part(first), second.head))


def _inclusion(narrower: Query, wider: Query) -> Iterator[Axiom]:
    yield from same(narrower.body, wider.body)
    yield from included(part(narrower), wider.head)


TRIANGLE: Final = Figure(
    ("(A | B)", "(Q | A ⊓ B)", "(A ⊓ Q | B)"), lambda index: index.triangles, _triangle
)
DIAMOND: Final = Figure(
    ("(A | B)", "(Q | A ⊓ B)", "(Q | B)"), lambda index: index.diamonds[:3], diamond
)
FULL_DIAMOND: Final = Figure(
    (*DIAMOND.shares, "(A | Q ⊓ B)"), lambda index: index.full_diamonds, diamond
)
SPLIT: Final = Figure(("(A | B)", "(Q | B)", "(A ⊓ Q | B)"), lambda index: index.splits, _split)
INCLUSION: Final = Figure(
    ("(E | B)", "(D | B)"), lambda index: index.inclusions(through_role=False), _inclusion
)
ROLE_INCLUSION: Final = Figure(
    ("(∃r.E | B)", "(∃s.D | B)"), lambda index: index.inclusions(through_role=True), _inclusion
)
