"""Types that are listed against types that a solver looks for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.checker.search import Search
from boxsel.checker.types import MOST_LISTED, Basics, Clause, Clauses, Form, listed_type
from boxsel.logic.concepts import BOTTOM, Concept, names
from tests.depth import cases

CONCEPTS: list[Concept] = [*names("A B C D E F"), BOTTOM]
sets = st.frozensets(st.sampled_from(CONCEPTS), max_size=3)
forms = st.dictionaries(sets, st.fractions(-2, 2, max_denominator=9), max_size=5)


def searched(
    clauses: Clauses, form: Form, least: int, has: Basics, lacks: Sequence[Basics]
) -> bool:
    search = Search(clauses, [None])
    search.demand(None, form, least)
    search.model.add(search.has(None, has) == 1)
    for one in lacks:
        search.model.add(search.has(None, one) == 0)
    return search.succeeds()


@settings(max_examples=cases(300), deadline=None)
@given(
    st.lists(st.tuples(sets, sets), max_size=8), forms, st.integers(0, 1), sets,
    st.lists(sets.filter(bool), max_size=2),
)  # fmt: skip
def test_listed_and_searched_types_agree(
    given: list[Clause], form: Form, least: int, has: Basics, lacks: list[Basics]
) -> None:
    clauses = Clauses(given)
    assert listed_type(clauses, form, least, has, lacks) is searched(
        clauses, form, least, has, lacks
    )


def test_many_types_are_not_listed() -> None:
    many = frozenset(names(" ".join(f"N{number}" for number in range(MOST_LISTED + 1))))
    assert listed_type(Clauses(), {many: Fraction(1)}, 1) is None
