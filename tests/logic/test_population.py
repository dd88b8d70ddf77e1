"""Populations mean what their members would mean one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import Axiom, ConceptAssertion, RoleAssertion, conditional
from boxsel.logic.concepts import Concept, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.population import Pattern, Population
from tests import interpretations as explicit
from tests.depth import cases
from tests.strategies import axioms, concepts, plain_names, populations

A, B, R = Name("A"), Name("B"), Role("r")
DATA = Population((A, B), (R,), (Pattern(3, (0,), ((1,),)), Pattern(1, (0, 1))))


def spelt_out(data: Population) -> explicit.Interpretation:
    """The same with few members: patterns have as many as they have, up to three."""
    places = [n for n, pattern in enumerate(data.patterns) for _ in range(pattern.members)]
    everybody = range(len(places))
    return explicit.Interpretation(
        frozenset(everybody),
        {
            name: frozenset(m for m in everybody if n in data.patterns[places[m]].names)
            for n, name in enumerate(data.concepts)
        },
        {
            role: frozenset(
                (m, other)
                for m in everybody
                for objects in data.patterns[places[m]].objects[n : n + 1]
                for other in everybody
                if places[other] in objects
            )
            for n, role in enumerate(data.roles)
        },
    )


small = populations().map(
    lambda data: replace(
        data,
        patterns=tuple(
            pattern._replace(members=pattern.members % 3 + 1) for pattern in data.patterns
        ),
    )
)


@settings(max_examples=cases(200))
@given(small, concepts(), concepts())
def test_shares_are_those_of_members(data: Population, head: Concept, body: Concept) -> None:
    world = spelt_out(data)
    assert data.count(body) == len(world.extension(body))
    assert data.share(head, body) == world.share(head, body)


@settings(max_examples=cases(200))
@given(small, st.lists(axioms(plain_names), max_size=4))
def test_a_model_is_one_of_every_axiom_but_assertions(
    data: Population, stated: list[Axiom]
) -> None:
    world = spelt_out(data)
    plain = [axiom for axiom in stated if not isinstance(axiom, ConceptAssertion | RoleAssertion)]
    fits = all(map(world.satisfies, plain))
    assert data.is_model(stated) == fits
    kb = replace(KB.of(*stated), data=data)
    assert (kb.witness is data) == fits


def test_data_stay_with_a_knowledge_base_that_changes() -> None:
    kb = replace(KB.of(conditional(B, given=A, exactly="1/4")), data=DATA)
    assert kb.witness is DATA
    narrower = kb.with_statements([*kb.statements, *KB.of(conditional(A, given=B, exactly=1))])
    assert narrower.witness is DATA, "what is added is true of the data, too"
    other = kb.with_statements(KB.of(conditional(B, given=A, exactly="1/2")))
    assert other.data is DATA
    assert other.witness is None


@pytest.mark.parametrize(
    ("patterns", "problem"),
    [
        ((Pattern(0, (0,)),), "a count of at least 1"),
        ((Pattern(1, (2,)),), "no concept 2"),
        ((Pattern(1, (), ((1,),)),), "no pattern 1"),
        ((Pattern(1, (), ((0,), (0,))),), "objects of 2 roles"),
    ],
)
def test_numbers_that_stand_for_nothing_are_refused(
    patterns: tuple[Pattern, ...], problem: str
) -> None:
    with pytest.raises(InvalidStatementError, match=problem):
        Population((A, B), (R,), patterns)
