"""What if: statements that are added, or put in the place of others, for one question."""

from __future__ import annotations

from collections.abc import Iterable

from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.concepts import Concept
from boxsel.logic.expecting import expect_several
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.syntax.queries import Reader

Assumption = Axiom | Statement | str
"""A line of `.sel` (or several), or the value that it states."""


def assumed(kb: KB, assumptions: Iterable[Assumption]) -> KB:
    """A knowledge base with assumptions, as lines of `.sel`, as axioms or as statements.

    A conditional takes the place of those about the same share, and so of what was assumed about
    it before. Anything else is added. Nothing else is taken out: an assumption that contradicts
    other statements empties a concept, and the answer says so.

    Raises:
        ReadError: An assumption is not a statement, or is about names of no statement.
        WrongKindError: It is one assumption only, or something else.

    Examples:
        >>> from boxsel import examples
        >>> kb = assumed(examples.load("applicant"), ["(Admitted | DeptA)[0.5]"])
        >>> str(kb.bounds("(Admitted | Applicant)").lower)
        '1/10'
    """
    statements = list(kb.statements)
    for statement in read_assumptions(kb, assumptions):
        statements = _with(statements, statement)
    return kb.with_statements(statements)


def read_assumptions(
    kb: KB, assumptions: Iterable[Assumption], kb_file: str | None = None
) -> tuple[Statement, ...]:
    """The statements of assumptions, in the names of a knowledge base.

    Advice about names is for the file that the knowledge base was read from, if there is one.

    Raises:
        ReadError: An assumption is not a statement, or is about names of no statement.
    """
    reader = Reader(kb, kb_file)
    said = expect_several("assumptions", assumptions)
    return tuple(statement for one in said for statement in reader.statements(one))


def _with(statements: list[Statement], new: Statement) -> list[Statement]:
    share = _share(new)
    if share is None:
        return [*statements, new]
    places = [place for place, statement in enumerate(statements) if _share(statement) == share]
    if not places:
        return [*statements, new]
    gone = {*places[1:]}
    return [
        new if place == places[0] else statement
        for place, statement in enumerate(statements)
        if place not in gone
    ]


def _share(statement: Statement) -> tuple[Concept, Concept] | None:
    """What a conditional is about."""
    axiom = statement.axiom
    return (axiom.head, axiom.body) if isinstance(axiom, Conditional) else None
