"""What ratios of sizes determine, compared with the reasoner, which knows all models."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.evaluation.conditionals import Conditionals, Truths
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.truths.chains import determined
from boxsel.exact.reasoner import Reasoner
from tests.depth import cases
from tests.evaluation.truth_populations import counted, populations

TOP, A, B, C, D = range(5)


def of(body: int, head: int, count: int, total: int, **roles: int) -> Conditionals:
    """A conditional between names, or with a role on one side."""
    parts = {"body": body, "head": head, "count": count, "total": total, **roles}
    return Conditionals.of(1, **{key: np.array([value]) for key, value in parts.items()})


def follows(asked: Conditionals, *known: Conditionals) -> bool:
    return bool(determined(Conditionals.joined(known), asked)[0])


@settings(max_examples=cases(40))
@given(populations, st.integers(0, 10**6), st.floats(0.2, 0.9))
def test_what_is_determined_is_a_point_for_the_reasoner(
    ontology: Ontology, seed: int, share: float
) -> None:
    every = ontology.conditionals()
    kept = np.random.default_rng(seed).random(len(every)) < share
    asked = every.take(~kept)
    found = np.flatnonzero(determined(every.take(kept), asked))[:6]
    reasoner = Reasoner(ontology.kb(every.take(kept)))
    chosen = asked.take(found)
    for place, query in enumerate(ontology.queries(chosen)):
        answer = reasoner.bounds(query)
        assert answer.lower is not None
        assert answer.upper is not None
        counted_share = Fraction(int(chosen.count[place]), int(chosen.total[place]))
        assert answer.lower.bound == answer.upper.bound == counted_share


def test_most_of_a_strict_split_is_determined_and_nothing_without_knowledge() -> None:
    (split,) = splits_of(counted(3, entities=60, concepts=6), "strict", 0)
    found: Truths = determined(split.learning, split.queries)
    assert found.mean() > 0.7
    nothing = split.learning.take(np.zeros(len(split.learning), bool))
    assert not determined(nothing, split.queries).any()


def test_a_bayes_chain_needs_all_its_links() -> None:
    asked = of(A, B, 2, 5)
    chain = [of(B, A, 2, 3), of(B, C, 1, 3), of(C, B, 1, 4), of(C, A, 2, 4), of(A, C, 2, 5)]
    assert follows(asked, *chain)
    for missing in range(len(chain)):
        assert not follows(asked, *chain[:missing], *chain[missing + 1 :])


def test_a_zero_ties_no_sizes() -> None:
    asked = of(A, B, 2, 5)
    assert not follows(asked, of(B, A, 2, 3), of(B, C, 0, 3), of(C, B, 0, 4), of(C, A, 2, 4))


def test_what_says_nothing_ties_nothing() -> None:
    sizes = [of(TOP, A, 5, 9), of(TOP, B, 3, 9)]
    assert follows(of(A, B, 2, 5), of(B, A, 2, 3), *sizes)
    assert not follows(of(A, B, 2, 5), of(B, A, 0, 0), *sizes)


def test_inclusions_are_followed() -> None:
    assert follows(of(A, D, 4, 4), of(A, B, 4, 4), of(B, C, 5, 5), of(C, D, 6, 6))
    assert not follows(of(A, D, 4, 4), of(A, B, 4, 4), of(B, C, 4, 5), of(C, D, 6, 6))


def test_disjointness_is_inherited_and_symmetric() -> None:
    below = [of(A, B, 2, 2), of(D, C, 2, 2)]
    assert follows(of(D, A, 0, 2), of(B, C, 0, 3), *below)
    assert not follows(of(C, A, 0, 2), of(B, D, 0, 3), *below)


def test_roles_keep_inclusions() -> None:
    def some(filler: int, role: int, body: int) -> Conditionals:
        return of(body, filler, 1, 3, head_role=role)

    sub = of(A, B, 4, 4)
    narrow, wide = ({"body": one, "body_role": 1} for one in (A, B))
    asked = Conditionals.joined(
        [of(**narrow, head=B, head_role=1, count=2, total=2)]
        + [of(**narrow, head=B, head_role=2, count=2, total=2)]
        + [of(**wide, head=A, head_role=1, count=2, total=2)]
    )
    assert determined(Conditionals.joined([sub, some(D, 2, C)]), asked).tolist() == [
        True,
        False,
        False,
    ]


def test_a_conjunct_that_says_nothing_is_dropped() -> None:
    asked = of(A, C, 1, 4)
    triple = Conditionals.of(
        2,
        **{
            key: np.array([value])
            for key, value in {"body": A, "second": B, "head": C, "count": 1, "total": 4}.items()
        },
    )
    assert follows(asked, triple, of(A, B, 4, 4))
    assert follows(asked, triple, of(A, B, 4, 4), of(B, A, 4, 4))
    assert not follows(asked, triple, of(A, B, 4, 5))
