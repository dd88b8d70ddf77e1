"""CSV: a table of statements, for people with spreadsheets.

The columns are head, body, lower, upper, count, total and source and, if need be, kind, label and
comment. Concepts are in Manchester syntax, as in `.sel`, but without prefixes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from boxsel.errors import WriteError
from boxsel.formats.csv_reader import read_table
from boxsel.formats.source import Source, decode_table
from boxsel.formats.table_columns import BOUNDS, NO_CHOICE, NOTES, SAMPLE, USUAL, WRITTEN, Choice
from boxsel.formats.table_rows import FORMULA_START, KINDS, Tabled
from boxsel.logic.axioms import Conditional, Disjointness, Equivalence, Inclusion
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, number_text
from boxsel.logic.statements import Statement
from boxsel.wording import several

_NAMED: Final = {kind: word for word, kind in KINDS.items()}


def read(source: Source) -> KB:
    """What a table states; `ReadError` with the line and column of every mistake."""
    return tabled(source).kb


def tabled(source: Source, choice: Choice = NO_CHOICE) -> Tabled:
    """The same, with what should be said about how the table was read."""
    text, remark = decode_table(source.data, source.file)
    found = read_table(text, source.file, choice)
    return replace(found, remarks=(remark, *found.remarks)) if remark else found


def write(kb: KB) -> str:
    """The knowledge base as a table; `WriteError` if it holds more than a table can.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> Relapse, Treated, Old = names("Relapse Treated Old")
        >>> print(write(KB.of(conditional(Relapse, given=Treated & Old, count=(7, 12)))), end="")
        head,body,lower,upper,count,total,source
        Relapse,Treated and Old,,,7,12,
        >>> print(write(KB.of(conditional(Relapse, given=Old, exactly=1), Old <= Treated)), end="")
        kind,head,body,lower,upper,count,total,source
        share,Relapse,Old,1,1,,,
        subclass,Old,Treated,,,,,
    """
    return table(kb, ",")


def table(kb: KB, delimiter: str) -> str:
    """The knowledge base as a table with this delimiter between the cells."""
    refuse_losses(kb)
    columns = written_columns(kb)
    lines = [_line(columns, delimiter)]
    for cells in map(row, kb):
        for column in NOTES:
            cells[column] = guarded(cells[column])
        lines.append(_line([cells.get(column, "") for column in columns], delimiter))
    return "".join(lines)


def written_columns(kb: KB) -> list[str]:
    """The columns that the statements of a knowledge base need, and the usual ones."""
    needed = {
        column for column in NOTES if any(getattr(statement.note, column) for statement in kb)
    }
    if any(not isinstance(axiom, Conditional) for axiom in kb.axioms):
        needed.add("kind")
    return [column for column in WRITTEN if column in USUAL or column in needed]


def refuse_losses(kb: KB) -> None:
    """Raise `WriteError` if the knowledge base holds more than a table can."""
    _, losses = tabular(kb)
    if losses:
        raise WriteError(
            "a table holds shares, inclusions, equivalences and disjointness; this would be lost:"
            f" {', '.join(losses)}. Write .sel, .json or .owl instead, or leave it out with --lossy"
        )


def tabular(kb: KB) -> tuple[KB, list[str]]:
    """The part of a knowledge base that a table holds, and words for what is left out.

    Examples:
        >>> from boxsel.logic.concepts import Role, names
        >>> A, B = names("A B")
        >>> tabular(KB.of(A <= B, Role("r") <= Role("s")))
        (<KB: 1 inclusion>, ['1 role inclusion', '2 names that occur in no row'])
    """
    kept = KB(tuple(statement for statement in kb.statements if type(statement.axiom) in _NAMED))
    return kept, list(_losses(kb, kept))


def _losses(kb: KB, kept: KB) -> Iterator[str]:
    held = {kind.kind for kind in _NAMED}
    for kind, count in kb.counts_by_kind().items():
        if kind not in held:
            yield several(count, kind, f"{kind} statements")
    alone = len(set(kb.signature).difference(kept.signature))
    if alone:
        yield several(alone, "name that occurs in no row", "names that occur in no row")
    if kb.labels:
        yield several(len(kb.labels), "label of a name", "labels of names")
    dropped = sum(drop.count for drop in kb.dropped)
    if dropped:
        yield f"the record of {several(dropped, 'axiom')} left out on reading"
    if kb.data is not None:
        yield several(len(kb.data.patterns), "pattern of data", "patterns of data")


def row(statement: Statement) -> dict[str, str]:
    """The cells of a statement's row that hold something, and its notes, by column."""
    axiom = statement.axiom
    assert isinstance(axiom, Conditional | Inclusion | Equivalence | Disjointness)
    cells = {"kind": _NAMED[type(axiom)]}
    if isinstance(axiom, Conditional):
        cells |= {"head": axiom.head.text(), "body": axiom.body.text(), **_numbers(axiom)}
    else:
        first, *others = (concept.text() for concept in axiom.concepts())
        cells |= {"head": first, "body": ", ".join(others)}
    return {**cells, **{column: getattr(statement.note, column) for column in NOTES}}


def _numbers(axiom: Conditional) -> dict[str, str]:
    proportion = axiom.proportion
    if isinstance(proportion, Count):
        return dict(zip(SAMPLE, (str(proportion.count), str(proportion.total)), strict=True))
    ends = (number_text(proportion.lower), number_text(proportion.upper))
    return dict(zip(BOUNDS, ends, strict=True))


def guarded(text: str) -> str:
    """Text that no spreadsheet takes for a formula; the reader undoes this.

    Examples:
        >>> guarded("=1+1"), guarded("PMID:1")
        ("'=1+1", 'PMID:1')
    """
    return f"'{text}" if text.lstrip("'").startswith(tuple(FORMULA_START)) else text


def _line(cells: Sequence[str], delimiter: str) -> str:
    return delimiter.join(_cell(text, delimiter) for text in cells) + "\n"


def _cell(text: str, delimiter: str) -> str:
    # The csv module leaves a lone carriage return unquoted before Python 3.13.
    if any(char in text for char in (delimiter, '"', "\r", "\n")):
        return '"' + text.replace('"', '""') + '"'
    return text
