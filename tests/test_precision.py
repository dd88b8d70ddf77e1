"""Shares that are read as rounded numbers."""

from __future__ import annotations

from fractions import Fraction
from math import floor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
from boxsel.exact.diagnosis.check import check
from boxsel.logic.axioms import Conditional, conditional
from boxsel.logic.concepts import names
from boxsel.logic.kb import KB
from boxsel.precision import guess_unit, read_rounded
from boxsel.syntax.parser import parse_kb
from tests.cli.inside import Inside

A, B = names("A B")
PARTS = """(Young | Adult)[0.33]
(Middle | Adult)[0.33]
(Old | Adult)[0.33]
Young SubClassOf Adult
Middle SubClassOf Adult
Old SubClassOf Adult
(Sick | Young)[0.02]
(Sick | Middle)[0.08]
(Sick | Old)[0.25]
(Sick | Adult)[0.11]
DisjointClasses: Young, Middle, Old
"""
"""Rounded to whole per cents, as tables are; the shares of all adults do not quite add up."""
SHARES = st.fractions(0, 1, max_denominator=10**6)


@given(share=SHARES, digits=st.integers(1, 5))
def test_the_share_that_was_rounded_is_among_those_read(share: Fraction, digits: int) -> None:
    unit = Fraction(1, 10**digits)
    rounded = floor(share / unit + Fraction(1, 2)) * unit
    read, _ = read_rounded(KB.of(conditional(B, given=A, exactly=rounded)), unit)
    (axiom,) = read.axioms
    assert isinstance(axiom, Conditional)
    lower, upper = axiom.bounds.lower, axiom.bounds.upper
    if 0 < rounded < 1:
        assert lower <= share <= upper
        assert upper - lower <= unit
    else:
        assert lower == upper == rounded


@given(share=SHARES)
def test_what_has_more_digits_was_not_rounded_so(share: Fraction) -> None:
    kb = KB.of(conditional(B, given=A, exactly=share))
    read, changed = read_rounded(kb, "10%")
    is_rounded = share not in (0, 1) and share % Fraction(1, 10) == 0
    assert changed == is_rounded
    assert (read != kb) == is_rounded


def test_counts_and_intervals_stay_as_they_are() -> None:
    kb = parse_kb("(B | A)[1 of 10]\n(C | A)[0.1, 0.2]\nD SubClassOf A")
    assert read_rounded(kb, "1%") == (kb, 0)


def test_notes_are_kept() -> None:
    read, changed = read_rounded(parse_kb("(B | A)[0.1]  ## source: survey"), 0.1)
    assert changed == 1
    assert (
        str(read.statements[0])
        == "(B | A)[0.05, 0.15]  ## source: survey  ## comment: rounded to 10%"
    )


@pytest.mark.parametrize("unit", ["0", "1", "-1%", "200%"])
def test_units_are_shares(unit: str) -> None:
    with pytest.raises(InvalidStatementError, match="write 1% for whole per cents"):
        read_rounded(KB.of(), unit)


def test_the_unit_is_that_of_the_longest_number() -> None:
    assert guess_unit(parse_kb("(B | A)[0.5]").statements) == Fraction(1, 100)
    assert guess_unit(parse_kb("(B | A)[0.5]\n(C | A)[12.25%]").statements) == Fraction(1, 10**4)
    assert guess_unit(parse_kb("(B | A)[1/3]").statements) is None
    assert guess_unit(parse_kb("(B | A)[3 of 4]\n(C | A)[1]").statements) is None


def test_check_says_where_rounding_is_the_contradiction() -> None:
    found = check(parse_kb(PARTS))
    assert (found.coherent, found.rounded_to) == (False, Fraction(1, 100))
    assert found.coherent_rounded
    assert check(read_rounded(parse_kb(PARTS), "1%")[0]).coherent
    assert check(parse_kb(PARTS.replace("0.11", "0.51"))).rounded_to is None
    assert check(parse_kb("(B | A)[0.1]")).rounded_to is None


def test_commands_read_shares_so(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    inside, file = Inside(capsys), tmp_path / "parts.sel"
    file.write_text(PARTS)
    said = inside("check", file)
    assert "With shares read as rounded numbers it is coherent: --rounded 1%" in said.out
    assert inside.answer("check", file, code=1)["rounded_to"] == 0.01
    read = inside("check", file, "--rounded", "1%")
    assert (read.code, read.said) == (0, "note: 7 shares are read as rounded to 1%\n")
    asked = inside("ask", file, "(Sick | Adult)", "--rounded=1%", "--estimate=never")
    assert "comment: rounded to 1%" in asked.out
    written = inside("convert", file, "--to=sel", "--rounded", "1%").out
    assert "(Young | Adult)[0.325, 0.335]  ## comment: rounded to 1%" in written
    assert "0.1% for one decimal more" in inside("bounds", file, "(B | A)", "--rounded", "5").said
