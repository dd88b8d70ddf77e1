"""What a source gives: named rows in a database, and what each of their columns means."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from boxsel.build.built import Rejects
from boxsel.build.delimited import Delimited, Place
from boxsel.build.graphs.engine import TABLES, DuckDBEngine, Engine
from boxsel.build.graphs.inputs import Given, Inputs
from boxsel.errors import Diagnostic, ReadError
from boxsel.wording import listed

Layout = Literal["triples", "types", "taxonomy", "labels"]
"""What rows are: triples, among them all facts, or the pairs of another table."""

TRIPLE: Final = ("subject", "predicate", "object")

LAYOUTS: Final[Mapping[Layout, tuple[str, ...]]] = MappingProxyType(
    {
        "triples": TRIPLE,
        "types": TABLES["types"],
        "taxonomy": TABLES["taxonomy"],
        "labels": TABLES["labels"],
    }
)
"""The columns of each layout."""

_UNCLOSED: Final = "a quotation mark is not closed, or stands inside a value"
_REASONS: Final = {
    "MISSING COLUMNS": "there are too few columns",
    "TOO MANY COLUMNS": "there are too many columns",
    "INVALID ENCODING": "the line is not valid UTF-8",
    "LINE SIZE OVER MAXIMUM": "the line is too long",
    "UNQUOTED VALUE": _UNCLOSED,
    "INVALID STATE": _UNCLOSED,
}
"""Why rows are rejected, by DuckDB's words for it."""

PREFIX: Final = "source_"
"""How the names of relations begin."""

LITERALS: Final = "text and numbers that are not labels"
LANGUAGES: Final = "labels in other languages"
NOT_TEXT: Final = "labels that are not text"

_CALLED: Final = {
    "subject": ("subject", "subj", "s", "head", "source", "from"),
    "predicate": ("predicate", "pred", "p", "role", "relation", "property", "rel"),
    "object": ("object", "obj", "o", "tail", "target", "to", "value"),
    "entity": ("entity", "instance", "individual", "subject", "s", "id"),
    "class": ("class", "type", "concept", "object", "o"),
    "sub": ("sub", "subclass", "child", "class", "subject", "s"),
    "sup": ("sup", "super", "superclass", "parent", "object", "o"),
    "name": ("name", "id", "iri", "entity", "class", "subject", "s"),
    "label": ("label", "title", "text", "object", "o"),
}
"""What each column is usually called, the likeliest first."""

_OTHERS: Final = ("kind", "graph", "g", "context", "count", "language", "lang", "description")

_HEADINGS: Final = frozenset(word for words in _CALLED.values() for word in words) | set(_OTHERS)


@dataclass(frozen=True)
class Relation:
    """Rows of a source under a name in a database.

    `columns` are the source's own, in the order of the layout. `unused` counts rows that were
    read but are not here. `incomplete` finds the first rows that lack a value, for messages.
    """

    name: str
    file: str
    given: Given
    layout: Layout
    columns: tuple[str, ...]
    unused: Mapping[str, int] = field(default_factory=dict)
    rejected: int = 0
    is_parquet: bool = False
    incomplete: Callable[[], list[Place]] | None = None


