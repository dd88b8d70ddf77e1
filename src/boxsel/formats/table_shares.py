"""Whether numbers without a sign are shares from 0 to 1 or percentages: decided for a column.

`30 %` says it itself. Of a plain `30` the other numbers of its column tell, and the column's name,
which may also say *per 100,000*; where neither does, the reader asks instead of guessing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.formats.table_columns import BOUNDS, MARKERS, Layout, per_so_many
from boxsel.logic.proportions import exact
from boxsel.wording import listed

CLEARLY_PERCENT: Final = 2
"""A number from here on is a percentage; one between this and 1 may be a slip."""

_BELOW_ONE: Final = Fraction(1, 2)
_PLAIN_SHARE = re.compile(r"0[.,][0-9]+")
_DECIMAL_COMMA = re.compile(r"([+-]?[0-9]*),([0-9]+%?)")
_THOUSANDS = re.compile(r"[1-9][0-9]{0,2},[0-9]{3}%?")
_PART = r"\s*([0-9]*[.,]?[0-9]+)\s*([%‰])?\s*"
_LIMIT = re.compile(rf"([<≤>≥]){_PART}")
_RANGE = re.compile(
    rf"(?:{_PART}(?=[\[(]))?[\[(]?(?:\s*95\s*%[-\s]*(?:CI|KI|UI|CrI)\s*[:,;=]?)?"
    rf"{_PART}(?:[-\u2010-\u2014\u2212;]|,(?=\s)|to|bis){_PART}[\])]?"
)
_SIGN = re.compile(r"\s*([%‰])$")


@dataclass(frozen=True, slots=True)
class Scale:
    """What the numbers of a column are counted per: 100 of percentages. What should be said."""

    per: Mapping[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


class InDoubtError(Exception):
    """The numbers of a column could be shares and percentages; the advice says how to tell."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def number(text: str, *, per: int = 1, decimal_comma: bool = False) -> Fraction:
    """The share that a cell states, in a column that counts `per` so many.

    In a cell a comma separates nothing, so that it is a decimal one; but `1,234` may be a thousand
    and more, unless the table is known to have a `decimal_comma`.

    Examples:
        >>> number("30 %"), number("12,5", per=100), number("7", per=100_000), number("3 ‰")
        (Fraction(3, 10), Fraction(1, 8), Fraction(7, 100000), Fraction(3, 1000))

    Raises:
        InvalidStatementError: It is no number, or could be two.
    """
    text = _SIGN.sub(r"\1", text)
    if text.endswith("‰"):
        return number(f"{text[:-1]}%", decimal_comma=decimal_comma) / 10
    if not decimal_comma and _THOUSANDS.fullmatch(text):
        raise InvalidStatementError(
            f"{text!r} could be {text.replace(',', '.')} or {text.replace(',', '')}: write either"
            " without a comma"
        )
    comma = _DECIMAL_COMMA.fullmatch(text)
    value = exact(f"{comma[1]}.{comma[2]}" if comma else text)
    return value if text.endswith("%") else value / per


def ends(text: str) -> tuple[str, str] | None:
    """The two numbers of a cell that states a range, also behind the number that is in it.

    Examples:
        >>> ends("8,9–10,1 %"), ends("4-12 ‰"), ends("[0.2, 0.25]"), ends("<1"), ends("30")
        (('8,9%', '10,1%'), ('4‰', '12‰'), ('0.2', '0.25'), ('0', '1'), None)
        >>> ends("9.5% (95% CI 8.9 to 10.1)"), ends("9.5% (0.089 to 0.101)")
        (('8.9%', '10.1%'), None)
    """
    limit = _LIMIT.fullmatch(text.strip())
    if limit is not None:
        sign, end, unit = limit[1], limit[2], limit[3] or ""
        return ("0", f"{end}{unit}") if sign in "<≤" else (f"{end}{unit}", "100%")
    found = _RANGE.fullmatch(text.strip())
    if found is None:
        return None
    point, point_unit, lower, lower_unit, upper, upper_unit = found.groups()
    if lower_unit and not upper_unit:  # 5% to 10, or to 0.3: what is the other?
        return None
    if point is not None:
        # In the unit of the range the number lies within it: so 9.5% is in front of percentages.
        low, middle, high = (number(one, decimal_comma=True) for one in (lower, point, upper))
        if not low <= middle <= high:
            return None
    unit = upper_unit or point_unit or ""
    return f"{lower}{unit}", f"{upper}{unit}"


