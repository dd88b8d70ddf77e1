"""Boolean combinations of concepts: `not`, `or` and `at least k of`, beside `and`.

They stand in queries only: statements of SEL cannot say them. Inside an existential they cannot
stand either: `∃r.C` is a basic concept, true or false of an element as a name is.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import (
    BOTTOM,
    MAX_DEPTH,
    TOP,
    And,
    Boolean,
    Concept,
    Exists,
    conjunction,
    conjuncts,
    expect_concepts,
)
from boxsel.logic.entities import set_field
from boxsel.logic.expecting import expect
from boxsel.logic.names import NO_PREFIXES, Prefixes

MOST_TERMS: Final = 4_096
"""So many products of conjunctions are written down at once."""
PLACES: Final = "'not', 'or' and 'at least'"
"""What combinations are called in messages."""


class Combination(Boolean):
    """What the three have in common: some concepts, whose order does not matter."""

    __slots__ = ("_hash", "_height", "_set", "operands")
    operands: tuple[Concept, ...]
    _set: frozenset[Concept]
    _hash: int
    _height: int

    def _keep(self, operands: tuple[Concept, ...], least: int) -> None:
        word = type(self).__name__
        expect_concepts(word, *operands)
        distinct = frozenset(operands)
        if len(distinct) != len(operands) or len(operands) < least:
            raise InvalidStatementError(f"{word} needs {least} or more different concepts")
        height = 1 + max(map(_height, operands))
        if height > MAX_DEPTH:
            raise InvalidStatementError(f"{PLACES} are nested more than {MAX_DEPTH} deep")
        set_field(self, "operands", operands)
        set_field(self, "_set", distinct)
        set_field(self, "_height", height)
        set_field(self, "_hash", hash((word, distinct)))

    @property
    def size(self) -> int:
        """One more than the sizes of the operands."""
        return 1 + sum(operand.size for operand in self.operands)

    @property
    def depth(self) -> int:
        """The depth of the deepest operand."""
        return max(operand.depth for operand in self.operands)

    @property
    def mentions_bottom(self) -> bool:
        """Whether ⊥ occurs in an operand."""
        return any(operand.mentions_bottom for operand in self.operands)

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Combination)
            and type(self) is type(other)
            and self._hash == other._hash
            and self._set == other._set
        )

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.operands))})"


class Not(Combination):
    """¬C: everything that is not an instance of a concept. `negation` undoes another one.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> print(Not(Name("Smoker")))
        not Smoker
    """

    __slots__ = ()

    def __init__(self, operand: Concept) -> None:
        self._keep((operand,), 1)
        if isinstance(operand, Not):
            raise InvalidStatementError("not not C is C: use negation()")

    @property
    def operand(self) -> Concept:
        """What is negated."""
        return self.operands[0]

    def __reduce__(self) -> tuple[type[Not], tuple[Concept, ...]]:
        return Not, self.operands

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`not C`, with parentheses around a complex `C`."""
        text = self.operand.text(prefixes)
        return f"not ({text})" if isinstance(self.operand, And | Or | Exists) else f"not {text}"


class Or(Combination):
    """C ⊔ D: a disjunction of two or more different concepts, none of them a disjunction.

    Build one with `|` or `disjunction`, which flatten and deduplicate for you.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> A, B = Name("A"), Name("B")
        >>> print(Or(A, B) & ~B, Or(A, B) == Or(B, A))
        (A or B) and not B True
    """

    __slots__ = ()

    def __init__(self, *operands: Concept) -> None:
        self._keep(operands, 2)
        if any(isinstance(operand, Or) for operand in operands):
            raise InvalidStatementError("Or is flat: use disjunction() to flatten")

    def __reduce__(self) -> tuple[type[Or], tuple[Concept, ...]]:
        return Or, self.operands

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """The disjuncts in the order in which they were given, joined by `or`."""
        return " or ".join(operand.text(prefixes) for operand in self.operands)

    def conjunct_text(self, prefixes: Prefixes) -> str:
        """In parentheses: `and` binds tighter."""
        return f"({self.text(prefixes)})"


class AtLeast(Combination):
    """Whatever is an instance of at least so many of some different concepts.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> print(AtLeast(2, Name("Diabetes"), Name("Hypertension"), Name("CKD")))
        at least 2 of (Diabetes, Hypertension, CKD)
    """

    __slots__ = ("least",)
    least: int

    def __init__(self, least: int, *operands: Concept) -> None:
        expect(int, "at least takes a whole number", least)
        expect_concepts("at least", *operands)
        if len(set(operands)) < len(operands):
            raise InvalidStatementError(f"at least {least} of … names a concept twice")
        self._keep(operands, 1)
        if not 1 <= least <= len(operands):
            raise InvalidStatementError(
                f"at least {least} of {len(operands)} makes no sense: "
                f"a number from 1 to {len(operands)} does"
            )
        set_field(self, "least", least)
        set_field(self, "_hash", hash((least, self._hash)))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and isinstance(other, AtLeast) and self.least == other.least

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[AtLeast], tuple[int | Concept, ...]]:
        return AtLeast, (self.least, *self.operands)

    def text(self, prefixes: Prefixes = NO_PREFIXES) -> str:
        """`at least 2 of (C, D, E)`."""
        listed = ", ".join(operand.text(prefixes) for operand in self.operands)
        return f"at least {self.least} of ({listed})"

    def __repr__(self) -> str:
        return f"AtLeast({self.least}, {', '.join(map(repr, self.operands))})"


