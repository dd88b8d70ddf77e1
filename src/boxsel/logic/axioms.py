"""Axioms of SEL as immutable values.

`C ⊑ D` and `(D | C)[1]` mean the same, but as values they are different statements: only
normalisation identifies them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar, Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.booleans import forbid_boolean
from boxsel.logic.concepts import (
    READS,
    Concept,
    Entity,
    Individual,
    Role,
    entities,
    expect_concepts,
    expect_individuals,
    expect_roles,
)
from boxsel.logic.expecting import expect
from boxsel.logic.html import code
from boxsel.logic.names import NO_PREFIXES, Prefixes
from boxsel.logic.proportions import Count, Interval, Number, Proportion

if TYPE_CHECKING:
    from boxsel.logic.statements import Statement


PROPORTIONS: Final = (Interval, Count)


class Axiom:
    """A statement about concepts, roles or individuals."""

    __slots__ = ()
    kind: ClassVar[str]

    def concepts(self) -> tuple[Concept, ...]:
        """The concepts that the axiom is directly about."""
        return ()

    def roles(self) -> tuple[Role, ...]:
        """The roles that the axiom is directly about, beside those inside its concepts."""
        return ()

    def individuals(self) -> tuple[Individual, ...]:
        """The individuals that the axiom is about."""
        return ()

    def entities(self) -> Iterator[Entity]:
        """Every name that occurs in the axiom, as often as it occurs."""
        inside = chain.from_iterable(entities(concept) for concept in self.concepts())
        return chain(inside, self.roles(), self.individuals())

    @property
    def size(self) -> int:
        """The sizes of the axiom's concepts, one for each role and individual, and one more."""
        sizes = sum(concept.size for concept in self.concepts())
        return 1 + sizes + len(self.roles()) + len(self.individuals())

    @property
    def depth(self) -> int:
        """The depth of the axiom's deepest concept."""
        return max((concept.depth for concept in self.concepts()), default=0)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:  # noqa: ARG002
        """The axiom as a line of `.sel`."""
        raise TypeError(f"{type(self).__name__} has no text of its own")

    def annotate(self, *, label: str = "", source: str = "", comment: str = "") -> Statement:
        """The axiom with a note beside it.

        Examples:
            >>> from boxsel.logic.concepts import Name
            >>> print((Name("A") <= Name("B")).annotate(source="PMID:123"))
            A SubClassOf B  ## source: PMID:123
        """
        from boxsel.logic.statements import Note, Statement

        return Statement(self, Note(label, source, comment))

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return code(self.text())


@dataclass(frozen=True, slots=True)
class Conditional(Axiom):
    """`(head | body)[l, u]`: the share of the body that belongs to the head lies in [l, u]."""

    head: Concept
    body: Concept
    proportion: Proportion
    kind: ClassVar[str] = "conditional"

    def __post_init__(self) -> None:
        forbid_bottom("inside a conditional", self.head, self.body)
        forbid_boolean("inside a conditional", self.head, self.body)
        expect(PROPORTIONS, "a conditional takes an Interval or a Count", self.proportion)

    @property
    def bounds(self) -> Interval:
        """The stated interval; of a count, the point."""
        return self.proportion.bounds

    def concepts(self) -> tuple[Concept, ...]:
        """The head and the body."""
        return self.head, self.body

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`(D | C)[l, u]`."""
        head, body = self.head.text(prefixes), self.body.text(prefixes)
        return f"({head} | {body})[{self.proportion.text()}]"


class Supposed(Conditional):
    """A share that a proof supposes for a moment.

    It is nothing that is stated: so it may hold `not`, `or` and `at least`, as queries do.
    """

    __slots__ = ()

    def __post_init__(self) -> None:
        forbid_bottom("inside a conditional", self.head, self.body)
        expect(PROPORTIONS, "a conditional takes an Interval or a Count", self.proportion)


@dataclass(frozen=True, slots=True)
class Inclusion(Axiom):
    """`left ⊑ right`: every instance of the left concept is one of the right concept."""

    left: Concept
    right: Concept
    kind: ClassVar[str] = "inclusion"

    def __post_init__(self) -> None:
        forbid_bottom("on the left of an inclusion", self.left)
        expect_concepts("an inclusion", self.right)
        forbid_boolean("in an inclusion", self.left, self.right)

    def concepts(self) -> tuple[Concept, ...]:
        """The left and the right concept."""
        return self.left, self.right

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`C SubClassOf D`."""
        return f"{self.left.text(prefixes)} SubClassOf {self.right.text(prefixes)}"


