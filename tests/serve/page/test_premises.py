"""Sliders: what they stand on, where they stand, and what they say when they were moved."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from boxsel import examples, parse
from boxsel.answer.ask import ask
from boxsel.serve.page.premises import ConditionalText, Premise, premises

shares = st.fractions(0, 1, max_denominator=1000)


def answered(name: str, query: str) -> list[Premise]:
    return premises(ask(examples.load(name), query, estimate="never", sensitivity=True).to_json())


def test_premises_that_matter_most_come_first() -> None:
    found = answered("applicant", "(Admitted | Applicant)")
    assert [one.share for one in found] == ["(DeptA | Applicant)", "(Admitted | DeptA)"]
    assert found[0].hint == (
        "+0.01 at its lower bound moves the lower end by +0.008 and the upper end by −0.002"
    )
    assert not found[0].point and found[1].point


def test_a_count_moves_as_a_number() -> None:
    found = answered("clinic", "(TakesInsulin | DiabeticPatient)")
    count = next(one for one in found if one.share.startswith("(TakesInsulin"))
    assert count.lower == count.upper == Fraction(17, 80)
    assert count.moved(0.3, 0.3).endswith(")[0.3]")


def test_a_conflict_can_be_moved_apart() -> None:
    kb = parse("(B | A)[0.2]\n(B | A)[0.8]\n")
    found = premises(ask(kb, "(B | A)", estimate="never", sensitivity=True).to_json())
    assert [one.share for one in found] == ["(B | A)"]


@given(shares, shares, st.floats(0, 1), st.floats(0, 1))
def test_a_slider_says_what_it_shows(one: Fraction, two: Fraction, low: float, high: float) -> None:
    lower, upper = sorted((one, two))
    premise = Premise("(B | A)", lower, upper)
    assert ConditionalText.of(premise.moved(float(lower), float(upper))) == ConditionalText(
        "(B | A)", lower, upper
    )
    low, high = sorted((low, high))
    moved = ConditionalText.of(premise.moved(low, high))
    assert moved is not None
    assert 0 <= moved.lower <= moved.upper <= 1
    assert abs(moved.lower - Fraction(low)) <= premise.step
    assert abs(moved.upper - Fraction(high)) <= premise.step