def negation(concept: Concept) -> Concept:
    """The complement of a concept: `~C`.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> ~~Name("A")
        Name('A')
    """
    expect_concepts("a negation", concept)
    return concept.operand if isinstance(concept, Not) else Not(concept)


def disjunction(*concepts: Concept) -> Concept:
    """The disjunction of concepts, flat and without repetition; of one concept, itself.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> A, B = Name("A"), Name("B")
        >>> A | B | A
        Or(Name('A'), Name('B'))
    """
    expect_concepts("a disjunction", *concepts)
    operands = tuple(
        dict.fromkeys(
            part
            for concept in concepts
            for part in (concept.operands if isinstance(concept, Or) else (concept,))
        )
    )
    if not operands:
        return BOTTOM
    return operands[0] if len(operands) == 1 else Or(*operands)


def basic_parts(concept: Concept) -> Iterator[Concept]:
    """The names and existentials that a concept combines, and ⊤; not those inside existentials.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> A, B, C = (Name(text) for text in "ABC")
        >>> print(*basic_parts((A | B & ~C) & ~A))
        A B C A
    """
    for part in conjuncts(concept):
        if isinstance(part, Boolean):
            for operand in part.operands:
                yield from basic_parts(operand)
        else:
            yield part


Form = dict[Concept, int]
"""Conjunctions of names and existentials, or ⊤, with the factors of their sizes."""


def expand(concept: Concept) -> Form:
    """The size of a concept as a sum of sizes of conjunctions, by inclusion and exclusion.

    Raises:
        InvalidStatementError: More than `MOST_TERMS` conjunctions would be needed.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> A, B = Name("A"), Name("B")
        >>> {str(term): factor for term, factor in expand(A | B).items()}
        {'A': 1, 'B': 1, 'A and B': -1}
        >>> {str(term): factor for term, factor in expand(A & ~B).items()}
        {'A': 1, 'A and B': -1}
    """
    if not concept.is_boolean:
        return {_without_top(concept): 1}
    if isinstance(concept, And):
        form: Form = {TOP: 1}
        for operand in concept.operands:
            form = _product(form, expand(operand))
        return form
    if isinstance(concept, Not):
        return _sum({TOP: 1}, expand(concept.operand), -1)
    assert isinstance(concept, Or | AtLeast)
    least = concept.least if isinstance(concept, AtLeast) else 1
    reached: list[Form] = [{TOP: 1}, *({} for _ in range(least))]  # who has so many so far
    for operand in concept.operands:
        having = expand(operand)
        for count in range(least, 0, -1):
            fresh = _sum(reached[count - 1], reached[count], -1)
            reached[count] = _sum(reached[count], _product(fresh, having), 1)
    return reached[-1]


def _sum(form: Form, other: Form, factor: int) -> Form:
    total = dict(form)
    for term, number in other.items():
        total[term] = total.get(term, 0) + factor * number
    return {term: number for term, number in total.items() if number}


def _product(form: Form, other: Form) -> Form:
    if len(form) * len(other) > MOST_TERMS:
        raise InvalidStatementError(
            f"the combination takes more than {MOST_TERMS:,} terms of inclusion and exclusion"
        )
    total: Form = {}
    for term, number in form.items():
        for beside, factor in other.items():
            both = _without_top(conjunction(term, beside))
            total[both] = total.get(both, 0) + number * factor
    return {term: number for term, number in total.items() if number}


def _without_top(concept: Concept) -> Concept:
    return conjunction(*(part for part in conjuncts(concept) if part != TOP))


def plain_part(concept: Concept) -> Concept:
    """A concept without combinations, some of whose members are likely to be in another's.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B, C = names("A B C")
        >>> print(plain_part(conjunction(A, AtLeast(2, A, B, C), ~C)), plain_part(B | C))
        A and B B
    """
    match concept:
        case Not():
            return TOP
        case Or():
            return plain_part(concept.operands[0])
        case AtLeast():
            parts = concept.operands[: concept.least]
            return _without_top(conjunction(*map(plain_part, parts)))
    parts = conjuncts(concept)
    return concept if len(parts) < 2 else _without_top(conjunction(*map(plain_part, parts)))


def forbid_boolean(where: str, *concepts: Concept) -> None:
    """Refuse combinations in what is stated."""
    for concept in concepts:
        if concept.is_boolean:
            instead = INCLUSIONS
            if "conditional" in where:
                instead = SHARES if concept is concepts[0] and isinstance(concept, Not) else GROUPS
            raise InvalidStatementError(f"{PLACES} stand in queries, not {where}: {instead}")


SHARES: Final = "write (B | A)[0.7] for (not B | A)[0.3]"
GROUPS: Final = (
    "give the group a name N, with N SubClassOf A and DisjointClasses: N, B for A and not B,"
    " with A SubClassOf N and B SubClassOf N for A or B"
)
INCLUSIONS: Final = (
    "write DisjointClasses: A, B for A SubClassOf not B, two lines for A or B SubClassOf C"
)
"""What can be stated."""


def _height(concept: Concept) -> int:
    """How deep combinations are nested."""
    if isinstance(concept, Combination):
        return concept._height
    return max(map(_height, conjuncts(concept)), default=0) if isinstance(concept, And) else 0
