"""RDF: documents streamed through pyoxigraph; and N-Triples, whose lines DuckDB reads in parallel.

Of N-Triples and N-Quads a pattern takes the lines as programs write them. All others, those with
escapes above all, go through pyoxigraph; what it refuses is rejected.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import IO, Final, cast
from xml.parsers import expat

import numpy as np
import pyoxigraph as ox

from boxsel.build.built import EXAMPLES
from boxsel.build.delimited import Delimited, Place, reject
from boxsel.build.graphs.names import BLANK, YAGO_BASE
from boxsel.build.graphs.sources.relation import (
    LANGUAGES,
    LITERALS,
    NOT_TEXT,
    TRIPLE,
    Reading,
    Relation,
)
from boxsel.build.graphs.sources.splitting import (
    name_sql,
    object_sql,
    without_base_sql,
    without_literals,
)
from boxsel.build.opening import head, opened, text_lines
from boxsel.machine.database import quoted

QUOTED_TRIPLES: Final = "statements about statements"

BATCH: Final = 100_000
"""How many triples are held in memory."""

_BROKEN: Final = "the line is not a triple"

_IRI: Final = r"<[^\x00-\x20<>\"{}|^`\\]+>"
_NODE: Final = rf"(?:{_IRI}|_:[A-Za-z0-9_-]+)"
_LITERAL: Final = rf'"[^"\\\n\r]*"(?:@[A-Za-z]+(?:-[A-Za-z0-9]+)*|\^\^{_IRI})?'
_USUAL: Final = rf"{_NODE} {_IRI} (?:{_NODE}|{_LITERAL})(?: {_NODE})? \."
"""A line whose terms are separated by one space each, without any escape."""

_REMEMBERED: Final = 100_000
"""How many broken lines are looked for in the file, to show the first of them."""


def read_document(reading: Reading, syntax: ox.RdfFormat) -> list[Relation]:
    """Read a document's triples into a table; a mistake in it is an error that says where."""
    columns = ", ".join(f"{column} VARCHAR" for column in TRIPLE)
    reading.local.execute(f"CREATE OR REPLACE TABLE {reading.name} ({columns})")
    unused: Counter[str] = Counter()
    with opened(reading.path, reading.file) as stream:
        watched = _Watched(stream) if syntax == ox.RdfFormat.RDF_XML else None
        # Not even YAGO's own files escape all the signs that no IRI may hold: hence lenient.
        source = cast(IO[bytes], watched) if watched else stream
        quads = ox.parse(input=source, format=syntax, lenient=True)
        invalid = f"this is not valid {syntax.name}"
        try:
            _insert_quads(quads, reading, unused)
        except SyntaxError as error:
            line = watched.mistake()[1] if watched else error.lineno
            raise reading.error(f"{invalid}: {_said(error)}", line=line) from None
        except MemoryError:  # what the parser calls its limit on one token
            raise reading.error("a name or a literal is too long to be read") from None
        if watched:
            said, line = watched.mistake(at_end=True)
            if said:
                raise reading.error(f"{invalid}: {said}", line=line)
    name, file = reading.name, reading.file
    return [Relation(name, file, reading.given, "triples", TRIPLE, dict(unused))]


READERS: Final = {
    ".ttl": partial(read_document, syntax=ox.RdfFormat.TURTLE),
    ".trig": partial(read_document, syntax=ox.RdfFormat.TRIG),
    ".rdf": partial(read_document, syntax=ox.RdfFormat.RDF_XML),
}
"""The readers by the extension of their files."""


