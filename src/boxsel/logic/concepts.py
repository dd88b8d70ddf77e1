"""Concepts of EL: names, ⊤, ⊥, conjunctions and existential restrictions.

All are immutable, hashable values. A conjunction is flat, has no repeated conjunct, and is
equal to any other with the same conjuncts, whatever their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.entities import Entity as Entity
from boxsel.logic.entities import Individual as Individual
from boxsel.logic.entities import Role as Role
from boxsel.logic.entities import Value, set_field
from boxsel.logic.expecting import expect
from boxsel.logic.html import code
from boxsel.logic.names import BOTTOM_IRI, NO_PREFIXES, TOP_IRI, Prefixes

if TYPE_CHECKING:
    from boxsel.logic.axioms import Equivalence, Inclusion

MAX_DEPTH: Final = 100
"""The deepest nesting of existentials that boxsel accepts."""

READS: Final = "boxsel.parse_concept reads a text"
"""What to do with a text where a concept belongs."""


class Concept(Value):
    """A set of individuals, described."""

    __slots__ = ()

    @property
    def size(self) -> int:
        """How many names, ⊤, ⊥ and constructors it takes to write the concept.

        |A| = |⊤| = |⊥| = 1, |∃r.C| = 1 + |C|, |C ⊓ D| = 1 + |C| + |D|.
        """
        return 1

    @property
    def depth(self) -> int:
        """How deep existential restrictions are nested (the role depth)."""
        return 0

    @property
    def mentions_bottom(self) -> bool:
        """Whether ⊥ occurs anywhere in the concept."""
        return False

    @property
    def is_boolean(self) -> bool:
        """Whether it has `not`, `or` or `at least`: then it can be asked about, but not stated."""
        return False

    def __and__(self, other: Concept) -> Concept:
        return conjunction(self, other)

    def __or__(self, other: Concept) -> Concept:
        from boxsel.logic.booleans import disjunction

        return disjunction(self, other)

    def __invert__(self) -> Concept:
        from boxsel.logic.booleans import negation

        return negation(self)

    def __le__(self, other: Concept) -> Inclusion:
        from boxsel.logic.axioms import Inclusion

        return Inclusion(self, other)

    def equivalent_to(self, other: Concept) -> Equivalence:
        """The axiom that both concepts have the same instances."""
        from boxsel.logic.axioms import Equivalence

        return Equivalence(self, other)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:  # noqa: ARG002
        """The concept in Manchester syntax, with names spelt by these prefixes."""
        raise TypeError(f"{type(self).__name__} has no text of its own")

    def conjunct_text(self, prefixes: Prefixes) -> str:
        """The concept as it is written beside an `and`."""
        return self.text(prefixes)

    def __str__(self) -> str:
        return self.text()

    def _repr_html_(self) -> str:
        return code(self.text())


class Boolean(Concept):
    """A combination of concepts, its operands, that only queries can hold (`logic.booleans`)."""

    __slots__ = ()
    operands: tuple[Concept, ...]

    @property
    def is_boolean(self) -> bool:
        """Yes."""
        return True


class Name(Entity, Concept):
    """A concept name.

    Examples:
        >>> Name("Woman") & Name("DeptA")
        And(Name('Woman'), Name('DeptA'))
    """

    __slots__ = ()
    kind = "concept"

    def __init__(self, name: str) -> None:
        super().__init__(name)
        if self.iri in (TOP_IRI, BOTTOM_IRI):
            raise InvalidStatementError(
                "owl:Thing and owl:Nothing are not names: use TOP and BOTTOM"
            )


class _Constant(Concept):
    """A concept that is the same in every text."""

    __slots__ = ()
    constant: ClassVar[str]
    spelling: ClassVar[str]

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(self.spelling)

    def __reduce__(self) -> str:
        return self.constant

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:  # noqa: ARG002
        """Its name in OWL, under any prefixes."""
        return self.spelling

    def __repr__(self) -> str:
        return self.constant


class Top(_Constant):
    """⊤, the concept of everything (`owl:Thing`)."""

    __slots__ = ()
    constant = "TOP"
    spelling = "owl:Thing"


class Bottom(_Constant):
    """⊥, the concept of nothing (`owl:Nothing`): allowed only on the right of an inclusion."""

    __slots__ = ()
    constant = "BOTTOM"
    spelling = "owl:Nothing"

    @property
    def mentions_bottom(self) -> bool:
        """Yes."""
        return True


TOP: Final = Top()
BOTTOM: Final = Bottom()


class And(Concept):
    """A conjunction of two or more different concepts, none of them a conjunction.

    Build one with `&` or `conjunction`, which flatten and deduplicate for you.

    Examples:
        >>> And(Name("A"), Name("B")) == And(Name("B"), Name("A"))
        True
    """

    __slots__ = ("_boolean", "_bottom", "_hash", "_set", "operands")
    operands: tuple[Concept, ...]
    _set: frozenset[Concept]
    _hash: int
    _bottom: bool
    _boolean: bool

    def __init__(self, *operands: Concept) -> None:
        expect_concepts("a conjunction", *operands)
        distinct = frozenset(operands)
        if len(distinct) != len(operands) or len(operands) < 2:
            raise InvalidStatementError(
                "And needs two or more different concepts: use conjunction()"
            )
        if any(isinstance(operand, And) for operand in operands):
            raise InvalidStatementError("And is flat: use conjunction() to flatten")
        set_field(self, "operands", operands)
        set_field(self, "_set", distinct)
        set_field(self, "_hash", hash(distinct))
        set_field(self, "_bottom", any(operand.mentions_bottom for operand in operands))
        set_field(self, "_boolean", any(operand.is_boolean for operand in operands))

    @property
    def size(self) -> int:
        """The sizes of the conjuncts, and one for each `⊓` between them."""
        return sum(operand.size for operand in self.operands) + len(self.operands) - 1

    @property
    def depth(self) -> int:
        """The depth of the deepest conjunct."""
        return max(operand.depth for operand in self.operands)

    @property
    def mentions_bottom(self) -> bool:
        """Whether ⊥ occurs in a conjunct."""
        return self._bottom

    @property
    def is_boolean(self) -> bool:
        """Whether a conjunct is one."""
        return self._boolean

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, And) and self._hash == other._hash and self._set == other._set

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[And], tuple[Concept, ...]]:
        return And, self.operands

    def __iter__(self) -> Iterator[Concept]:
        return iter(self.operands)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The conjuncts in the order in which they were given, joined by `and`."""
        return " and ".join(operand.conjunct_text(prefixes) for operand in self.operands)

    def __repr__(self) -> str:
        return f"And({', '.join(map(repr, self.operands))})"


