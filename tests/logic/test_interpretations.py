from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.logic.axioms import Axiom, conditional
from boxsel.logic.concepts import Name
from boxsel.logic.interpretations import Interpretation, Weights, as_places, members
from boxsel.logic.kb import Signature
from boxsel.syntax.parser import parse_kb
from tests import interpretations as explicit
from tests.depth import cases
from tests.strategies import INDIVIDUALS, PLAIN_CONCEPTS, ROLES, axioms, plain_names

SIGNATURE = Signature(tuple(PLAIN_CONCEPTS), tuple(ROLES[:2]), tuple(INDIVIDUALS))


def as_elements(world: explicit.Interpretation) -> Interpretation:
    return Interpretation(
        tuple(
            frozenset(name for name, members in world.names.items() if place in members)
            for place in sorted(world.domain)
        ),
        world.roles,
        world.individuals,
    )


def populated(world: explicit.Interpretation, weights: list[int]) -> explicit.Interpretation:
    """As many members for each element as it weighs, linked like their elements."""
    members = [place for place, weight in enumerate(weights) for _ in range(weight)]
    places = range(len(members))
    return explicit.Interpretation(
        frozenset(places),
        {
            name: frozenset(place for place in places if members[place] in elements)
            for name, elements in world.names.items()
        },
        {
            role: frozenset(
                (one, other)
                for one in places
                for other in places
                if (members[one], members[other]) in pairs
            )
            for role, pairs in world.roles.items()
        },
        {individual: members.index(place) for individual, place in world.individuals.items()},
    )


@settings(max_examples=cases(300))
@given(explicit.interpretations(SIGNATURE), axioms(plain_names), st.data())
def test_weighted_elements_mean_a_population(
    world: explicit.Interpretation, axiom: Axiom, data: st.DataObject
) -> None:
    size = len(world.domain)
    weights = data.draw(st.lists(st.integers(1, 4), min_size=size, max_size=size))
    population = populated(world, weights)
    assert as_elements(world).satisfies(axiom, Weights(weights)) == population.satisfies(axiom)


def test_conditionals_hold_in_each_weighting() -> None:
    one, other = Name("A"), Name("B")
    interpretation = Interpretation((frozenset({one}), frozenset({one, other})))
    half = conditional(other, given=one, exactly="1/2")
    even, once, uneven, none = map(Weights, ([3, 3], [1, 1], [1, 2], [0, 0]))
    assert interpretation.satisfies(half, even, once)
    assert not interpretation.satisfies(half, even, uneven)
    assert interpretation.satisfies(half, even, none)  # nothing to have a share of


def test_what_is_not_there_is_in_nothing() -> None:
    interpretation = Interpretation((frozenset(),))
    for line in ("A(a)", "owl:Thing(a)", "r(a, b)", "owl:Thing SubClassOf A"):
        assert not interpretation.satisfies(next(parse_kb(line).axioms), Weights([1]))


@given(
    st.lists(st.fractions(0, 9, max_denominator=7), max_size=40)
    | st.lists(st.integers(0, 1 << 40), max_size=4)
    | st.lists(st.sampled_from([Fraction(1, 3), Fraction(2, 3**300), Fraction(5, 7**200)])),
    st.data(),
)
def test_weights_add_up_whether_many_or_long(
    weights: list[int | Fraction], data: st.DataObject
) -> None:
    inside = data.draw(st.sets(st.sampled_from(range(len(weights)))) if weights else st.just(set()))
    places = as_places(inside, len(weights))
    assert {*members(places)} == inside
    assert Weights(weights).total(places) == sum(weights[place] for place in inside)
