"""What axioms say about types: clauses that each type obeys, and rows that their weights obey."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Final, Literal

from boxsel.exact.compile.definitions import definition
from boxsel.exact.compile.vocabulary import Mask, Type, Vocabulary, bits, has
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
from boxsel.logic.concepts import TOP, Boolean, Concept, Exists, Role, conjunction

ASKED: Final = -1
"""In place of a statement's position: what the question itself means."""
Side = Literal["lower", "upper"]
Term = tuple[Mask, int]
Form = tuple[Term, ...]
"""A linear form on types: the sum of the coefficients of the masks that a type has."""


def value(form: Form, kind: Type) -> int:
    """The value of a linear form at a type."""
    return sum(coefficient for mask, coefficient in form if kind & mask == mask)


@dataclass(frozen=True, slots=True)
class Clause:
    """Whoever has all of `body` has at least one basic concept of `heads`."""

    body: Mask
    heads: Mask

    @property
    def about(self) -> Mask:
        """The basic concepts that the clause looks at."""
        return self.body | self.heads

    def holds(self, kind: Type) -> bool:
        """Whether a type obeys the clause."""
        return kind & self.body != self.body or kind & self.heads != 0


@dataclass(frozen=True, slots=True)
class Row:
    """One bound of a conditional: the form, summed over the weighted types, is not negative.

    A lower bound l = p/q of `(D | C)` reads `q·[C ⊓ D] − p·[C] ≥ 0`, an upper bound
    `p·[C] − q·[C ⊓ D] ≥ 0`.
    """

    statement: int
    side: Side
    body: Mask
    both: Mask
    bound: Fraction

    @property
    def form(self) -> Form:
        """The row as a linear form with integer coefficients."""
        sign = 1 if self.side == "lower" else -1
        share = (self.both, sign * self.bound.denominator)
        return (share, (self.body, -sign * self.bound.numerator))

    @property
    def rounded(self) -> tuple[tuple[Mask, float], tuple[Mask, float]]:
        """The form over the bound's denominator, in floats: of a size, whatever the denominator."""
        sign = 1.0 if self.side == "lower" else -1.0
        return ((self.both, sign), (self.body, -sign * float(self.bound)))


def by_bound(rows: Iterable[Row]) -> dict[tuple[Mask, Mask, Fraction], dict[Side, int]]:
    """The numbers of rows by what they say: two sides of one bound are an equation."""
    grouped: dict[tuple[Mask, Mask, Fraction], dict[Side, int]] = {}
    for number, row in enumerate(rows):
        grouped.setdefault((row.body, row.both, row.bound), {})[row.side] = number
    return grouped


@dataclass(frozen=True, slots=True)
class Goal:
    """The types that have all of `require` and none of the concepts in `exclude`."""

    require: Mask
    exclude: tuple[Mask, ...] = ()

    def has(self, kind: Type) -> bool:
        """Whether a type is one of them."""
        return has(kind, self.require) and not any(has(kind, mask) for mask in self.exclude)


@dataclass(frozen=True, slots=True)
class Existential:
    """A basic concept `∃r.X`: its own bit, its role, and the mask of X (none if X is empty)."""

    bit: Mask
    role: Role
    filler: Mask | None


@dataclass(frozen=True)
class Demand:
    """What a type that has `existential` demands: that some type of a goal is realised.

    `escapes` are the bits of the existentials that the goal's exclusions stand for: a type that
    had one of them as well would not exclude its filler.
    """

    existential: Existential
    goal: Goal
    escapes: tuple[Mask, ...]


