"""A table of data that somebody opened: its text, and how its columns are parted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from boxsel.formats.source import decode


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
            ReadError: It is not text.
        """
        text = decode(data, name)
        return cls(name, text, "tsv" if "\t" in text.partition("\n")[0] else "csv")
