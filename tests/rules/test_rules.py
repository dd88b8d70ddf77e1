"""Every rule alone: no population escapes its conclusion, and where it says so none is closer."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from boxsel.rules.all_rules import RULES
from boxsel.rules.amounts import Bounds
from boxsel.rules.figures import Rule
from boxsel.rules.modus_ponens import MODUS_PONENS
from boxsel.rules.published_modus_ponens import PUBLISHED_MODUS_PONENS
from tests.depth import cases
from tests.rules.figures import FIGURES, Figure, extremes, share

every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
ZERO, ONE = Fraction(0), Fraction(1)
slack = st.one_of(st.just(ZERO), st.just(ONE), st.fractions(0, 1, max_denominator=12))


@st.composite
def told_populations(draw: st.DrawFn, figure: Figure) -> tuple[list[Bounds], Fraction]:
    """True premises of a population, and its share of the conclusion."""
    cells = figure.cells
    weights = [draw(st.integers(0, 4)) for _ in cells]
    concluded = share(figure.conclusion, cells, weights)
    assume(concluded is not None)
    assert concluded is not None
    premises = []
    for query in figure.premises:
        true = share(query, cells, weights)
        if true is None:  # anything is true of an empty body
            true = draw(st.fractions(0, 1, max_denominator=6))
        lower, upper = max(ZERO, true - draw(slack)), min(ONE, true + draw(slack))
        premises.append(Bounds(lower, upper))
    return premises, concluded


def test_every_rule_has_a_figure_and_a_name_of_its_own() -> None:
    assert [rule.name for rule in RULES] == list(dict.fromkeys(rule.name for rule in RULES))
    assert {rule.name for rule in RULES} == set(FIGURES)


@every_rule
@given(data=st.data())
def test_no_population_escapes(rule: Rule, data: st.DataObject) -> None:
    premises, concluded = data.draw(told_populations(FIGURES[rule.name]))
    lower, upper = rule.conclude(premises)
    assert lower <= concluded <= upper


@every_rule
@settings(max_examples=cases(60))
@given(data=st.data())
def test_the_extremes_are_inside_and_reached_where_claimed(rule: Rule, data: st.DataObject) -> None:
    figure = FIGURES[rule.name]
    premises, _ = data.draw(told_populations(figure))
    lower, upper = rule.conclude(premises)
    exact = extremes(figure, premises)
    assert lower <= exact.lower
    assert upper >= exact.upper
    if rule.tight:
        assert (max(ZERO, lower), min(ONE, upper)) == exact


@every_rule
@settings(max_examples=cases(30))
@given(data=st.data())
def test_points_are_concluded_exactly_or_not_claimed(rule: Rule, data: st.DataObject) -> None:
    """A rule that claims nothing is at least as tight as all that is known about points."""
    figure = FIGURES[rule.name]
    cells = figure.cells
    weights = [data.draw(st.integers(1, 4)) for _ in cells]
    points = [share(query, cells, weights) for query in figure.premises]
    premises = [Bounds(point, point) for point in points]
    lower, upper = rule.conclude(premises)
    assert (max(ZERO, lower), min(ONE, upper)) == extremes(figure, premises)


@every_rule
@settings(max_examples=cases(25))
@given(data=st.data())
def test_arrays_say_what_fractions_say(rule: Rule, data: st.DataObject) -> None:
    many = [data.draw(told_populations(FIGURES[rule.name]))[0] for _ in range(3)]
    columns = [
        Bounds(*(np.array([float(ends[end]) for ends in column]) for end in (0, 1)))
        for column in zip(*many, strict=True)
    ]
    got = rule.conclude(columns)
    for end in (0, 1):
        exact = [float(rule.conclude(premises)[end]) for premises in many]
        assert np.allclose(np.broadcast_to(got[end], 3), exact, rtol=1e-12, atol=1e-12)


@given(data=st.data())
def test_published_modus_ponens_is_never_tighter(data: st.DataObject) -> None:
    premises, _ = data.draw(told_populations(FIGURES["modus ponens"]))
    tight, published = MODUS_PONENS.conclude(premises), PUBLISHED_MODUS_PONENS.conclude(premises)
    assert tight.lower == published.lower
    assert tight.upper <= published.upper


def test_published_modus_ponens_is_looser_for_intervals() -> None:
    premises = [Bounds(Fraction(1, 5), Fraction(1, 4)), Bounds(Fraction(1, 2), Fraction(4, 5))]
    assert MODUS_PONENS.conclude(premises).upper == Fraction(24, 25)
    assert PUBLISHED_MODUS_PONENS.conclude(premises).upper == 1
