"""Completion of names while a question is typed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

MOST_OFFERED: Final = 8
"""How many completions are offered."""

WINDOW: Final = 2_000
"""So many characters before the cursor are looked at."""
LONGEST_NAME: Final = 200
"""Who has typed so much of a name needs no completion; nor is more of any name looked at."""

# A text in pieces, names among them: something always fits, so that no place is looked at twice.
_PIECE: Final = re.compile(r"'(?:[^'\\]|\\.)*'?|<[^>\s]*>?|[\w:.-]+|.", re.DOTALL)
# The last piece is being typed: an open quote, an open IRI, or letters.
_TYPED: Final = re.compile(r"'(?:[^'\\]|\\.)*|<[^>\s]*|[\w:.-]+", re.DOTALL)
_EXPECTING: Final = re.compile(r"(?:[(|,]|\b(?:and|or|not|some))\s?\Z")
_KEYWORDS: Final = frozenset({"and", "or", "not", "some", "at", "least", "of"})


@dataclass(frozen=True)
class Option:
    """A name as it is written, and its label if that is different."""

    name: str
    label: str = ""

    @classmethod
    def of(cls, found: Mapping[str, Any]) -> Option:
        """The option for a name as a parsed text lists it."""
        name, label = str(found["name"]), str(found["label"])
        return cls(name, "" if label in (name, name[1:-1]) else label)


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
    word = _typed(text[max(0, cursor - WINDOW) : cursor])
    if not word and _EXPECTING.search(text[max(0, cursor - LONGEST_NAME) : cursor]):
        # Where a name is expected some are offered before a letter is typed: short ones.
        first = sorted(names, key=lambda name: (len(name.name), name.name))[:MOST_OFFERED]
        return Completions(cursor, cursor, tuple(first))
    if not 0 < len(word) <= LONGEST_NAME or word.lower() in _KEYWORDS:
        return Completions(cursor, cursor)
    wanted = word.lstrip("'<").lower()
    ranked = sorted(
        (rank, len(name.name), name.name, name)
        for name in names
        if (rank := _rank(name, wanted)) is not None and name.name != word
    )
    return Completions(
        cursor - len(word), cursor, tuple(option for *_, option in ranked[:MOST_OFFERED])
    )


def _typed(before: str) -> str:
    """The name that a text ends in the middle of, if any."""
    last = ""
    for piece in _PIECE.finditer(before):
        last = piece[0]
    return last if _TYPED.fullmatch(last) else ""


def _rank(option: Option, wanted: str) -> int | None:
    """How well a name fits: its beginning, that of a word in it, or anything inside it."""
    texts = (option.name.lstrip("'<"), option.label.lstrip("'"))
    ranks = [_rank_in(text[:LONGEST_NAME].lower(), wanted) for text in texts]
    return min((rank for rank in ranks if rank is not None), default=None)


def _rank_in(text: str, wanted: str) -> int | None:
    place = text.find(wanted)
    if place <= 0:
        return None if place < 0 or not text else 0
    while place > 0:
        if not text[place - 1].isalnum():
            return 1
        place = text.find(wanted, place + 1)
    return 2
