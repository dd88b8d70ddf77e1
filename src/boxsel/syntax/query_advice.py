"""What people write in queries for `not`, `and`, `or` and `at least`, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_LOGIC: Final = "write 'and' between concepts that hold together, 'or' where one of them is enough"
_SIGNS: Final[Mapping[str, str]] = {
    **dict.fromkeys("−-\\", "write 'and not' for what is left out"),
    **dict.fromkeys("!~¬∼", "write 'not' before the concept: (not D | C)"),
    **dict.fromkeys("&∧∩⊓+,;∪∨⊔", _LOGIC),
}
_WORDS: Final[Mapping[str, str]] = {
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
_PROBABILITY = re.compile(r"\s*(?:p|pr|prob)\s*(\([^|]+\|[^|]+\))\s*", re.IGNORECASE)


def query_advice(text: str, column: int) -> str | None:
    """What a query may say instead of what is not understood at a column, counted from 1.

    Examples:
        >>> query_advice("(NOT A | B)", 6), query_advice("(A xor B | C)", 4)
        ("did you mean 'not'?", 'write (A or B) and not (A and B)')
        >>> query_advice("(at most 1 of (A, B) | C)", 5)
        'write (not (at least 3 of (A, B, …)) | C) for at most 2'
    """
    if match := _PROBABILITY.fullmatch(text):
        return f"write {match[1]} alone"
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
            if spelt.casefold() in _WORDS:
                return _WORDS[spelt.casefold()]
        if said.casefold() in _NUMBERS and "least" in text.casefold():
            return f"write the number in digits: at least {_NUMBERS.index(said.casefold()) + 2} of"
        if said.casefold() in _CASES and said != said.casefold():
            return f"did you mean {said.casefold()!r}?"
    return None
