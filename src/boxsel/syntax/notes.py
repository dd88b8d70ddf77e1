"""The note after a statement: `## source: PMID:123  ## comment: …`."""

from __future__ import annotations

import re

from boxsel.errors import InvalidStatementError
from boxsel.logic.statements import NOTE_FIELDS, Note

_SECTION = re.compile(r"##[ \t]*(?:([A-Za-z]+)[ \t]*:)?((?:[^#]|#(?!#))*)")
_ESCAPE = re.compile(r"\\([nr#\\])")
_ESCAPED = {"n": "\n", "r": "\r", "#": "#", "\\": "\\"}


class Misplaced(Exception):  # noqa: N818 - it never leaves the reader: it becomes a diagnostic
    """A well-formed piece of text that is not allowed, and where it is in its line.

    Without a column it is about the whole line. `unknown` is a name that nobody knows.
    """

    def __init__(
        self,
        message: str,
        column: int | None = None,
        width: int = 1,
        advice: str | None = None,
        *,
        unknown: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.column = column
        self.width = max(1, width)
        self.advice = advice
        self.unknown = unknown


def read_note(text: str, column: int = 1) -> Note:
    """The note that a text from `##` to the end of the line states.

    Examples:
        >>> read_note("## source: PMID:123  ## comment: 12 patients")
        Note(label='', source='PMID:123', comment='12 patients')
    """
    fields: dict[str, str] = {}
    for section in _SECTION.finditer(text):
        key, value = section.groups()
        found = section[0].rstrip()
        start = column + section.start()
        if key not in NOTE_FIELDS:
            raise Misplaced(
                f"expected '## label:', '## source:' or '## comment:', found {found!r:.60}",
                start,
                len(found),
                "a comment starts with a single #",
            )
        if key in fields:
            raise Misplaced(f"this statement already has a {key}", start, len(found))
        fields[key] = _ESCAPE.sub(lambda escape: _ESCAPED[escape[1]], value.strip(" \t\r"))
    try:
        return Note(**fields)
    except InvalidStatementError as error:
        raise Misplaced(str(error), column, len(text)) from None
