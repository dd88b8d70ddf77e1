"""Random small knowledge bases with a query, for comparing reasoners.

One generator serves both Hypothesis and plain seeded runs: it makes every choice by picking
from a sequence, so that the two differ only in who picks. Nothing is ever rejected: the basic
concepts are chosen first, and everything else is built from them.

Statements that are made up freely mostly contradict each other or say nothing together. So most
knowledge bases describe a random population; some of these are then spoilt by free statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Protocol, TypeVar

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
from boxsel.logic.concepts import (
    BOTTOM,
    TOP,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    conjunction,
    conjuncts,
    entities,
)
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval, Proportion
from boxsel.logic.statements import Query
from tests.interpretations import Interpretation

T = TypeVar("T")

NAMES = tuple(Name(text) for text in "ABCDE")
ROLES = tuple(Role(text) for text in "rst")
INDIVIDUALS = tuple(Individual(text) for text in ("a", "b", "c"))
MAX_BASICS = 7


class Pick(Protocol):
    """Somebody who picks one item of a sequence."""

    def __call__(self, items: Sequence[T], /) -> T: ...


@st.composite
def small_kbs(draw: st.DrawFn, max_basics: int = MAX_BASICS) -> tuple[KB, Query]:
    """A knowledge base and a query with at most so many basic concepts (at least 2)."""
    return _any_kb(_picked_by(draw), max_basics)


@st.composite
def described_populations(
    draw: st.DrawFn, max_basics: int = MAX_BASICS
) -> tuple[KB, Query, Interpretation]:
    """A knowledge base, a query, and a model of the knowledge base."""
    pick = _picked_by(draw)
    some = _choices(pick, max_basics)
    population, axioms, query = _description(some)
    return KB.of(*axioms), query, population


def random_kb(random: Random, max_basics: int = MAX_BASICS) -> tuple[KB, Query]:
    """A knowledge base and a query with at most so many basic concepts (at least 2).

    Examples:
        >>> random_kb(Random(1)) == random_kb(Random(1))
        True
    """
    return _any_kb(random.choice, max_basics)


def _picked_by(draw: st.DrawFn) -> Pick:
    def pick(items: Sequence[T], /) -> T:
        return draw(st.sampled_from(items))

    return pick


def _any_kb(pick: Pick, max_basics: int) -> tuple[KB, Query]:
    some = _choices(pick, max_basics)
    if pick([True] * 5 + [False]):
        _, axioms, query = _description(some)
        axioms += _spoilers(some, axioms)
    else:
        axioms = [some.axiom() for _ in range(pick(range(2, 8)))]
        query = some.query(axioms)
    return KB.of(*axioms), query


def _choices(pick: Pick, max_basics: int) -> _Choices:
    # ∃r.⊥ is a basic concept too, but it may only stand where ⊥ may.
    spare = max_basics > 2 and pick([False] * 5 + [True])
    impossible = [Exists(pick(ROLES), BOTTOM)] if spare else []
    return _Choices(pick, _basics(pick, max_basics - len(impossible)), (BOTTOM, *impossible))


def _basics(pick: Pick, most: int) -> tuple[Concept, ...]:
    """Names, and existentials whose fillers are built from what came before."""
    count = pick([*range(2, most + 1), *[most] * 4])
    basics: list[Concept] = [*NAMES[: min(pick([2, 3, 3, 4, 4, 5]), count)]]
    roles = pick([ROLES[:1], ROLES[:2], ROLES[:2], ROLES])
    for _ in range(count - len(basics)):
        filler = conjunction(*(pick(basics) for _ in range(pick([1, 1, 1, 2, 0, 0]))))
        existential = Exists(pick(roles), filler)
        if existential not in basics:
            basics.append(existential)
    return tuple(basics)


@dataclass(frozen=True)
class _Choices:
    """Random concepts and statements over given basic concepts."""

    pick: Pick
    basics: tuple[Concept, ...]
    impossible: tuple[Concept, ...]

    def concept(self) -> Concept:
        """A basic concept, a conjunction of them, or ⊤."""
        count = self.pick([1, 1, 1, 1, 2, 2, 3, 0])
        return conjunction(*(self.pick(self.basics) for _ in range(count)))

    def beside(self, other: Concept) -> Concept:
        """A concept that mostly is not implied by the other, taken by itself."""
        new = [basic for basic in self.basics if basic not in conjuncts(other)]
        if not new or self.pick([False] * 7 + [True]):
            return self.concept()
        return conjunction(*(self.pick(new) for _ in range(self.pick([1, 1, 1, 2]))))

    def right(self, left: Concept) -> Concept:
        """A concept beside the left one, or one of those that mention ⊥."""
        return self.pick(self.impossible) if self.pick([False] * 7 + [True]) else self.beside(left)

    def role(self) -> Role:
        """Mostly a role of the existentials."""
        used = [basic.role for basic in self.basics if isinstance(basic, Exists)]
        return self.pick([*used, *used, *ROLES[:2]])

    def members(self) -> tuple[Concept, ...]:
        """Two or three different concepts; fewer if picks coincide."""
        return tuple(dict.fromkeys(self.concept() for _ in range(self.pick([2, 2, 3]))))

    def proportion(self) -> Proportion:
        """A point, an interval, a count; 0 and 1 more often than other numbers."""
        match self.pick(["interval", "interval", "count", "point", "certain"]):
            case "interval":
                lower, upper = sorted([self.pick(range(9)), self.pick(range(9))])
                return Interval(Fraction(lower, 8), Fraction(upper, 8))
            case "count":
                total = self.pick(range(1, 13))
                return Count(self.pick(range(total + 1)), total)
            case "point":
                return Interval.point(Fraction(self.pick(range(1, 8)), 8))
        return Interval.point(self.pick([0, 1]))

    def axiom(self) -> Axiom:
        """An axiom of any kind; a conditional where the picks allow no other."""
        match self.pick(_KINDS):
            case "inclusion":
                left = self.concept()
                return Inclusion(left, self.right(left))
            case "equivalence" if len(members := self.members()) > 1:
                return Equivalence(*members)
            case "disjointness" if len(members := self.members()) > 1:
                return Disjointness(*members)
            case "role inclusion":
                return RoleInclusion(self.role(), self.role())
            case "range":
                return Range(self.role(), self.right(TOP))
            case "domain" if linking := [
                basic.role
                for basic in self.basics
                if isinstance(basic, Exists) and basic.filler == TOP
            ]:  # a domain speaks of ∃r.⊤, which must be among the basic concepts
                return Domain(self.pick(linking), self.right(TOP))
            case "concept assertion":
                return ConceptAssertion(self.concept(), self.pick(INDIVIDUALS))
            case "role assertion":
                return RoleAssertion(self.role(), self.pick(INDIVIDUALS), self.pick(INDIVIDUALS))
        body = self.concept()
        return Conditional(self.beside(body), body, self.proportion())

    def query(self, axioms: Sequence[Axiom]) -> Query:
        """A query, mostly about the heads and bodies of the conditionals that are there."""
        stated = [axiom for axiom in axioms if isinstance(axiom, Conditional)]
        if stated and self.pick(range(3)) == 0:
            chosen = self.pick(stated)
            return Query(chosen.head, chosen.body)
        body = self.pick([self.concept(), *(axiom.body for axiom in stated)])
        heads = [axiom.head for axiom in stated if {*conjuncts(axiom.head)} - {*conjuncts(body)}]
        return Query(self.pick([self.beside(body), *heads]), body)

    def premises(self, query: Query) -> list[Axiom]:
        """The premises of a modus ponens (A | C), (B | A ⊓ C) for the query (B | C); or none."""
        if self.pick([False, True]):
            return []
        middle = self.beside(query.body)
        return [
            Conditional(middle, query.body, self.proportion()),
            Conditional(query.head, conjunction(middle, query.body), self.proportion()),
        ]


_KINDS = (
    ["conditional"] * 10
    + ["inclusion"] * 4
    + ["equivalence", "disjointness", "disjointness", "role inclusion"]
    + ["range", "range", "domain", "domain"]
    + ["concept assertion", "role assertion", "role assertion"]
)


def _population(some: _Choices) -> Interpretation:
    """A random interpretation of the names that may occur, with sparse roles."""
    pick = some.pick
    elements = range(pick([3, 5, 8, 12, 16]))
    names = [basic for basic in some.basics if isinstance(basic, Name)]
    return Interpretation(
        frozenset(elements),
        {name: _some_of(pick, elements) for name in names},
        {
            role: frozenset((element, pick(elements)) for element in _some_of(pick, elements))
            for role in ROLES
        },
        {individual: pick(elements) for individual in INDIVIDUALS},
    )


def _some_of(pick: Pick, elements: range) -> frozenset[int]:
    bits = pick(range(2 ** len(elements)))
    return frozenset(element for element in elements if bits >> element & 1)


def _description(some: _Choices) -> tuple[Interpretation, list[Axiom], Query]:
    """A population, axioms that are true of it, and a query."""
    population, definitions = _defined(some, _population(some))

    def amended(axioms: Iterable[Axiom]) -> list[Axiom]:
        found = (_amended(some, axiom, population) for axiom in axioms)
        return [axiom for axiom in found if axiom is not None]

    axioms = definitions + amended(some.axiom() for _ in range(some.pick(range(2, 10))))
    query = some.query(axioms)
    return population, axioms + amended(some.premises(query)), query


def _defined(some: _Choices, population: Interpretation) -> tuple[Interpretation, list[Axiom]]:
    """Now and then, the population with a name that means a concept, and its definition."""
    name = some.pick([basic for basic in some.basics if isinstance(basic, Name)])
    others = tuple(basic for basic in some.basics if name not in entities(basic))
    if not others or some.pick([True, True, True, False]):
        return population, []
    meaning = replace(some, basics=others).concept()
    extension = population.extension(meaning)
    return population.extended({name: extension}), [Equivalence(name, meaning)]


def _spoilers(some: _Choices, axioms: Sequence[Axiom]) -> list[Axiom]:
    """Mostly nothing; else what contradicts a conditional, so that its body is empty."""
    kind = some.pick([""] * 5 + ["free", "contradiction", "contradiction", "denied existence"])
    stated = [axiom for axiom in axioms if isinstance(axiom, Conditional)]
    if not kind:
        return []
    if kind == "free" or not stated:
        return [some.axiom(), some.axiom()]
    chosen = some.pick(stated)
    far = Fraction(0) if chosen.bounds.lower > 0 else (chosen.bounds.upper + 1) / 2
    contradiction = Conditional(chosen.head, chosen.body, Interval.point(far))
    if kind == "contradiction":
        return [contradiction]
    return [contradiction, ConceptAssertion(chosen.body, some.pick(INDIVIDUALS))]


def _amended(some: _Choices, axiom: Axiom, population: Interpretation) -> Axiom | None:
    """The axiom if it is true, else one like it that is, if there is one."""
    if population.satisfies(axiom):
        return axiom
    match axiom:
        case Conditional():
            body, head = axiom.body, axiom.head
        case Inclusion() if not axiom.right.mentions_bottom:
            body, head = axiom.left, axiom.right
        case Equivalence() | Disjointness():
            body, head = axiom.members[:2]
        case _:
            return None
    inside = population.extension(body)
    if not inside:  # two of three members may be at odds over an empty first one
        return None
    both = len(inside & population.extension(head))
    share = Fraction(both, len(inside))
    match some.pick(["interval", "interval", "interval", "count", "point"]):
        case "interval":
            below, above = (Fraction(some.pick(range(5)), 16) for _ in range(2))
            proportion: Proportion = Interval(
                max(share - below, Fraction(0)), min(share + above, Fraction(1))
            )
        case "count":
            proportion = Count(both, len(inside))
        case _:
            proportion = Interval.point(share)
    return Conditional(head, body, proportion)