class _Symmetric(Axiom):
    """An axiom about two or more different concepts whose order does not matter."""

    __slots__ = ("members",)
    members: tuple[Concept, ...]
    keyword: ClassVar[str]

    def __init__(self, *members: Concept) -> None:
        expect_concepts(self.keyword, *members)
        if len(set(members)) != len(members) or len(members) < 2:
            raise InvalidStatementError(f"{self.keyword} needs two or more different concepts")
        forbid_bottom(f"in {self.keyword}", *members)
        forbid_boolean(f"in {self.keyword}", *members)
        object.__setattr__(self, "members", members)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: cannot set {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and set(self.members) == set(other.members)

    def __hash__(self) -> int:
        return hash((self.keyword, frozenset(self.members)))

    def __reduce__(self) -> tuple[type[_Symmetric], tuple[Concept, ...]]:
        return type(self), self.members

    def concepts(self) -> tuple[Concept, ...]:
        """The concepts, in the order in which they were given."""
        return self.members

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The keyword and the concepts, separated by commas."""
        return f"{self.keyword}: {', '.join(member.text(prefixes) for member in self.members)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.members))})"


class Equivalence(_Symmetric):
    """Two or more concepts that have the same instances."""

    __slots__ = ()
    kind = "equivalence"
    keyword = "EquivalentClasses"

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`C EquivalentTo D`, or `EquivalentClasses: C, D, E` for more than two."""
        if len(self.members) == 2:
            return " EquivalentTo ".join(member.text(prefixes) for member in self.members)
        return super().text(prefixes)


class Disjointness(_Symmetric):
    """Two or more concepts of which no two share an instance."""

    __slots__ = ()
    kind = "disjointness"
    keyword = "DisjointClasses"


@dataclass(frozen=True, slots=True)
class RoleInclusion(Axiom):
    """`sub ⊑ sup` for roles: whatever the first role links, the second links too."""

    sub: Role
    sup: Role
    kind: ClassVar[str] = "role inclusion"

    def __post_init__(self) -> None:
        expect_roles("a role inclusion", self.sub, self.sup)

    def roles(self) -> tuple[Role, ...]:
        """The two roles."""
        return self.sub, self.sup

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`r SubPropertyOf s`."""
        return f"{self.sub.text(prefixes)} SubPropertyOf {self.sup.text(prefixes)}"


@dataclass(frozen=True, slots=True)
class _AtEnd(Axiom):
    """Whatever is at one end of the links of a role is an instance of a concept."""

    role: Role
    concept: Concept

    def __post_init__(self) -> None:
        expect_roles(f"a {self.kind}", self.role)
        expect_concepts(f"a {self.kind}", self.concept)
        forbid_boolean(f"in a {self.kind}", self.concept)

    def concepts(self) -> tuple[Concept, ...]:
        """The concept."""
        return (self.concept,)

    def roles(self) -> tuple[Role, ...]:
        """The role."""
        return (self.role,)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`r Domain: C`, or `r Range: C`."""
        role, concept = self.role.text(prefixes), self.concept.text(prefixes)
        return f"{role} {type(self).__name__}: {concept}"


class Domain(_AtEnd):
    """Whatever the role links *from* is an instance of the concept: ∃r.⊤ ⊑ C."""

    __slots__ = ()
    kind = "domain"


class Range(_AtEnd):
    """Whatever the role links *to* is an instance of the concept."""

    __slots__ = ()
    kind = "range"


@dataclass(frozen=True, slots=True)
class ConceptAssertion(Axiom):
    """`C(a)`: an individual is an instance of a concept."""

    concept: Concept
    individual: Individual
    kind: ClassVar[str] = "concept assertion"

    def __post_init__(self) -> None:
        forbid_bottom("in an assertion", self.concept)
        forbid_boolean("in an assertion", self.concept)
        expect_individuals("an assertion", self.individual)

    def concepts(self) -> tuple[Concept, ...]:
        """The concept."""
        return (self.concept,)

    def individuals(self) -> tuple[Individual, ...]:
        """The individual."""
        return (self.individual,)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`C(a)`, with a complex concept in parentheses."""
        concept = self.concept.text(prefixes)
        if self.concept.size > 1:
            concept = f"({concept})"
        return f"{concept}({self.individual.text(prefixes)})"


@dataclass(frozen=True, slots=True)
class RoleAssertion(Axiom):
    """`r(a, b)`: a role links two individuals."""

    role: Role
    subject: Individual
    object: Individual
    kind: ClassVar[str] = "role assertion"

    def __post_init__(self) -> None:
        expect_roles("an assertion", self.role)
        expect_individuals("an assertion", self.subject, self.object)

    def roles(self) -> tuple[Role, ...]:
        """The role."""
        return (self.role,)

    def individuals(self) -> tuple[Individual, ...]:
        """The subject and the object."""
        return self.subject, self.object

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`r(a, b)`."""
        subject, target = self.subject.text(prefixes), self.object.text(prefixes)
        return f"{self.role.text(prefixes)}({subject}, {target})"


AXIOM_KINDS: tuple[type[Axiom], ...] = (
    Conditional,
    Inclusion,
    Equivalence,
    Disjointness,
    RoleInclusion,
    Domain,
    Range,
    ConceptAssertion,
    RoleAssertion,
)
"""Every kind of axiom, in the order in which reports list them."""


def conditional(
    head: Concept,
    *,
    given: Concept,
    between: tuple[Number, Number] | None = None,
    exactly: Number | None = None,
    count: tuple[int, int] | None = None,
) -> Conditional:
    """A conditional with bounds, a point, or a sample count.

    Floats mean the decimals that they print as: 0.2 is exactly 1/5.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> Admitted, Woman = names("Admitted Woman")
        >>> print(conditional(Admitted, given=Woman, between=(0.2, 0.25)))
        (Admitted | Woman)[0.2, 0.25]
        >>> print(conditional(Admitted, given=Woman, count=(7, 12)))
        (Admitted | Woman)[7 of 12]
    """
    if sum(choice is not None for choice in (between, exactly, count)) != 1:
        raise InvalidStatementError("give exactly one of between=, exactly= and count=")
    proportion: Proportion
    if between is not None:
        proportion = Interval.of(*between)
    elif exactly is not None:
        proportion = Interval.point(exactly)
    else:
        assert count is not None
        proportion = Count(*count)
    return Conditional(head, given, proportion)


def disjoint(*concepts: Concept) -> Disjointness:
    """The axiom that no two of the concepts share an instance."""
    return Disjointness(*concepts)


def forbid_bottom(where: str, *concepts: Concept) -> None:
    """Refuse ⊥ in concepts that stand where it has no meaning, and what is no concept."""
    for concept in concepts:
        if not isinstance(concept, Concept) or concept.mentions_bottom:
            expect(Concept, f"only concepts stand {where} ({READS})", concept)
            raise InvalidStatementError(
                f"owl:Nothing cannot stand {where}: only on the right of SubClassOf"
            )
