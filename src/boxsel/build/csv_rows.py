"""Rows of quoted text read by Python, for looking at a file and for finding a row's line."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator


def numbered_rows(
    lines: Iterable[str], delimiter: str, *, first: int = 1
) -> Iterator[tuple[int, list[str]]]:
    r"""The rows, each with the line where it starts; `first` is the number of the first line.

    Rows that Python's reader refuses, those with a very long cell, are passed over.

    Examples:
        >>> list(numbered_rows(["a,b\n", '"two\n', 'lines",c\n', "d\n"], ","))
        [(1, ['a', 'b']), (2, ['two\nlines', 'c']), (4, ['d'])]
    """
    rows = csv.reader(lines, delimiter=delimiter)
    while True:
        line = first + rows.line_num
        try:
            row = next(rows)
        except StopIteration:
            return
        except csv.Error:
            continue
        yield line, row
