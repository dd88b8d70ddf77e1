"""Reading `.sel` text: knowledge bases, concepts and queries."""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from lark.exceptions import UnexpectedInput, VisitError

from boxsel.collecting import without_cycle_collection
from boxsel.errors import MAX_ERRORS, Diagnostic, ReadError
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Query, Statement
from boxsel.progress import track
from boxsel.syntax.builder import Builder
from boxsel.syntax.grammar import parser
from boxsel.syntax.mistakes import misplaced, unexpected
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.notes import Misplaced
from boxsel.syntax.shapes import ShapeReader

MAX_LINE: Final = 1_000_000


def parse_kb(text: str, file: str | None = None) -> KB:
    r"""The knowledge base that a `.sel` text states; `ReadError` with every mistake found.

    Examples:
        >>> kb = parse_kb("(Admitted | DeptA)[80%]\nDeptA SubClassOf Applicant")
        >>> print(kb.statements[0])
        (Admitted | DeptA)[0.8]
    """
    if not text.strip():
        raise ReadError(
            Diagnostic(
                "the file is empty",
                file,
                help="write one statement per line, such as A SubClassOf B",
            )
        )
    with without_cycle_collection():
        return _parse_lines(text, file)


def _parse_lines(text: str, file: str | None) -> KB:
    builder = Builder(NameTable())
    shapes = ShapeReader(builder.names)
    statements: list[Statement] = []
    mistakes: list[Diagnostic] = []
    lines = text.split("\n")
    task = f"reading {PurePath(file).name}" if file else "reading"
    for number, line in enumerate(track(lines, task, len(lines)), start=1):
        statement = shapes.statement(line, number) if len(line) <= MAX_LINE else None
        if statement is None:
            if line.isspace() or not line:
                continue
            read = _read("line", line, builder, file, number)
            if isinstance(read, Diagnostic):
                mistakes.append(read)
                if len(mistakes) == MAX_ERRORS:
                    raise ReadError(*mistakes, more=True)
                continue
            if read is None:
                continue
            assert isinstance(read, Statement)
            statement = read
        statements.append(statement)
    if mistakes:
        raise ReadError(*mistakes)
    return KB(
        tuple(statements),
        prefixes=Prefixes(builder.names.prefixes),
        labels=builder.labels,
        declared=frozenset(builder.declared),
        dropped=tuple(builder.dropped),
    )


def parse_concept(text: str, names: NameTable | None = None) -> Concept:
    """The concept that a text in Manchester syntax describes.

    Examples:
        >>> parse_concept("Woman and hasChild some Person")
        And(Name('Woman'), Exists(Role('hasChild'), Name('Person')))
    """
    concept = _read_whole("concept", text, names or NameTable())
    assert isinstance(concept, Concept)
    return concept


def parse_query(text: str, names: NameTable | None = None) -> Query:
    """The query `(D | C)` that a text states; the parentheses may be left out.

    Examples:
        >>> print(parse_query("(Admitted | Woman and DeptA)"))
        (Admitted | Woman and DeptA)
    """
    query = _read_whole("query", text, names or NameTable())
    assert isinstance(query, Query)
    return query


def _read_whole(start: str, text: str, names: NameTable) -> object:
    read = _read(start, text, Builder(names), None, None)
    if isinstance(read, Diagnostic):
        raise ReadError(read)
    return read


def _read(
    start: str, text: str, builder: Builder, file: str | None, line: int | None
) -> object | Diagnostic:
    """What a text states by the grammar, or what is wrong with it."""
    if len(text) > MAX_LINE:
        problem = f"the line has {len(text):,} characters; at most {MAX_LINE:,} are read"
        return Diagnostic(problem, file, line, 1, help="write one statement per line")
    builder.line_number = line
    text = text.rstrip("\r")
    try:
        return builder.transform(parser().parse(text, start=start))
    except UnexpectedInput as error:
        return unexpected(error, text, file, line)
    except VisitError as error:
        if isinstance(error.orig_exc, Misplaced):
            return misplaced(error.orig_exc, text, file, line)
        raise
