"""Which columns a knowledge base is about, which are heads and which are bodies."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from boxsel.build.table.source import Table
from boxsel.errors import BoxselError, Diagnostic, ReadError
from boxsel.wording import listed


@dataclass(frozen=True, slots=True)
class Chosen:
    """The columns that are used, and of these the ones that heads and bodies are about."""

    used: tuple[str, ...]
    of: tuple[str, ...]
    given: tuple[str, ...]


def choose(
    table: Table,
    *,
    count: str | None,
    columns: Sequence[str] | None,
    of: Sequence[str] | None,
    given: Sequence[str] | None,
) -> Chosen:
    """The columns that are meant.

    Without `columns`, those of `of` and `given` if both are said, else all that have a name.
    """
    heads = None if of is None else resolved(table, of, count)
    bodies = None if given is None else resolved(table, given, count)
    named = [column for column in table.columns if column and column != count]
    if columns is not None:
        named = resolved(table, columns, count)
        for column in (*(heads or ()), *(bodies or ())):
            if column not in named:
                raise BoxselError(f"the column {column!r} is not among the columns to be used")
    elif heads is not None and bodies is not None:
        named = [column for column in named if column in heads or column in bodies]
    if not named:
        problem = "there is no column to be used, besides that of the counts"
        raise ReadError(Diagnostic(problem, table.file))
    used = tuple(column for column in table.columns if column in named)
    return Chosen(
        used,
        tuple(column for column in used if heads is None or column in heads),
        tuple(column for column in used if bodies is None or column in bodies),
    )


def split_names(texts: Sequence[str] | None, columns: Sequence[str]) -> list[str] | None:
    """Columns as the command line has them: `A,B` is two, unless a column has that very name.

    Examples:
        >>> split_names(["Sex,Age", "Height, cm"], ["Sex", "Age", "Height, cm"])
        ['Sex', 'Age', 'Height, cm']
    """
    if texts is None:
        return None
    return [
        name.strip()
        for text in texts
        for name in ([text] if text in columns else text.split(","))
        if name.strip()
    ]


def resolved(table: Table, names: Sequence[str], count: str | None) -> list[str]:
    """The columns that are named; an error where there is none, or where it holds the counts."""
    for name in split_names(names, table.columns) or ():
        if name == count:
            raise BoxselError(f"the column {name!r} holds the counts: it has no concepts")
        if name not in table.columns:
            known = [column for column in table.columns if column]
            near = difflib.get_close_matches(name, known, 1, 0.5)
            like = [one for one in known if one.lower() == name.lower()] or near
            advice = f"did you mean {like[0]!r}? " if like else ""
            problem = f"there is no column {name!r}"
            raise ReadError(
                Diagnostic(
                    problem, table.file, help=f"{advice}the columns are {listed(known, most=20)}"
                )
            )
    return split_names(names, table.columns) or []
