"""What people write for `not`, `and` and `or`: each gets the words that a query has for it."""

from __future__ import annotations

import re

import pytest

from boxsel.errors import ReadError
from boxsel.syntax.parser import parse_kb

KB = parse_kb("(A | C)[0.5]\n(B | C)[0.3]")


@pytest.mark.parametrize(
    ("query", "advice"),
    [
        ("(NOT A | C)", "did you mean 'not'?"),
        ("(A AND B | C)", "did you mean 'and'?"),
        ("(At least 1 of (A, B) | C)", "did you mean 'at'?"),
        ("(!A | C)", "write 'not' before"),
        ("(¬A | C)", "write 'not' before"),
        ("(A & B | C)", "'and' between concepts"),
        ("(A && B | C)", "'and' between concepts"),
        ("(A || B | C)", "'or' where one"),
        ("(A, B | C)", "'and' between concepts"),
        ("(A - B | C)", "'and not' for what is left out"),
        ("(A without B | C)", "'and not' instead"),
        ("(A xor B | C)", "(A or B) and not (A and B)"),
        ("(both A and B | C)", "write A and B"),
        ("(neither A nor B | C)", "not (A or B)"),
        ("(none of (A, B) | C)", "not (A or B)"),
        ("(any of (A, B) | C)", "A or B"),
        ("(at most 1 of (A, B) | C)", "not (at least 3 of"),
        ("(exactly 1 of (A, B) | C)", "and not (at least 3 of"),
        ("(at least two of (A, B) | C)", "in digits: at least 2 of"),
        ("(A given C)", "write a bar"),
        ("P(A | C)", "write (A | C) alone"),
    ],
)
def test_advice_is_in_the_words_of_queries(query: str, advice: str) -> None:
    with pytest.raises(ReadError, match=re.escape(advice)):
        KB.query(query)


def test_names_are_known_before_words() -> None:
    kb = parse_kb("('A without B' | C)[0.5]")
    with pytest.raises(ReadError, match="quote names with other characters: 'A without B'"):
        kb.query("(A without B | C)")


def test_what_is_named_twice_is_told() -> None:
    with pytest.raises(ReadError, match="at least 1 of … names a concept twice"):
        KB.query("(at least 1 of (A, A) | C)")
