"""Bags that are capped in size: what they prove is true, and the checker accepts it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.answers import Outcome
from boxsel.exact.certificate import certificate
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.schedule import Known
from boxsel.exact.types.minibuckets import cap
from boxsel.exact.ways.way import Limits
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_kb
from tests.depth import cases, some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb
from tests.exact.test_thinned import thinned_graph

MANY = 1000


def known(kb: KB, query: Query, rows: int = MANY) -> Known:
    return Known.between(*Reasoner(kb, limits=Limits(listed=0)).capped(query, rows))


@pytest.mark.parametrize("seed", range(cases(60)))
def test_every_group_is_in_a_capped_one_and_neighbours_share_what_they_hand_on(seed: int) -> None:
    random = Random(seed)
    names = range(random.randrange(2, 12))
    groups = [
        tuple(sorted(random.sample(names, min(len(names), random.randrange(1, 4)))))
        for _ in range(random.randrange(1, 20))
    ]
    most = random.randrange(2, 6)
    capped = cap(groups, most)
    longest = max(most, *map(len, groups))
    assert all(len(members) <= longest for members in capped.members)
    assert all(any({*group} <= {*members} for members in capped.members) for group in groups)
    links = [*enumerate(capped.above), *capped.across]
    reached = {0}
    for _ in links:
        reached |= {place for link in links if reached.intersection(link) for place in link}
    assert len(reached) == len(capped.members)


@pytest.mark.parametrize("seed", some(range(120)))
@pytest.mark.parametrize("family", [random_kb, thinned_graph])
def test_what_capped_bags_prove_contains_the_truth(
    family: Callable[[Random], tuple[KB, Query]], seed: int
) -> None:
    kb, query = family(Random(seed))
    truth = answer(kb, query)
    if truth.lower is None or truth.upper is None:
        return  # the body is empty in every model: any interval is true
    found = known(kb, query)
    assert found.lower <= truth.lower
    assert truth.upper <= found.upper


@pytest.mark.parametrize("seed", some(range(60)))
def test_the_checker_accepts_what_capped_bags_prove(seed: int) -> None:
    """With models of the truth beside it: where they attain it, all is exact."""
    kb, query = random_kb(Random(seed))
    truth = Reasoner(kb).bounds(query)
    lower, upper = Reasoner(kb, limits=Limits(listed=0)).capped(query, MANY)
    if truth.lower is None or truth.upper is None or lower is None or upper is None:
        return
    lower, upper = replace(lower, build=truth.lower.build), replace(upper, build=truth.upper.build)
    checked = verify(kb, certificate(Outcome(query, "bounded", lower, upper)))
    is_tight = (lower.bound, upper.bound) == (truth.lower.bound, truth.upper.bound)
    # A model whose share is not the bound is refused; the proof has to be accepted.
    assert all(problem.partition(".")[2].startswith("model") for problem in checked.problems)
    assert checked.exact == is_tight


def test_a_chain_is_bounded_exactly() -> None:
    kb = parse_kb("(B | A)[0.9]\n(C | B)[0.8]\nB SubClassOf A\nC SubClassOf B\n(D | C)[0.5, 0.6]")
    found = known(kb, kb.query("(D | A)"))
    assert (found.lower, found.upper) == (Fraction(9, 25), Fraction(89, 125))


def test_rows_near_the_question_come_first() -> None:
    kb = parse_kb("(B | A)[0.9]\n(C | B)[0.8]\n(D | C)[0.5]")
    near = [known(kb, kb.query("(C | A)"), rows) for rows in (0, 2, 4, 6)]
    assert [one.width for one in near] == sorted((one.width for one in near), reverse=True)
    assert near[0].width == 1
