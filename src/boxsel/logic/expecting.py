"""Values of the wrong kind are refused where they come in, in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from boxsel.errors import WrongKindError

AnyValue = TypeVar("AnyValue")


def expect(kind: type | tuple[type, ...], takes: str, *values: object) -> None:
    """Refuse values of another kind; `takes` is a sentence about what is taken.

    Examples:
        >>> expect(int, "a count takes whole numbers", 7, "12")
        Traceback (most recent call last):
        boxsel.errors.WrongKindError: a count takes whole numbers, and not the text '12'
    """
    for value in values:
        if not isinstance(value, kind):
            raise WrongKindError(f"{takes}, and not {described(value)}")


def expect_several(what: str, given: Iterable[AnyValue]) -> tuple[AnyValue, ...]:
    """The values of a list; one value in its place is refused, and so are the letters of a text.

    Examples:
        >>> expect_several("queries", "(B | A)")
        Traceback (most recent call last):
        boxsel.errors.WrongKindError: queries are several: give a list, and not the text '(B | A)'
    """
    if isinstance(given, str | bytes) or not hasattr(given, "__iter__"):
        raise WrongKindError(f"{what} are several: give a list, and not {described(given)}")
    return tuple(given)


def described(value: object) -> str:
    """A value that somebody gave, in a few words.

    Examples:
        >>> described("A"), described(3), described(None)
        ("the text 'A'", 'the int 3', 'None')
    """
    if value is None:
        return "None"
    kind = "text" if isinstance(value, str) else type(value).__name__
    return f"the {kind} {value!r:.80}"
