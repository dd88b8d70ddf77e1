"""RDF documents in Turtle, TriG and RDF/XML, streamed through pyoxigraph."""

from __future__ import annotations

import io
from collections import Counter
from functools import partial
from typing import IO, Final, cast
from xml.parsers import expat

import pyoxigraph as ox

from boxsel.build.graph.sources.opening import opened
from boxsel.build.graph.sources.quads import insert_quads
from boxsel.build.graph.sources.relation import TRIPLE, Reading, Relation


def read(reading: Reading, syntax: ox.RdfFormat) -> list[Relation]:
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
            insert_quads(quads, reading, unused)
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
    ".ttl": partial(read, syntax=ox.RdfFormat.TURTLE),
    ".trig": partial(read, syntax=ox.RdfFormat.TRIG),
    ".rdf": partial(read, syntax=ox.RdfFormat.RDF_XML),
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
