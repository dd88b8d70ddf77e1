"""Exact truths: which queries are asked, and that what is said of them is true."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.truths.exact import asked_places, exact_truths
from boxsel.evaluation.truths.store import EVERYTHING, Truth
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.proportions import Interval
from tests.depth import cases
from tests.evaluation.truth_populations import counted, populations, possible_splits

VARIANTS = ("paper", "strict", "thin-20", "published-20")
SPENT = 1e-9
"""A budget that is over at once: then the interval is from parts of what is known."""


@settings(max_examples=cases(20))
@given(populations, st.sampled_from(VARIANTS), st.integers(0, 3), st.sampled_from([None, SPENT]))
def test_truths_contain_what_the_reasoner_finds(
    ontology: Ontology, variant: str, seed: int, limit: float | None
) -> None:
    for split in possible_splits(ontology, variant, seed):
        places = asked_places(split, 2).tolist()
        reasoner = Reasoner(split.kb())
        queries = ontology.queries(split.queries)
        truths = list(exact_truths(split, places, budget=limit))
        assert sorted(truth.place for truth in truths) == sorted(places)
        for truth in truths:
            answer = reasoner.bounds(queries[truth.place])
            assert answer.lower is not None
            assert answer.upper is not None
            known = Interval(answer.lower.bound, answer.upper.bound)
            assert truth.outer.lower <= known.lower <= known.upper <= truth.outer.upper
            assert truth.inner is not None
            assert known.lower <= truth.inner.lower <= truth.inner.upper <= known.upper
            assert truth.budget == (None if truth.method == "chain" else limit)
            if limit is None or truth.method == "chain":
                assert truth.status == "exact"
            if truth.status == "exact":
                assert truth.outer == known


def test_all_queries_are_asked_or_some_of_each_kind() -> None:
    for variant in VARIANTS:
        for split in splits_of(counted(2, concepts=6, roles=2), variant, 0):
            every = asked_places(split)
            assert sorted(every) == list(range(len(split.queries)))
            some = asked_places(split, 2)
            assert {*some} <= {*asked_places(split, 3)}
            asked, root = split.queries.take(some), split.ontology.root_row
            kinds = list(zip(asked.shape.tolist(), asked.has_body(root).tolist(), strict=True))
            assert max(map(kinds.count, kinds)) == 2
            assert len(set(kinds[:2])) == min(2, len(set(kinds)))  # in turns


def test_thinned_splits_are_asked_the_same_queries() -> None:
    ontology = counted(2, concepts=6, roles=2)
    one, other = (splits_of(ontology, variant, 1)[0] for variant in ("strict", "thin-5"))
    assert (asked_places(one, 2) == asked_places(other, 2)).all()
    assert (asked_places(one, 2) == asked_places(one, 2)).all()
    another = splits_of(ontology, "strict", 2)[0]
    assert (asked_places(one) != asked_places(another)).any()


def test_counts_that_no_population_has_are_an_error() -> None:
    (split,) = splits_of(counted(0, concepts=5), "thin-20", 0)
    queries = split.queries
    truths = exact_truths(split, range(len(queries)), budget=None)
    place = next(
        truth.place for truth in truths if truth.method == "reasoner" and truth.outer.upper < 1
    )
    wrong = replace(split, queries=replace(queries, count=queries.total))
    with pytest.raises(BoxselError, match=r"was counted as .* not those of a population"):
        list(exact_truths(wrong, [place], budget=None))


def test_only_a_body_without_members_may_be_vacuous() -> None:
    def said(body: int, head: int, count: int, total: int) -> Conditionals:
        numbers = {"body": body, "head": head, "count": count, "total": total}
        return Conditionals.of(1, **{key: np.array([one]) for key, one in numbers.items()})

    a, b, c, d = range(1, 5)
    (split,) = splits_of(counted(0), "strict", 0)
    empty = Conditionals.joined([said(a, b, 4, 4), said(a, c, 4, 4), said(b, c, 0, 5)])
    asked = replace(split, learning=empty, queries=said(a, d, 0, 0))
    (truth,) = exact_truths(asked, [0], budget=None)
    assert (truth.status, truth.outer, truth.inner) == ("vacuous", EVERYTHING, None)
    with pytest.raises(BoxselError, match="counted as 1 of 2, but is vacuous"):
        list(exact_truths(replace(asked, queries=said(a, d, 1, 2)), [0], budget=None))
    chain = Conditionals.joined([said(a, b, 4, 4), said(b, c, 5, 5)])
    asked = replace(split, learning=chain, queries=said(a, c, 0, 0))
    (truth,) = exact_truths(asked, [0], budget=None)
    assert (truth.status, truth.outer) == ("exact", Interval(Fraction(1), Fraction(1)))


def test_each_query_has_the_whole_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now)
    (split,) = splits_of(counted(0, concepts=5), "thin-20", 0)
    for truth in exact_truths(split, asked_places(split).tolist(), budget=5.0):
        assert truth.status == "exact"
        now += 4.0


@given(st.lists(st.integers(0, 20), min_size=4, max_size=4).map(sorted))
def test_answers_only_ever_tighten(ends: list[int]) -> None:
    a, b, c, d = (Fraction(end, 20) for end in ends)
    wide = Truth(0, "outer", "reasoner", Interval(a, d), None, 1.0)
    assert wide.tightened(Interval(b, c), None).outer == Interval(b, c)
    assert wide.tightened(EVERYTHING, Interval(b, c)).inner == Interval(b, c)
    assert wide.tightened(Interval(b, c), Interval(b, c)).status == "exact"
    known = replace(wide, inner=Interval(b, b)).tightened(EVERYTHING, Interval(c, c))
    assert known.inner == Interval(b, c)
    assert (known.status == "exact") == ((a, d) == (b, c))


def test_more_time_is_worth_it_only_for_what_is_not_exact() -> None:
    outer = Truth(0, "outer", "reasoner", EVERYTHING, None, 2.0)
    assert outer.settled(2.0)
    assert outer.settled(1.0)
    assert not outer.settled(3.0)
    assert not outer.settled(None)
    assert replace(outer, budget=None).settled(None)
    assert Truth.point(0, Fraction(1, 2)).settled(None)
