"""Text as HTML: names by their labels, notes paler, and words of the trade explained.

What is behind a label or a word is shown when the pointer is over it, or the keyboard on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Final

# Something always fits, so that no place is looked at twice; a note goes to the end of its line.
_PIECES: Final = re.compile(
    r"(?P<name>'(?:[^'\\]|\\.)*'?|<[^>\s]*>?|[\w:.-]+)|(?P<note>#.*)|.", re.DOTALL
)

MEANINGS: Final[Mapping[str, str]] = {
    "exact": "No narrower interval is true of all populations that obey the statements.",
    "proved": "Follows from the statements: no population that obeys them lies outside.",
    "vacuous": "Nobody can be in the group that was asked about, so there is no share of it.",
    "inconsistent": "No population at all obeys all statements.",
    "incoherent": "Some name can have no members, because statements contradict each other.",
    "coherent": "A population obeys all statements, and every name can have members.",
    "entailed": "True in every population that obeys the statements.",
    "excluded": "True in no population that obeys the statements.",
    "possible": "True in some populations that obey the statements, and perhaps not in others.",
    "undecided": "Neither proved nor refuted in the time there was.",
    "model": "A population that obeys every statement; there are usually many.",
    "models": "Populations that obey every statement; there are usually many.",
    "typical": "The share in the population of maximum entropy: the one that assumes least.",
    "ensemble": "Many trained worlds that nearly obey the statements: an approximation.",
    "stratum": "One of the parts that everybody is divided into, such as a department.",
}
"""What words mean that the page uses."""

_TERMS: Final = re.compile(rf"\b({'|'.join(sorted(MEANINGS, key=len, reverse=True))})\b", re.I)


def explained(text: str) -> str:
    """A text as HTML, with its words of the trade explained.

    Examples:
        >>> explained("A model & more")[:33]
        'A <abbr class="term" tabindex="0"'
        >>> explained("a < b")
        'a &lt; b'
    """
    return "".join(
        term(piece) if place % 2 else escape(piece)
        for place, piece in enumerate(_TERMS.split(text))
    )


def term(word: str, kind: str = "term") -> str:
    """A word with what it means, if that needs saying; `kind` is how it looks."""
    meaning = MEANINGS.get(word.lower())
    if meaning is None:
        return f'<span class="{kind}">{escape(word)}</span>'
    return f'<abbr class="{kind}" tabindex="0" title="{escape(meaning)}">{escape(word)}</abbr>'


class Labels:
    """The labels of names.

    Examples:
        >>> labels = Labels({"EX:1": "Seizure"})
        >>> labels.plain("(EX:1 | EX:2)[0.5]")
        '(Seizure | EX:2)[0.5]'
        >>> labels.html("EX:1 # so")
        '<span title="EX:1">Seizure</span> <span class="statement-note"># so</span>'
    """

    def __init__(self, labels: Mapping[str, str] | None = None) -> None:
        self._labels = labels or {}

    def plain(self, text: str) -> str:
        """A text with labels instead of identifiers."""
        return "".join(self._labels.get(name or "", piece) for piece, name, _ in _pieces(text))

    def html(self, text: str) -> str:
        """The same as HTML, with identifiers behind the labels."""
        return "".join(self._piece(*piece) for piece in _pieces(text))

    def _piece(self, piece: str, name: str | None, note: str | None) -> str:
        if note is not None:
            return f'<span class="statement-note">{escape(piece)}</span>'
        label = self._labels.get(name or "")
        if label is None:
            return escape(piece)
        return f'<span title="{escape(piece)}">{escape(label)}</span>'


def _pieces(text: str) -> Iterator[tuple[str, str | None, str | None]]:
    for found in _PIECES.finditer(text):
        yield found[0], found["name"], found["note"]
