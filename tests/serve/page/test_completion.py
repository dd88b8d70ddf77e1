"""Names are offered while a question is typed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.serve.page.completion import MOST_OFFERED, Option, completions

NAMES = [
    Option("Admitted"),
    Option("Applicant"),
    Option("DeptA"),
    Option("'Type 1 diabetes'", "'Type 1 diabetes'"),
    Option("HP:0001250", "Seizure"),
    Option("hasChild"),
]
SHORT_FIRST = [name.name for name in sorted(NAMES, key=lambda name: (len(name.name), name.name))]


def offered(text: str, cursor: int | None = None) -> list[str]:
    return [
        option.name
        for option in completions(text, len(text) if cursor is None else cursor, NAMES).options
    ]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("(a", ["Admitted", "Applicant", "DeptA", "hasChild", "'Type 1 diabetes'"]),
        ("(Adm", ["Admitted"]),
        ("(X | dept", ["DeptA"]),
        ("('Ty", ["'Type 1 diabetes'"]),
        ("('Type 1 d", ["'Type 1 diabetes'"]),
        ("(diab", ["'Type 1 diabetes'"]),
        ("(seiz", ["HP:0001250"]),
        ("(HP:", ["HP:0001250"]),
        ("(Admitted and", []),
        ("(Admitted", []),
        ("(Admitted | ", SHORT_FIRST),
        ("(", SHORT_FIRST),
        ("(Admitted ", []),
        ("", []),
    ],
)
def test_names_are_found_by_what_is_typed(text: str, names: list[str]) -> None:
    assert offered(text) == names


def test_the_name_before_the_cursor_is_completed() -> None:
    found = completions("(Adm | Dep)", 10, NAMES)
    assert (found.start, found.end) == (7, 10)
    assert [option.name for option in found.options] == ["DeptA"]


@given(st.text(max_size=30), st.integers(0, 30), st.lists(st.text(min_size=1, max_size=8)))
def test_what_is_offered_fits(text: str, cursor: int, names: list[str]) -> None:
    cursor = min(cursor, len(text))
    found = completions(text, cursor, [Option(name) for name in names])
    assert 0 <= found.start <= found.end == cursor
    assert len(found.options) <= MOST_OFFERED
    typed = text[found.start : found.end].lstrip("'<").lower()
    assert all(typed in option.name.lower() for option in found.options)