@dataclass(frozen=True)
class Reading:
    """One file to be read: what it is given as, and where its rows are to go.

    `engine` counts the graph, and sees Parquet files itself. All else is read with DuckDB in
    this process, `local`, which may be the same.
    """

    path: Path
    file: str
    given: Given
    number: int
    inputs: Inputs
    rejects: Rejects
    engine: Engine
    local: DuckDBEngine
    folder: Path

    @property
    def name(self) -> str:
        """The name of this file's relation."""
        return f"{PREFIX}{self.number}"

    def error(
        self, message: str, *, line: int | None = None, advice: str | None = None
    ) -> ReadError:
        """An error in this file."""
        return ReadError(Diagnostic(message, file=self.file, line=line, help=advice))

    def load(self, text: Delimited, select: Callable[[str], str]) -> int:
        """Make this file's table of a query over rows of text; the number of rejected ones."""
        return text.load(self.local, self.name, select, _REASONS, self.rejects, self.folder)


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row holds headings, not data: every cell is a word that columns are called by.

    Examples:
        >>> is_header(["Subject", "predicate", "OBJECT"]), is_header(["Q1", "P31", "Q5"])
        (True, False)
    """
    return all(_plain(cell) in _HEADINGS for cell in cells) and len(set(cells)) == len(cells)


def layout_of(reading: Reading, headings: Sequence[str] | None, width: int) -> Layout:
    """How rows are understood, by what the file is given as and the columns that it has.

    A file of a graph with two columns that is called types, taxonomy or labels holds these.
    """
    if reading.given == "graph" or reading.given == "facts":
        called = _called(reading.file)
        if reading.given == "graph" and called is not None and width == 2:
            return called
        if width < 3:
            raise reading.error(
                f"there {'is one column' if width == 1 else f'are {width} columns'}, "
                "expected three: subject, predicate, object",
                advice="two columns can be types, a taxonomy or labels: say which, by --types,"
                " --taxonomy or --labels",
            )
        return "triples"
    if width < 2:
        raise reading.error("there is one column, expected two or three")
    pairs: Layout = reading.given
    if width == 2 or pairs == "labels":
        return pairs
    own = _found(headings or (), LAYOUTS[pairs])
    has_predicate = _place(headings or (), "predicate") is not None
    return pairs if own and not has_predicate else "triples"


def _called(file: str) -> Layout | None:
    """What a file holds by its name.

    Examples:
        >>> _called("data/types.tsv.gz"), _called("en-labels.csv"), _called("facts.tsv")
        ('types', 'labels', None)
    """
    words = re.findall(r"[a-z]+", Path(file).name.lower())
    found = [layout for layout in LAYOUTS if layout in words or layout.removesuffix("s") in words]
    return found[0] if len(found) == 1 and found != ["triples"] else None


def places(
    reading: Reading, layout: Layout, headings: Sequence[str] | None, width: int
) -> tuple[int, ...]:
    """Where the layout's columns are, from 0: as asked for, by their headings, or the first ones.

    The name of a label comes first, the label last.
    """
    if layout == "triples" and reading.inputs.columns is not None:
        return tuple(_asked(reading, column, headings, width) for column in reading.inputs.columns)
    columns = _found(headings or (), LAYOUTS[layout])
    if columns:
        return columns
    return (0, width - 1) if layout == "labels" else tuple(range(len(LAYOUTS[layout])))


def _asked(reading: Reading, column: str, headings: Sequence[str] | None, width: int) -> int:
    if headings is not None and column in headings:
        return list(headings).index(column)
    if column.isascii() and column.isdigit():
        if 1 <= int(column) <= width:
            return int(column) - 1
        raise reading.error(f"there is no column {column}: there are {width}")
    if headings is None:
        raise reading.error(
            f"there is no column {column!r} in the first line",
            advice="give its header's words as they are, or count the columns from 1",
        )
    there = listed([repr(heading) for heading in headings], most=12)
    raise reading.error(f"there is no column {column!r}", advice=f"the columns are {there}")


def _found(headings: Sequence[str], wanted: Sequence[str]) -> tuple[int, ...]:
    """The places of all wanted columns by their headings, or nothing."""
    found = [_place(headings, column) for column in wanted]
    sure = tuple(place for place in found if place is not None)
    return sure if len(set(sure)) == len(wanted) else ()


def _place(headings: Sequence[str], column: str) -> int | None:
    """The place of the heading that is the likeliest for a column."""
    plain = [_plain(heading) for heading in headings]
    return next((plain.index(word) for word in _CALLED[column] if word in plain), None)


def _plain(heading: str) -> str:
    return heading.strip().lower()