class Problem:
    """The clauses, rows and roles of some axioms, over the basic concepts in them and in queries.

    `statements` are pairs of a position in the knowledge base and an axiom, so that what is
    found can be traced; assertions are left to `individuals`.
    """

    def __init__(
        self, statements: Iterable[tuple[int, Axiom]], also: Iterable[Concept] = ()
    ) -> None:
        numbered = tuple(statements)
        self.vocabulary = Vocabulary(_concepts((axiom for _, axiom in numbered), also))
        self.clauses: list[tuple[int, Clause]] = []
        self.rows: list[Row] = []
        self.bodies: Mask = 0
        """The basic concepts in bodies of conditionals and on the left of inclusions."""
        self.of_roles: list[int] = []
        """The statements that say which objects a role can have, or which roles include it."""
        self._included: dict[Role, set[Role]] = {}
        self._ranges: dict[Role, list[Concept]] = {}
        for number, axiom in numbered:
            self._compile(number, axiom)
        for basic in self.vocabulary.basics:
            if isinstance(basic, Boolean):
                meaning = definition(basic, self.vocabulary.mask)
                self.clauses += ((ASKED, Clause(*bodies)) for bodies in meaning)
        self.existentials = tuple(
            Existential(self.vocabulary.bit(basic), basic.role, self.vocabulary.mask(basic.filler))
            for basic in self.vocabulary.basics
            if isinstance(basic, Exists)
        )
        self._supers = _closure(self._included)
        self._objects: dict[Role, Mask | None] = {}
        self._duties: dict[Role, tuple[Existential, ...]] = {}

    def supers(self, role: Role) -> frozenset[Role]:
        """A role and the roles that include it."""
        return self._supers.get(role, frozenset()) | {role}

    def range(self, role: Role) -> Mask | None:
        """What every object of a role has; none if it can have no object."""
        if role not in self._objects:
            concepts = [
                concept for above in self.supers(role) for concept in self._ranges.get(above, ())
            ]
            self._objects[role] = self.vocabulary.mask(conjunction(*concepts))
        return self._objects[role]

    def duties(self, role: Role) -> tuple[Existential, ...]:
        """The existentials that hold of whoever has an object of a role in their filler."""
        if role not in self._duties:
            supers = self.supers(role)
            self._duties[role] = tuple(
                existential for existential in self.existentials if existential.role in supers
            )
        return self._duties[role]

    def demands(self, kind: Type) -> Iterator[Demand | Existential]:
        """What a type's existentials demand; one that nothing can fulfil is given bare."""
        for existential in self.existentials:
            if kind & existential.bit:
                yield self.demand_of(existential, kind)

    def demand_of(self, existential: Existential, kind: Type) -> Demand | Existential:
        """What an existential of a type demands."""
        return self.demand(existential, lambda duty: not kind & duty.bit)

    def demand(
        self, existential: Existential, absent: Callable[[Existential], bool]
    ) -> Demand | Existential:
        """What an existential demands of a type without some other existentials."""
        objects = self.range(existential.role)
        if existential.filler is None or objects is None:
            return existential
        missing = [
            (duty.filler, duty.bit)
            for duty in self.duties(existential.role)
            if duty.filler is not None and absent(duty)
        ]
        goal = Goal(existential.filler | objects, tuple(filler for filler, _ in missing))
        return Demand(existential, goal, tuple(bit for _, bit in missing))

    def _compile(self, number: int, axiom: Axiom) -> None:
        match axiom:
            case Conditional():
                self._conditional(number, axiom)
            case Inclusion():
                self._include(number, axiom.left, axiom.right)
            case Equivalence():
                for one, other in pairwise((*axiom.members, axiom.members[0])):
                    self._include(number, one, other)
            case Disjointness():
                for one, other in combinations(axiom.members, 2):
                    self._exclude(number, one, other)
            case RoleInclusion():
                self.of_roles.append(number)
                self._included.setdefault(axiom.sub, set()).add(axiom.sup)
            case Domain():
                self._include(number, axiom.role.some(TOP), axiom.concept)
            case Range():
                self.of_roles.append(number)
                self._ranges.setdefault(axiom.role, []).append(axiom.concept)

    def _conditional(self, number: int, axiom: Conditional) -> None:
        bounds = axiom.bounds
        lower, upper = bounds.lower, bounds.upper
        body = self.vocabulary.mask(axiom.body)
        head = self.vocabulary.mask(axiom.head)
        if body is None or head is None or body | head == body:
            # ⊥ is kept out of conditionals; a head that follows from the body has share 1.
            if body is not None and upper < 1:
                self.clauses.append((number, Clause(body, 0)))
            return
        self.bodies |= body
        if lower == 1:
            self._include(number, axiom.body, axiom.head)
        elif upper == 0:
            self._exclude(number, axiom.body, axiom.head)
        else:
            if lower > 0:
                self.rows.append(Row(number, "lower", body, body | head, lower))
            if upper < 1:
                self.rows.append(Row(number, "upper", body, body | head, upper))

    def _include(self, number: int, left: Concept, right: Concept) -> None:
        body = self.vocabulary.mask(left)
        if body is None:
            return
        self.bodies |= body
        head = self.vocabulary.mask(right)
        if head is None:
            self.clauses.append((number, Clause(body, 0)))
            return
        for position in bits(head & ~body):
            self.clauses.append((number, Clause(body, 1 << position)))

    def _exclude(self, number: int, one: Concept, other: Concept) -> None:
        masks = self.vocabulary.mask(one), self.vocabulary.mask(other)
        if masks[0] is not None and masks[1] is not None:
            self.clauses.append((number, Clause(masks[0] | masks[1], 0)))


def _concepts(axioms: Iterable[Axiom], also: Iterable[Concept]) -> Iterator[Concept]:
    for axiom in axioms:
        if isinstance(axiom, ConceptAssertion | RoleAssertion):
            continue
        yield from axiom.concepts()
        if isinstance(axiom, Domain):
            yield axiom.role.some(TOP)
    yield from also


def _closure(included: dict[Role, set[Role]]) -> dict[Role, frozenset[Role]]:
    closed = {}
    for role in included:
        seen: set[Role] = set()
        stack = [role]
        while stack:
            for above in included.get(stack.pop(), ()):
                if above not in seen:
                    seen.add(above)
                    stack.append(above)
        closed[role] = frozenset(seen)
    return closed
