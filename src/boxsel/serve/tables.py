"""Tables of data that come in a request: they are files of our own for as long as they are read."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from boxsel.errors import BoxselError, ReadError


@contextmanager
def as_file(text: str, extension: str) -> Iterator[Path]:
    """A text as a file; errors do not say where it was.

    Examples:
        >>> with as_file("a,b", "csv") as path:
        ...     path.name, path.read_text()
        ('table.csv', 'a,b')
    """
    with tempfile.TemporaryDirectory(prefix="boxsel-") as folder:
        path = Path(folder) / f"table.{extension}"
        path.write_text(text, "utf-8")
        try:
            yield path
        except ReadError as error:
            diagnostics = [
                replace(one, file=None, message=one.message.replace(str(path), path.name))
                for one in error.diagnostics
            ]
            raise ReadError(*diagnostics, more=error.more) from None
        except BoxselError as error:
            raise BoxselError(str(error).replace(str(path), path.name)) from None
