"""TSV: the table of CSV with tabs between the cells; either module reads both."""

from __future__ import annotations

from boxsel.formats.csv_table import read, table, tabled, tabular
from boxsel.logic.kb import KB

__all__ = ["read", "tabled", "tabular", "write"]


def write(kb: KB) -> str:
    """The knowledge base as a table; `WriteError` if it holds more than a table can."""
    return table(kb, "\t")
