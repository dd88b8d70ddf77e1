"""Trees of bags: what they must be, and what they answer."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import prod
from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.certificate import certificate
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.types.tree import Branch, decompose
from boxsel.logic.axioms import Axiom, Conditional, Inclusion
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from tests.depth import cases, some

OTHERS = ("sampled", "generated")


def test_bags_have_every_statement_and_every_name_in_one_piece() -> None:
    for seed in range(cases(2000)):
        random = Random(seed)
        count = random.randint(1, 9)
        about = [
            tuple(sorted(random.sample(range(count), random.randint(1, min(3, count)))))
            for _ in range(random.randint(1, 10))
        ]
        bags = decompose(about, 50)
        assert bags is not None
        assert all(any({*inside} <= {*bag.members} for bag in bags) for inside in about), seed
        assert all(bag.above < place for place, bag in enumerate(bags) if place), seed
        for member in {one for inside in about for one in inside}:
            having = [place for place, bag in enumerate(bags) if member in bag.members]
            tops = [n for n in having if not n or member not in bags[bags[n].above].members]
            assert len(tops) == 1, seed
        inside = [bag for bag in bags[1:] if {*bag.members} <= {*bags[bag.above].members}]
        assert not inside, seed  # that would say nothing


def test_a_chain_has_bags_of_two_and_a_clique_is_one_bag() -> None:
    chain = decompose([(place, place + 1) for place in range(30)], 2)
    assert chain is not None
    assert {len(bag.members) for bag in chain} == {2}
    clique = [(other, one) for one in range(6) for other in range(one)]
    assert decompose(clique, 6) == [Branch((0, 1, 2, 3, 4, 5), 0)]
    assert decompose(clique, 5) is None


def taxonomy(random: Random, classes: int) -> tuple[KB, list[Query]]:
    """Classes below classes, and what share of them, and of what is above, has an attribute."""
    names = [Name(f"C{n}") for n in range(classes)]
    axioms: list[Axiom] = []
    queries: list[Query] = []
    for number in range(1, classes):
        parent, own = names[random.randrange(number)], names[number]
        share, part = (Fraction(random.randint(10, 70), 100) for _ in range(2))
        axioms.append(Inclusion(own, parent))
        axioms.append(Conditional(own, parent, Interval(share - Fraction(1, 20), share)))
        attribute = Name(f"A{number % 7}")
        bounds = Interval(part, part + random.choice((0, Fraction(1, 10))))
        axioms.append(Conditional(attribute, own, bounds))
        queries += (Query(attribute, parent), Query(own, names[0]))
    return KB.of(*axioms), random.sample(queries, 3)


@pytest.mark.parametrize("seed", some(range(12)))
def test_taxonomies_agree_with_other_ways(seed: int) -> None:
    kb, queries = taxonomy(Random(seed), 14)
    along, others = Reasoner(kb, ways=("tree", "generated")), Reasoner(kb, ways=OTHERS)
    for query in queries:
        outcome, expected = along.bounds(query), others.bounds(query)
        assert outcome.status == expected.status
        for end, other in ((outcome.lower, expected.lower), (outcome.upper, expected.upper)):
            assert (None if end is None else end.bound) == (None if other is None else other.bound)
        assert verify(kb, certificate(outcome)).exact


def test_a_long_chain_is_answered_along_the_tree() -> None:
    names = [Name(f"N{n}") for n in range(60)]
    axioms = [
        Conditional(head, body, Interval(Fraction(9, 10), Fraction(19, 20)))
        for body, head in pairwise(names)
    ]
    kb, query = KB.of(*axioms), Query(names[2], names[0])
    outcome = Reasoner(kb, ways=("tree",)).bounds(query)
    assert outcome.lower is not None
    assert outcome.upper is not None
    assert outcome.lower.bound == Fraction(0)
    assert outcome.upper.bound == Fraction(1)
    assert outcome.upper.route is not None
    assert outcome.upper.route.way == "tree"
    kinds = outcome.upper.model.elements
    assert len(kinds) <= 4 * len(names)  # as many as the bags have, not two to the number of names
    assert verify(kb, certificate(outcome)).exact


@pytest.mark.parametrize("seed", range(3))
def test_points_that_multiply_to_almost_nothing_are_answered_along_the_tree(seed: int) -> None:
    random = Random(seed)
    names = [Name(f"C{n}") for n in range(101)]
    points = [Fraction(random.randint(500, 950), 1000) for _ in names[1:]]
    axioms: list[Axiom] = []
    for (above, below), point in zip(pairwise(names), points, strict=True):
        axioms += [Inclusion(below, above), Conditional(below, above, Interval(point, point))]
        beside = Interval(Fraction(random.randint(20, 70), 100), Fraction(8, 10))
        axioms.append(Conditional(Name(f"A{above}"), above, beside))
    kb = KB.of(*axioms)
    outcome = Reasoner(kb, ways=("tree",)).bounds(Query(names[-1], names[0]))
    assert outcome.lower is not None
    assert outcome.upper is not None
    assert outcome.lower.bound == outcome.upper.bound == prod(points)
    assert verify(kb, certificate(outcome)).exact
