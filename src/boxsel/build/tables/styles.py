"""How the numbers or dates of a column are written, as patterns and as SQL.

`1,200.50` is English and `1.200,50` is German; `31.12.2020` has its day first, and of `3/4/2020`
other dates of the column tell. A column has one style: the first that all of its cells have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Style:
    """A way to write numbers, or dates: the pattern of a cell, and the SQL of what it says."""

    pattern: str
    sql: str
    whole: str = ""
    """The pattern of whole numbers."""

    def value(self, cell: str) -> str:
        """The SQL of the value in a cell; NULL if there is none."""
        return self.sql.format(cell)

    def fits(self, cell: str) -> str:
        """The SQL of whether a cell has this style."""
        pattern = self.pattern.replace("'", "''")
        read = f"{self.value(cell)} IS NOT NULL"  # only where the pattern matches: it takes time
        return f"(CASE WHEN regexp_full_match({cell}, '{pattern}') THEN {read} ELSE false END)"


def _day(order: str) -> str:
    return f"CAST(try_strptime(split_part({{}}, ' ', 1), '{order}') AS DATE)"


POINT: Final = Style(
    r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+|[1-9][0-9]{0,2}(?:,[0-9]{3})+(?:\.[0-9]+)?)"
    r"(?:[eE][+-]?[0-9]+)?",
    "TRY_CAST(replace({}, ',', '') AS DOUBLE)",
    r"[+-]?[0-9]+(?:,[0-9]{3})*(?:\.0*)?",
)
"""Numbers with a decimal point, and commas between thousands."""
COMMA: Final = Style(
    r"[+-]?(?:[0-9]+(?:,[0-9]*)?|,[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?:,[0-9]+)?)"
    r"(?:[eE][+-]?[0-9]+)?",
    "TRY_CAST(replace(replace({}, '.', ''), ',', '.') AS DOUBLE)",
    r"[+-]?[0-9]+(?:\.[0-9]{3})*(?:,0*)?",
)
"""Numbers with a decimal comma, and points between thousands."""
NUMBERS: Final[Mapping[str, Style]] = {"point": POINT, "comma": COMMA}

_DOTTED = r"[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{4}(?: .*)?"
_SLASHED = r"[0-9]{1,2}/[0-9]{1,2}/[0-9]{4}(?: .*)?"
DAY_FIRST: Final = Style(_SLASHED, _day("%d/%m/%Y"))
MONTH_FIRST: Final = Style(_SLASHED, _day("%m/%d/%Y"))
DATES: Final[Mapping[str, Style]] = {
    "iso": Style(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T].*)?", "TRY_CAST({} AS DATE)"),
    "dotted": Style(_DOTTED, _day("%d.%m.%Y")),
    "day": DAY_FIRST,
    "month": MONTH_FIRST,
}
