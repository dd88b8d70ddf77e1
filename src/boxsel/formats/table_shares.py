"""Whether numbers without a sign are shares from 0 to 1 or percentages: decided for a column.

`30 %` says it itself. Of a plain `30` the other numbers of its column tell, and the column's name;
where neither does, the reader asks instead of guessing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.formats.table_columns import BOUNDS, Layout
from boxsel.logic.proportions import exact
from boxsel.wording import listed

CLEARLY_PERCENT: Final = 2
"""A number from here on is a percentage; one between this and 1 may be a slip."""

_BELOW_ONE: Final = Fraction(1, 2)
_DECIMAL_COMMA = re.compile(r"([+-]?[0-9]*),([0-9]+%?)")
_SIGN = re.compile(r"\s*%$")


@dataclass(frozen=True, slots=True)
class Scale:
    """Which columns hold percentages, and what should be said about that."""

    percent: frozenset[str] = frozenset()
    remarks: tuple[str, ...] = ()


class InDoubtError(Exception):
    """The numbers of a column could be shares and percentages; the advice says how to tell."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def number(text: str, *, decimal_comma: bool, percent: bool = False) -> Fraction:
    """The share that a cell states.

    Examples:
        >>> number("30 %", decimal_comma=False), number("12,5", decimal_comma=True, percent=True)
        (Fraction(3, 10), Fraction(1, 8))

    Raises:
        InvalidStatementError: It is no number.
    """
    text = _SIGN.sub("%", text)
    comma = _DECIMAL_COMMA.fullmatch(text) if decimal_comma else None
    value = exact(f"{comma[1]}.{comma[2]}" if comma else text)
    return value / 100 if percent and not text.endswith("%") else value


def decide_scale(
    layout: Layout, header: Sequence[str], rows: Sequence[Sequence[str]], *, decimal_comma: bool
) -> Scale:
    """Which columns of a table hold percentages.

    Raises:
        InDoubtError: A column called percent has nothing above 1, or another has both sides of 1.
    """
    percent, remarks = set[str](), []
    for group in (("percent",), ("share",), BOUNDS):
        held = [column for column in group if column in layout.columns]
        if not held:
            continue
        called = [header[layout.columns.index(column)] for column in held]
        small, large = _range(layout, held, rows, decimal_comma)
        if set(held) & {"percent", "share"} & layout.told or not large:
            percent.update({"percent"}.intersection(held))
        elif "percent" in held and large <= 1:
            raise InDoubtError(
                f"the column {called[0]!r} has no number above 1: are they percentages"
                " (0.5 for 0.5 %), or shares (0.5 for 50 %)?",
                f"say --columns percent={called[0]}, or --columns share={called[0]}",
            )
        elif "percent" in held or ("percent" in percent and large <= 1):
            percent.update(held)
        elif large >= CLEARLY_PERCENT and (small >= 1 or "percent" in percent):
            percent.update(held)
            remarks.append(f"numbers in {listed(called)} are taken for percentages")
        elif large > 1:
            known = f", or say --columns percent={called[0]}" if held == ["share"] else ""
            raise InDoubtError(
                f"the numbers in {listed(called)} reach from {float(small):g} to {float(large):g}:"
                " a share is at most 1, and which of them are percentages is not clear",
                f"write percentages with their sign, as 30%{known}",
            )
    return Scale(frozenset(percent), tuple(remarks))


def _range(
    layout: Layout, columns: Sequence[str], rows: Sequence[Sequence[str]], decimal_comma: bool
) -> tuple[Fraction, Fraction]:
    """The least number above 0 in some columns, and the largest, of those without a sign.

    What is no number is told row by row. Numbers that begin with `0.` are not told apart.
    """
    places = [layout.columns.index(column) for column in columns]
    small, large = Fraction(1), Fraction(0)
    for row in rows:
        for place in places:
            cell = row[place].strip() if place < len(row) else ""
            if cell.startswith(("0.", "0,")) and not cell.endswith("%"):
                value = _BELOW_ONE  # nearly all cells of large tables, which need not be read twice
            elif cell and not cell.endswith("%"):
                try:
                    value = number(cell, decimal_comma=decimal_comma)
                except InvalidStatementError:
                    continue
            else:
                continue
            small = min(small, value) if value else small
            large = max(large, value)
    return small, large
