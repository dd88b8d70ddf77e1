"""From files to the four tables of a graph: every source read, its rows sorted by what they are."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, Literal

from boxsel.build.built import Rejects
from boxsel.build.delimited import reject
from boxsel.build.graphs.engine import TABLES, DuckDBEngine, Engine
from boxsel.build.graphs.inputs import Given, Inputs
from boxsel.build.graphs.sources.registry import database_path, located
from boxsel.build.graphs.sources.relation import PREFIX, Reading, Relation
from boxsel.build.graphs.sources.splitting import Split, in_list, split
from boxsel.build.graphs.sources.tables import attached, column_types, is_text, rows_of
from boxsel.build.opening import remove_copies
from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.source import STDIN
from boxsel.machine.database import blaming
from boxsel.machine.progress import track
from boxsel.wording import listed, several

Entities = Literal["text", "integers"]

_INCOMPLETE: Final = "a value is missing"
_ENTITY_COLUMNS: Final = {"types": ("entity",), "facts": ("subject", "object")}


@dataclass(frozen=True)
class FileRows:
    """How many rows a file had, how many were rejected, and how many went into each table."""

    file: str
    given: Given
    rows: int
    rejected: int
    tables: dict[str, int]


@dataclass(frozen=True)
class Staged:
    """What was read: rows by file and table, and those that have no place in a table, by reason.

    `entities` says how entities are named in `types` and `facts`; `with_values` are those of the
    `concept_from` predicates that occur.
    """

    files: tuple[FileRows, ...]
    unused: Mapping[str, int]
    entities: Entities
    with_values: frozenset[str] = frozenset()

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return sum(file.rows for file in self.files)

    @property
    def tables(self) -> dict[str, int]:
        """How many rows each table has."""
        return {table: sum(file.tables.get(table, 0) for file in self.files) for table in TABLES}

    @property
    def text(self) -> list[str]:
        """For people, in lines."""
        lines = [f"read {several(self.rows, 'row')}:"]
        for file in self.files:
            counts = listed([f"{table} {n:,}" for table, n in file.tables.items() if n])
            lines.append(f"  {file.file}: {file.rows:,} ({counts or 'nothing of use'})")
        if self.unused:
            lines.append(f"of no use here: {sum(self.unused.values()):,}")
            lines.extend(f"  {count:,}: {reason}" for reason, count in self.unused.items())
        return lines

    def to_json(self) -> dict[str, object]:
        """As a JSON object."""
        return {
            "rows": self.rows,
            "files": [asdict(file) for file in self.files],
            "tables": self.tables,
            "unused": dict(self.unused),
        }


@dataclass
class _Parts:
    """What the tables are put together from."""

    selects: dict[str, list[str]] = field(default_factory=lambda: {table: [] for table in TABLES})
    entities: dict[Entities, tuple[str, str]] = field(default_factory=dict)
    files: list[FileRows] = field(default_factory=list)
    unused: Counter[str] = field(default_factory=Counter)
    with_values: set[str] = field(default_factory=set)


def stage(engine: Engine, inputs: Inputs, rejects: Rejects, folder: Path) -> Staged:
    r"""Read a graph's files into the four tables of an engine; they may be empty.

    DuckDB gets them directly. Another engine sees Parquet files where they are, and all else as
    Parquet files in `folder`, which must be a folder that it can see.

    Examples:
        >>> import tempfile
        >>> folder = Path(tempfile.mkdtemp())
        >>> file = folder / "graph.tsv"
        >>> _ = file.write_text("alice\trdf:type\tWoman\nalice\tknows\tbob\n")
        >>> engine = DuckDBEngine()
        >>> stage(engine, Inputs(graph=(str(file),)), Rejects(), folder).tables
        {'types': 1, 'taxonomy': 0, 'facts': 1, 'labels': 0}
        >>> engine.rows("SELECT * FROM types")
        [('alice', 'Woman')]
        >>> engine.close()
    """
    inputs = inputs.checked()
    folder.mkdir(parents=True, exist_ok=True)
    parts = _Parts()
    files = list(inputs.files())
    with engine.reader() as local:
        _forget(local)
        for number, (given, file) in enumerate(track(files, "reading", len(files))):
            path, reader = located(file, engine, folder, number)
            shown = "<stdin>" if file == STDIN else file
            reading = Reading(path, shown, given, number, inputs, rejects, engine, local, folder)
            _add_file(reading, reader(reading), parts)
            remove_copies(folder, reading.name)
    _make_tables(engine, parts)
    entities: Entities = "integers" if "integers" in parts.entities else "text"
    with_values = frozenset(parts.with_values)
    return Staged(tuple(parts.files), dict(parts.unused), entities, with_values)


def reattach(engine: Engine, inputs: Inputs) -> None:
    """Attach the databases again that a kept database, opened anew, has tables from."""
    for number, (_, file) in enumerate(inputs.files()):
        path = database_path(file)
        if path is not None:
            with engine.reader() as local, blaming(file, "this DuckDB database cannot be opened"):
                attached(local, path, f"{PREFIX}{number}")


def _add_file(reading: Reading, relations: Iterable[Relation], parts: _Parts) -> None:
    """Sort the rows of a file into tables."""
    rows, rejected = 0, 0
    tables: Counter[str] = Counter()
    unused: Counter[str] = Counter()
    splits: list[Split] = []
    for relation in relations:
        _hand_over(reading, relation)
        types = column_types(reading.engine, relation.name, relation.file)
        one = split(relation, types, reading.inputs, reading.engine)
        counted = _counted(reading, one)
        missing = counted.pop("")
        if missing:
            first = relation.incomplete() if relation.incomplete else []
            reject(reading.rejects, reading.file, _INCOMPLETE, missing, first)
        rows += sum(counted.values()) + missing + relation.rejected
        rows += sum(relation.unused.values())
        rejected += missing + relation.rejected
        unused.update(relation.unused)
        for kind, count in counted.items():
            (tables if kind in TABLES else unused)[kind] += count
        _note_entities(one, types, counted, parts)
        _note_values(reading, one, parts)
        splits.append(one)
    if not tables:
        raise _nothing(reading, splits, rows, unused)
    parts.unused.update(unused)
    for one in splits:
        for table in TABLES:
            select = one.rows(table)
            if select is not None:
                parts.selects[table].append(select)
    ordered = {table: tables[table] for table in TABLES if tables[table]}
    parts.files.append(FileRows(reading.file, reading.given, rows, rejected, ordered))


def _hand_over(reading: Reading, relation: Relation) -> None:
    """Let the engine see a relation that was read with DuckDB, if it is another."""
    if relation.is_parquet or reading.engine is reading.local:
        return
    columns = ", ".join(reading.local.identifier(column) for column in relation.columns)
    target = reading.folder / relation.name
    shutil.rmtree(target, ignore_errors=True)  # from an earlier reading
    reading.local.write_parquet(f"SELECT {columns} FROM {relation.name}", target)
    reading.engine.view_parquet(relation.name, str(target))


def _counted(reading: Reading, one: Split) -> Counter[str]:
    """How many rows there are of each kind; incomplete ones under the empty name."""
    counted: Counter[str] = Counter({"": 0})
    for number, count in rows_of(reading.engine, one.census(), reading.file):
        counted[one.kind(number) if number else ""] += count
    return counted


def _note_entities(
    one: Split, types: Mapping[str, str], counted: Mapping[str, int], parts: _Parts
) -> None:
    """Entities must be named alike in all files, or no row of one would meet a row of another."""
    for table, columns in _ENTITY_COLUMNS.items():
        if not counted.get(table):
            continue
        for column in columns:
            spelt = one.source_column(column)
            kind: Entities = "text" if is_text(types[spelt]) else "integers"
            parts.entities.setdefault(kind, (one.relation.file, spelt))
    if len(parts.entities) > 1:
        (number_file, number_column), (text_file, text_column) = (
            parts.entities["integers"],
            parts.entities["text"],
        )
        raise ReadError(
            Diagnostic(
                f"entities are whole numbers in the column {number_column!r} of {number_file}, "
                f"but text in the column {text_column!r} of {text_file}",
                help="write both in the same way: the entities of types and facts must agree",
            )
        )


def _note_values(reading: Reading, one: Split, parts: _Parts) -> None:
    """Note which of the predicates whose values become concepts occur."""
    if reading.inputs.concept_from and one.predicate is not None:
        asked = in_list(one.predicate, reading.inputs.concept_from)
        query = (
            f"SELECT DISTINCT {one.predicate} AS predicate FROM {one.relation.name} WHERE {asked}"
        )
        parts.with_values.update(name for (name,) in rows_of(reading.engine, query, reading.file))


def _nothing(
    reading: Reading, splits: Iterable[Split], rows: int, unused: Iterable[str]
) -> ReadError:
    """The error for a file of which no row is of use."""
    if not rows:
        return reading.error("there are no rows in this file")
    predicates = [
        predicate
        for one in splits
        if one.predicate is not None
        for predicate, _ in rows_of(
            reading.engine,
            f"SELECT {one.predicate} AS predicate, count(*) AS n FROM {one.relation.name} "
            f"WHERE {one.complete} GROUP BY {one.predicate} ORDER BY n DESC, predicate LIMIT 5",
            reading.file,
        )
    ]
    what = "a graph" if reading.given == "graph" else reading.given
    reasons = [*unused, *(rejection.reason for rejection in reading.rejects.listed())]
    why = f" ({listed(reasons)})" if reasons else ""
    advice = f"its most frequent predicates are {listed(predicates)}" if predicates else None
    return reading.error(f"of {rows:,} rows none is of use as {what}{why}", advice=advice)


def _forget(engine: DuckDBEngine) -> None:
    """Drop what an earlier reading has left in a database that was kept."""
    for kind in ("view", "table"):
        for (name,) in engine.rows(
            f"SELECT {kind}_name FROM duckdb_{kind}s() WHERE NOT internal "
            "AND database_name = current_database()"
        ):
            if name in TABLES or name.startswith(PREFIX):
                engine.execute(f"DROP {kind} {name}")
    for (name,) in engine.rows("SELECT database_name FROM duckdb_databases() WHERE readonly"):
        if name.startswith(PREFIX):
            engine.execute(f"DETACH {name}")


def _make_tables(engine: Engine, parts: _Parts) -> None:
    """Make the four tables: views over all rows that belong to them."""
    entity = "BIGINT" if "integers" in parts.entities else "STRING"
    for table, columns in TABLES.items():
        typed = dict.fromkeys(columns, "STRING")
        typed |= dict.fromkeys(_ENTITY_COLUMNS.get(table, ()), entity)
        nothing = ", ".join(f"CAST(NULL AS {kind}) AS {name}" for name, kind in typed.items())
        selects = parts.selects[table] or [f"SELECT {nothing} WHERE 1 = 0"]
        engine.view(table, " UNION ALL ".join(selects))
