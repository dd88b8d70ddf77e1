"""Rows of numbers: they say what their shares say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.logic.concepts import TOP, And, Concept, conjunction
from boxsel.logic.proportions import Interval
from boxsel.models.numbering import Numbering
from boxsel.models.shares import Share
from boxsel.models.task import Rows, has_row
from tests.models.decoding import decoded
from tests.models.functional import NAMES, ROLES, concepts, names, points, roles

NUMBERING = Numbering(NAMES, ROLES)
basic: st.SearchStrategy[Concept] = st.one_of(
    names,
    st.just(TOP),
    st.builds(lambda role, filler: role.some(filler), roles, names | st.just(TOP)),
)
row_shares = st.builds(
    lambda head, one, other, bounds: Share(head, conjunction(one, other), bounds.bounds),
    basic,
    basic,
    basic,
    points,
)


@given(st.lists(row_shares, max_size=5))
def test_rows_say_what_their_shares_say(shares: list[Share]) -> None:
    assert all(map(has_row, shares))
    rows = Rows.of(shares, NUMBERING)
    assert len(rows) == len(shares)
    assert rows.names.dtype == rows.roles.dtype == np.int32
    for found, share in zip(decoded(rows, NUMBERING), shares, strict=True):
        # An unused slot holds ⊤: a conjunction with ⊤ is the same concept.
        assert (found.head, found.bounds) == (share.head, share.bounds)
        assert without_top(found.body) == without_top(share.body)


def without_top(concept: Concept) -> Concept:
    parts = concept.operands if isinstance(concept, And) else (concept,)
    return conjunction(*(part for part in parts if part != TOP))


@given(concepts(leaves=4), concepts(leaves=4))
def test_only_basic_concepts_have_rows(head: Concept, body: Concept) -> None:
    share = Share(head, body, Interval.point(1))
    if has_row(share):
        assert decoded(Rows.of([share], NUMBERING), NUMBERING)[0].head == head
    else:
        parts = body.operands if isinstance(body, And) else (body,)
        deep = any(part.depth > 1 or isinstance(part, And) for part in (*parts, head))
        inside = any(part.depth == 1 and part.size > 2 for part in (*parts, head))
        assert deep or inside or len(parts) > 2


def test_rows_are_taken_in_the_order_of_places() -> None:
    shares = [
        Share(name, TOP, Interval.of(0, part))
        for name, part in zip(NAMES, (0, 0.5, 1), strict=True)
    ]
    rows = Rows.of(shares, NUMBERING).take(np.array([2, 0, 2]))
    assert rows.names[:, 2].tolist() == [3, 1, 3]
    assert rows.upper.tolist() == [1, 0, 1]


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(AssertionError):
        Rows(np.zeros((2, 3), np.int32), np.zeros((2, 3), np.int32), np.zeros(1), np.ones(1))
