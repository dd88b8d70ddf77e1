"""The formats by name, how a file's format is found, and reading and writing by it.

Adding a format is one new module with `read` and `write`, and one entry here.
"""

from __future__ import annotations

import importlib
import os
import re
from dataclasses import dataclass
from typing import Any, Protocol, cast

from boxsel.errors import BoxselError, WriteError
from boxsel.formats.kinds import PARQUET
from boxsel.formats.source import Source, extension, load, write_atomically
from boxsel.logic.kb import KB
from boxsel.logic.proportions import MAX_DIGITS, is_readable
from boxsel.wording import expect_known


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
    expect_known("format", name, _BY_NAME)
    return _BY_NAME[name]


def format_of_path(path: str) -> Format | None:
    """The format that a file's extension stands for, if any."""
    return _BY_EXTENSION.get(extension(path))


def recognise(source: Source) -> Format:
    """The format of a source: told by its content, else by its extension, else SEL text."""
    if PARQUET.matches(source.data):
        return _BY_NAME["parquet"]
    opening = source.data[:_OPENING_LENGTH].decode("utf-8-sig", errors="replace").lstrip()
    for entry in FORMATS:
        if entry.opening is not None and entry.opening.match(opening):
            return entry
    return format_of_path(source.file) or _BY_NAME["sel"]


def read(path: str | os.PathLike[str], format: str | None = None) -> KB:  # noqa: A002
    """The knowledge base in a file (`-`: standard input), in any supported format.

    The format is told from the content, else from the extension; `format` overrides both.
    Files may be compressed with gzip or bzip2.
    """
    source = load(path)
    return input_format(source, format).codec.read(source)


def write(kb: KB, path: str | os.PathLike[str], format: str | None = None) -> None:  # noqa: A002
    """Write a knowledge base to a file, whole or not at all, in the format of its extension."""
    target = os.fspath(path)
    write_atomically(target, output_format(target, format).encode(kb))


def input_format(source: Source, name: str | None) -> Format:
    """The format to read: the one named, else the one that the source shows."""
    return format_named(name) if name else recognise(source)


def output_format(path: str | None, name: str | None) -> Format:
    """The format to write: the one named, else the extension's."""
    if name:
        return format_named(name)
    chosen = format_of_path(path) if path else None
    if chosen is None:
        raise BoxselError(
            f"{path}: the extension names no format: add one such as .sel, or say which with --to"
            if path
            else "say which format to write with --to"
        )
    return chosen
