"""Numbering: one row for each name, and row 0 for ⊤ and the identity."""

from __future__ import annotations

import pytest

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import TOP, Individual, Name, Role, names
from boxsel.models.numbering import EVERYTHING, NO_ROLE, Numbering

A, B, X = names("A B X")
r = Role("r")
a, b = Individual("a"), Individual("b")
NUMBERING = Numbering((A, B, X), (r,), (a, b), {A & B: X})


def test_rows_count_from_one_where_row_zero_is_taken() -> None:
    assert [NUMBERING.name(concept) for concept in (TOP, A, B, X)] == [EVERYTHING, 1, 2, 3]
    assert NUMBERING.role(r) == NO_ROLE + 1
    assert [NUMBERING.individual(individual) for individual in (a, b)] == [0, 1]


def test_a_complex_concept_has_the_row_of_its_fresh_name() -> None:
    assert [NUMBERING.filler(concept) for concept in (TOP, B, B & A)] == [EVERYTHING, 2, 3]
    assert NUMBERING.filler(r.some(A)) is None
    assert NUMBERING.filler(Name("C")) is None


def test_unknown_names_are_named() -> None:
    with pytest.raises(InvalidStatementError, match="no concept C"):
        NUMBERING.name(Name("C"))
    with pytest.raises(InvalidStatementError, match="no role s"):
        NUMBERING.role(Role("s"))
