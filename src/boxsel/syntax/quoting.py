"""Names that need quotes and have none: what was meant where a reader stumbles."""

from __future__ import annotations

import re
from itertools import product
from typing import Final

from boxsel.logic.names import BARE_PATTERN, KEYWORDS, LOCAL_PATTERN, PREFIX_PATTERN, quote_name
from boxsel.syntax.nametable import NameTable

DECLARATIONS: Final = (
    "Prefix:",
    "Label:",
    "Class:",
    "ObjectProperty:",
    "Individual:",
    "Dropped:",
    "Skipped:",
    "DataClasses:",
    "DataProperties:",
    "Data:",
)
"""How lines begin that declare something, and state nothing."""

DIRECTIVES: Final = (*DECLARATIONS, "DisjointClasses:", "EquivalentClasses:")
"""How lines begin that begin with a keyword."""

REACH: Final = 30
"""So many words and signs on either side of a mistake may belong to the same name."""
LONGEST_NAME: Final = 200
"""What has more characters is not offered as a name."""

_PIECE = re.compile(r"\w+|[^\w\s]")
_NAME = re.compile(rf"{BARE_PATTERN}|(?:{PREFIX_PATTERN})?:{LOCAL_PATTERN}")
_WORDS = "|".join(sorted(KEYWORDS))
_LINES = "|".join(DIRECTIVES)
# Where a name without quotes must end: a sign, a keyword, a comment, how a line begins.
_LIMIT = re.compile(
    rf"[()|\[\]{{}},\"]|\s#|(?<![\w\-.:])(?:(?:{_WORDS})(?![\w\-])|Domain:|Range:)|^\s*(?:{_LINES})"
)


def known_name(text: str, column: int, names: NameTable) -> str | None:
    """How a known name is written that the words around a column spell; the longest there is.

    Examples:
        >>> from boxsel.logic.concepts import Name
        >>> names = NameTable()
        >>> names.know(Name("Head and neck"))
        >>> known_name("(Head and neck | Patient)", 2, names)
        "'Head and neck'"
    """
    pieces = list(_PIECE.finditer(text, max(0, column - LONGEST_NAME), column + LONGEST_NAME))
    starts = [piece.start() for piece in pieces if piece.start() < column][-REACH:]
    ends = [piece.end() for piece in pieces if piece.end() >= column][:REACH]
    for start, end in sorted(product(starts, ends), key=lambda span: span[0] - span[1]):
        said = " ".join(text[start:end].split())
        written = None if _NAME.fullmatch(said) else names.written(said)
        if written is not None:
            return written
    return None


def quoted_name(
    text: str, column: int, names: NameTable, *, begins: bool, ends: bool
) -> str | None:
    """What stands around a column as a name in quotes, if it may have been meant to be one.

    `begins` says whether a name may begin at the column, `ends` whether the line may end after a
    name: else a keyword is missing, and no quotes.

    Examples:
        >>> quoted_name("(Type 2 diabetes | Adult)", 7, NameTable(), begins=False, ends=True)
        "'Type 2 diabetes'"
    """
    place, start, end = column - 1, 0, len(text)
    for limit in _LIMIT.finditer(text):
        if limit.end() <= place:
            start = limit.end()
        elif limit.start() > place:
            end = limit.start()
            break
        else:
            return None
    if end - start > LONGEST_NAME or (end == len(text) and not ends):
        return None
    before, said = text[start:place].strip(), " ".join(text[start:end].split())
    if not (_NAME.fullmatch(before) if before else begins):
        return None
    if _NAME.fullmatch(said) or said[:1] in ("'", "<"):
        return None
    if all(names.written(word) for word in said.split()):
        return None  # several names, and something missing between them
    return quote_name(said)
