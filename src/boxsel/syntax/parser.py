"""Reading `.sel` text: knowledge bases, concepts and queries."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from boxsel.errors import MAX_ERRORS, Diagnostic, InvalidStatementError, ReadError
from boxsel.logic.concepts import Concept
from boxsel.logic.expecting import expect
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.population import Pattern, Population
from boxsel.logic.statements import Query, Statement
from boxsel.machine.collecting import without_cycle_collection
from boxsel.machine.progress import track
from boxsel.syntax.common_lines import ShapeReader
from boxsel.syntax.data_lines import DATA_LINE, EXPECTED, KEYWORD, read_pattern
from boxsel.syntax.nametable import NameTable

if TYPE_CHECKING:
    from boxsel.syntax.by_grammar import GrammarReader

MAX_LINE: Final = 1_000_000


def parse_kb(text: str, file: str | None = None, *, by_shape: bool = True) -> KB:
    r"""The knowledge base that a `.sel` text states; `ReadError` with every mistake found.

    The commonest lines are read by their shape. Not `by_shape`, the grammar reads all of them: with
    the same result, much later.

    Examples:
        >>> kb = parse_kb("(Admitted | DeptA)[80%]\nDeptA SubClassOf Applicant")
        >>> print(kb.statements[0])
        (Admitted | DeptA)[0.8]
    """
    expect(str, "a knowledge base is read from a text (boxsel.read opens files)", text)
    if not text.strip():
        advice = "write one statement per line, such as A SubClassOf B"
        raise ReadError(Diagnostic("the file is empty", file, help=advice))
    with without_cycle_collection():
        return _Lines(file, NameTable(), by_shape=by_shape).read(text.split("\n"))


def parse_concept(text: str, names: NameTable | None = None) -> Concept:
    """The concept that a text in Manchester syntax describes.

    Examples:
        >>> parse_concept("Woman and hasChild some Person")
        And(Name('Woman'), Exists(Role('hasChild'), Name('Person')))
    """
    expect(str, "a concept is read from a text", text)
    concept = _read_whole("concept", text, names or NameTable())
    assert isinstance(concept, Concept)
    return concept


def parse_query(text: str, names: NameTable | None = None) -> Query:
    """The query `(D | C)` that a text states; the parentheses may be left out.

    Examples:
        >>> print(parse_query("(Admitted | Woman and DeptA)"))
        (Admitted | Woman and DeptA)
    """
    expect(str, "a query is read from a text", text)
    query = _read_whole("query", text, names or NameTable())
    assert isinstance(query, Query)
    return query


def parse_statements(text: str, names: NameTable) -> tuple[Statement, ...]:
    """The statements of some lines, in names that are known."""
    lines = text.split("\n")
    try:
        return _Lines(None, names).read(lines).statements
    except ReadError as error:
        if len(lines) > 1:
            raise
        raise ReadError(*error.at(None, None)) from None  # of one line, nobody asks which


class _Lines:
    """Reads the lines of one text, each by its shape or else by the grammar."""

    def __init__(self, file: str | None, names: NameTable, *, by_shape: bool = True) -> None:
        self._file = file
        self._names = names
        self._shapes = ShapeReader(names) if by_shape else None
        self._grammar: GrammarReader | None = None
        self._patterns: list[Pattern] = []
        self._mistakes: list[Diagnostic] = []

    def read(self, lines: list[str]) -> KB:
        """The knowledge base that the lines state together."""
        statements: list[Statement] = []
        task = f"reading {PurePath(self._file).name}" if self._file else "reading"
        for number, line in enumerate(track(lines, task, len(lines)), start=1):
            if DATA_LINE.match(line) is not None:
                self._pattern(line, number)
                continue
            statement = None
            if self._shapes is not None and len(line) <= MAX_LINE:
                statement = self._shapes.statement(line, number)
            if statement is None:
                statement = self._by_grammar(line, number)
            if statement is not None:
                statements.append(statement)
        data = self._data()
        if self._mistakes:
            raise ReadError(*self._mistakes)
        prefixes = Prefixes(self._names.prefixes)
        if self._grammar is None:
            return KB(tuple(statements), prefixes, data=data)
        said = self._grammar.builder
        return KB(
            tuple(statements),
            prefixes=prefixes,
            labels=said.labels,
            declared=frozenset(said.declared),
            dropped=tuple(said.dropped),
            data=data,
        )

    def _pattern(self, line: str, number: int) -> None:
        pattern = read_pattern(line)
        if pattern is None:
            column = line.index(KEYWORD) + 1
            problem = "this line of data holds no pattern"
            self._mistake(Diagnostic(problem, self._file, number, column, text=line, help=EXPECTED))
        else:
            self._patterns.append(pattern)

    def _data(self) -> Population | None:
        """The patterns together; a mistake if their numbers stand for nothing."""
        if not self._patterns:
            return None
        said = None if self._grammar is None else self._grammar.builder
        concepts, roles = ((), ()) if said is None else (said.data_names, said.data_roles)
        try:
            return Population(tuple(concepts), tuple(roles), tuple(self._patterns))
        except InvalidStatementError as error:
            self._mistake(Diagnostic(f"in the data, {error}", self._file, help=EXPECTED))
            return None

    def _mistake(self, mistake: Diagnostic) -> None:
        self._mistakes.append(mistake)
        if len(self._mistakes) == MAX_ERRORS:
            raise ReadError(*self._mistakes, more=True)

    def _by_grammar(self, line: str, number: int) -> Statement | None:
        """The statement of a line, if it is one; a mistake is remembered."""
        if not line.strip(" \t\r") or line.lstrip(" \t").startswith("#"):
            return None
        if self._grammar is None:
            self._grammar = _grammar_reader(self._names, self._file)
        read = _too_long(line, self._file, number) or self._grammar.read(line, "line", number)
        if isinstance(read, Diagnostic):
            self._mistake(read)
            return None
        assert read is None or isinstance(read, Statement)
        return read


def _read_whole(start: str, text: str, names: NameTable) -> object:
    read = _too_long(text, None, None) or _grammar_reader(names, None).read(text, start)
    if isinstance(read, Diagnostic):
        raise ReadError(read)
    return read


def _too_long(text: str, file: str | None, line: int | None) -> Diagnostic | None:
    if len(text) <= MAX_LINE:
        return None
    problem = f"the line has {len(text):,} characters; at most {MAX_LINE:,} are read"
    return Diagnostic(problem, file, line, 1, help="write one statement per line")


def _grammar_reader(names: NameTable, file: str | None) -> GrammarReader:
    from boxsel.syntax.by_grammar import GrammarReader

    return GrammarReader(names, file)
