"""Sliders: what they stand on, where they stand, and what they say when they were moved."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from boxsel import examples, parse
from boxsel.answer.ask import ask
from boxsel.serve.library import Library
from boxsel.serve.page.outline import Outline
from boxsel.serve.page.premises import ConditionalText, Premise, premises, whole
from boxsel.serve.page.words import nudges_said
from boxsel.serve.tasks import TASKS, Desk

shares = st.fractions(0, 1, max_denominator=1000)


def answered(name: str, query: str) -> list[Premise]:
    return premises(ask(examples.load(name), query, estimate="never", sensitivity=True).to_json())


def test_premises_that_matter_most_come_first() -> None:
    found = answered("applicant", "(Admitted | Applicant)")
    assert [premise.share for premise in found] == ["(DeptA | Applicant)", "(Admitted | DeptA)"]
    assert not found[0].point and found[1].point


def test_a_count_moves_as_a_number() -> None:
    found = answered("clinic", "(TakesInsulin | DiabeticPatient)")
    count = next(premise for premise in found if premise.share.startswith("(TakesInsulin"))
    assert count.lower == count.upper == Fraction(17, 80)
    assert count.moved(0.3, 0.3).endswith(")[0.3]")


def test_each_line_of_a_conflict_is_moved_by_itself() -> None:
    text = "(B | A)[0.2]\nA SubClassOf C\n(B | A)[0.8]  ## source: X\n"
    kb = parse(text)
    outline = Outline.of(text, [statement.text(kb.prefixes) for statement in kb])
    found = premises(ask(kb, "(B | A)", estimate="never").to_json(), outline.about)
    assert [(premise.share, premise.nth) for premise in found] == [("(B | A)", 0), ("(B | A)", 1)]
    assert [premise.lower for premise in found] == [Fraction(1, 5), Fraction(4, 5)]
    # The other one stays as it is, and so no assumption can say it.
    moves = ["(B | A)[0.8]", "(B | A)[0.8]  ## source: X"]
    moved, assumed = outline.assuming([*moves, "(D | C)[0.5]"])
    assert (moved, assumed) == (text.replace("0.2", "0.8"), ["(D | C)[0.5]"])
    assert parse(moved).bounds("(B | A)").lower == Fraction(4, 5)


parts = st.lists(st.integers(0, 50), min_size=2, max_size=6).filter(any)


@given(parts, st.integers(0, 5), shares)
def test_parts_of_a_whole_stay_one(sizes: list[int], which: int, to: Fraction) -> None:
    numbers = [Fraction(size, sum(sizes)) for size in sizes]
    premises = [Premise(f"(A{n} | C)", number, number) for n, number in enumerate(numbers)]
    moved = premises[which % len(premises)]
    found = whole(premises, moved, to)
    assert sum(found) == 1
    assert found[premises.index(moved)] == to
    assert all(0 <= one <= 1 for one in found)
    assert whole(premises, moved, moved.lower) == numbers


def wholes(text: str, *about: str) -> list[list[str]]:
    content = TASKS["wholes"](Desk(Library(1000), 30), {"kb": text, "shares": about})
    return [*content["wholes"]]


def test_parts_of_a_whole_are_disjoint_and_add_up_to_it() -> None:
    share = ("(DeptA | Woman)", "(DeptB | Woman)", "(Admitted | DeptA and Woman)")
    text = examples.text("berkeley")
    assert wholes(text, *share) == [[*share[:2]]]
    assert wholes(text.replace("DisjointClasses: DeptA, DeptB", ""), *share) == []
    assert wholes(text.replace("(DeptB | Woman)[0.10]", "(DeptB | Woman)[0.05]"), *share) == []


def test_a_conflict_explains_an_empty_group_or_does_not() -> None:
    text = "(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A\nD SubClassOf owl:Nothing\n"
    asked = {"kb": text, "statements": ["(B | A)[0.2]", "(B | A)[0.8]"]}
    desk = Desk(Library(1000), 30)
    assert TASKS["empties"](desk, {**asked, "query": "(B | A)"})["empties"]
    assert not TASKS["empties"](desk, {**asked, "query": "(B | C)"})["empties"]
    assert not TASKS["empties"](desk, {**asked, "query": "(B | D)"})["empties"]


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


@given(shares, shares)
def test_a_nudge_is_one_step_each_way(one: Fraction, two: Fraction) -> None:
    lower, upper = sorted((one, two))
    premise = Premise("(B | A)", lower, upper)
    for said, place in premise.nudged(float(lower), float(upper)).items():
        moved = ConditionalText.of(premise.moved(*place))
        assert moved is not None
        assert 0 <= moved.lower <= moved.upper <= 1
        assert (moved.lower, moved.upper) != (lower, upper)
        assert ("at" in said) == (lower != upper)


def test_a_nudge_tells_the_truth_at_a_corner() -> None:
    """All women apply somewhere: fewer may be in a department, but not more."""
    kb, query = examples.text("berkeley"), "(Admitted | Woman)"
    premise = Premise("(DeptA | Woman)", Fraction(9, 10), Fraction(9, 10))
    desk, asked = Desk(Library(1000), 30), {"kb": kb, "query": query}
    steps = {
        said: TASKS["glance"](desk, {**asked, "assume": [premise.moved(*place)]})
        for said, place in premise.nudged(0.9, 0.9).items()
    }
    said = nudges_said(steps, ask(examples.load("berkeley"), query).to_json())
    assert said == "\N{MINUS SIGN}0.01: between 0.802 and 0.812; +0.01: no number"
    assert TASKS["reach"](desk, {**asked, "shares": [premise.share]})["range"] == [0, 0.9]
