"""What was meant where a reader stumbles: names without their quotes, and other words of logic."""

from __future__ import annotations

import re
from collections.abc import Mapping
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


_LOGIC: Final = "write 'and' between concepts that hold together, 'or' where one of them is enough"
_SIGNS: Final[Mapping[str, str]] = {
    **dict.fromkeys("−-\\", "write 'and not' for what is left out"),
    **dict.fromkeys("!~¬∼", "write 'not' before the concept: (not D | C)"),
    **dict.fromkeys("&∧∩⊓+,;∪∨⊔", _LOGIC),
}
_SAID: Final[Mapping[str, str]] = {
    "at most": "write (not (at least 3 of (A, B, …)) | C) for at most 2",
    "exactly": "write at least 2 of (A, B, …) and not (at least 3 of (A, B, …)) for exactly 2",
    "none of": "write not (A or B)",
    "any of": "write A or B, or at least 1 of (A, B)",
    "one of": "write A or B, or at least 1 of (A, B)",
    "all of": "write A and B",
    "either": "write A or B",
    "both": "write A and B",
    "neither": "write not (A or B)",
    "nor": "write not (A or B)",
    "xor": "write (A or B) and not (A and B)",
    "without": "write 'and not' instead of 'without'",
    "with": "write 'and' instead of 'with'",
    "but": "write 'and' instead of 'but'",
    "given": "write a bar before what the share is of: (D | C)",
}
_NUMBERS: Final = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_CASES: Final = frozenset(("not", "and", "or", "some", "of", "at", "least"))
_WORD = re.compile(r"\w+")


def query_advice(text: str, column: int) -> str | None:
    """What a query may say instead of what is not understood at a column, counted from 1.

    Examples:
        >>> query_advice("(NOT A | B)", 6), query_advice("(A xor B | C)", 4)
        ("did you mean 'not'?", 'write (A or B) and not (A and B)')
        >>> query_advice("(at most 1 of (A, B) | C)", 5)
        'write (not (at least 3 of (A, B, …)) | C) for at most 2'
    """
    here = text[column - 1 : column]
    if here in _SIGNS:
        return _SIGNS[here]
    if text[column - 1 :].startswith("|") and text[column - 2 : column - 1] == "|":
        return _LOGIC
    near = [word for word in _WORD.finditer(text) if word.start() <= column <= word.end() + 2]
    for word in near:
        said = word.group()
        before = text[: word.start()].split()[-1:]
        after = text[word.end() :].split()[:1]
        pairs = (said, *(f"{one.lstrip('(')} {said}" for one in before))
        pairs += tuple(f"{said} {one}" for one in after)
        for spelt in pairs:
            if spelt.casefold() in _SAID:
                return _SAID[spelt.casefold()]
        if said.casefold() in _NUMBERS and "least" in text.casefold():
            return f"write the number in digits: at least {_NUMBERS.index(said.casefold()) + 2} of"
        if said.casefold() in _CASES and said != said.casefold():
            return f"did you mean {said.casefold()!r}?"
    return None
