"""Small knowledge bases, and data to build some from, that come with boxsel.

Examples:
    >>> sorted(names())
    ['applicant', 'berkeley', 'clinic']
    >>> load("applicant")
    <KB: 2 conditional, 2 inclusion>
"""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Final

from boxsel.logic.kb import KB
from boxsel.syntax.parser import parse_kb
from boxsel.wording import expect_known

PREFIX: Final = "example:"
"""What a path begins with that means a bundled file, wherever boxsel is installed."""


def names() -> list[str]:
    """The names of the examples that are knowledge bases."""
    return [name.removesuffix(".sel") for name in _bundled() if name.endswith(".sel")]


def text(name: str) -> str:
    """The `.sel` text of an example, with its comments."""
    expect_known("example", name, names())
    return files(__name__).joinpath(f"{name}.sel").read_text("utf-8")


def load(name: str) -> KB:
    """An example as a knowledge base."""
    return parse_kb(text(name), f"{name}.sel")


def path(file: str) -> Path:
    """Where the file of an example is: a knowledge base, or data to build one from.

    Examples:
        >>> path("admissions.csv").read_text().splitlines()[0]
        'Admit,Gender,Dept,Freq'
    """
    expect_known("example", file, _bundled())
    return Path(str(files(__name__).joinpath(file)))


def locate(file: str) -> str:
    """The path of a file as it is given; of `example:NAME`, where that example is.

    The extension may be left out if only one file has the name.

    Examples:
        >>> locate("mine.sel"), Path(locate("example:berkeley")).name
        ('mine.sel', 'berkeley.sel')

    Raises:
        BoxselError: There is no such example.
    """
    if not file.startswith(PREFIX):
        return file
    name = file.removeprefix(PREFIX)
    fitting = [one for one in _bundled() if Path(one).stem == name]
    return str(path(fitting[0] if len(fitting) == 1 else name))


def _bundled() -> list[str]:
    entries = files(__name__).iterdir()
    return sorted(
        entry.name for entry in entries if entry.is_file() and not entry.name.endswith(".py")
    )
