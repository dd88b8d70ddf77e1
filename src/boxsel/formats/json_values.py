"""JSON text as plain values: numbers as written, and a path for every problem.

Python's own reader rounds numbers to binary floats, keeps the last of two equal keys and
accepts NaN; here numbers stay text, and the others become values that fit nowhere.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeVar

from boxsel.errors import Diagnostic, InvalidStatementError, ReadError
from boxsel.logic.proportions import NUMBER_PATTERN, exact

Read = TypeVar("Read")

_NUMBER = re.compile(NUMBER_PATTERN)
_exact = lru_cache(maxsize=100_000)(exact)  # proportions repeat
_SHOWN_STEPS = 12


class Written(NamedTuple):
    """A number as it is written; also NaN and Infinity, which are none."""

    text: str


@dataclass(frozen=True, slots=True)
class Repeated:
    """An object in which a key occurs twice."""

    key: str


class Problem(Exception):  # noqa: N818 - it never leaves the reader: it becomes a diagnostic
    """Something that does not belong where it is; the steps to it are added on the way out."""

    def __init__(self, message: str, advice: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice
        self.steps: list[str | int] = []

    def diagnostic(self, file: str) -> Diagnostic:
        """The problem for people, with its path: `statements[3].head`."""
        steps = self.steps[::-1]
        path = "".join(map(_step, steps[:_SHOWN_STEPS])).removeprefix(".")
        path += "…" if len(steps) > _SHOWN_STEPS else ""
        message = f"{path}: {self.message}" if path else self.message
        return Diagnostic(message, file, help=self.advice)


def parse_json(text: str, file: str) -> object:
    """The value that a JSON text stands for; `ReadError` with line and column if it is none."""
    if not text.strip():
        raise ReadError(
            Diagnostic("the file is empty", file, help='a JSON object starts with {"boxsel": 1')
        )
    try:
        return json.loads(
            text,
            object_pairs_hook=_object,
            parse_float=Written,
            parse_int=Written,
            parse_constant=Written,
        )
    except json.JSONDecodeError as error:
        end = text.find("\n", error.pos)
        line = text[error.pos - error.colno + 1 : end if end >= 0 else len(text)]
        problem = f"this is not JSON: {error.msg[0].lower()}{error.msg[1:]}"
        raise ReadError(Diagnostic(problem, file, error.lineno, error.colno, line)) from None
    except RecursionError:
        raise ReadError(Diagnostic("the JSON is nested too deeply to be read", file)) from None


def within(step: str | int, read: Callable[[object], Read], value: object) -> Read:
    """What `read` makes of the value at a step; a problem remembers the step."""
    try:
        return read(value)
    except Problem as error:
        problem = error
    except InvalidStatementError as error:
        problem = Problem(str(error))
    problem.steps.append(step)
    raise problem


def an_object(
    value: object, required: Sequence[str] = (), optional: Sequence[str] | None = ()
) -> dict[str, object]:
    """An object with these keys and no others; with `optional=None`, with any keys."""
    if isinstance(value, Repeated):
        raise Problem(f"the key {value.key!r:.80} occurs twice in one object")
    if not isinstance(value, dict):
        raise Problem(f"expected an object, found {described(value)}")
    if optional is not None:
        known = (*required, *optional)
        for key in value:
            if key not in known:
                raise Problem(f"unknown key {key!r:.80}", _suggestion(key, known))
    for key in required:
        if key not in value:
            raise Problem(f"the key {key!r} is missing")
    return value


def a_record(
    make: Callable[..., Read], optional: Sequence[str] = (), **readers: Callable[[object], object]
) -> Callable[[object], Read]:
    """What reads an object whose members are read one by one, and makes something of them.

    Examples:
        >>> read = a_record(dict, ("language",), text=a_text, language=a_text)
        >>> read({"text": "Frau"})
        {'text': 'Frau'}
    """
    required = tuple(key for key in readers if key not in optional)

    def read(value: object) -> Read:
        content = an_object(value, required, optional)
        members = {
            key: within(key, reader, content[key])
            for key, reader in readers.items()
            if key in content
        }
        return make(**members)

    return read


def a_list(value: object) -> list[object]:
    """A list of anything."""
    if not isinstance(value, list):
        raise Problem(f"expected a list, found {described(value)}")
    return value


def a_list_of(read: Callable[[object], Read]) -> Callable[[object], list[Read]]:
    """What reads a list, each member with `read`."""
    return lambda value: [within(i, read, member) for i, member in enumerate(a_list(value))]


def a_text(value: object) -> str:
    """A text, which may be empty."""
    if not isinstance(value, str):
        raise Problem(f"expected text in double quotes, found {described(value)}")
    return value


def a_number(value: object) -> Fraction:
    """An exact number, written as a number or as text."""
    text = value.text if isinstance(value, Written) else value
    if not isinstance(text, str) or not _NUMBER.fullmatch(text):
        raise Problem(f'expected a number such as 0.25 or "1/3", found {described(value)}')
    return _exact(text)


def a_whole_number(value: object) -> int:
    """A number without a fraction, written as a number."""
    if isinstance(value, Written) and value.text.isdecimal():
        return int(value.text)
    if isinstance(value, Written) and _NUMBER.fullmatch(value.text):
        number = exact(value.text)
        if number.denominator == 1:
            return int(number)
    raise Problem(f"expected a whole number, found {described(value)}")


def a_boolean(value: object) -> bool:
    """`true` or `false`."""
    if not isinstance(value, bool):
        raise Problem(f"expected true or false, found {described(value)}")
    return value


def described(value: object) -> str:
    """What a value is, in the words of JSON."""
    if isinstance(value, Written):
        return f"{value.text:.40}"
    if isinstance(value, str):
        return f"the text {value!r:.60}"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return "a list" if isinstance(value, list) else "an object"


def one_of(value: object, choices: Sequence[str]) -> str:
    """One of several texts."""
    text = a_text(value)
    if text not in choices:
        raise Problem(f"there is no {text!r:.60} here", _suggestion(text, choices))
    return text


def _suggestion(word: str, known: Sequence[str]) -> str:
    close = get_close_matches(word[:40], known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"expected one of: {', '.join(known)}"


def _object(pairs: list[tuple[str, object]]) -> object:
    content = dict(pairs)
    if len(content) == len(pairs):
        return content
    counts = Counter(key for key, _ in pairs)
    return Repeated(counts.most_common(1)[0][0])


def _step(step: str | int) -> str:
    if isinstance(step, int):
        return f"[{step}]"
    return f".{step}" if step.isidentifier() else f"[{json.dumps(step, ensure_ascii=False)}]"
