"""Intervals from two premises: those of the rule, and those of the reasoner for the same two."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import Pairs, Split, pmp_intervals
from boxsel.exact.reasoner import Reasoner
from boxsel.rules.amounts import Bounds
from boxsel.rules.modus_ponens import conclude as tight
from boxsel.rules.published_modus_ponens import conclude as published
from tests.depth import cases
from tests.evaluation.truth_populations import populations, possible_splits


def point(count: int, total: int) -> Bounds:
    share = Fraction(count, total)
    return Bounds(share, share)


counts = st.integers(1, 30).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=5))
def test_it_is_the_published_rule_and_the_tight_one(
    premises: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    numbers = np.array(premises)
    rows = np.arange(1, len(premises) + 1)
    first = Conditionals.of(1, body=rows, head=rows, count=numbers[:, 0, 0], total=numbers[:, 0, 1])
    second = Conditionals.of(
        1, body=rows, head=rows, count=numbers[:, 1, 0], total=numbers[:, 1, 1]
    )
    lower, upper = pmp_intervals(Pairs(rows - 1, first, second))
    for place, (one, other) in enumerate(premises):
        rule = published([point(*one), point(*other)])
        assert rule == tight([point(*one), point(*other)])
        assert abs(lower[place] - rule.lower) < 1e-12
        assert abs(upper[place] - rule.upper) < 1e-12


def test_an_undefined_premise_says_nothing() -> None:
    row, none, some = np.array([1]), np.array([0]), np.array([5])
    first = Conditionals.of(1, body=row, head=row + 1, count=none, total=some)
    second = Conditionals.of(2, body=row, second=row + 1, head=row + 2, count=none, total=none)
    lower, upper = pmp_intervals(Pairs(none, first, second))
    assert (lower[0], upper[0]) == (0, 1)


@settings(max_examples=cases(25))
@given(populations, st.sampled_from(["strict", "paper", "published-20"]), st.integers(0, 3))
def test_nothing_tighter_follows_from_the_premises_alone(
    ontology: Ontology, variant: str, seed: int
) -> None:
    for split in possible_splits(ontology, variant, seed):
        lower, upper = pmp_intervals(split.pairs, split.rounded)
        assert ((lower >= 0) & (lower <= upper) & (upper <= 1)).all()
        share = split.queries.share[split.pairs.query]
        assert (lower - 1e-12 <= share).all()
        assert (share <= upper + 1e-12).all()
        for place in range(0, len(split.pairs), 1 + len(split.pairs) // 4):
            outcome = Reasoner(ontology.kb(premises(split, place), split.rounded)).bounds(
                ontology.queries(split.queries.take(split.pairs.query[[place]]))[0]
            )
            assert outcome.lower is not None
            assert outcome.upper is not None
            assert abs(outcome.lower.bound - lower[place]) < 1e-12
            assert abs(outcome.upper.bound - upper[place]) < 1e-12


def premises(split: Split, place: int) -> Conditionals:
    """Two premises, and that what is between them lies within the root."""
    own = split.pairs.take(np.arange(len(split.pairs)) == place)
    about = split.ontology.about_root()
    inside = about.take(about.has_head(split.ontology.root_row) & (about.count == about.total))
    between = (inside.names[:, 0] == own.second.names[0, 0]) & (
        inside.roles[:, 0] == own.second.roles[0, 0]
    )
    return Conditionals.joined([own.first, own.second, inside.take(between)])
