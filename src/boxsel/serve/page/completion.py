"""Completion of names while a question is typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

MOST: Final = 8
"""How many completions are offered."""

# The name that is being typed: an open quote, or letters up to the cursor.
_TYPED: Final = re.compile(r"'(?:[^'\\]|\\.)*$|<[^>\s]*$|[\w:.-]+$")
_KEYWORDS: Final = frozenset({"and", "some"})


@dataclass(frozen=True)
class Option:
    """A name as it is written, and its label if that is different."""

    name: str
    label: str = ""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Option:
        """The option for a name as a parsed text lists it."""
        name, label = str(found["name"]), str(found["label"])
        return cls(name, "" if label == name else label)


@dataclass(frozen=True)
class Completions:
    """What may stand in a text between `start` and `end`."""

    start: int
    end: int
    options: tuple[Option, ...] = ()


def completions(text: str, cursor: int, names: Sequence[Option]) -> Completions:
    """What the name before the cursor can become: names that begin so, then those with it inside.

    Examples:
        >>> found = completions("(Adm | Woman)", 4, [Option("DeptA"), Option("Admitted")])
        >>> found.start, found.end, [one.name for one in found.options]
        (1, 4, ['Admitted'])
    """
    typed = _TYPED.search(text[:cursor])
    if typed is None or (word := typed[0]).lower() in _KEYWORDS:
        return Completions(cursor, cursor)
    wanted = word.lstrip("'<").lower()
    ranked = sorted(
        (rank, len(one.name), one.name, one)
        for one in names
        if (rank := _rank(one, wanted)) is not None and one.name != word
    )
    return Completions(typed.start(), cursor, tuple(one for *_, one in ranked[:MOST]))


def _rank(one: Option, wanted: str) -> int | None:
    """How well a name fits: its beginning, that of a word in it, or anything inside it."""
    best: int | None = None
    for text in (one.name.lstrip("'<").lower(), one.label.lstrip("'").lower()):
        if text and wanted in text:
            rank = (
                0
                if text.startswith(wanted)
                else 1
                if re.search(rf"\b{re.escape(wanted)}", text)
                else 2
            )
            best = rank if best is None else min(best, rank)
    return best