class Exists(Concept):
    """∃r.C: everything that `role` links to some instance of `filler`."""

    __slots__ = ("_bottom", "_depth", "_hash", "filler", "role")
    role: Role
    filler: Concept
    _depth: int
    _hash: int
    _bottom: bool

    def __init__(self, role: Role, filler: Concept) -> None:
        expect_roles("an existential", role)
        expect_concepts("an existential", filler)
        if filler.is_boolean:
            raise InvalidStatementError(
                "'not', 'or' and 'at least' cannot stand after 'some': combine existentials, such"
                " as r some A or r some B"
            )
        depth = filler.depth + 1
        if depth > MAX_DEPTH:
            raise InvalidStatementError(f"existentials are nested more than {MAX_DEPTH} deep")
        set_field(self, "role", role)
        set_field(self, "filler", filler)
        set_field(self, "_depth", depth)
        set_field(self, "_hash", hash((role.iri, filler)))
        set_field(self, "_bottom", filler.mentions_bottom)

    @property
    def size(self) -> int:
        """One more than the size of the filler."""
        return 1 + self.filler.size

    @property
    def depth(self) -> int:
        """One more than the depth of the filler."""
        return self._depth

    @property
    def mentions_bottom(self) -> bool:
        """Whether ⊥ occurs in the filler."""
        return self._bottom

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Exists)
            and self._hash == other._hash
            and self.role == other.role
            and self.filler == other.filler
        )

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Exists], tuple[Role, Concept]]:
        return Exists, (self.role, self.filler)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`r some C`, with parentheses around a complex `C`."""
        filler = self.filler.text(prefixes)
        if isinstance(self.filler, And | Exists):
            filler = f"({filler})"
        return f"{self.role.text(prefixes)} some {filler}"

    def __repr__(self) -> str:
        return f"Exists({self.role!r}, {self.filler!r})"


def conjunction(*concepts: Concept) -> Concept:
    """The conjunction of concepts, flat and without repetition; of one concept, itself.

    Examples:
        >>> conjunction(Name("A"), Name("B") & Name("A"))
        And(Name('A'), Name('B'))
        >>> conjunction(Name("A"), Name("A"))
        Name('A')
    """
    expect_concepts("a conjunction", *concepts)
    operands = tuple(dict.fromkeys(part for concept in concepts for part in conjuncts(concept)))
    if not operands:
        return TOP
    return operands[0] if len(operands) == 1 else And(*operands)


def conjuncts(concept: Concept) -> tuple[Concept, ...]:
    """The conjuncts of a conjunction; any other concept is its own only conjunct."""
    return concept.operands if isinstance(concept, And) else (concept,)


def names(text: str) -> tuple[Name, ...]:
    """Several concept names at once.

    Examples:
        >>> Woman, Man = names("Woman Man")
    """
    expect(str, "names are one text", text)
    return tuple(Name(word) for word in text.split())


def roles(text: str) -> tuple[Role, ...]:
    """Several roles at once."""
    expect(str, "roles are one text", text)
    return tuple(Role(word) for word in text.split())


def expect_concepts(what: str, *concepts: object) -> None:
    """Refuse what is no concept."""
    for concept in concepts:  # axioms are made by the million: sentences only if they are needed
        if not isinstance(concept, Concept):
            expect(Concept, f"{what} takes concepts ({READS})", concept)


def expect_roles(what: str, *roles: object) -> None:
    """Refuse what is no role."""
    for role in roles:
        if not isinstance(role, Role):
            expect(Role, f"{what} takes roles, such as Role('hasChild')", role)


def expect_individuals(what: str, *individuals: object) -> None:
    """Refuse what is no individual."""
    for individual in individuals:
        if not isinstance(individual, Individual):
            expect(Individual, f"{what} takes individuals, such as Individual('alice')", individual)


def entities(concept: Concept) -> Iterator[Entity]:
    """Every concept name and role that occurs in a concept, as often as it occurs."""
    stack = [concept]
    while stack:
        part = stack.pop()
        if isinstance(part, Name):
            yield part
        elif isinstance(part, And | Boolean):
            stack.extend(part.operands)
        elif isinstance(part, Exists):
            yield part.role
            stack.append(part.filler)