class _Watched(io.RawIOBase):
    """A stream of XML that is also checked: the parser of RDF takes one that is cut short."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__()
        self._stream = stream
        self._parser = expat.ParserCreate()
        # Not the error itself: it would hold on to everything that was there when it was raised.
        self._mistake: tuple[str, int | None] = ("", None)

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        data = self._stream.read(size)
        self._check(data, last=False)
        return data

    def mistake(self, *, at_end: bool = False) -> tuple[str, int | None]:
        """What is wrong with the document so far or, at its end, as a whole, and in which line."""
        if at_end:
            self._check(b"", last=True)
        return self._mistake

    def _check(self, data: bytes, *, last: bool) -> None:
        if not self._mistake[0]:
            try:
                self._parser.Parse(data, last)
            except expat.ExpatError as error:
                self._mistake = (expat.ErrorString(error.code) or "damaged", error.lineno)


def _said(error: SyntaxError) -> str:
    """What the parser says, without the place, which is said before."""
    text = str(error.msg)
    return text.partition(": ")[2] if text.startswith("Parser error") and ": " in text else text


def read_lines(reading: Reading) -> list[Relation]:
    """Read a file's triples into a table; lines that are no triples are rejected."""
    if b"\0" in head(reading.path, reading.file):
        raise reading.error("this is not a text file: it holds NUL bytes")
    lines = Delimited(reading.path, reading.file, "\x01", 1)
    rejected = reading.load(lines, lambda rows: _select(reading, rows))
    unused = Counter(without_literals(reading.local, reading.name))
    broken = _insert_odd(reading, unused)
    if broken:
        reject(reading.rejects, reading.file, _BROKEN, broken.total(), _first(reading, broken))
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
    blank = f"{quoted(_scope(reading))} || substr({term}, {len(BLANK) + 1})"
    return f"CASE WHEN starts_with({term}, '{BLANK}') THEN {blank} ELSE {name_sql(term)} END"


def _insert_odd(reading: Reading, unused: Counter[str]) -> Counter[str]:
    """Put the odd lines' triples in their place; the lines that hold none, and how often."""
    broken: Counter[str] = Counter()
    with reading.local.told():
        lines = reading.local.connection.cursor()
        lines.execute(f"SELECT odd FROM {reading.name} WHERE odd IS NOT NULL")
    found = False
    while True:
        with reading.local.told():
            some = [str(line) for (line,) in lines.fetchmany(BATCH)]
        if not some:
            break
        found = True
        _insert_quads(_parsed(some, broken), reading, unused)
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


def _scope(reading: Reading) -> str:
    """How blank nodes of a file begin: those of two files are different."""
    return f"{BLANK}{reading.number}_"


def _insert_quads(quads: Iterable[ox.Quad], reading: Reading, unused: Counter[str]) -> None:
    """Insert the triples that a table can hold into that of the file; count the others."""
    rest = iter(quads)
    parsed = BATCH
    while parsed == BATCH:
        columns, parsed = _columns(islice(rest, BATCH), reading, unused)
        if columns[0]:
            _insert(columns, reading)


def _columns(
    quads: Iterable[ox.Quad], reading: Reading, unused: Counter[str]
) -> tuple[tuple[list[str], ...], int]:
    """Subjects, predicates and objects of the triples that are of use, and how many there were."""
    labels = {start + one for one in reading.inputs.label_predicates for start in ("", YAGO_BASE)}
    speaks, blank = reading.inputs.speaks, _scope(reading)
    subjects: list[str] = []
    predicates: list[str] = []
    objects: list[str] = []
    parsed = 0
    for quad in quads:
        parsed += 1
        subject, node, predicate = quad.subject, quad.object, quad.predicate.value
        if type(subject) is ox.NamedNode:
            name = subject.value
        elif isinstance(subject, ox.BlankNode):
            name = blank + subject.value
        else:
            unused[QUOTED_TRIPLES] += 1
            continue
        if type(node) is ox.Literal:
            if predicate not in labels:
                unused[LITERALS] += 1
                continue
            if not speaks(node.language):
                unused[LANGUAGES] += 1
                continue
            value = node.value
        elif isinstance(node, ox.Triple):
            unused[QUOTED_TRIPLES] += 1
            continue
        elif predicate in labels:
            unused[NOT_TEXT] += 1
            continue
        else:
            value = node.value if type(node) is ox.NamedNode else blank + node.value
        subjects.append(name)
        predicates.append(predicate)
        objects.append(value)
    return (subjects, predicates, objects), parsed


def _insert(columns: Iterable[list[str]], reading: Reading) -> None:
    arrays = {
        name: np.array(column, dtype=object) for name, column in zip(TRIPLE, columns, strict=True)
    }
    listed = ", ".join(TRIPLE)
    plain = ", ".join(without_base_sql(column) for column in TRIPLE)
    reading.local.execute_over(
        arrays, f"INSERT INTO {reading.name} ({listed}) SELECT {plain} FROM given_arrays"
    )
