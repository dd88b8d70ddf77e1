"""Frequencies mean what the ontology says they mean."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.build.phenotypes.frequencies import FREQUENCY_TERMS, proportion, read_frequency
from boxsel.errors import InvalidStatementError
from boxsel.logic.proportions import Count, Interval


def test_closed_intervals_touch_and_cover_everything() -> None:
    closed = sorted(
        (term.closed for term in FREQUENCY_TERMS.values()), key=lambda interval: interval.lower
    )
    wide = [interval for interval in closed if not interval.is_point]
    assert wide[0].lower == 0
    assert wide[-1].upper == 1
    assert all(low.upper == high.lower for low, high in pairwise(wide))


def test_closing_gaps_never_leaves_the_official_interval() -> None:
    for term in FREQUENCY_TERMS.values():
        assert term.closed.lower <= term.official.lower <= term.official.upper <= term.closed.upper
        assert proportion(term) == term.official
        assert proportion(term, close_gaps=True) == term.closed


@given(st.integers(0, 500), st.integers(0, 500))
def test_counts(count: int, total: int) -> None:
    text = f"{count}/{total}"
    if total == 0 or count > total:
        with pytest.raises(InvalidStatementError):
            read_frequency(text)
    else:
        assert read_frequency(text) == Count(count, total)


@given(st.decimals(0, 200, places=2))
def test_percentages(share: object) -> None:
    value = Fraction(str(share)) / 100
    if value > 1:
        with pytest.raises(InvalidStatementError, match="above 100%"):
            read_frequency(f"{share}%")
    else:
        assert read_frequency(f"{share}%") == Interval(value, value)


@pytest.mark.parametrize(
    "text", ["often", "HP:0040279", "1/2/3", "-1/2", "1,5%", "%", "/", "0.5", "٣/٤", "1" * 400]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(InvalidStatementError, match="neither one of the six"):
        read_frequency(text)
