"""What kind of source a file is, by its extension and its first bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from boxsel.build.graphs.engine import Engine
from boxsel.build.graphs.sources import delimited, rdf
from boxsel.build.graphs.sources.relation import Reading, Relation
from boxsel.build.graphs.sources.tables import read_database, read_parquet
from boxsel.build.opening import head, local_path
from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.kinds import DUCKDB, PARQUET, Kind, refuse_binary
from boxsel.formats.source import STDIN, extension

Reader = Callable[[Reading], list[Relation]]

EXTENSIONS: Final[dict[str, Reader]] = {
    **rdf.READERS,
    ".owl": rdf.READERS[".rdf"],
    ".xml": rdf.READERS[".rdf"],
    ".nt": rdf.read_lines,
    ".nq": rdf.read_lines,
    ".tsv": delimited.read,
    ".tab": delimited.read,
    ".csv": delimited.read,
    ".parquet": read_parquet,
    ".pq": read_parquet,
    ".duckdb": read_database,
    ".ddb": read_database,
}
"""The reader of each extension."""

_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+://")

# Binary files are known by their first bytes, whatever they are called; text that has no known
# extension by how it begins, after comments.
_BINARY: Final[tuple[tuple[Kind, Reader], ...]] = (
    (PARQUET, read_parquet),
    (DUCKDB, read_database),
)
_BEGINNINGS: Final[tuple[tuple[re.Pattern[bytes], Reader], ...]] = (
    (re.compile(rb"<\?xml|<rdf:RDF|<!DOCTYPE"), rdf.READERS[".rdf"]),
    (re.compile(rb"@prefix|@base|PREFIX\s|BASE\s", re.IGNORECASE), rdf.READERS[".ttl"]),
    (
        re.compile(rb"(?:<[^>\n]*>|_:\S+)[ \t]+<[^>\n]*>[ \t]+[^\n]*\.[ \t\r]*(?:\n|$)"),
        rdf.read_lines,
    ),
)
_COMMENTS: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|#[^\n]*\n)*")


def located(file: str, engine: Engine, folder: Path, number: int) -> tuple[Path, Reader]:
    """Where a source lies, and its reader.

    Parquet may lie where only the engine can see it.
    """
    if engine.elsewhere and extension(file.rstrip("/")) in (".parquet", ".pq"):
        return Path(file), read_parquet
    if _ADDRESS.match(file):
        raise ReadError(
            Diagnostic(
                "this is an address, not a file on this machine",
                file=file,
                help="copy it here; Parquet can also be read where it is, with --engine spark",
            )
        )
    whole = Path(file)
    base, table = _with_table(file)
    if table:
        path = local_path(base, folder, number)
        if recognised(path, base) is not read_database:
            raise ReadError(Diagnostic("only a DuckDB database has tables to choose", file=file))
        return path, partial(read_database, table=table)
    if file != STDIN and whole.is_dir() and next(whole.rglob("*.parquet"), None):
        return whole, read_parquet
    path = local_path(file, folder, number)
    return path, recognised(path, file)


def database_path(file: str) -> Path | None:
    """The path of a DuckDB database, if a source is one."""
    path = Path(_with_table(file)[0])
    return path if path.is_file() and recognised(path, file) is read_database else None


def _with_table(file: str) -> tuple[str, str]:
    """`FILE:TABLE` as its two parts; the table is empty where none is named."""
    base, _, table = file.rpartition(":")
    is_named = bool(base and table) and not Path(file).exists() and Path(base).is_file()
    return (base, table) if is_named else (file, "")


def recognised(path: Path, file: str) -> Reader:
    """The reader of a file."""
    start = head(path, file)
    for kind, binary in _BINARY:
        if kind.matches(start):
            return binary
    refuse_binary(start, "<stdin>" if file == STDIN else file)
    known = EXTENSIONS.get(extension(file))
    if known is not None:
        return known
    text = _COMMENTS.sub(b"", start, count=1)
    return next((reader for begins, reader in _BEGINNINGS if begins.match(text)), delimited.read)
