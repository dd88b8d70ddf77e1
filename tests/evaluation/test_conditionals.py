"""Conditionals as arrays: equality by what they say, and looking them up."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxsel.evaluation.conditionals import Conditionals

Said = tuple[frozenset[tuple[int, int]], tuple[int, int]]


@st.composite
def conditionals(draw: st.DrawFn) -> Conditionals:
    """A few, with many that are equal or that differ in one part only."""
    number = draw(st.integers(0, 30))
    random = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    names = random.integers(0, 4, (number, 3))
    roles = random.integers(0, 2, (number, 3))
    # A second conjunct is a plain concept, if there is one.
    roles[:, 1] = 0
    total = random.integers(0, 5, number)
    count = np.minimum(total, random.integers(0, 5, number))
    shape = np.ones(number, np.int8)
    return Conditionals(names, roles, count, total, shape)


def said(given_ones: Conditionals) -> list[tuple[tuple[tuple[int, int], ...], tuple[int, int]]]:
    """Body, in some order, and head of each."""
    found = []
    for names, roles in zip(given_ones.names.tolist(), given_ones.roles.tolist(), strict=True):
        first, second, head = zip(names, roles, strict=True)
        found.append((tuple(sorted((first, second))), head))
    return found


@given(conditionals())
def test_keys_are_equal_where_the_same_is_said(one: Conditionals) -> None:
    words = said(one)
    assert len(set(one.keys.tolist())) == len(set(words))
    assert len(dict(zip(words, one.keys.tolist(), strict=True))) == len(set(one.keys.tolist()))
    turned = Conditionals(
        one.names[:, [1, 0, 2]], one.roles[:, [1, 0, 2]], one.count, one.total, one.shape
    )
    np.testing.assert_array_equal(one.keys, turned.keys)


@given(conditionals(), conditionals())
def test_within_is_a_search_by_what_is_said(one: Conditionals, other: Conditionals) -> None:
    known = set(said(other))
    assert one.within(other).tolist() == [words in known for words in said(one)]


@given(conditionals())
def test_unique_keeps_the_first_of_each(one: Conditionals) -> None:
    words = said(one)
    firsts = [place for place, word in enumerate(words) if words.index(word) == place]
    kept = one.unique()
    assert kept.count.tolist() == one.count[firsts].tolist()
    assert said(kept) == [words[place] for place in firsts]


@given(conditionals(), st.integers(0, 3))
def test_bodies_and_heads_that_are_plain_concepts(one: Conditionals, row: int) -> None:
    bodies = [
        first == row and second == 0 and role == 0
        for (first, second, _), (role, _, _) in zip(
            one.names.tolist(), one.roles.tolist(), strict=True
        )
    ]
    assert one.has_body(row).tolist() == bodies
    heads = [
        names[2] == row and roles[2] == 0
        for names, roles in zip(one.names.tolist(), one.roles.tolist(), strict=True)
    ]
    assert one.has_head(row).tolist() == heads


@given(conditionals())
def test_shares_are_undefined_where_the_body_is_empty(one: Conditionals) -> None:
    np.testing.assert_array_equal(np.isnan(one.share), one.total == 0)
    np.testing.assert_array_equal(one.defined, one.total > 0)
    assert (one.share[one.defined] * one.total[one.defined]).round().astype(int).tolist() == (
        one.count[one.defined].tolist()
    )


@given(conditionals())
def test_what_is_published_is_half_a_point_off_at_most(one: Conditionals) -> None:
    lower, upper = one.rounded()
    certain = one.certain
    for place in range(len(one)):
        ends = Fraction(int(lower[place]), 200), Fraction(int(upper[place]), 200)
        if not one.total[place]:
            assert ends == (Fraction(0), Fraction(1)), "nothing is said"
            continue
        share = Fraction(int(one.count[place]), int(one.total[place]))
        assert ends[0] <= share <= ends[1]
        assert ends[1] - ends[0] <= Fraction(1, 100)
        assert certain[place] == (share in (0, 1)) == (ends[0] == ends[1])
        if 0 < ends[0] and ends[1] < 1:
            percent = 50 * (ends[0] + ends[1])
            assert percent.denominator == 1
            assert abs(100 * share - percent) <= Fraction(1, 2)
    rows, points = one.rows(rounded=True), one.rows()
    assert len(rows) == len(points) == one.defined.sum()
    assert (rows.lower <= points.lower + 1e-12).all()
    assert (points.upper <= rows.upper + 1e-12).all()
