"""A named root in the place of ⊤: the same questions, in the same order, with the same numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.ontologies.synthetic import DRAWINGS, drawn
from boxsel.evaluation.splits.split import ROOT, Split, with_named_root
from boxsel.evaluation.splits.variants import VARIANTS, splits_of
from boxsel.logic.concepts import TOP, Name
from tests.depth import cases
from tests.evaluation.populations import Counting, countings
from tests.evaluation.tiny import small


def check(before: Split, after: Split) -> None:
    row = after.ontology.root_row
    assert row == before.ontology.size + 1
    assert after.problems() == []
    assert after.ontology.root == ROOT
    np.testing.assert_array_equal(after.pairs.query, before.pairs.query)
    kept = Conditionals.joined([before.queries, before.pairs.first, before.pairs.second])
    named = Conditionals.joined([after.queries, after.pairs.first, after.pairs.second])
    learned = after.learning.take(np.arange(len(before.learning)))
    for one, other in ((kept, named), (before.learning, learned)):
        for field in ("roles", "count", "total", "shape"):
            np.testing.assert_array_equal(getattr(other, field), getattr(one, field))
        changed = one.names != other.names
        assert (changed.any(axis=1) == one.has_body(0)).all()
        assert (other.names[changed] == row).all()
    heads, bodies = before.ontology._sides(before.queries)
    new_heads, new_bodies = after.ontology._sides(after.queries)
    assert new_heads == heads
    assert new_bodies == [Name(ROOT) if body == TOP else body for body in bodies]
    assert not (after.learning.names[:, 0] == 0).any(), "⊤ is nobody's body any more"


@settings(max_examples=cases(60))
@given(countings(least=3), st.sampled_from(list(VARIANTS)), st.integers(0, 9))
def test_only_the_name_of_the_root_changes(counting: Counting, variant: str, seed: int) -> None:
    try:
        splits = splits_of(counting.ontology, variant, seed)
    except BoxselError:
        reject()
    for split in splits:
        after = with_named_root(split)
        if counting.ontology.root is not None:
            assert after is split
            continue
        check(split, after)
        counting.check(after.learning)
        within = after.learning.take(after.learning.has_head(after.ontology.root_row))
        assert len(within) == split.ontology.size
        assert (within.count == within.total).all()


@pytest.mark.parametrize("variant", ["paper", "strict", "thin-3"])
def test_the_hybrid_ontology(variant: str) -> None:
    ontology = drawn("synthetic-hybrid", DRAWINGS["synthetic-hybrid"])
    for split in splits_of(ontology, variant, 0):
        check(split, with_named_root(split))


def test_a_named_root_stays() -> None:
    (split,) = splits_of(small(), "strict", 0)
    assert with_named_root(split) is split
