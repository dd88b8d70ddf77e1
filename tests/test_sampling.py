"""Counts as confidence intervals, held against SciPy's own tests and exact binomial sums."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binomtest

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Conditional, conditional
from boxsel.logic.concepts import names
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Statement
from boxsel.sampling import (
    MAX_TOTAL,
    UNIT,
    Coverage,
    Method,
    Reading,
    confidence_intervals,
    percent,
    read_counts,
)
from tests.depth import cases
from tests.strategies import kbs

A, B, C = names("A B C")

samples = st.tuples(st.integers(0, 2000), st.integers(1, 2000)).map(
    lambda pair: Count(min(pair), max(pair))
)
risks = st.sampled_from([Fraction(1, 2), Fraction(1, 10), Fraction(5, 100), Fraction(1, 10**6)])
methods: st.SearchStrategy[Method] = st.sampled_from(["clopper-pearson", "wilson"])


def interval_of(count: Count, risk: Fraction, method: Method = "clopper-pearson") -> Interval:
    return confidence_intervals([count], risk, method)[count]


def assert_just_outside(interval: Interval, low: float, high: float) -> None:
    """Each end is a millionth, outside the true end by less than a millionth and the slack."""
    for end in (interval.lower, interval.upper):
        assert (end * UNIT).denominator == 1
    room = 1.01 / UNIT
    assert interval.lower == 0 or float(interval.lower) <= low
    assert interval.upper == 1 or float(interval.upper) >= high
    assert low - float(interval.lower) <= room
    assert float(interval.upper) - high <= room


@given(samples, risks)
@settings(max_examples=cases(60))
def test_clopper_pearson_is_scipys_exact_interval(count: Count, risk: Fraction) -> None:
    ends = binomtest(count.count, count.total).proportion_ci(float(1 - risk), method="exact")
    assert_just_outside(interval_of(count, risk), ends.low, ends.high)


@given(samples, risks)
def test_clopper_pearson_ends_are_beta_quantiles(count: Count, risk: Fraction) -> None:
    k, n = count.count, count.total
    low = beta.ppf(float(risk) / 2, k, n - k + 1) if k else 0.0
    high = beta.isf(float(risk) / 2, k + 1, n - k) if k < n else 1.0
    assert_just_outside(interval_of(count, risk), float(low), float(high))


@given(samples, risks)
@settings(max_examples=cases(60))
def test_wilson_is_scipys_interval(count: Count, risk: Fraction) -> None:
    ends = binomtest(count.count, count.total).proportion_ci(float(1 - risk), method="wilson")
    assert_just_outside(interval_of(count, risk, "wilson"), ends.low, ends.high)


@pytest.mark.parametrize("total", [1, 2, 5, 12, 40])
@pytest.mark.parametrize("risk", [Fraction(1, 20), Fraction(1, 3)])
def test_clopper_pearson_covers_every_proportion(total: int, risk: Fraction) -> None:
    """Summed over the binomial in exact arithmetic: the interval misses p at most `risk` often."""
    intervals = confidence_intervals([Count(k, total) for k in range(total + 1)], risk)
    edges = {end for interval in intervals.values() for end in (interval.lower, interval.upper)}
    nudge = Fraction(1, 10**9)
    near = {
        min(max(edge + step, Fraction(0)), Fraction(1))
        for edge in edges
        for step in (-nudge, nudge)
    }
    for p in near | {Fraction(i, 97) for i in range(98)}:
        covered = sum(
            comb(total, count.count) * p**count.count * (1 - p) ** (total - count.count)
            for count, interval in intervals.items()
            if p in interval
        )
        assert covered >= 1 - risk


@given(samples, methods)
def test_more_confidence_is_a_wider_interval(count: Count, method: Method) -> None:
    wide = interval_of(count, Fraction(1, 100), method)
    narrow = interval_of(count, Fraction(1, 10), method)
    assert wide.lower <= narrow.lower <= count.bounds.lower <= narrow.upper <= wide.upper


@pytest.mark.parametrize("method", ["clopper-pearson", "wilson"])
@pytest.mark.parametrize("risk", [Fraction(1, 20), Fraction(1, 10**30), Fraction(999, 1000)])
@pytest.mark.parametrize(
    "count",
    [Count(0, 1), Count(1, 1), Count(0, MAX_TOTAL), Count(1, MAX_TOTAL), Count(10**11, MAX_TOTAL)],
    ids=str,
)
def test_extremes_still_give_an_interval(count: Count, risk: Fraction, method: Method) -> None:
    interval = interval_of(count, risk, method)
    assert count.bounds.lower in interval
    if count.total == MAX_TOTAL:
        assert interval.upper - interval.lower < Fraction(1, 10**4)


def test_totals_beyond_floating_point_are_refused() -> None:
    with pytest.raises(InvalidStatementError, match="cannot be read as an interval"):
        interval_of(Count(1, MAX_TOTAL + 1), Fraction(1, 20))


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, "100%", float("nan"), "1.0", "high"])
def test_a_confidence_lies_between_0_and_1(confidence: float | str) -> None:
    with pytest.raises(InvalidStatementError):
        Reading(confidence)


def test_a_confidence_of_one_in_all_but_name_is_refused() -> None:
    with pytest.raises(InvalidStatementError, match="too close to 1"):
        Reading("0." + "9" * 40)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(InvalidStatementError, match="clopper-pearson or wilson"):
        Reading(0.95, "wald")  # type: ignore[arg-type]


@given(kbs())
@settings(max_examples=cases(50))
def test_reading_changes_counts_and_nothing_else(kb: KB) -> None:
    read, _ = read_counts(kb, Reading(0.9))
    assert len(read) == len(kb)
    assert read.signature == kb.signature
    assert (read.labels, read.dropped) == (kb.labels, kb.dropped)
    for before, after in zip(kb.statements, read.statements, strict=True):
        assert (before.note.label, before.note.source) == (after.note.label, after.note.source)
        if isinstance(before.axiom, Conditional) and isinstance(before.axiom.proportion, Count):
            assert isinstance(after.axiom, Conditional)
            assert isinstance(after.axiom.proportion, Interval)
            assert (before.axiom.head, before.axiom.body) == (after.axiom.head, after.axiom.body)
            assert before.axiom.bounds.lower in after.axiom.bounds
            assert after.note.comment.startswith(before.note.comment)
            assert f"from {before.axiom.proportion.text()}, " in after.note.comment
        else:
            assert after == before
    assert read_counts(read, Reading(0.9))[0] == read


def counted(*pairs: tuple[int, int]) -> KB:
    return KB.of(*(conditional(A, given=B, count=pair) for pair in pairs))


def test_simultaneous_intervals_are_wider_and_promise_the_level_for_all() -> None:
    kb = counted((7, 12), (30, 40), (2, 90))
    single, alone = read_counts(kb, Reading(0.95))
    joint, together = read_counts(kb, Reading(0.95, simultaneous=True))
    for narrow, wide in zip(single.conditionals, joint.conditionals, strict=True):
        assert wide.bounds.lower < narrow.bounds.lower
        assert narrow.bounds.upper < wide.bounds.upper
    assert (alone.individual, alone.joint) == (Fraction(95, 100), Fraction(85, 100))
    assert (together.individual, together.joint) == (1 - Fraction(5, 300), Fraction(95, 100))
    assert joint.statements[0].note.comment == (
        "from 7 of 12, Clopper–Pearson 95% for all 3 counts together"
    )


def test_a_repeated_statement_counts_once() -> None:
    kb = counted((7, 12), (7, 12))
    assert read_counts(kb, Reading(0.95))[1].counts == 1
    sourced = Statement(next(kb.axioms)).axiom.annotate(source="another study")
    assert read_counts(KB((*kb.statements, sourced)), Reading(0.95))[1].counts == 2


@pytest.mark.parametrize(
    ("counts", "reading", "joint", "words"),
    [
        (0, Reading(), 1, "no counts"),
        (1, Reading(), Fraction(95, 100), "The one count"),
        (2, Reading(), Fraction(9, 10), "at least 90%"),
        (20, Reading(), 0, "Nothing is promised"),
        (20, Reading(simultaneous=True), Fraction(95, 100), "at least 95%"),
        (2, Reading(method="wilson"), Fraction(9, 10), "no level is guaranteed"),
    ],
)
def test_the_promise_in_numbers_and_words(
    counts: int, reading: Reading, joint: Fraction, words: str
) -> None:
    coverage = Coverage(counts, reading)
    assert coverage.joint == joint
    assert words in coverage.text
    assert coverage.guaranteed == (reading.method == "clopper-pearson")
    assert coverage.to_json()["joint"] == float(joint)
    assert coverage.to_json()["text"] == coverage.text


def test_a_percentage_never_promises_more() -> None:
    for numerator in range(1, 50):
        level = 1 - Fraction(1, 7 * numerator * 10**5)
        assert Fraction(percent(level)[:-1]) / 100 <= level


def test_scipy_is_loaded_only_to_compute() -> None:
    program = "import sys, boxsel.sampling as s; s.Reading(); print('scipy' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "False"
