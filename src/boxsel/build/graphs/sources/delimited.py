"""Text files of rows: tab- or comma-separated values, with or without a header, and YAGO's own.

What a file looks like is found out by its first lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from boxsel.build.built import EXAMPLES
from boxsel.build.delimited import Delimited, Place, numbered_rows
from boxsel.build.graphs.names import canonical
from boxsel.build.graphs.sources.relation import (
    LAYOUTS,
    Layout,
    Reading,
    Relation,
    is_header,
    layout_of,
    places,
)
from boxsel.build.graphs.sources.splitting import name_sql, object_sql, without_literals
from boxsel.build.opening import HEAD, head
from boxsel.formats.source import extension

_BY_EXTENSION: Final = {".tsv": "\t", ".tab": "\t", ".csv": ",;\t|"}
_ANY: Final = "\t,;| "


@dataclass(frozen=True)
class Shape:
    """How the rows of a text file are written, and what their columns are.

    In `bracketed` files terms are spelt as in N-Triples and YAGO: `<x>`, `"text"@en`. `places`
    are those of the layout's columns, from 0.
    """

    text: Delimited
    layout: Layout
    places: tuple[int, ...]
    bracketed: bool


def read(reading: Reading) -> list[Relation]:
    """Read a text file of rows into a table; broken lines are rejected."""
    shape = _shape(reading, head(reading.path, reading.file))
    wanted = LAYOUTS[shape.layout]
    cells = [f"c{place}" for place in shape.places]
    values = [name_sql(cell) for cell in cells]
    if shape.bracketed:
        values[2] = object_sql(cells[2], values[1], reading.inputs)
    elif shape.layout == "labels":
        values[1] = f"nullif({cells[1]}, '')"
    listed = ", ".join(f"{value} AS {name}" for value, name in zip(values, wanted, strict=True))
    rejected = reading.load(shape.text, lambda rows: f"SELECT {listed} FROM {rows}")
    return [
        Relation(
            reading.name,
            reading.file,
            reading.given,
            shape.layout,
            wanted,
            without_literals(reading.local, reading.name) if shape.bracketed else {},
            rejected,
            incomplete=lambda: list(islice(_incomplete(shape), EXAMPLES)),
        )
    ]


def _incomplete(shape: Shape) -> Iterator[Place]:
    """The rows that lack a value that we need."""
    for number, row in shape.text.rows():
        needed = [row[place] for place in shape.places if place < len(row)]
        whole = len(row) == shape.text.width or (shape.text.padded and any(row))
        if whole and not (len(needed) == len(shape.places) and all(needed)):
            yield number, shape.text.separator.join(row)


def _shape(reading: Reading, head: bytes) -> Shape:
    """Find out how a file is written from its first bytes."""
    if b"\0" in head:
        raise reading.error("this is not a text file: it holds NUL bytes")
    text = head.decode("utf-8-sig", errors="replace")
    lines = text.splitlines()
    if len(head) == HEAD and len(lines) > 1:
        lines.pop()  # may be cut short
    if not any(line.strip() for line in lines):
        raise reading.error("this file is empty")
    separator, rows = _separated(reading, [line for line in lines if line.strip()])
    width = _usual(rows)
    if _is_yago(rows):
        padded = Delimited(reading.path, reading.file, separator, 5, padded=True)
        return Shape(padded, "triples", (1, 2, 3), bracketed=True)
    asked = reading.inputs.columns or ()
    named = any(column in rows[0] for column in asked)
    headings = tuple(rows[0]) if is_header(rows[0]) or named else None
    width = width if headings is None else len(headings)
    layout = layout_of(reading, headings, width)
    if reading.given == "labels" and _are_labels(reading, rows):
        layout = "triples"
    where = places(reading, layout, headings, width)
    bracketed = layout == "triples" and any(
        _in_brackets(row[where[0]]) or _in_brackets(row[where[1]])
        for row in rows
        if len(row) == width
    )
    # Beside tabs and spaces a quote is a part of the name, in the files of YAGO and Wikidata.
    quote = "" if separator in "\t " else '"'
    written = Delimited(
        reading.path, reading.file, separator, width, quote, header=headings is not None
    )
    return Shape(written, layout, where, bracketed)


def _separated(reading: Reading, lines: list[str]) -> tuple[str, list[list[str]]]:
    """The separator that splits most lines into the same number of columns, and the rows."""
    best: tuple[int, str, list[list[str]]] = (0, "", [])
    for separator in _BY_EXTENSION.get(extension(reading.file), _ANY):
        rows = _split_rows(lines, separator)
        usual = _usual(rows)
        regular = sum(len(row) == usual for row in rows) if usual > 1 else 0
        if regular > best[0]:
            best = (regular, separator, rows)
    if not best[0]:
        raise reading.error(
            "the rows of this file have one column only",
            advice="columns are separated by tabs, or in .csv files by commas",
        )
    return best[1], best[2]


def _split_rows(lines: Sequence[str], separator: str) -> list[list[str]]:
    """Lines as rows; broken quotes do not matter here."""
    if separator in "\t ":
        return [line.rstrip("\r\n").split(separator) for line in lines]
    return [row for _, row in numbered_rows(lines, separator) if row]


def _usual(rows: list[list[str]]) -> int:
    return Counter(map(len, rows)).most_common(1)[0][0] if rows else 0


def _is_yago(rows: list[list[str]]) -> bool:
    """Whether rows are YAGO's: fact id or nothing, subject, predicate, object, often a value."""
    like = sum(
        len(row) in (4, 5)
        and (not row[0] or row[0].startswith("<id_"))
        and _in_brackets(row[1])
        and (_in_brackets(row[2]) or ":" in row[2])
        for row in rows
    )
    return 2 * like > len(rows)


def _are_labels(reading: Reading, rows: list[list[str]]) -> bool:
    """Whether rows of labels are triples."""
    return any(
        len(row) > 2 and canonical(row[1]) in reading.inputs.label_predicates for row in rows
    )


def _in_brackets(cell: str) -> bool:
    return len(cell) > 2 and cell.startswith("<") and cell.endswith(">")
