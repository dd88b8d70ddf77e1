"""What kind of source a file is, by its extension and its first bytes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from boxsel.build.graph.duckdb_engine import DuckDBEngine
from boxsel.build.graph.engine import Engine
from boxsel.build.graph.sources import database, delimited, ntriples, parquet, rdf
from boxsel.build.graph.sources.opening import extension, head, local_path
from boxsel.build.graph.sources.relation import Reading, Relation
from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.kinds import DUCKDB, PARQUET, Kind, refuse_binary
from boxsel.formats.source import STDIN

Reader = Callable[[Reading], list[Relation]]

EXTENSIONS: Final[dict[str, Reader]] = {
    **rdf.READERS,
    ".owl": rdf.READERS[".rdf"],
    ".xml": rdf.READERS[".rdf"],
    ".nt": ntriples.read,
    ".nq": ntriples.read,
    ".tsv": delimited.read,
    ".tab": delimited.read,
    ".csv": delimited.read,
    ".parquet": parquet.read,
    ".pq": parquet.read,
    ".duckdb": database.read,
    ".ddb": database.read,
}
"""The reader of each extension."""

_PARQUET: Final = (".parquet", ".pq")
_ADDRESS: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+://")

# Binary files are known by their first bytes, whatever they are called; text that has no known
# extension by how it begins, after comments.
_BINARY: Final[tuple[tuple[Kind, Reader], ...]] = (
    (PARQUET, parquet.read),
    (DUCKDB, database.read),
)
_BEGINNINGS: Final[tuple[tuple[re.Pattern[bytes], Reader], ...]] = (
    (re.compile(rb"<\?xml|<rdf:RDF|<!DOCTYPE"), rdf.READERS[".rdf"]),
    (re.compile(rb"@prefix|@base|PREFIX\s|BASE\s", re.IGNORECASE), rdf.READERS[".ttl"]),
    (
        re.compile(rb"(?:<[^>\n]*>|_:\S+)[ \t]+<[^>\n]*>[ \t]+[^\n]*\.[ \t\r]*(?:\n|$)"),
        ntriples.read,
    ),
)
_COMMENTS: Final = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|#[^\n]*\n)*")


def located(file: str, engine: Engine, folder: Path, number: int) -> tuple[Path, Reader]:
    """Where a source lies, and its reader.

    Parquet that another engine than DuckDB reads may lie where only that engine can see it.
    """
    suffix = extension(file.rstrip("/"))
    if not isinstance(engine, DuckDBEngine) and suffix in _PARQUET:
        return Path(file), parquet.read
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
        if recognised(path, base) is not database.read:
            raise ReadError(Diagnostic("only a DuckDB database has tables to choose", file=file))
        return path, partial(database.read, table=table)
    if file != STDIN and whole.is_dir() and next(whole.rglob("*.parquet"), None):
        return whole, parquet.read
    path = local_path(file, folder, number)
    return path, recognised(path, file)


def database_path(file: str) -> Path | None:
    """The path of a DuckDB database, if a source is one."""
    path = Path(_with_table(file)[0])
    return path if path.is_file() and recognised(path, file) is database.read else None


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
    text = start[_matched_length(start) :]
    return next((reader for begins, reader in _BEGINNINGS if begins.match(text)), delimited.read)


def _matched_length(start: bytes) -> int:
    comments = _COMMENTS.match(start)
    return comments.end() if comments else 0
