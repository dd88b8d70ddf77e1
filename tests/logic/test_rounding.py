"""Numbers for people stay true, and are the same from fractions and from the floats of JSON."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from boxsel.logic.proportions import Interval, float_above, float_below, floats_within
from boxsel.logic.rounding import Shown, Words, inward, inward_words, number_words, outward, shown

shares = st.fractions(0, 1) | st.fractions(0, 1, max_denominator=2000)
intervals = st.tuples(shares, shares).map(lambda ends: Interval(min(ends), max(ends)))


def floats(interval: Interval) -> tuple[float, float]:
    below, above = float_below(interval.lower), float_above(interval.upper)
    assert below is not None
    assert above is not None
    return below, above


@given(intervals, st.sampled_from([4, 6]))
def test_the_truth_lies_between_the_ends_that_are_shown(interval: Interval, places: int) -> None:
    ends = outward(*floats(interval), places)
    unit = Fraction(1, 10**places)
    if ends.point is None:
        assert interval.lower - unit < Fraction(ends.lower) <= interval.lower
        assert interval.upper <= Fraction(ends.upper) < interval.upper + unit
    else:
        assert abs(Fraction(ends.lower) - interval.lower) <= unit * interval.lower * 10
        assert ends.about == (Fraction(ends.lower) != interval.lower)


@given(intervals)
def test_all_that_is_shown_inward_is_possible(interval: Interval) -> None:
    ends = inward(*floats_within(interval))
    if not ends.about:
        # JSON has the nearest float if none lies within: that is all that is known then.
        little = Fraction(1, 10**15)
        assert interval.lower - little <= Fraction(ends.lower)
        assert Fraction(ends.lower) <= Fraction(ends.upper) <= interval.upper + little


def test_narrow_intervals_are_not_turned_round() -> None:
    assert inward_words(Fraction(53, 1803), Fraction(53, 1803)) == ("about 0.0293955",) * 2
    assert inward(0.12345612, 0.12345678) == Shown("0.1234562", "0.1234567")


def test_one_number_is_the_nearest_one_and_says_so() -> None:
    assert shown(Fraction(53, 180), Fraction(53, 180)).point == "about 0.294444"
    assert shown(Fraction(2, 3), Fraction(2, 3)).point == "about 0.666667"
    assert shown(Fraction(4, 25), Fraction(4, 25)).point == "0.16"
    assert number_words(Fraction(1, 512)) == "0.001953125 (about 0.00195312)"


@given(shares, shares)
def test_percentages_are_rounded_as_shares_are(first: Fraction, second: Fraction) -> None:
    lower, upper = sorted((first, second))
    said = [one.removesuffix(" %") for one in Words(percent=True).outward(lower, upper)]
    if not said[0].startswith("about "):
        assert Fraction(said[0]) / 100 <= lower
        assert upper <= Fraction(said[1]) / 100
