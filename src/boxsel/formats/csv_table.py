"""CSV: a table of conditionals, for people with spreadsheets.

The columns are head, body, lower, upper, count, total and source and, if need be, label and
comment. Concepts are in Manchester syntax, as in `.sel`, but without prefixes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boxsel.errors import WriteError
from boxsel.formats.csv_reader import (
    BOUNDS,
    COLUMNS,
    FORMULA_START,
    NOTES,
    SAMPLE,
    USUAL,
    read_table,
)
from boxsel.formats.source import Source
from boxsel.logic.axioms import Conditional
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, number_text
from boxsel.logic.statements import Statement
from boxsel.wording import several


def read(source: Source) -> KB:
    """The conditionals in a table; `ReadError` with the line and column of every mistake."""
    return read_table(source.text, source.file)


def write(kb: KB) -> str:
    """The knowledge base as a table; `WriteError` if it holds more than conditionals.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> Relapse, Treated, Old = names("Relapse Treated Old")
        >>> print(write(KB.of(conditional(Relapse, given=Treated & Old, count=(7, 12)))), end="")
        head,body,lower,upper,count,total,source
        Relapse,Treated and Old,,,7,12,
    """
    return table(kb, ",")


def table(kb: KB, delimiter: str) -> str:
    """The knowledge base as a table with this delimiter between the cells."""
    refuse_losses(kb)
    noted = {column for column in NOTES if any(getattr(one.note, column) for one in kb)}
    columns = [column for column in COLUMNS if column in USUAL or column in noted]
    lines = [_line(columns, delimiter)]
    for cells in map(row, kb):
        for column in NOTES:
            cells[column] = guarded(cells[column])
        lines.append(_line([cells.get(column, "") for column in columns], delimiter))
    return "".join(lines)


def refuse_losses(kb: KB) -> None:
    """Raise `WriteError` if the knowledge base holds more than a table can."""
    _, losses = conditionals_only(kb)
    if losses:
        raise WriteError(
            f"a table holds conditionals only; this would be lost: {', '.join(losses)}."
            " Write .sel, .json or .owl instead, or leave it out with --lossy"
        )


def conditionals_only(kb: KB) -> tuple[KB, list[str]]:
    """The part of a knowledge base that a table holds, and words for what is left out.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> conditionals_only(KB.of(A <= B))
        (<KB: empty>, ['1 inclusion', '2 names that occur in no conditional'])
    """
    kept = KB(tuple(one for one in kb.statements if isinstance(one.axiom, Conditional)))
    return kept, list(_losses(kb, kept))


def _losses(kb: KB, kept: KB) -> Iterator[str]:
    for kind, count in kb.counts_by_kind().items():
        if kind != Conditional.kind:
            yield several(count, kind, f"{kind} statements")
    alone = len(set(kb.signature).difference(kept.signature))
    if alone:
        one, many = "name that occurs in no conditional", "names that occur in no conditional"
        yield several(alone, one, many)
    if kb.labels:
        yield several(len(kb.labels), "label of a name", "labels of names")
    dropped = sum(drop.count for drop in kb.dropped)
    if dropped:
        yield f"the record of {several(dropped, 'axiom')} left out on reading"


def row(statement: Statement) -> dict[str, str]:
    """The cells of a conditional's row that hold something, and its notes, by column."""
    axiom = statement.axiom
    assert isinstance(axiom, Conditional)
    proportion = axiom.proportion
    if isinstance(proportion, Count):
        numbers = zip(SAMPLE, (str(proportion.count), str(proportion.total)), strict=True)
    else:
        ends = (number_text(proportion.lower), number_text(proportion.upper))
        numbers = zip(BOUNDS, ends, strict=True)
    notes = {column: getattr(statement.note, column) for column in NOTES}
    return {"head": axiom.head.text(), "body": axiom.body.text(), **dict(numbers), **notes}


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
