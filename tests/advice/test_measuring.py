"""What to measure next: each promise is what brute force says once the share is known."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

import boxsel
from boxsel.advice import measuring
from boxsel.advice.measuring import next_measurements
from boxsel.errors import BoxselError
from boxsel.logic.axioms import Conditional
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.syntax.parser import parse_kb
from tests.advice.test_hints import random_shares
from tests.cli.inside import Inside, interrupting
from tests.depth import cases, some
from tests.exact.brute_force import answer
from tests.exact.test_data import counted

ERROR = Fraction(1, 50)


def width(kb: KB, query: Query) -> Fraction:
    found = answer(kb, query)
    assert found.lower is not None
    assert found.upper is not None
    return found.upper - found.lower


@pytest.mark.parametrize("seed", range(cases(60)))
def test_promises_hold(seed: int) -> None:
    kb, query = random_shares(Random(1000 + seed))
    advice = next_measurements(kb, query, within=ERROR, budget=None)
    assert advice.complete
    widths = [one.width for one in advice.measurements]
    assert widths == sorted(widths)
    for measurement in advice.measurements:
        known = answer(kb, measurement.query)
        assert (known.lower, known.upper) == (measurement.known.lower, measurement.known.upper)
        middle = (measurement.known.lower + measurement.known.upper) / 2
        measured = Interval(middle - ERROR, middle + ERROR)
        more = Statement(Conditional(measurement.query.head, measurement.query.body, measured))
        assert width(KB((*kb.statements, more)), query) == measurement.width < width(kb, query)
        assert measurement.least <= measurement.width <= measurement.most
        assert measurement.query != query


def test_an_interval_that_is_stated_is_told_in_words() -> None:
    kb = parse_kb("B SubClassOf A\nD SubClassOf A\n(B | A)[0.1, 0.9]\n(D | B)[0.5]")
    advice = boxsel.next_measurements(kb, "(D | A)", budget=None)
    stated = next(measurement for measurement in advice.measurements if measurement.stated)
    assert str(stated.query) == "(B | A)"
    assert "measuring (B | A) to within ±1 % would narrow it to about 0.51" in advice.text
    assert "stated between 0.1 and 0.9" in advice.text


def test_where_nothing_is_to_be_measured() -> None:
    kb = parse_kb("(B | A)[0.2]\n(C | X)[0.2]\n(C | X)[0.8]")
    assert "nothing is left to measure" in boxsel.next_measurements(kb, "(B | A)").text
    assert boxsel.next_measurements(kb, "(C | X)").status == "vacuous"
    with pytest.raises(BoxselError, match="an error is between 0 and 1/2"):
        boxsel.next_measurements(kb, "(B | A)", within=0.7)


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    inside = Inside(capsys)
    content = inside.answer(
        "next", "example:applicant", "(Admitted | Applicant)", "--budget", "60s"
    )
    assert content["measurements"][0]["share"] == "(DeptA | Admitted)"
    assert "(DeptA | Applicant)" in [
        measurement["share"] for measurement in content["measurements"]
    ]


def test_ctrl_c_ends_it_with_the_best_so_far(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = Inside(capsys)
    asked = ("next", "example:applicant", "(Admitted | Applicant)")
    interrupting(monkeypatch, measuring._Search, "_width", calls=6)
    content = inside.answer(*asked, code=3)
    assert not content["complete"]
    assert content["status"] == "bounded"
    assert content["measurements"]
    assert 0 < content["tried"] < measuring.MOST_SHARES


@pytest.mark.parametrize("seed", some(range(12)))
def test_data_change_no_advice(seed: int) -> None:
    graph, kb = counted(seed, 0.15)
    query = graph.query()
    advice, plain = (
        next_measurements(one, query, budget=None) for one in (kb, replace(kb, data=None))
    )
    assert advice == plain
