"""Which of a source's columns are the ones that we need."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boxsel.build.graph.sources.relation import LAYOUTS, Layout, Reading
from boxsel.wording import listed

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


def is_header(cells: Sequence[str]) -> bool:
    """Whether a row holds headings, not data: every cell is a word that columns are called by.

    Examples:
        >>> is_header(["Subject", "predicate", "OBJECT"]), is_header(["Q1", "P31", "Q5"])
        (True, False)
    """
    return all(_plain(cell) in _HEADINGS for cell in cells) and len(set(cells)) == len(cells)


def layout_of(reading: Reading, headings: Sequence[str] | None, width: int) -> Layout:
    """How rows are understood, by what the file is given as and the columns that it has."""
    if reading.given == "graph" or reading.given == "facts":
        if width < 3:
            raise reading.error(
                f"there {'is one column' if width == 1 else f'are {width} columns'}, "
                "expected three: subject, predicate, object",
                advice="two columns can be types, a taxonomy or labels: give the file as that",
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


def places(
    reading: Reading, layout: Layout, headings: Sequence[str] | None, width: int
) -> tuple[int, ...]:
    """Where the layout's columns are, from 0: as asked for, by their headings, or the first ones.

    The name of a label comes first, the label last.
    """
    if layout == "triples" and reading.inputs.columns is not None:
        return tuple(_asked(reading, one, headings, width) for one in reading.inputs.columns)
    found = _found(headings or (), LAYOUTS[layout])
    if found:
        return found
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
