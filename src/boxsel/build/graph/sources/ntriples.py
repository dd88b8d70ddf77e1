"""N-Triples and N-Quads: a line is a triple, so that DuckDB reads them in parallel.

A pattern takes the lines as programs write them. All others, those with escapes above all, go
through pyoxigraph; what it refuses is rejected.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

import pyoxigraph as ox

from boxsel.build.graph.duckdb_engine import told
from boxsel.build.graph.names import BLANK
from boxsel.build.graph.sources.literals import name_sql, object_sql, without_literals
from boxsel.build.graph.sources.opening import head, text_lines
from boxsel.build.graph.sources.quads import BATCH, insert_quads, scope
from boxsel.build.graph.sources.relation import TRIPLE, Place, Reading, Relation
from boxsel.build.graph.sources.text_rows import Written, load, reject
from boxsel.build.rejects import EXAMPLES
from boxsel.machine.database import quoted

_BROKEN: Final = "the line is not a triple"

_IRI: Final = r"<[^\x00-\x20<>\"{}|^`\\]+>"
_NODE: Final = rf"(?:{_IRI}|_:[A-Za-z0-9_-]+)"
_LITERAL: Final = rf'"[^"\\\n\r]*"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^{_IRI})?'
_USUAL: Final = rf"{_NODE} {_IRI} (?:{_NODE}|{_LITERAL})(?: {_NODE})? \."
"""A line whose terms are separated by one space each, without any escape."""

_REMEMBERED: Final = 100_000
"""How many broken lines are looked for in the file, to show the first of them."""


def read(reading: Reading) -> list[Relation]:
    """Read a file's triples into a table; lines that are no triples are rejected."""
    if b"\0" in head(reading.path, reading.file):
        raise reading.error("this is not a text file: it holds NUL bytes")
    rejected = load(reading, lambda rows: _select(reading, rows), Written("\x01", 1))
    unused = Counter(without_literals(reading.local, reading.name))
    broken = _insert_odd(reading, unused)
    if broken:
        reject(reading, _BROKEN, broken.total(), _first(reading, broken))
        rejected += broken.total()
    name, file = reading.name, reading.file
    return [Relation(name, file, reading.given, "triples", TRIPLE, dict(unused), rejected)]


def _select(reading: Reading, rows: str) -> str:
    """A query that takes the usual lines apart and keeps the odd ones whole."""
    subject, predicate, value = (f"split_part(line, ' ', {n})" for n in (1, 2, 3))
    value = (
        f"CASE WHEN starts_with({value}, '\"') THEN regexp_extract(line, {quoted(_LITERAL)}) "
        f"ELSE {value} END"
    )
    name = name_sql("p")
    wanted = object_sql("o", name, reading.inputs, _scoped("o", reading))
    return (
        f"SELECT {_scoped('s', reading)} AS subject, {name} AS predicate, {wanted} AS object, odd "
        f"FROM (SELECT CASE WHEN usual THEN {subject} END AS s, "
        f"CASE WHEN usual THEN {predicate} END AS p, CASE WHEN usual THEN {value} END AS o, "
        "CASE WHEN NOT usual THEN line END AS odd FROM ("
        f"SELECT c0 AS line, regexp_full_match(c0, {quoted(_USUAL)}) AS usual FROM {rows}) "
        "WHERE usual OR NOT regexp_full_match(line, '\\s*(?:#.*)?'))"
    )


def _scoped(term: str, reading: Reading) -> str:
    """A term's name; that of a blank node is the file's own."""
    blank = f"{quoted(scope(reading))} || substr({term}, {len(BLANK) + 1})"
    return f"CASE WHEN starts_with({term}, '{BLANK}') THEN {blank} ELSE {name_sql(term)} END"


def _insert_odd(reading: Reading, unused: Counter[str]) -> Counter[str]:
    """Put the odd lines' triples in their place; the lines that hold none, and how often."""
    broken: Counter[str] = Counter()
    with told():
        lines = reading.local.connection.cursor()
        lines.execute(f"SELECT odd FROM {reading.name} WHERE odd IS NOT NULL")
    found = False
    while True:
        with told():
            some = [str(line) for (line,) in lines.fetchmany(BATCH)]
        if not some:
            break
        found = True
        insert_quads(_parsed(some, broken), reading, unused)
    lines.close()
    if found:
        reading.local.execute(f"DELETE FROM {reading.name} WHERE odd IS NOT NULL")
    reading.local.execute(f"ALTER TABLE {reading.name} DROP COLUMN odd")
    return broken


def _parsed(lines: Sequence[str], broken: Counter[str]) -> Iterator[ox.Quad]:
    """The triples of lines: all at once if that gives one for each, else line by line."""
    quads = _quads("\n".join(lines))
    if len(quads) == len(lines):
        yield from quads
        return
    for line in lines:
        quads = _quads(line)
        if len(quads) == 1:
            yield quads[0]
        else:
            # More than can be looked for are only counted.
            broken[line if len(broken) < _REMEMBERED else ""] += 1


def _quads(text: str) -> list[ox.Quad]:
    """The triples in a text, none if there is a mistake in it."""
    # Lenient: names with signs that no IRI may hold are common, and harmless here.
    try:
        return list(ox.parse(input=text.encode(), format=ox.RdfFormat.N_QUADS, lenient=True))
    except (SyntaxError, MemoryError):  # the latter for a term that is too long
        return []


def _first(reading: Reading, broken: Counter[str]) -> list[Place]:
    """The first broken lines of the file."""
    lines = enumerate(text_lines(reading.path, reading.file), start=1)
    return list(islice(((n, line) for n, line in lines if line and line in broken), EXAMPLES))
