"""What is said about a knowledge base: its prefixes, its names and their labels are known."""

from __future__ import annotations

from functools import cached_property

from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.expecting import expect
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.syntax.kbnames import KBNames
from boxsel.syntax.parser import parse_concept, parse_query, parse_statements


class Reader:
    """Reads what is said about a knowledge base: texts in its names, and values as they are.

    Advice about names is for the file that it was read from, if there is one.
    """

    def __init__(self, kb: KB, file: str | None = None) -> None:
        self._kb = kb
        self._file = file
        self._concepts: dict[str, Concept] = {}
        self._queries: dict[str, Query] = {}

    @cached_property
    def _names(self) -> KBNames:
        return KBNames(self._kb, self._file)

    def concept(self, said: Concept | str) -> Concept:
        """The concept that is meant."""
        if isinstance(said, Concept):
            return said
        expect(str, "a concept is a text, such as 'A and B', or a Concept", said)
        if said not in self._concepts:  # tables repeat themselves
            self._concepts[said] = parse_concept(said, self._names)
        return self._concepts[said]

    def name(self, said: Name | str) -> Name:
        """The name that is meant."""
        found = self.concept(said)
        if not isinstance(found, Name):
            text = found.text(self._kb.prefixes)
            raise InvalidStatementError(f"a name is needed here, and {text} is a complex concept")
        if found not in self._kb.signature.concepts:
            raise InvalidStatementError(f"the knowledge base does not mention {found}")
        return found

    def query(self, said: Query | str) -> Query:
        """The query that is meant."""
        if isinstance(said, Query):
            return said
        expect(str, "a query is a text, such as '(D | C)', or a Query", said)
        if said not in self._queries:
            self._queries[said] = parse_query(said, self._names)
        return self._queries[said]

    def statements(self, said: Axiom | Statement | str) -> tuple[Statement, ...]:
        """The statements that are meant: a text may have several lines."""
        if isinstance(said, Statement):
            return (said,)
        if isinstance(said, Axiom):
            return (Statement(said),)
        expect(str, "a statement is a text, such as '(D | C)[0.3]', or an Axiom", said)
        found = parse_statements(said, self._names)
        if not found:
            raise ReadError(
                Diagnostic(
                    f"{said!r} states nothing", help="write a statement, such as (D | C)[0.3]"
                )
            )
        return found


def query_about(kb: KB, said: Query | str) -> Query:
    """The query `(D | C)` about a knowledge base that is meant.

    Examples:
        >>> from boxsel import examples
        >>> print(query_about(examples.load("clinic"), "(Smoker | Patient)"))
        (<http://example.org/clinic#Smoker> | <http://example.org/clinic#Patient>)
    """
    return Reader(kb).query(said)


def name_about(kb: KB, said: Name | str) -> Name:
    """The name of a knowledge base that is meant."""
    return Reader(kb).name(said)


def concept_about(kb: KB, said: Concept | str) -> Concept:
    """The concept in the names of a knowledge base that is meant."""
    return Reader(kb).concept(said)


def axiom_about(kb: KB, said: Axiom | Statement | str) -> Axiom:
    """The axiom in the names of a knowledge base that is meant."""
    first, *others = Reader(kb).statements(said)
    if others:
        problem = f"one statement is needed here, and these are {len(others) + 1}"
        raise ReadError(Diagnostic(problem))
    return first.axiom
