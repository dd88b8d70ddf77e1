"""What a report consists of: sections of text, points, tables and charts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from boxsel.evaluation.report.aggregate import Summary
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.table import Table
from boxsel.pictures.chart import Chart


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
class LeftOut:
    """A part that there are no records for."""

    title: str
    reason: str


Maker = Callable[[Summary, RunInfo], Section | LeftOut]
"""What makes a section: adding one is a file with such a function."""


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
        return tuple(
            block for part in self.sections for block in part.blocks if isinstance(block, Table)
        )

    @property
    def charts(self) -> tuple[Chart, ...]:
        """All charts in their order."""
        return tuple(
            block for part in self.sections for block in part.blocks if isinstance(block, Chart)
        )
