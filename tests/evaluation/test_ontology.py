"""Counted ontologies: every conditional has the numbers that the population has."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.ontologies.population import Population
from boxsel.evaluation.ontology import Ontology
from boxsel.logic.axioms import Conditional
from boxsel.logic.proportions import Count
from tests.depth import cases
from tests.evaluation.populations import Counting, countings


@settings(max_examples=cases(60))
@given(countings())
def test_every_conditional_is_what_counting_one_by_one_gives(counting: Counting) -> None:
    ontology = counting.ontology
    for given_ones in (ontology.listed(), ontology.about_root(), ontology.conditionals()):
        counting.check(given_ones)


@given(countings())
def test_the_enumerations_have_their_sizes_and_say_nothing_twice(counting: Counting) -> None:
    ontology = counting.ontology
    size, roles, chosen = ontology.size, len(ontology.roles), len(ontology.conjoined)
    listed = ontology.listed()
    numbers = [int((listed.shape == shape).sum()) for shape in (1, 2, 3, 4)]
    links = roles * size * (size - 1)
    assert numbers == [size * (size - 1), chosen * (chosen - 1) * (chosen - 2), links, links]
    every = ontology.conditionals()
    assert len(every.unique()) == len(every)
    assert every.defined.all()
    assert listed.take(listed.defined).within(every).all()
    about = ontology.about_root()
    assert about.take(about.defined).within(every).all()
    assert not about.within(listed).any()


@given(countings())
def test_a_knowledge_base_says_what_was_counted(counting: Counting) -> None:
    ontology = counting.ontology
    every = ontology.conditionals()
    axioms = [statement.axiom for statement in ontology.kb(every)]
    queries = ontology.queries(every)
    assert len(axioms) == len(every) == len(queries)
    said = {
        (axiom.head, axiom.body): axiom.proportion
        for axiom in axioms
        if isinstance(axiom, Conditional)
    }
    for query, count, total in zip(
        queries, every.count.tolist(), every.total.tolist(), strict=True
    ):
        assert said[query.head, query.body] == Count(count, total)


@given(countings())
def test_arrays_and_back(counting: Counting) -> None:
    ontology = counting.ontology
    again = Ontology.from_arrays(ontology.arrays())
    assert again.digest() == ontology.digest()
    assert (again.concepts, again.root, again.roles) == (
        ontology.concepts,
        ontology.root,
        ontology.roles,
    )


@pytest.mark.parametrize("array", ["pairs", "triples", "reached", "linked"])
def test_the_digest_tells_any_change(array: str) -> None:
    ones = np.ones((3, 2), np.uint8)
    population = Population(("A", "B"), ones, {"r": np.array([[0], [1]])})
    ontology = population.counted("x", root="R", conjoined=2)
    arrays = ontology.arrays()
    changed = {**arrays, array: arrays[array].copy()}
    changed[array].flat[0] += 1
    assert Ontology.from_arrays(changed).digest() != ontology.digest()
    other = population.counted("x", root="S", conjoined=2)
    assert other.digest() != ontology.digest()


@given(countings())
def test_what_is_trained_are_the_defined_conditionals(counting: Counting) -> None:
    listed: Conditionals = counting.ontology.listed()
    rows = listed.rows()
    defined = listed.take(listed.defined)
    assert len(rows.lower) == len(defined)
    np.testing.assert_array_equal(rows.lower, defined.share)
