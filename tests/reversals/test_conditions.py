"""Conditions on boxes: what is judged, narrowed and parted is so for the shares in the box."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel.logic.concepts import Name
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.reversals.conditions import Below, Box, Condition, Shares, between
from boxsel.reversals.question import GROUPS, Question
from boxsel.reversals.standard import (
    Shift,
    Standardised,
    Weighing,
    full,
    not_full,
    not_partial,
    partial,
)
from tests.depth import cases

E, G, H, S, T, P = map(Name, "EGHSTP")
POOLED = Question(E, (G, H), (S, T), P)
NAMED = Question(E, (G, H), (S, T), P, Name("N"))

shares = st.fractions(0, 1, max_denominator=12)
intervals = st.tuples(shares, shares).map(lambda pair: Interval(min(pair), max(pair)))

CONDITIONS: list[Condition] = [
    *(Below(POOLED.total(0), POOLED.total(1), strict=strict) for strict in (True, False)),
    *(
        Standardised(question, above, strict)
        for question in (POOLED, NAMED)
        for above in GROUPS
        for strict in (True, False)
    ),
    *(Shift(POOLED, above, rates) for above in GROUPS for rates in (0, 1, None)),
]


@st.composite
def boxes_with_shares(draw: st.DrawFn) -> tuple[Condition, Box, Shares]:
    """A condition, a box, and shares in it; shares of strata and of groups add up."""
    condition = draw(st.sampled_from(CONDITIONS))
    box, inside = dict[Query, Interval](), dict[Query, Fraction]()
    for query in condition.queries:
        other = next((one for one in _beside(query) if one in inside), None)
        inside[query] = draw(shares) if other is None else 1 - inside[other]
        ends = draw(intervals)
        lower, upper = min(ends.lower, inside[query]), max(ends.upper, inside[query])
        box[query] = Interval(lower, upper)
    return condition, box, inside


def _beside(query: Query) -> list[Query]:
    """The queries with which one adds up to 1: the other stratum, the other group."""
    pairs = ((S, T), (G, H))
    return [
        Query(other, query.body)
        for pair in pairs
        for one, other in (pair, pair[::-1])
        if query.head == one
    ]


@given(boxes_with_shares())
@settings(max_examples=cases(200))
def test_what_is_judged_is_so_and_nothing_is_lost(case: tuple[Condition, Box, Shares]) -> None:
    condition, box, inside = case
    holds, judged = condition.holds(inside), condition.judged(box)
    assert judged is None or judged is holds
    if judged is False:
        return
    narrow = condition.narrowed(box)
    if holds:
        assert _has(narrow, inside)
    if condition.judged(narrow) is not None:
        return
    parts = condition.parts(narrow)
    if parts:
        assert all(part != narrow for part in parts)
        if holds:
            assert any(_has(part, inside) for part in parts)
    else:
        assert condition.gap(narrow) == 0


def _has(box: Box, inside: Shares) -> bool:
    return all(share in box[query] for query, share in inside.items())


@given(st.fixed_dictionaries(dict.fromkeys(POOLED.rates, shares)), shares, shares, shares)
@settings(max_examples=cases(150))
def test_a_reversal_needs_a_shift_of_mixtures(
    rates: dict[Query, Fraction], first: Fraction, second: Fraction, part: Fraction
) -> None:
    """Where strata part both groups: the condition that is added to goals excludes no reversal."""
    inside = dict(rates)
    for group, share in zip(GROUPS, (first, second), strict=True):
        inside[POOLED.share(group, S)] = share
        inside[POOLED.share(group, T)] = 1 - share
        inside[POOLED.part(group)] = part if group == 0 else 1 - part
        inside[POOLED.total(group)] = sum(
            (
                inside[POOLED.share(group, name)] * rates[POOLED.rate(group, name)]
                for name in (S, T)
            ),
            Fraction(0),
        )
    for goal in (full, partial):
        for above in GROUPS:
            plain = goal(POOLED, above).holds(inside)
            assert plain == goal(POOLED, above, parted=True).holds(inside)
    # Whoever does not reverse meets one of the opposite goals, and nobody meets both.
    for goal, others in ((full, not_full), (partial, not_partial)):
        reversed_here = any(goal(POOLED, above).holds(inside) for above in GROUPS)
        assert reversed_here is not any(other.holds(inside) for other in others(POOLED))


@given(st.fixed_dictionaries(dict.fromkeys(Standardised(POOLED, 0).queries, shares)))
def test_standardised_rates_are_averages(inside: dict[Query, Fraction]) -> None:
    assume(any(inside[POOLED.part(group)] for group in GROUPS))
    found = Weighing(POOLED).rates(inside)
    assume(found is not None)
    assert found is not None
    for group in GROUPS:
        rates = [inside[POOLED.rate(group, stratum)] for stratum in POOLED.strata]
        assert min(rates) <= found[group] <= max(rates)
    assert Standardised(POOLED, 0).holds(inside) == (found[0] > found[1])


@pytest.mark.parametrize("ends", [("0", "1"), ("1/3", "4/7"), ("0.7", "0.7000001")])
def test_a_number_between_others_is_well_inside(ends: tuple[str, str]) -> None:
    lower, upper = map(Fraction, ends)
    third = (upper - lower) / 3
    assert lower + third <= between(lower, upper) <= upper - third
