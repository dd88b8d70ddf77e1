"""Small knowledge bases that come with boxsel; each teaches a part of the syntax.

Examples:
    >>> sorted(names())
    ['applicant', 'berkeley', 'clinic']
    >>> load("applicant")
    <KB: 2 conditional, 2 inclusion>
"""

from __future__ import annotations

from importlib.resources import files

from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.syntax.parser import parse_kb


def names() -> list[str]:
    """The names of the examples."""
    return sorted(
        entry.name.removesuffix(".sel")
        for entry in files(__name__).iterdir()
        if entry.name.endswith(".sel")
    )


def text(name: str) -> str:
    """The `.sel` text of an example, with its comments."""
    if name not in names():
        raise BoxselError(f"there is no example {name!r}: choose one of {', '.join(names())}")
    return files(__name__).joinpath(f"{name}.sel").read_text("utf-8")


def load(name: str) -> KB:
    """An example as a knowledge base."""
    return parse_kb(text(name), f"{name}.sel")
