"""Numbers are exact: what is written is what is meant."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
from boxsel.logic.proportions import Count, Interval, exact, number_text

fractions = st.fractions()


@given(fractions)
def test_a_printed_number_reads_back(number: Fraction) -> None:
    assert exact(number_text(number)) == number


digits = st.text("0123456789", max_size=197)


@given(digits, st.text("0", max_size=190), digits, st.integers(0, 999), st.sampled_from(["", "%"]))
def test_whatever_can_be_read_is_printed_so_that_it_can_be_read(
    whole: str, zeros: str, decimals: str, exponent: int, percent: str
) -> None:
    number = exact(f"0{whole}.{zeros}{decimals}"[:394] + f"e-{exponent}{percent}")
    assert exact(number_text(number)) == number


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-100, max_value=100))
def test_decimals_are_read_as_python_reads_them(number: Decimal) -> None:
    assert exact(str(number)) == Fraction(number)
    assert exact(f"{number:f}%") == Fraction(number) / 100


@given(st.floats(0, 1))
def test_a_float_is_the_decimal_that_it_prints_as(number: float) -> None:
    assert exact(number) == Fraction(str(number))


@pytest.mark.parametrize(
    "text", ["", "x", "1,5", "1//2", "0x1", "٣", "1e9999", "nan", "--1", "1 2", "."]
)
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidStatementError, match="not a number"):
        exact(text)


def test_zero_divisors_and_endless_numbers_are_refused() -> None:
    with pytest.raises(InvalidStatementError, match="divides by zero"):
        exact("1/0")
    with pytest.raises(InvalidStatementError, match="more than 400"):
        exact("1" * 401)


@given(fractions, fractions)
def test_an_interval_holds_exactly_what_it_may(lower: Fraction, upper: Fraction) -> None:
    if 0 <= lower <= upper <= 1:
        interval = Interval(lower, upper)
        assert lower in interval
        assert interval.is_point == (lower == upper)
    else:
        with pytest.raises(InvalidStatementError, match=r"bound|proportion"):
            Interval(lower, upper)


@given(st.integers(-3, 9), st.integers(-3, 9))
def test_a_count_is_at_most_its_total(count: int, total: int) -> None:
    if total >= 1 and 0 <= count <= total:
        assert Count(count, total).bounds == Interval.point(Fraction(count, total))
    else:
        with pytest.raises(InvalidStatementError, match="count"):
            Count(count, total)
