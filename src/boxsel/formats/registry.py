"""The formats by name, how a file's format is found, and reading and writing by it.

Adding a format is one new module with `read` and `write`, and one entry here.
"""

from __future__ import annotations

import importlib
import os
import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

from boxsel.errors import BoxselError, Diagnostic, ReadError, WriteError
from boxsel.formats.kinds import PARQUET, is_workbook
from boxsel.formats.source import Source, extension, load, opening, write_atomically
from boxsel.formats.table_columns import NO_CHOICE, Choice
from boxsel.formats.table_rows import Tabled
from boxsel.logic.kb import KB
from boxsel.logic.proportions import MAX_DIGITS, is_readable
from boxsel.machine.collecting import without_cycle_collection
from boxsel.union import MATCHES, Match, Part, Union, unite, with_default_prefix
from boxsel.wording import expect_known

if TYPE_CHECKING:
    import pandas

FRAME: Final = "DataFrame"
"""What statements of a table in memory have as their source, beside those of files."""


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


class TableCodec(Codec, Protocol):
    """What the module of a table provides beside that."""

    def tabled(self, source: Source, choice: Choice) -> Tabled:
        """The knowledge base, and what should be said about how its table was read."""
        ...


@dataclass(frozen=True, slots=True)
class Format:
    """A way to write a knowledge base down.

    `opening` matches the start of such a file after white space, if that start is telling.
    A `table` has rows: what its columns hold can be said. A `binary` format is not text.
    What is not `written` is only read.
    """

    name: str
    title: str
    extensions: tuple[str, ...]
    module: str
    opening: re.Pattern[str] | None = None
    table: bool = False
    binary: bool = False
    written: bool = True

    @property
    def codec(self) -> Codec:
        """The format's functions, imported on first use: `.sel` never loads a parser of OWL."""
        return cast(Codec, importlib.import_module(f"boxsel.formats.{self.module}"))

    @property
    def tables(self) -> TableCodec:
        """The same of a table."""
        return cast(TableCodec, self.codec)

    def write(self, kb: KB) -> Any:
        """The knowledge base as text, or as bytes if the format is binary.

        Raises:
            WriteError: The format cannot hold all of it, or it could not be read again.
        """
        if not self.written:
            raise WriteError(f"a {self.title} is read, not written: write .csv, which opens there")
        for axiom in kb.conditionals:
            if not is_readable(axiom.proportion):
                raise WriteError(
                    f"a bound of ({axiom.head} | {axiom.body}) has more than {MAX_DIGITS}"
                    " characters, and could not be read again: round it"
                )
        with without_cycle_collection():
            return self.codec.write(kb)

    def encode(self, kb: KB) -> bytes:
        """The knowledge base as the bytes of a file."""
        written: str | bytes = self.write(kb)
        return written.encode() if isinstance(written, str) else written


_XML_PROLOGUE = r"(?:<\?.*?\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>\s*)*"
_COLUMN = "kind|head|body|lower|upper|count|total|share|percent|source|label|comment|group|of"
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
        "CSV table",
        (".csv",),
        "csv_table",
        re.compile(rf'"?(?:{_COLUMN})"?\s*[,;]', re.IGNORECASE),
        table=True,
    ),
    Format(
        "tsv",
        "table with tabs (TSV)",
        (".tsv",),
        "tsv_table",
        re.compile(rf'"?(?:{_COLUMN})"?\s*\t', re.IGNORECASE),
        table=True,
    ),
    Format(
        "parquet",
        "Parquet table",
        (".parquet",),
        "parquet_table",
        table=True,
        binary=True,
    ),
    Format(
        "xlsx",
        "workbook of Excel or LibreOffice",
        (".xlsx", ".xlsm", ".xls", ".ods"),
        "workbook",
        table=True,
        binary=True,
        written=False,
    ),
)

