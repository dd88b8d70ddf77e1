"""From parse trees to values of the logic."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeVar

from lark import Token
from lark.visitors import Transformer_NonRecursive

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
from boxsel.logic.booleans import AtLeast, disjunction, negation
from boxsel.logic.concepts import Concept, Entity, Exists, Name, Role, conjunction
from boxsel.logic.kb import Dropped
from boxsel.logic.names import plain_text
from boxsel.logic.proportions import Count, Interval, Proportion, exact
from boxsel.logic.statements import NO_NOTE, Query, Statement
from boxsel.syntax.nametable import NameProblem, NameTable
from boxsel.syntax.notes import Misplaced, read_note

Result = TypeVar("Result")


class Builder(Transformer_NonRecursive[Token, object]):
    """Builds the value of each rule from the values of its parts, without recursion.

    One builder serves one text: it collects the labels, declarations and dropped axioms that
    directives state.
    """

    def __init__(self, names: NameTable) -> None:
        super().__init__(visit_tokens=False)
        self.names = names
        self.line_number: int | None = None
        self.labels: dict[str, str] = {}
        self.declared: set[Entity] = set()
        self.dropped: list[Dropped] = []
        self.data_names: list[Name] = []
        self.data_roles: list[Role] = []

    # Names and concepts

    def _look_up(self, find: Callable[[str, int | None], Result], token: Token) -> Result:
        try:
            return find(str(token), self.line_number)
        except NameProblem as problem:
            raise Misplaced(
                problem.message,
                token.column,
                len(token),
                problem.advice,
                unknown=problem.unknown,
            ) from None

    def name(self, parts: list[Token]) -> Concept:
        return self._look_up(self.names.concept, parts[0])

    def existential(self, parts: list[Any]) -> Concept:
        role, filler = parts
        return _checked(lambda: Exists(self._look_up(self.names.role, role), filler), role)

    def conjunction(self, parts: list[Concept]) -> Concept:
        return conjunction(*parts)

    def disjunction(self, parts: list[Concept]) -> Concept:
        return _checked(lambda: disjunction(*parts))

    def negation(self, parts: list[Concept]) -> Concept:
        return _checked(lambda: negation(parts[0]))

    def at_least(self, parts: list[Any]) -> Concept:
        number, *operands = parts
        least = _whole(number)
        return _checked(lambda: AtLeast(least, *operands), number)

    # Proportions

    def point(self, parts: list[Token]) -> Proportion:
        return _checked(lambda: Interval.point(str(parts[0])), parts[0])

    def interval(self, parts: list[Token]) -> Proportion:
        return _checked(lambda: Interval.of(str(parts[0]), str(parts[1])), parts[0], parts[1])

    def count(self, parts: list[Token]) -> Proportion:
        count, total = (_whole(part) for part in parts)
        return _checked(lambda: Count(count, total), parts[0], parts[1])

    # Axioms

    def conditional(self, parts: list[Any]) -> Axiom:
        return _checked(lambda: Conditional(*parts))

    def inclusion(self, parts: list[Concept]) -> Axiom:
        return _checked(lambda: Inclusion(parts[0], parts[1]))

    def equivalence(self, parts: list[Concept]) -> Axiom:
        return _checked(lambda: Equivalence(*parts))

    def disjointness(self, parts: list[Concept]) -> Axiom:
        return _checked(lambda: Disjointness(*parts))

    def role_inclusion(self, parts: list[Token]) -> Axiom:
        sub, sup = (self._look_up(self.names.role, part) for part in parts)
        return RoleInclusion(sub, sup)

    def domain(self, parts: list[Any]) -> Axiom:
        return _checked(lambda: Domain(self._look_up(self.names.role, parts[0]), parts[1]))

    def range(self, parts: list[Any]) -> Axiom:
        return _checked(lambda: Range(self._look_up(self.names.role, parts[0]), parts[1]))

    def named_assertion(self, parts: list[Token]) -> Axiom:
        concept = self._look_up(self.names.concept, parts[0])
        return self.concept_assertion([concept, parts[1]])

    def concept_assertion(self, parts: list[Any]) -> Axiom:
        individual = self._look_up(self.names.individual, parts[1])
        return _checked(lambda: ConceptAssertion(parts[0], individual))

    def role_assertion(self, parts: list[Token]) -> Axiom:
        role = self._look_up(self.names.role, parts[0])
        subject, target = (self._look_up(self.names.individual, part) for part in parts[1:])
        return RoleAssertion(role, subject, target)

    # Lines and queries

    def prefix(self, parts: list[Token]) -> None:
        prefix, iri = parts
        try:
            self.names.declare_prefix(prefix[:-1], iri[1:-1])
        except NameProblem as problem:
            raise _at(prefix, problem.message, problem.advice) from None

    def label(self, parts: list[Token]) -> None:
        iri = self._look_up(lambda spelling, _: self.names.iri(spelling), parts[0])
        label = _string(parts[1])
        if self.labels.setdefault(iri, label) != label:
            raise _at(parts[1], f"{parts[0]} already has the label {self.labels[iri]!r}")

    def declaration(self, parts: list[Token]) -> None:
        keyword, *spellings = parts
        finds: dict[str, Callable[[str, int | None], object]] = {
            "Class:": self.names.concept,
            "ObjectProperty:": self.names.role,
            "Individual:": self.names.individual,
        }
        found = [self._look_up(finds[str(keyword)], spelling) for spelling in spellings]
        # ⊤ and ⊥ need no declaration.
        self.declared.update(name for name in found if isinstance(name, Entity))

    def dropped_axioms(self, parts: list[Token]) -> None:
        keyword, number, kind, *reason = parts
        count = _whole(number)
        why = _string(reason[0]) if reason else ""
        logical = keyword == "Dropped:"
        self.dropped.append(_checked(lambda: Dropped(_string(kind), count, why, logical), number))

    def data_legend(self, parts: list[Token]) -> None:
        keyword, *spellings = parts
        if keyword == "DataProperties:":
            self.data_roles += (self._look_up(self.names.role, token) for token in spellings)
            return
        for spelling in spellings:
            concept = self._look_up(self.names.concept, spelling)
            if not isinstance(concept, Name):
                raise _at(spelling, f"{spelling} is no name", "data are about names")
            self.data_names.append(concept)

    def line(self, parts: list[object]) -> Statement | None:
        if not parts or not isinstance(parts[0], Axiom):
            return None
        note = NO_NOTE
        if len(parts) > 1 and isinstance(parts[1], Token):
            note = read_note(parts[1], parts[1].column or 1)
        return Statement(parts[0], note)

    def query(self, parts: list[Concept]) -> Query:
        return _checked(lambda: Query(parts[0], parts[1]))


def _checked(build: Callable[[], Result], *tokens: Token) -> Result:
    """A value, with what the logic says against it placed at the tokens it was built from."""
    try:
        return build()
    except InvalidStatementError as error:
        if not tokens:
            raise Misplaced(str(error)) from None
        start, end = tokens[0].column or 1, tokens[-1].end_column or 1
        raise Misplaced(str(error), start, end - start) from None


def _at(token: Token, message: str, advice: str | None = None) -> Misplaced:
    return Misplaced(message, token.column, len(token), advice)


def _whole(token: Token) -> int:
    number: Fraction = _checked(lambda: exact(str(token)), token)
    if number.denominator != 1 or not str(token).lstrip("+-").isdecimal():
        raise _at(token, f"a count is a whole number, not {token}")
    return int(number)


def _string(token: Token) -> str:
    """The text between double quotes, with the escapes of JSON."""
    try:
        text = json.loads(token, strict=False)
    except ValueError:
        advice = r"escape a quote as \" and a backslash as \\"
        raise _at(token, "the text in quotes has an unknown escape", advice) from None
    assert isinstance(text, str)
    return _checked(lambda: plain_text(text, "the text in quotes"), token)
