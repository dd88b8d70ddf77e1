"""Reading queries about a knowledge base: its prefixes, its names and their labels are known."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from difflib import get_close_matches

from boxsel.errors import MAX_ERRORS, Diagnostic, ReadError
from boxsel.logic.concepts import Concept, Entity
from boxsel.logic.kb import KB
from boxsel.logic.names import BOTTOM_IRI, TOP_IRI, unquote_name
from boxsel.logic.statements import Query
from boxsel.syntax.nametable import NameProblem, NameTable
from boxsel.syntax.parser import parse_concept, parse_query


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


def query_about(kb: KB, text: str) -> Query:
    """The query `(D | C)` that a text asks about a knowledge base.

    Examples:
        >>> from boxsel import examples
        >>> print(query_about(examples.load("clinic"), "(Smoker | Patient)"))
        (<http://example.org/clinic#Smoker> | <http://example.org/clinic#Patient>)
    """
    return parse_query(text, KBNames(kb))


def concept_about(kb: KB, text: str) -> Concept:
    """The concept that a text describes in the names of a knowledge base."""
    return parse_concept(text, KBNames(kb))


def queries_about(kb: KB, text: str, file: str | None = None) -> tuple[Query, ...]:
    r"""The queries of a file: one per line, or the columns `head` and `body` of a CSV table.

    Examples:
        >>> from boxsel import examples
        >>> kb = examples.load("applicant")
        >>> for query in queries_about(kb, "head,body\nAdmitted,DeptA"):
        ...     print(query)
        (Admitted | DeptA)
    """
    names = KBNames(kb)
    queries: list[Query] = []
    mistakes: list[Diagnostic] = []
    for number, line in _query_lines(text):
        try:
            queries.append(parse_query(line, names))
        except ReadError as error:
            mistakes.extend(error.at(file, number))
            if len(mistakes) >= MAX_ERRORS:
                raise ReadError(*mistakes, more=True) from None
    if mistakes:
        raise ReadError(*mistakes)
    if not queries:
        advice = "write one query per line, such as (D | C)"
        raise ReadError(Diagnostic("there are no queries", file, help=advice))
    return tuple(queries)


def _query_lines(text: str) -> Iterator[tuple[int, str]]:
    lines = text.splitlines()
    header = next((line for line in lines if line.strip()), "")
    columns = [cell.strip().casefold() for cell in next(csv.reader([header]), [])]
    if "head" in columns and "body" in columns:
        head, body = columns.index("head"), columns.index("body")
        table = csv.reader(lines)
        for cells in table:
            if [cell.strip().casefold() for cell in cells] == columns or not any(cells):
                continue
            cells += [""] * (len(columns) - len(cells))
            yield table.line_num, f"({cells[head]} | {cells[body]})"
        return
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line.strip()
