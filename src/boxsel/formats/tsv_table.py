"""TSV: the table of CSV with tabs between the cells; either module reads both."""

from __future__ import annotations

from boxsel.formats.csv_table import conditionals_only, read, table
from boxsel.logic.kb import KB

__all__ = ["conditionals_only", "read", "write"]


def write(kb: KB) -> str:
    """The knowledge base as a table; `WriteError` if it holds more than conditionals."""
    return table(kb, "\t")
