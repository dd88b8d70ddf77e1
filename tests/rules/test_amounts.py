"""Rounding is outward, in bounds and as close as can be."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.rules import amounts
from boxsel.rules.amounts import LARGEST_DENOMINATOR, rounded_down, rounded_up

numbers = st.builds(Fraction, st.integers(-(10**16), 10**16), st.integers(1, 10**15))


@given(numbers)
def test_rounding_is_outward_and_in_bounds(number: Fraction) -> None:
    lower, upper = rounded_down(number), rounded_up(number)
    assert lower <= number <= upper
    assert max(lower.denominator, upper.denominator) <= LARGEST_DENOMINATOR
    if number.denominator <= LARGEST_DENOMINATOR:
        assert lower == number == upper
    else:
        assert upper - lower <= Fraction(1, LARGEST_DENOMINATOR)


@given(st.fractions(-2, 2))
def test_rounding_finds_the_closest(number: Fraction) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(amounts, "LARGEST_DENOMINATOR", 7)
        near = {Fraction(n, d) for d in range(1, 8) for n in range(-2 * d, 2 * d + 1)}
        assert rounded_down(number) == max(one for one in near if one <= number)
        assert rounded_up(number) == min(one for one in near if one >= number)


@given(numbers, numbers)
def test_rounding_keeps_the_order(one: Fraction, two: Fraction) -> None:
    low, high = sorted((one, two))
    assert rounded_down(low) <= rounded_down(high)
    assert rounded_up(low) <= rounded_up(high)
