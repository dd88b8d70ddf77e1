"""What is said about a knowledge base: its prefixes, its names and their labels are known."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cached_property

from boxsel.errors import Diagnostic, ReadError
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept, Entity
from boxsel.logic.expecting import expect
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, unquote_name
from boxsel.logic.statements import Query, Statement
from boxsel.syntax.nametable import NameProblem, NameTable
from boxsel.syntax.parser import parse_concept, parse_query, parse_statements


class KBNames(NameTable):
    """The names of a knowledge base; a name may also be spelt by its label.

    A name that the knowledge base does not have is a mistake: nothing can be known about it.
    """

    def __init__(self, kb: KB) -> None:
        super().__init__(kb.prefixes)
        self._kb = kb
        self._entities = {entity.iri: entity for entity in kb.signature}
        self._labelled: dict[str, list[Entity]] = {}
        for iri, label in kb.labels.items():
            if iri in self._entities:
                self._labelled.setdefault(label.casefold(), []).append(self._entities[iri])
        for entity in kb.signature:
            self.know(entity)

    def iri(self, spelling: str) -> str:
        """The IRI of a name of the knowledge base, spelt as there or by its label."""
        try:
            iri = super().iri(spelling)
        except NameProblem:
            iri = ""
        if iri in self._entities or iri in (TOP_IRI, BOTTOM_IRI):
            return iri
        said = unquote_name(spelling) if spelling.startswith("'") else spelling
        labelled = self._labelled.get(said.casefold(), ())
        if len(labelled) == 1:
            return labelled[0].iri
        if labelled:
            spellings = ", ".join(one.text(self._kb.prefixes) for one in labelled)
            raise NameProblem(f"several names are labelled {said!r}", f"write one of: {spellings}")
        if not iri:
            super().iri(spelling)  # says what is wrong with the spelling itself
        raise NameProblem(f"the knowledge base does not mention {spelling}", self._advice(said))

    def _advice(self, said: str) -> str:
        known = {self._kb.label(entity).casefold(): entity for entity in self._entities.values()}
        known |= {
            entity.text(self._kb.prefixes).casefold(): entity for entity in self._entities.values()
        }
        close = get_close_matches(said.casefold(), known, n=1, cutoff=0.6)
        if close:
            return f"did you mean {known[close[0]].text(self._kb.prefixes)}?"
        return "`boxsel show` lists what it is about"


class Reader:
    """Reads what is said about a knowledge base: texts in its names, and values as they are."""

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._concepts: dict[str, Concept] = {}
        self._queries: dict[str, Query] = {}

    @cached_property
    def _names(self) -> KBNames:
        return KBNames(self._kb)

    def concept(self, said: Concept | str) -> Concept:
        """The concept that is meant."""
        if isinstance(said, Concept):
            return said
        expect(str, "a concept is a text, such as 'A and B', or a Concept", said)
        if said not in self._concepts:  # tables repeat themselves
            self._concepts[said] = parse_concept(said, self._names)
        return self._concepts[said]

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
