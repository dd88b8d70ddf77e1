"""Numbers and dates of a column in a few classes, with names that people read.

Edges part a column: 18 and 65 make *under 18*, *18 to 64* and *65 and more*, spelt `<18`, `18-64`
and `65+`, or `18 to <65` where there are fractions. Dates are parted by year, quarter or month, or
by dates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from boxsel.build.tables.styles import POINT, Style
from boxsel.errors import BoxselError
from boxsel.machine.database import quoted

Period = Literal["year", "quarter", "month"]
PERIODS: Final[Mapping[str, str]] = {
    "year": "strftime({}, '%Y')",
    "quarter": "strftime({0}, '%Y-Q') || quarter({0})",
    "month": "strftime({}, '%Y-%m')",
}
PARTS: Final = 4
"""So many classes of about the same size, unless others are asked for."""

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a column is to be parted: by edges, into so many parts, or by periods."""

    edges: tuple[str, ...] = ()
    parts: int = PARTS
    period: Period | None = None

    @classmethod
    def read(cls, text: str) -> Wanted:
        """What `0,18,65`, `5 parts`, `month` or nothing means.

        Examples:
            >>> Wanted.read("18,65").edges, Wanted.read("5 parts").parts, Wanted.read("").parts
            (('18', '65'), 5, 4)
        """
        said = [piece.strip() for piece in text.split(",") if piece.strip()]
        if not said:
            return cls()
        if said[0] in PERIODS and len(said) == 1:
            return cls(period=said[0])  # type: ignore[arg-type]  # it is one of the keys
        if match := re.fullmatch(r"([0-9]{1,3}) ?parts", text.strip()):
            if not 2 <= int(match[1]) <= 100:
                raise BoxselError(f"--bin …={text}: give between 2 and 100 parts")
            return cls(parts=int(match[1]))
        dates = all(_DATE.fullmatch(piece) for piece in said)
        if not dates and not all(_NUMBER.fullmatch(piece) for piece in said):
            raise BoxselError(
                f"--bin …={text}: give edges (0,18,65 or 2020-01-01,2021-01-01), a number of"
                " parts (4 parts), or year, quarter or month"
            )
        ordered = sorted(set(said), key=None if dates else float)
        return cls(tuple(ordered))


def read_bins(texts: Sequence[str] | Mapping[str, object]) -> dict[str, Wanted]:
    """What was asked for, by column: `age=0,18,65`, or a mapping of columns to edges.

    Examples:
        >>> read_bins({"age": [18, 65]}) == read_bins(["age=18,65"])
        True
    """
    if isinstance(texts, Mapping):
        return {column: Wanted.read(_spelt(said)) for column, said in texts.items()}
    bins = {}
    for text in texts:
        column, _, said = text.partition("=")
        bins[column.strip()] = Wanted.read(said)
    return bins


def _spelt(said: object) -> str:
    if isinstance(said, str):
        return said
    if isinstance(said, Sequence) and said:
        return ",".join(map(str, said))
    raise BoxselError(f"bins are edges, '4 parts', or a period such as 'year', not {said!r:.40}")


@dataclass(frozen=True, slots=True)
class Bins:
    """The classes of a column: its edges as SQL compares them, and the names of what is between.

    `words` are no numbers: each is a value of its own.
    """

    edges: tuple[str, ...]
    names: tuple[str, ...]
    style: Style = POINT
    dates: bool = False
    period: Period | None = None
    words: tuple[str, ...] = ()

    def sql(self, cell: str) -> str:
        """The SQL of the class that a cell belongs to."""
        value = self.style.value(cell)
        if self.period:
            cases = [f"WHEN {value} IS NOT NULL THEN {PERIODS[self.period].format(value)}"]
        else:
            ends = [f"DATE {quoted(edge)}" if self.dates else edge for edge in self.edges]
            cases = [
                f"WHEN {value} < {end} THEN {quoted(name)}"
                for end, name in zip(ends, self.names, strict=False)
            ]
            cases.append(f"WHEN {value} IS NOT NULL THEN {quoted(self.names[-1])}")
        if self.words:
            cases.append(f"WHEN {cell} IN ({', '.join(map(quoted, self.words))}) THEN {cell}")
        return f"CASE {' '.join(cases)} END"


def part_at(edges: Sequence[str], *, whole: bool, dates: bool) -> Bins:
    """The classes between edges, with readable names.

    Examples:
        >>> part_at(["18", "65"], whole=True, dates=False).names
        ('<18', '18-64', '65+')
        >>> part_at(["0.5", "1"], whole=False, dates=False).names
        ('<0.5', '0.5 to <1', '1+')
        >>> part_at(["2020-01-01"], whole=True, dates=True).names
        ('before 2020-01-01', 'from 2020-01-01')
    """
    if dates:
        between = (f"{low} to before {high}" for low, high in pairwise(edges))
        names = (f"before {edges[0]}", *between, f"from {edges[-1]}")
        return Bins(tuple(edges), names, dates=True)
    if whole and all(float(edge).is_integer() for edge in edges):
        ends = [int(float(edge)) for edge in edges]
        named = (
            str(low) if low == high - 1 else f"{low}{'-' if low >= 0 else ' to '}{high - 1}"
            for low, high in pairwise(ends)
        )
        return Bins(tuple(edges), (f"<{ends[0]}", *named, f"{ends[-1]}+"))
    named = (f"{low} to <{high}" for low, high in pairwise(edges))
    return Bins(tuple(edges), (f"<{edges[0]}", *named, f"{edges[-1]}+"))


def quantiles(counts: Sequence[tuple[str, int]], parts: int) -> list[str]:
    """Edges that part numbers (or dates) in order, with how often each occurs, about equally.

    Examples:
        >>> quantiles([("1", 5), ("2", 5), ("7", 10)], 2)
        ['7']
    """
    total, seen = sum(count for _, count in counts), 0
    edges: list[str] = []
    for text, count in counts:
        # The first value of a part is its edge; a value with many goes into one part, whole.
        if seen and seen * parts >= total * (len(edges) + 1):
            edges.append(text)
        seen += count
    return edges[: parts - 1] or ([counts[-1][0]] if len(counts) > 1 else [])
