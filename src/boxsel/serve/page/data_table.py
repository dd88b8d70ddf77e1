"""A table of data that somebody opened: its text, and how its columns are parted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boxsel.errors import BoxselError


@dataclass(frozen=True)
class DataTable:
    r"""The text of a table, by the name of its file.

    Examples:
        >>> DataTable.of("counts.txt", b"a\tb\n1\t2").format
        'tsv'
    """

    name: str
    text: str
    format: Literal["csv", "tsv"]

    @classmethod
    def of(cls, name: str, data: bytes) -> DataTable:
        """The table in a file.

        Raises:
            BoxselError: It is not text.
        """
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BoxselError(f"{name} is not text in UTF-8: open a CSV or TSV file") from None
        return cls(name, text, "tsv" if "\t" in text.partition("\n")[0] else "csv")
