"""What a report consists of, as values: tables, charts and text in sections, about one run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Literal, Self

from boxsel.evaluation.ontologies.folder import Entry
from boxsel.evaluation.published import PublishedSplit
from boxsel.evaluation.report.aggregate import Runs, Spread
from boxsel.pictures.chart import Chart

Kind = Literal["text", "count", "share", "number", "amount", "digest"]
"""How numbers are shown: counts in full, shares in per cent, numbers with three digits behind the
point, amounts (seconds and such) with three significant digits. Digests are cut."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A number of ours, the paper's beside it, and whether ours is better.

    `best` says that it is the best of its group.
    """

    ours: Spread | None
    published: float | None = None
    better: bool | None = None
    best: bool = False


Value = str | int | float | Spread | Runs | Compared | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: `key` is its name in CSV, `help` explains it, `group` stands above its title.

    A column of spreads becomes several in CSV. What is not `shown` is in the CSV alone. `read` gets
    the value from what a row is about; without it, it is the attribute of the column's name.
    """

    key: str
    title: str
    kind: Kind = "text"
    help: str = ""
    group: str = ""
    spread: bool = False
    compared: bool = False
    shown: bool = True
    read: Callable[[Any], Value] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Table:
    """Rows under columns, what they are based on, and notes.

    `basis` says against which truth and over how many seeds. The first column may be that of
    `groups`: rows with the same value stand together, under what is said about it. A `long` table
    is a file that the report names but does not print.
    """

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    basis: str
    notes: tuple[str, ...] = ()
    grouped: bool = False
    about_groups: Mapping[str, str] = field(default_factory=dict)
    long: bool = False

    def __post_init__(self) -> None:
        assert len({column.key for column in self.columns}) == len(self.columns)
        assert all(len(row) == len(self.columns) for row in self.rows), self.key

    @classmethod
    def of(
        cls,
        key: str,
        title: str,
        columns: Iterable[Column],
        things: Iterable[object],
        basis: str,
        **more: Any,
    ) -> Self:
        """A table with a row for each thing, read by the columns."""
        heads = tuple(columns)
        reads = [column.read or attrgetter(column.key) for column in heads]
        rows = tuple(tuple(read(thing) for read in reads) for thing in things)
        return cls(key, title, heads, rows, basis, **more)

    @property
    def visible(self) -> tuple[int, ...]:
        """The places of the columns that are shown."""
        return tuple(place for place, column in enumerate(self.columns) if column.shown)


@dataclass(frozen=True, slots=True)
class Points:
    """A list of short sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Words and what they mean."""

    items: tuple[tuple[str, str], ...]


Block = str | Points | Terms | Table | Chart


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report under a title; `key` is where links lead."""

    key: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A report as a value, before it is Markdown or HTML."""

    title: str
    subtitle: str
    warning: str
    sections: tuple[Section, ...]

    @property
    def tables(self) -> tuple[Table, ...]:
        """All tables in their order."""
        return tuple(block for block in self._blocks if isinstance(block, Table))

    @property
    def charts(self) -> tuple[Chart, ...]:
        """All charts in their order."""
        return tuple(block for block in self._blocks if isinstance(block, Chart))

    @property
    def _blocks(self) -> list[Block]:
        return [block for part in self.sections for block in part.blocks]


@dataclass(frozen=True, slots=True)
class SplitSize:
    """How much of one shape a split has to learn and to ask, beside the paper's numbers.

    `learned` leaves out what is said about the root, which is in `root`. `published` is the row of
    the paper's table, where the two can be compared.
    """

    ontology: str
    variant: str
    seed: int
    part: str
    shape: str
    learned: int
    root: int
    pairs: int
    published: PublishedSplit | None = None


@dataclass(frozen=True)
class RunInfo:
    """All that a reader needs to repeat a run.

    `ontologies` are the entries of the manifest. `settings` may be nested.
    """

    title: str
    date: str
    versions: Mapping[str, str] = field(default_factory=dict)
    device: str = ""
    seeds: tuple[int, ...] = ()
    ontologies: tuple[Entry, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    splits: tuple[SplitSize, ...] = ()
    quick: bool = False
