"""How deep a text is nested, measured before parsing.

Parsers recurse without a limit and overflow the stack on deep nesting, or take very long.
"""

from __future__ import annotations

import re
from typing import Final, NoReturn

from boxsel.errors import Diagnostic, ReadError
from boxsel.formats.source import Source
from boxsel.logic.concepts import MAX_DEPTH

MAX_NESTING: Final = 2 * MAX_DEPTH + 50
"""How deep brackets or elements may be nested: existentials with a conjunction in each."""

# Strings, IRIs and comments hold brackets that do not count. Each alternative also matches up
# to the end of the text: an unclosed string must not be tried again from every quote in it.
_IRI_OR_COMMENT: Final = r"<[^<>\s]*>?|#[^\n]*"
_DOUBLE: Final = r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)'
_SINGLE: Final = _DOUBLE.replace('"', "'")
_LONG: Final = r'"""(?:[^"\\]|\\.|"(?!""))*(?:"""|\\?\Z)'
_LONG_SINGLE: Final = _LONG.replace('"', "'")

FUNCTIONAL: Final = re.compile(rf"{_DOUBLE}|{_IRI_OR_COMMENT}|[()]", re.DOTALL)
"""What matters for nesting in functional syntax."""

TURTLE: Final = re.compile(
    rf"{_LONG}|{_LONG_SINGLE}|{_DOUBLE}|{_SINGLE}|{_IRI_OR_COMMENT}|\\.|[()\[\]]", re.DOTALL
)
"""What matters for nesting in Turtle."""


def check_nesting(text: str, tokens: re.Pattern[str], source: Source) -> None:
    """Refuse a text whose brackets are nested too deep."""
    depth = 0
    for match in tokens.finditer(text):
        token = match[0]
        if token in "([":
            depth += 1
            if depth > MAX_NESTING:
                too_deep(source, text.count("\n", 0, match.start()) + 1)
        elif token in ")]":
            depth -= 1


def too_deep(source: Source, line: int | None = None) -> NoReturn:
    """Raise the error that an expression is nested too deep."""
    message = f"a class expression is nested too deep: boxsel takes {MAX_DEPTH} levels"
    raise ReadError(Diagnostic(message, file=source.file, line=line))
