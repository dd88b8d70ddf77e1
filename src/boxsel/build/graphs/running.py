"""Where the counting runs: which engine, how much memory, and a folder to go on from."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal

from boxsel.build.built import Rejected, Rejects
from boxsel.build.graphs import sql
from boxsel.build.graphs.engine import LEAST_MEMORY, OWN, TABLES, DuckDBEngine, Engine
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.selection import suggestion
from boxsel.build.graphs.staging import Entities, FileRows, Staged, reattach, stage
from boxsel.errors import BoxselError, WriteError
from boxsel.formats.source import STDIN, write_atomically
from boxsel.machine.locking import locked

MARKER: Final = "boxsel-build.json"
"""The file that makes a folder a work folder, and says what has been read into it."""

BUSY: Final = "at work here: wait for it, or choose another folder with --work"

OURS: Final = (
    "read",
    "entity_bits_*",
    "concept_patterns_*",
    "reach_*",
    "role_patterns_*",
    "rows_*",
)
"""The folders that are made in a work folder."""


@dataclass(frozen=True, slots=True)
class Running:
    """How to run: with DuckDB here, or with Spark at `master`.

    `memory` in bytes is what the process may hold. A `work` folder is kept: the same command,
    run again after it was stopped, goes on from there. With `strict` a row that cannot be used
    stops the work.
    """

    engine: Literal["duckdb", "spark"] = "duckdb"
    master: str | None = None
    memory: int | None = None
    threads: int | None = None
    work: Path | None = None
    strict: bool = False

    def __post_init__(self) -> None:
        if self.engine == "duckdb" and self.master is not None:
            raise BoxselError("--master is where Spark runs: say --engine spark too")
        if self.engine == "spark" and self.threads is not None:
            raise BoxselError("--threads is for DuckDB: Spark's come with --master local[N]")
        if self.memory is not None and self.memory < OWN + LEAST_MEMORY:
            raise BoxselError(
                f"--memory must be at least {(OWN + LEAST_MEMORY) / 1e6:,.0f} MB, "
                "for Python and DuckDB"
            )
        if self.threads is not None and self.threads < 1:
            raise BoxselError(f"--threads must be at least 1, not {self.threads}")


@contextmanager
def opened(running: Running) -> Iterator[tuple[Engine, Path]]:
    """The engine, and the folder for what it writes; a folder that is not to be kept goes."""
    with ExitStack() as stack:
        if running.work is None:
            temporary = tempfile.TemporaryDirectory(prefix="boxsel-")
            folder = Path(stack.enter_context(temporary))
        else:
            folder = running.work
            _prepare(folder)
            stack.enter_context(locked(folder, BUSY))
        engine: Engine
        if running.engine == "duckdb":
            engine = DuckDBEngine(folder, memory=running.memory, threads=running.threads)
        else:
            from boxsel.build.graphs.spark_engine import SparkEngine

            engine = SparkEngine(running.master, folder, memory=running.memory)
        stack.callback(engine.close)
        yield engine, folder


def staged(
    engine: Engine, inputs: Inputs, running: Running, folder: Path
) -> tuple[Staged, tuple[Rejected, ...]]:
    """The graph's tables: those of an earlier run if it read the same files, else read anew."""
    marker = folder / MARKER
    inputs = inputs.checked()
    fingerprint = _fingerprint(engine, inputs)
    known = _read_marker(marker)
    same = fingerprint is not None and known.get("inputs") == fingerprint
    if same and engine.has_views(TABLES):
        remembered = _remembered(known)
        if remembered is not None and not (running.strict and remembered[1]):
            reattach(engine, inputs)
            return remembered
    # Whatever was counted from other files must not be taken for this graph's.
    if not same:
        _clear(engine, folder)
    if running.work is not None:
        write_atomically(marker, b"{}")
    rejects = Rejects(running.strict)
    found = stage(engine, inputs, rejects, folder / "read")
    _check_values(engine, inputs, found)
    reasons = rejects.listed()
    if running.work is not None and fingerprint:
        content = {
            "inputs": fingerprint,
            "read": found.to_json(),
            "named": found.entities,
            "values": sorted(found.with_values),
            "rejected": [reason.to_json() for reason in reasons],
        }
        write_atomically(marker, json.dumps(content).encode())
    return found, reasons


def _check_values(engine: Engine, inputs: Inputs, found: Staged) -> None:
    """A predicate without a single value is a mistake, not a wish for no concepts."""
    for predicate in inputs.concept_from:
        if predicate not in found.with_values:
            roles = [name for (name,) in engine.rows(sql.ROLES)]
            raise BoxselError(
                f"no row has the predicate {predicate}: its values cannot become concepts"
                + suggestion(predicate, roles)
            )


def _prepare(folder: Path) -> None:
    """Make a work folder, or see that it is one: nobody's files are to be overwritten."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = {entry.name for entry in folder.iterdir()}
    except OSError as error:
        raise WriteError(f"{folder}: cannot be a work folder: {error.strerror or error}") from None
    if names and MARKER not in names:
        raise WriteError(f"{folder}: this folder holds other files; give --work a new or empty one")
    if not names:
        write_atomically(folder / MARKER, b"{}")


def _fingerprint(engine: Engine, inputs: Inputs) -> str | None:
    """What tells whether an engine has read these very files; `None` if nothing can."""
    described: list[object] = [engine.name, asdict(inputs)]
    for _, given in inputs.files():
        if given == STDIN:
            return None
        path = Path(given)
        try:
            # A folder does not change when a file in it does.
            for one in sorted(path.rglob("*")) if path.is_dir() else [path]:
                status = one.stat()
                described.append([os.path.realpath(one), status.st_size, status.st_mtime_ns])
        except OSError:
            return None
    return hashlib.sha256(json.dumps(described).encode()).hexdigest()


def _read_marker(marker: Path) -> dict[str, Any]:
    try:
        content = json.loads(marker.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _remembered(known: dict[str, Any]) -> tuple[Staged, tuple[Rejected, ...]] | None:
    """What an earlier run found; `None` if the marker is another version's."""
    try:
        read = known["read"]
        files = tuple(FileRows(**file) for file in read["files"])
        named: Entities = "integers" if known["named"] == "integers" else "text"
        reasons = tuple(
            Rejected(entry["reason"], entry["count"], tuple(entry["examples"]))
            for entry in known["rejected"]
        )
        return Staged(files, read["unused"], named, frozenset(known["values"])), reasons
    except (KeyError, TypeError):
        return None


def _clear(engine: Engine, folder: Path) -> None:
    """Remove what an engine made from other files."""
    engine.clear()
    for pattern in OURS:
        for entry in folder.glob(pattern):
            shutil.rmtree(entry, ignore_errors=True)
