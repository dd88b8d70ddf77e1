"""The relaxation is the least there is, and leaves no contradiction."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.build.phenotypes.annotations import Annotation
from boxsel.build.phenotypes.contradictions import find_contradictions
from boxsel.build.phenotypes.relaxing import LEAST_STEP, cheapest_cover, relax
from boxsel.build.phenotypes.stating import Stated, state
from boxsel.logic.proportions import Interval
from tests.build.phenotypes.small import annotation, ontology, some_rows
from tests.build.phenotypes.test_contradictions import DISEASE, knowledge
from tests.depth import cases


def relaxed(stated: list[Stated]) -> list[Stated]:
    """The statements after the relaxation."""
    new = {change.old: change.new for change in relax(stated, ontology()).changes}
    return [new.get(one, one) for one in stated]


@given(
    st.dictionaries(
        st.tuples(st.integers(0, 2), st.integers(0, 2)),
        st.integers(1, 4).map(lambda n: Fraction(n, 4)),
        min_size=1,
    ),
    st.lists(st.integers(1, 5), min_size=6, max_size=6),
)
def test_no_cover_is_cheaper(gaps: dict[tuple[int, int], Fraction], weights: list[int]) -> None:
    left = {i: weights[i] for i, _ in gaps}
    right = {j: weights[3 + j] for _, j in gaps}
    cover = cheapest_cover(gaps, left, right)
    assert all(cover.left[i] + cover.right[j] >= gap for (i, j), gap in gaps.items())
    cost = sum((left[i] * cover.left[i] for i in left), Fraction(0))
    cost += sum((right[j] * cover.right[j] for j in right), Fraction(0))
    assert cost == cover.least
    # Corners of the programme are differences of gaps: with these, multiples of 1/4.
    choices = [*product([Fraction(n, 4) for n in range(5)], repeat=len(left))]
    costs = [_cost(gaps, dict(zip(left, moved, strict=True)), left, right) for moved in choices]
    assert min(costs) == cover.least
    # Of equals it is the one whose left ends move farthest.
    equal = [moved for moved, cost in zip(choices, costs, strict=True) if cost == cover.least]
    assert sum(cover.left.values()) == max(map(sum, equal))


def _cost(
    gaps: Mapping[tuple[int, int], Fraction],
    moved: Mapping[int, Fraction],
    left: Mapping[int, int],
    right: Mapping[int, int],
) -> Fraction:
    """What it costs if the left ends move so far and the right ends as far as they then must."""
    cost = sum((weight * moved[i] for i, weight in left.items()), Fraction(0))
    for j, weight in right.items():
        needed = [gap - moved[i] for (i, other), gap in gaps.items() if other == j]
        cost += weight * max(Fraction(0), *needed)
    return cost


@given(some_rows(("", "Female", "Male"), most=10))
def test_nothing_contradicts_after_it(rows: list[Annotation]) -> None:
    stated, _ = state(rows)
    result = relax(stated, ontology())
    after = relaxed(stated)
    assert not find_contradictions(after, ontology()).contradictions
    assert result.optimal
    assert bool(result.changes) == bool(find_contradictions(stated, ontology()).contradictions)
    for change in result.changes:
        assert change.new.lower <= change.old.lower
        assert change.new.upper >= change.old.upper
        assert "was " in change.new.statement.note.comment


@given(some_rows(most=5))
@settings(max_examples=cases(15))
def test_it_costs_as_much_as_the_reasoner_s_repair(rows: list[Annotation]) -> None:
    stated, _ = state(rows)
    result = relax(stated, ontology())
    assert result.total == result.least
    repair = knowledge(stated).repair(names=[DISEASE])
    assert repair.optimal
    assert abs(repair.total - result.total) <= repair.gap
    assert not knowledge(relaxed(stated)).check().empty


def test_a_new_bound_is_one_that_another_statement_gives() -> None:
    stated, _ = state(
        [annotation("T:4", "4/5"), annotation("T:2", "1/3"), annotation("T:5", "7/9")]
    )
    (change,) = relax(stated, ontology()).changes
    # Three patients against five and nine: the smallest sample gives way, as far as it must.
    assert change.old.term == "T:2"
    assert str(change.new.bounds) == "[1/3, 0.8]"
    assert change.new.statement.note.comment == "was 1 of 3"


def test_one_sex_lets_the_disease_leave_zero_by_a_millionth() -> None:
    stated, _ = state([annotation("T:2", "0%"), annotation("T:4", "4/5", "Female")])
    result = relax(stated, ontology())
    (change,) = result.changes
    assert change.new.bounds == Interval(Fraction(0), LEAST_STEP)
    assert (result.least, result.slack) == (Fraction(0), LEAST_STEP)
