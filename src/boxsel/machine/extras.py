"""Libraries that are not always installed: each comes with an extra of ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from boxsel.errors import BoxselError


@contextmanager
def needing(library: str, extra: str, what: str) -> Iterator[None]:
    """Say how to get a library, if what is imported in here is not there.

    Examples:
        >>> with needing("nowhere", "plots", "plots"):
        ...     import nowhere
        Traceback (most recent call last):
        boxsel.errors.BoxselError: plots need nowhere: install it with pip install 'boxsel[plots]'

    Raises:
        BoxselError: It is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != library:
            raise
        raise BoxselError(
            f"{what} need {library}: install it with pip install 'boxsel[{extra}]'"
        ) from None
