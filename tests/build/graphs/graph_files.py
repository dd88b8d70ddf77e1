"""Graphs written in every format that is read, and the slow, obvious way to sort their rows."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyoxigraph as ox

from boxsel.build.built import Rejects
from boxsel.build.graphs.engine import TABLES, Engine
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.staging import Staged, stage
from boxsel.logic.names import BUILTIN_PREFIXES

Tables = dict[str, list[tuple[object, ...]]]

RDF_TYPE = BUILTIN_PREFIXES["rdf"] + "type"
SUBCLASS = BUILTIN_PREFIXES["rdfs"] + "subClassOf"
LABEL = BUILTIN_PREFIXES["rdfs"] + "label"
DOMAIN = BUILTIN_PREFIXES["rdfs"] + "domain"
OWL_CLASS = BUILTIN_PREFIXES["owl"] + "Class"

SMALL_FOR_SPARK = (
    "--conf spark.sql.shuffle.partitions=2 --conf spark.sql.codegen.wholeStage=false pyspark-shell"
)
"""For `PYSPARK_SUBMIT_ARGS`: settings for tiny tables; Spark's own make hundreds of tasks."""


@dataclass(frozen=True)
class Row:
    """A triple; `tag` is `None` where the object is an entity, else the literal's language."""

    subject: str
    predicate: str
    value: str
    tag: str | None = None


def obvious(rows: Iterable[Row], concept_from: Sequence[str] = ()) -> Tables:
    """The four tables, one row after the other."""
    tables: Tables = {table: [] for table in TABLES}
    for row in rows:
        if row.tag is not None:
            if row.predicate == LABEL and row.tag in ("", "en"):
                tables["labels"].append((row.subject, row.value))
        elif row.predicate in concept_from:
            tables["types"].append((row.subject, row.value))
        elif row.predicate == RDF_TYPE:
            if row.value != OWL_CLASS:
                tables["types"].append((row.subject, row.value))
        elif row.predicate == SUBCLASS:
            if row.subject != row.value:
                tables["taxonomy"].append((row.subject, row.value))
        elif row.predicate not in (LABEL, DOMAIN):
            tables["facts"].append((row.subject, row.predicate, row.value))
    return {table: sorted(found) for table, found in tables.items()}


def tables_of(engine: Engine) -> Tables:
    """The four tables of an engine, sorted."""
    return {
        table: sorted(engine.rows(f"SELECT {', '.join(columns)} FROM {table}"))
        for table, columns in TABLES.items()
    }


def staged(
    engine: Engine, folder: Path, rejects: Rejects | None = None, **given: object
) -> tuple[Tables, Staged]:
    """Read files into an engine; its tables and the report."""
    inputs = Inputs(**given)  # type: ignore[arg-type]
    found = stage(engine, inputs, rejects or Rejects(), folder / "staged")
    return tables_of(engine), found


def quads(rows: Iterable[Row]) -> list[ox.Quad]:
    return [
        ox.Quad(
            ox.NamedNode(row.subject),
            ox.NamedNode(row.predicate),
            ox.NamedNode(row.value)
            if row.tag is None
            else ox.Literal(row.value, language=row.tag or None),
            ox.DefaultGraph(),
        )
        for row in rows
    ]


def _rdf(syntax: ox.RdfFormat) -> Callable[[Sequence[Row], Path], None]:
    def write(rows: Sequence[Row], path: Path) -> None:
        path.write_bytes(ox.serialize(quads(rows), format=syntax) or b"")

    return write


def _terms(row: Row) -> tuple[str, str, str]:
    """A row as YAGO spells it."""
    if row.tag is None:
        value = f"<{row.value}>"
    else:
        escaped = row.value.replace("\\", "\\\\").replace('"', '\\"')
        value = f'"{escaped}"' + (f"@{row.tag}" if row.tag else "")
    return f"<{row.subject}>", f"<{row.predicate}>", value


def _tsv(rows: Sequence[Row], path: Path) -> None:
    path.write_text("".join("\t".join(_terms(row)) + "\n" for row in rows), newline="")


def _yago(rows: Sequence[Row], path: Path) -> None:
    lines = ("\t".join(("", *_terms(row), "")) + "\n" for row in rows)
    path.write_text("".join(lines), newline="")


def _packed(
    write: Callable[[Sequence[Row], Path], None], pack: Callable[[bytes], bytes]
) -> Callable[[Sequence[Row], Path], None]:
    def packed(rows: Sequence[Row], path: Path) -> None:
        write(rows, path)
        path.write_bytes(pack(path.read_bytes()))

    return packed


def write_parquet(sql: str, path: Path | str) -> None:
    """The rows of a query as a Parquet file."""
    with duckdb.connect() as connection:
        connection.execute(f"COPY ({sql}) TO '{path}' (FORMAT parquet)")


def _columns(rows: Sequence[Row], target: str) -> None:
    """Plain columns, which know no literals."""
    with duckdb.connect() as connection:
        connection.execute(
            "CREATE TABLE triples (subject VARCHAR, predicate VARCHAR, object VARCHAR)"
        )
        for row in rows:
            connection.execute(
                "INSERT INTO triples VALUES (?, ?, ?)", [row.subject, row.predicate, row.value]
            )
        connection.execute(target)


def _parquet(rows: Sequence[Row], path: Path) -> None:
    _columns(rows, f"COPY triples TO '{path}' (FORMAT parquet)")


def _csv(rows: Sequence[Row], path: Path) -> None:
    _columns(rows, f"COPY triples TO '{path}' (FORMAT csv, HEADER)")


def _database(rows: Sequence[Row], path: Path) -> None:
    path.unlink(missing_ok=True)
    _columns(rows, f"ATTACH '{path}' AS target; CREATE TABLE target.triples AS FROM triples")


_NT = _rdf(ox.RdfFormat.N_TRIPLES)

WITH_LITERALS: dict[str, Callable[[Sequence[Row], Path], None]] = {
    "graph.nt": _NT,
    "graph.nt.gz": _packed(_NT, gzip.compress),
    "graph.nt.bz2": _packed(_NT, bz2.compress),
    "graph.nq": _rdf(ox.RdfFormat.N_QUADS),
    "graph.ttl": _rdf(ox.RdfFormat.TURTLE),
    "graph.ttl.bz2": _packed(_rdf(ox.RdfFormat.TURTLE), bz2.compress),
    "graph.trig": _rdf(ox.RdfFormat.TRIG),
    "graph.rdf": _rdf(ox.RdfFormat.RDF_XML),
    "graph.tsv": _tsv,
    "graph.tsv.gz": _packed(_tsv, gzip.compress),
    "graph.tsv.bz2": _packed(_tsv, bz2.compress),
    "yago.tsv": _yago,
}
"""How a graph is written to a file of each name."""

PLAIN: dict[str, Callable[[Sequence[Row], Path], None]] = {
    "graph.parquet": _parquet,
    "graph.csv": _csv,
    "graph.duckdb": _database,
}
"""The same for files that know no literals: labels are plain text in them."""
