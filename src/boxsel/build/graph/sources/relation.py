"""What a source gives: named rows in a database, and what each of their columns means."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from boxsel.build.delimited import Place
from boxsel.build.graph.duckdb_engine import DuckDBEngine
from boxsel.build.graph.engine import TABLES, Engine
from boxsel.build.graph.inputs import Given, Inputs
from boxsel.build.rejects import Rejects
from boxsel.errors import Diagnostic, ReadError
from boxsel.machine.database import blaming

Layout = Literal["triples", "types", "taxonomy", "labels"]
"""What rows are: triples, among them all facts, or the pairs of another table."""

TRIPLE: Final = ("subject", "predicate", "object")

LAYOUTS: Final[Mapping[Layout, tuple[str, ...]]] = MappingProxyType(
    {
        "triples": TRIPLE,
        "types": TABLES["types"],
        "taxonomy": TABLES["taxonomy"],
        "labels": TABLES["labels"],
    }
)
"""The columns of each layout."""

PREFIX: Final = "source_"
"""How the names of relations begin."""

LITERALS: Final = "text and numbers that are not labels"
LANGUAGES: Final = "labels in other languages"
NOT_TEXT: Final = "labels that are not text"


@dataclass(frozen=True)
class Relation:
    """Rows of a source under a name in a database.

    `columns` are the source's own, in the order of the layout. `unused` counts rows that were
    read but are not here. `incomplete` finds the first rows that lack a value, for messages.
    """

    name: str
    file: str
    given: Given
    layout: Layout
    columns: tuple[str, ...]
    unused: Mapping[str, int] = field(default_factory=dict)
    rejected: int = 0
    is_parquet: bool = False
    incomplete: Callable[[], list[Place]] | None = None


@dataclass(frozen=True)
class Reading:
    """One file to be read: what it is given as, and where its rows are to go.

    `engine` counts the graph, and sees Parquet files itself. All else is read with DuckDB in
    this process, `local`, which may be the same.
    """

    path: Path
    file: str
    given: Given
    number: int
    inputs: Inputs
    rejects: Rejects
    engine: Engine
    local: DuckDBEngine
    folder: Path

    @property
    def name(self) -> str:
        """The name of this file's relation."""
        return f"{PREFIX}{self.number}"

    def error(
        self, message: str, *, line: int | None = None, advice: str | None = None
    ) -> ReadError:
        """An error in this file."""
        return ReadError(Diagnostic(message, file=self.file, line=line, help=advice))

    def telling(self, message: str, advice: str | None = None) -> AbstractContextManager[None]:
        """Let whatever DuckDB finds wrong with this file be one clear message."""
        return blaming(self.file, message, advice)