def decide_scale(
    layout: Layout, header: Sequence[str], rows: Sequence[Sequence[str]], *, decimal_comma: bool
) -> Scale:
    """What the numbers of a table are counted per: by the names of columns, or by the numbers.

    Raises:
        InDoubtError: A column called percent has nothing above 1, or another has both sides of 1.
    """
    per, remarks = dict[str, int](), []
    for group in (("percent",), ("share",), BOUNDS):
        held = [column for column in group if column in layout.columns]
        if not held:
            continue
        called = list(dict.fromkeys(header[layout.columns.index(column)] for column in held))
        said = per_so_many(called[0]) or (per.get("share", 1) if group is BOUNDS else 1)
        small, large, signed = _range(layout, held, rows, decimal_comma)
        if "percent" in held and ("percent" in layout.told or not large):
            per["percent"] = 100
        elif said > 1 and held != ["percent"]:
            per |= dict.fromkeys(held, said)
            remarks.append(f"numbers in {listed(called)} are taken per {said:,}")
        elif "share" in held and ("share" in layout.told or not large):
            pass
        elif "share" in held and signed and large <= 1 and called != ["share"]:
            sign = "numbers without a sign in {} are taken for shares, not for percentages"
            remarks.append(sign.format(called[0]))
        elif "percent" in held and large <= 1:
            raise InDoubtError(
                f"the column {called[0]!r} has no number above 1: are they percentages"
                " (0.5 for 0.5 %), or shares (0.5 for 50 %)?",
                f"say --columns percent={called[0]}, or --columns share={called[0]}",
            )
        elif "percent" in held:
            per["percent"] = 100
        elif (large >= CLEARLY_PERCENT and (small >= 1 or "percent" in per)) or (
            group is BOUNDS and "percent" in per and 0 < large <= 1
        ):
            per |= dict.fromkeys(held, 100)
            remarks.append(f"numbers in {listed(called)} are taken for percentages")
        elif large > 1:
            known = f", or say --columns percent={called[0]}" if held == ["share"] else ""
            raise InDoubtError(
                f"the numbers in {listed(called)} reach from {'below ' * (small < 1)}1 to"
                f" {float(large):g}:"
                " a share is at most 1, and which of them are percentages is not clear",
                f"write percentages with their sign, as 30%{known}",
            )
    return Scale(per, tuple(remarks))


def _range(
    layout: Layout, columns: Sequence[str], rows: Sequence[Sequence[str]], decimal_comma: bool
) -> tuple[Fraction, Fraction, bool]:
    """The least number above 0 in some columns, and the largest; whether others have a sign.

    What is no number is told row by row. Numbers that begin with `0.` are not told apart.
    """
    places = [layout.columns.index(column) for column in columns]
    small, large, signed = Fraction(1), Fraction(0), False
    for row in rows:
        for place in places:
            cell = row[place].strip() if place < len(row) else ""
            if not cell or cell in MARKERS:
                continue
            if _PLAIN_SHARE.fullmatch(cell):  # nearly all cells of large tables, read only once
                small, large = min(small, _BELOW_ONE), max(large, _BELOW_ONE)
                continue
            for text in ends(cell) or (cell,):
                if text.endswith(("%", "‰")):
                    signed = True
                    continue
                try:
                    value = number(text, decimal_comma=decimal_comma)
                except InvalidStatementError:
                    continue
                small = min(small, value) if value else small
                large = max(large, value)
    return small, large, signed