_ELSEWHERE: Final = (
    (
        re.compile(_COMMENT_LINES + r"(?:Prefix:[^\n]*\s+)*Ontology:(?!\S)"),
        "an ontology in Manchester syntax",
        "save it as RDF/XML or Turtle, in Protégé with File > Save as",
    ),
    (
        re.compile(r'(?:\[\s*)?\{\s*"@(?:context|graph|id|type)"\s*:'),
        "JSON-LD",
        "save it as Turtle or RDF/XML",
    ),
    (
        re.compile(r"(?:<!--.*?-->\s*)*<(?:!DOCTYPE\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL),
        "a web page",
        "download the file that it shows, such as the raw file on GitHub",
    ),
)
"""How files begin that people take for what can be read, what they are, and what to do."""

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
    if is_workbook(source.data):
        return _BY_NAME["xlsx"]
    start = opening(source.data, _OPENING_LENGTH)
    for pattern, kind, advice in _ELSEWHERE:
        if pattern.match(start):
            problem = f"this seems to be {kind}, which cannot be read here"
            raise ReadError(Diagnostic(problem, source.file, help=advice))
    for entry in FORMATS:
        if entry.opening is not None and entry.opening.match(start):
            return entry
    return format_of_path(source.file) or _BY_NAME["sel"]


def read(
    *sources: str | os.PathLike[str] | pandas.DataFrame,
    format: str | None = None,  # noqa: A002
    match: Match | None = None,
    sheet: str | int | None = None,
    columns: Mapping[str, str] | None = None,
) -> KB:
    """The knowledge base in a file, or in several that are one, in any supported format.

    `-` is standard input, `example:NAME` a bundled example, and a DataFrame is a table in memory.
    The format is told from the content, else from the extension; `format` overrides both. Files may
    be compressed with gzip or bzip2. Of several files, a statement without a source has its file as
    source. Names with the same local name, or the same label, under different IRIs are one if
    `match` says so (`"local"`, `"label"`); with `"none"` they are different, and without it a
    warning tells of them.

    In tables, `columns` says which holds what, as in `{"head": "Disease", "percent": "In 2020"}`;
    otherwise columns are found by their names, and a warning tells what was guessed. `sheet` is
    the name or the number of a workbook's sheet, otherwise the first.

    Examples:
        >>> import pandas as pd
        >>> read(pd.DataFrame({"head": ["Smoker"], "body": ["Adult"], "percent": [19.5]}))
        <KB: 1 conditional>
    """
    loaded = [
        load(source) if isinstance(source, str | os.PathLike) else cast(Any, source)
        for source in sources
    ]
    united = read_sources(loaded, format, match, Choice(sheet, columns or {}))
    for notice in united.notices("match='{}'"):
        if match is None:
            warnings.warn(notice, stacklevel=2)
    for remark in united.remarks:
        warnings.warn(remark, stacklevel=2)
    return united.kb


def read_sources(
    sources: Sequence[Source | pandas.DataFrame],
    format: str | None = None,  # noqa: A002
    match: Match | None = None,
    choice: Choice = NO_CHOICE,
) -> Union:
    """The knowledge base of some sources, which of their names look the same, and how tables read.

    Of several, `format` is that of those whose extension names none.
    """
    if not sources:
        raise BoxselError("there is nothing to read: give a file")
    if match is not None:
        expect_known("match", match, MATCHES)
    if len(sources) == 1:
        only = _read(sources[0], format, choice)
        return Union(only.kb, remarks=only.remarks)
    files = [Path(one.file).name if isinstance(one, Source) else FRAME for one in sources]
    parts, remarks = [], []
    for source, file in zip(sources, files, strict=True):
        known = format
        if isinstance(source, Source) and format_of_path(source.file) is not None:
            known = None
        tabled = _read(source, known, choice)
        named = files.count(file) == 1 or not isinstance(source, Source)
        name = file if named else cast(Source, source).file
        remarks += [f"{name}: {remark}" for remark in tabled.remarks]
        parts.append(Part(name, tabled.kb))
    return replace(unite(parts, match), remarks=tuple(remarks))


def _read(source: Source | pandas.DataFrame, format: str | None, choice: Choice) -> Tabled:  # noqa: A002
    """A source; in OWL prefixes are a matter of the file, in other formats of its author."""
    if not isinstance(source, Source):
        from boxsel.formats.frame import read_frame

        return read_frame(source, choice)
    entry = input_format(source, format)
    if entry.table:
        return entry.tables.tabled(source, choice)
    kb = entry.codec.read(source)
    return Tabled(with_default_prefix(kb) if entry.module.startswith("owl.") else kb)


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
