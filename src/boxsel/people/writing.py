"""Files of people: tables with a row for each, and triples.

A name is a column in which those who have it say yes. Names such as `'Sex=male'`, as tables are
counted into, are values of one column again, if nobody has two of them. So `boxsel build` reads
what is written here: as a table where nobody is linked, and as a graph.
"""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boxsel.errors import BoxselError
from boxsel.formats.source import write_atomically
from boxsel.logic.concepts import Name, Role
from boxsel.logic.names import BUILTIN_PREFIXES, TOP_IRI, plain_name
from boxsel.machine.database import parquet_of

if TYPE_CHECKING:
    from boxsel.people.sample import Member, Sample

ID: Final = "id"
YES: Final = "yes"
TYPE: Final = f"<{BUILTIN_PREFIXES['rdf']}type>"
SOMEBODY: Final = f"<{TOP_IRI}>"
FORMATS: Final = (".csv", ".parquet", ".nt", ".ttl")

Row = list[str]


def check_people_file(path: str | os.PathLike[str]) -> str:
    """The extension of a file for people; an error if it names no format."""
    extension = Path(path).suffix.lower()
    if extension not in FORMATS:
        raise BoxselError(
            f"{os.fspath(path)}: people are written as {', '.join(FORMATS)}: choose one of these"
            " extensions"
        )
    return extension


def write_people(people: Sample, path: str | os.PathLike[str]) -> None:
    """Write people to a file, whole or not at all, in the format of its extension."""
    extension = check_people_file(path)
    if extension == ".parquet":
        data = _parquet(*table_of(people))
    else:
        data = people_text(people, extension).encode()
    write_atomically(path, data)


def people_text(people: Sample, extension: str) -> str:
    """People as the text of a file: `.csv`, `.nt` or `.ttl`."""
    if extension == ".csv":
        text = io.StringIO(newline="")
        columns, rows = table_of(people)
        csv.writer(text, lineterminator="\n").writerows([columns, *rows])
        return text.getvalue()
    spell = _turtle if extension == ".ttl" else _triples
    return "".join(line for member in people.members() for line in spell(member))


def table_of(people: Sample) -> tuple[list[str], Iterator[Row]]:
    """The columns and the rows of people; where somebody is linked, with names of their own."""
    population = people.population
    columns = _columns(people)
    linked = [
        role
        for place, role in enumerate(population.roles)
        if any(any(pattern.objects[place : place + 1]) for pattern in population.patterns)
    ]
    named = bool(linked or people.individuals)
    titles = [*([ID] if named else []), *columns, *_titles(linked, people, columns)]
    return titles, (
        _row(member, columns.values(), linked, named=named) for member in people.members()
    )


def _row(
    member: Member, columns: Iterable[Mapping[Name, str]], linked: list[Role], *, named: bool
) -> Row:
    cells = [member.id] if named else []
    for values in columns:
        cells.append(next((values[name] for name in values if name in member.names), ""))
    for role in linked:
        cells.append(" ".join(other for own, other in member.links if own == role))
    return cells


def _columns(people: Sample) -> dict[str, dict[Name, str]]:
    """The columns of names, each with what stands there for whom."""
    spelt = {name: plain_name(name.text(people.spelling)) for name in people.population.concepts}
    columns: dict[str, dict[Name, str]] = {}
    for name, text in spelt.items():
        title, sign, value = text.partition("=")
        if title and sign and value and value == value.strip() and title == title.strip():
            columns.setdefault(title, {})[name] = value
    twice = {
        title
        for title, values in columns.items()
        if any(len(values.keys() & own) > 1 for own in people.population.interpretation.names)
        or title == ID
    }
    columns = {title: values for title, values in columns.items() if title not in twice}
    placed = {name for values in columns.values() for name in values}
    for name, text in spelt.items():
        if name not in placed:
            columns[_fresh(text, columns)] = {name: YES}
    return columns


def _titles(linked: list[Role], people: Sample, columns: Iterable[str]) -> Iterator[str]:
    used = {*columns}
    for role in linked:
        title = _fresh(plain_name(role.text(people.spelling)), used)
        used.add(title)
        yield title


def _fresh(title: str, used: Iterable[str]) -> str:
    known = {ID, *used}
    while title in known:
        title += "_"
    return title


def _parquet(columns: list[str], rows: Iterable[Row]) -> bytes:
    import numpy as np

    cells: Any = np.array(list(rows), object).reshape(-1, len(columns))
    arrays = {f"c{place}": cells[:, place].copy() for place in range(len(columns))}
    chosen = (f"nullif(CAST({name} AS VARCHAR), '')" for name in arrays)
    return parquet_of(arrays, dict(zip(columns, chosen, strict=True)))


def _said(member: Member) -> Iterator[tuple[str, str]]:
    """What is said about somebody: predicates and objects. Everybody is said to be somebody."""
    yield TYPE, SOMEBODY
    for name in sorted(member.names, key=lambda one: one.iri):
        yield TYPE, f"<{name.iri}>"
    for role, other in member.links:
        yield f"<{role.iri}>", f"<{other}>"


def _triples(member: Member) -> Iterator[str]:
    return (f"<{member.id}> {what} {whom} .\n" for what, whom in _said(member))


def _turtle(member: Member) -> Iterator[str]:
    """The triples of one subject together, with those of one predicate in a row."""
    by_predicate: dict[str, list[str]] = {}
    for what, whom in _said(member):
        by_predicate.setdefault("a" if what == TYPE else what, []).append(whom)
    said = " ;\n    ".join(f"{what} {', '.join(whom)}" for what, whom in by_predicate.items())
    yield f"<{member.id}> {said} .\n"
