"""A table as a value, before it is CSV, Markdown or HTML."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from boxsel.evaluation.report.aggregate import Runs, Spread

Kind = Literal["text", "count", "share", "number", "amount", "digest"]
"""How numbers are shown: counts in full, shares in per cent, numbers with three digits behind the
point, amounts (seconds and such) with three significant digits. Digests are cut."""

NOTHING: Final = "–"
"""What is shown where there is no number."""

JOINED: Final = "\N{NO-BREAK SPACE}"
DIGITS: Final = 3
DIGEST: Final = 12


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

    A column of spreads becomes several in CSV. What is not `shown` is in the CSV alone.
    """

    key: str
    title: str
    kind: Kind = "text"
    help: str = ""
    group: str = ""
    spread: bool = False
    compared: bool = False
    shown: bool = True


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

    @property
    def visible(self) -> tuple[int, ...]:
        """The places of the columns that are shown."""
        return tuple(place for place, column in enumerate(self.columns) if column.shown)


@dataclass(frozen=True, slots=True)
class Shown:
    """A value in words."""

    text: str
    deviation: str = ""
    published: str = ""
    better: bool | None = None
    best: bool = False
    failed: bool = False


def shown(value: Value, column: Column) -> Shown:
    r"""A value as a reader sees it.

    Examples:
        >>> found = shown(Spread(0.8931, 0.0042, 5), Column("sa", "SA", "share"))
        >>> found.text, found.deviation
        ('89.3\xa0%', '0.4')
        >>> shown(float("nan"), Column("ag", "AG", "number")).text
        '–'
    """
    if isinstance(value, Compared):
        ours = shown(value.ours, column)
        other = "" if value.published is None else _published(value.published, column.kind)
        return Shown(ours.text, ours.deviation, other, value.better, value.best)
    if isinstance(value, Spread):
        return _spread(value, column.kind)
    if isinstance(value, Runs):
        return Shown(value.text, failed=bool(value.failures))
    if value is None:
        return Shown(NOTHING)
    if isinstance(value, str):
        cut = column.kind == "digest" and len(value) > DIGEST
        return Shown(f"{value[:DIGEST]}…" if cut else value)
    return Shown(number(value, column.kind))


def number(value: float, kind: Kind) -> str:
    r"""A number as its kind is shown; a small one does not look like zero.

    Examples:
        >>> [number(0.00001, kind) for kind in ("number", "amount")]
        ['<\xa00.001', '1e-05']
    """
    if math.isnan(value):
        return NOTHING
    if kind == "share":
        return f"{_fixed(100 * value, 1)}{JOINED}%"
    if kind == "number":
        return _fixed(value, DIGITS)
    if kind == "amount":
        return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.1f}".removesuffix(".0")


def _spread(value: Spread, kind: Kind) -> Shown:
    mean, deviation = value.mean, value.deviation
    # A count that is the same for all seeds is no mean to its reader.
    if kind == "count" and deviation:
        return Shown(f"{mean:,.1f}", f"{deviation:,.1f}")
    if deviation is None or kind == "count":
        return Shown(number(mean, kind))
    if kind == "share":
        return Shown(number(mean, kind), f"{100 * deviation:.1f}")
    off = f"{deviation:.{DIGITS}f}" if kind == "number" else f"{deviation:.2g}"
    return Shown(number(mean, kind), off)


def _published(value: float, kind: Kind) -> str:
    """A number of the paper: amounts as they were printed."""
    return f"{value:g}" if kind == "amount" else number(value, kind)


def _fixed(value: float, digits: int) -> str:
    # Adding 0 makes a negative zero, the trace of a rounding error, positive.
    text = f"{round(value, digits) + 0.0:.{digits}f}"
    if 0 < value and float(text) == 0:
        return f"<{JOINED}{10**-digits:.{digits}f}"
    return text


def plain(value: Value, kind: Kind) -> str:
    """A value in one line of text, for sentences."""
    found = shown(value, Column("", "", kind))
    return JOINED.join((found.text, "±", found.deviation)) if found.deviation else found.text
