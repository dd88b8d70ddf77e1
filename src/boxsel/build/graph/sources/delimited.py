"""Text files of rows: tab- or comma-separated values, with or without a header, and YAGO's own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from boxsel.build.csv_rows import numbered_rows
from boxsel.build.graph.sources.literals import name_sql, object_sql, without_literals
from boxsel.build.graph.sources.opening import head, text_lines
from boxsel.build.graph.sources.relation import LAYOUTS, Place, Reading, Relation
from boxsel.build.graph.sources.sniffing import Shape, shape
from boxsel.build.graph.sources.text_rows import Written, load
from boxsel.build.rejects import EXAMPLES


def read(reading: Reading) -> list[Relation]:
    """Read a text file of rows into a table; broken lines are rejected."""
    found = shape(reading, head(reading.path, reading.file))
    wanted = LAYOUTS[found.layout]
    cells = [f"c{place}" for place in found.places]
    values = [name_sql(cell) for cell in cells]
    if found.bracketed:
        values[2] = object_sql(cells[2], values[1], reading.inputs)
    elif found.layout == "labels":
        values[1] = f"nullif({cells[1]}, '')"
    listed = ", ".join(f"{value} AS {name}" for value, name in zip(values, wanted, strict=True))
    written = Written(
        found.separator, found.width, found.quote, found.headings is not None, found.padded
    )
    rejected = load(reading, lambda rows: f"SELECT {listed} FROM {rows}", written)
    return [
        Relation(
            reading.name,
            reading.file,
            reading.given,
            found.layout,
            wanted,
            without_literals(reading.local, reading.name) if found.bracketed else {},
            rejected,
            incomplete=lambda: list(islice(_incomplete(reading, found), EXAMPLES)),
        )
    ]


def _incomplete(reading: Reading, found: Shape) -> Iterator[Place]:
    """The rows that lack a value that we need."""
    lines = text_lines(reading.path, reading.file)
    for number, row in _numbered(lines, found):
        needed = [row[place] for place in found.places if place < len(row)]
        whole = len(row) == found.width or (found.padded and any(row))
        if whole and not (len(needed) == len(found.places) and all(needed)):
            yield number, found.separator.join(row)


def _numbered(lines: Iterator[str], found: Shape) -> Iterator[tuple[int, list[str]]]:
    if not found.quote:
        for number, line in enumerate(lines, start=1):
            yield number, line.split(found.separator)
        return
    yield from numbered_rows((line + "\n" for line in lines), found.separator)
