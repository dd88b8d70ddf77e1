"""The formats by name, and how a file's format is found.

Adding a format is one new module with `read` and `write`, and one entry here.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from typing import Any, Protocol, cast

from boxsel.errors import BoxselError, WriteError
from boxsel.formats.kinds import PARQUET
from boxsel.formats.source import Source
from boxsel.logic.kb import KB
from boxsel.logic.proportions import MAX_DIGITS, is_readable


class Codec(Protocol):
    """What the module of a format provides."""

    def read(self, source: Source) -> KB:
        """The knowledge base in the source; `ReadError` if there is none."""
        ...

    def write(self, kb: KB) -> Any:
        """The knowledge base as text; `WriteError` if the format cannot hold all of it.

        A binary format gives bytes: `Format.encode` is for those who do not know which it is.
        """
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a knowledge base down.

    `opening` matches the start of such a file after white space, if that start is telling.
    A `table` holds conditionals only. A `binary` format is not text.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    module: str
    opening: re.Pattern[str] | None = None
    table: bool = False
    binary: bool = False

    @property
    def codec(self) -> Codec:
        """The format's functions, imported on first use: `.sel` never loads a parser of OWL."""
        return cast(Codec, importlib.import_module(f"boxsel.formats.{self.module}"))

    def write(self, kb: KB) -> Any:
        """The knowledge base as text, or as bytes if the format is binary.

        Raises:
            WriteError: The format cannot hold all of it, or it could not be read again.
        """
        for axiom in kb.conditionals:
            if not is_readable(axiom.proportion):
                raise WriteError(
                    f"a bound of ({axiom.head} | {axiom.body}) has more than {MAX_DIGITS}"
                    " characters, and could not be read again: round it"
                )
        return self.codec.write(kb)

    def encode(self, kb: KB) -> bytes:
        """The knowledge base as the bytes of a file."""
        written: str | bytes = self.write(kb)
        return written.encode() if isinstance(written, str) else written


_XML_PROLOGUE = r"(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>\s*)*"
_COLUMN = "head|body|lower|upper|count|total|source|label|comment"
_COMMENT_LINES = r"(?:#[^\n]*\n\s*)*"

FORMATS: tuple[Format, ...] = (
    Format("sel", "SEL text", (".sel",), "sel"),
    Format(
        "owl",
        "OWL 2 in RDF/XML",
        (".owl", ".rdf", ".xml"),
        "owl.rdfxml",
        re.compile(_XML_PROLOGUE + r"<(?:[\w.-]+:)?RDF[\s>]", re.DOTALL),
    ),
    Format(
        "owx",
        "OWL 2 in OWL/XML",
        (".owx",),
        "owl.owlxml",
        re.compile(_XML_PROLOGUE + r"<(?:[\w.-]+:)?Ontology[\s>]", re.DOTALL),
    ),
    Format(
        "ofn",
        "OWL 2 in functional syntax",
        (".ofn", ".fss"),
        "owl.functional",
        re.compile(_COMMENT_LINES + r"(?:Prefix|Ontology)\s*\("),
    ),
    Format(
        "ttl",
        "OWL 2 in Turtle",
        (".ttl", ".nt"),
        "owl.turtle",
        re.compile(_COMMENT_LINES + r"(?:@prefix|@base|PREFIX|BASE)\s"),
    ),
    Format(
        "obo",
        "OBO 1.4",
        (".obo",),
        "owl.obo",
        re.compile(r"(?:!.*\n\s*)*(?:format-version\s*:|\[(?:Term|Typedef)\])"),
    ),
    Format("json", "JSON", (".json",), "json_form", re.compile(r"\{")),
    Format(
        "csv",
        "CSV table of conditionals",
        (".csv",),
        "csv_table",
        re.compile(rf'"?(?:{_COLUMN})"?\s*[,;]', re.IGNORECASE),
        table=True,
    ),
    Format(
        "tsv",
        "CSV table of conditionals with tabs",
        (".tsv",),
        "tsv_table",
        re.compile(rf'"?(?:{_COLUMN})"?\s*\t', re.IGNORECASE),
        table=True,
    ),
    Format(
        "parquet",
        "Parquet table of conditionals",
        (".parquet",),
        "parquet_table",
        table=True,
        binary=True,
    ),
)

_BY_NAME = {entry.name: entry for entry in FORMATS}
_BY_EXTENSION = {extension: entry for entry in FORMATS for extension in entry.extensions}
_OPENING_LENGTH = 16_384


def format_named(name: str) -> Format:
    """The format of this name."""
    try:
        return _BY_NAME[name]
    except KeyError:
        known = ", ".join(_BY_NAME)
        raise BoxselError(f"there is no format {name!r}: choose one of {known}") from None


def format_of_path(path: str) -> Format | None:
    """The format that a file's extension stands for, if any."""
    return _BY_EXTENSION.get(Source(path, b"").extension)


def recognise(source: Source) -> Format:
    """The format of a source: told by its content, else by its extension, else SEL text."""
    if PARQUET.matches(source.data):
        return _BY_NAME["parquet"]
    opening = source.data[:_OPENING_LENGTH].decode("utf-8-sig", errors="replace").lstrip()
    for entry in FORMATS:
        if entry.opening is not None and entry.opening.match(opening):
            return entry
    return format_of_path(source.file) or _BY_NAME["sel"]
