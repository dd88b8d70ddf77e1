"""Types that have nothing but what they must, and a population of them that serves as witnesses."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from random import Random

import pytest

from boxsel.exact.coherence.survey import find_canonical
from boxsel.exact.compile.problem import Goal, Problem
from boxsel.exact.compile.problem import value as gain_of
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.ladder import Canonical
from boxsel.exact.lp.generation import Programme
from boxsel.exact.lp.optimum import Impossible, Optimum
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.types.space import ListedSpace
from boxsel.exact.types.witnesses import Witnesses
from boxsel.exact.ways import lean
from boxsel.exact.ways.lean import Lean, broken_rows
from boxsel.exact.ways.near import Useful
from boxsel.exact.ways.way import Limits, Passed, Task
from boxsel.logic.booleans import disjunction, negation
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.brute_force import empty_names, is_consistent
from tests.exact.knowledge_bases import random_kb
from tests.exact.test_nested import small as nested_kb

EACH = cases(24)
ONTOLOGY = """
Father EquivalentTo Man and hasChild some Person
Man SubClassOf Person
Person SubClassOf hasParent some Person
(Man | Person)[0.4, 0.6]
(hasChild some Person | Man)[0.3, 0.5]
(Doctor | Person)[0.01, 0.02]
(Rich | Doctor)[0.5, 0.9]
(Old | Rich)[0.2, 0.7]
"""


def task(kb: KB, limits: Limits | None = None) -> Task:
    return Task(Problem(enumerate(kb.axioms)), Budget(), limits, listing=False)


def test_types_lose_what_nothing_asks_for_and_keep_what_follows() -> None:
    way = Lean(task(parse_kb("A SubClassOf B\n(D | C)[0.2, 0.4]\nr some A SubClassOf E")))
    bit = {str(basic): 1 << n for n, basic in enumerate(way._task.problem.vocabulary.basics)}
    everything = sum(bit.values())
    assert way._lean(everything, bit["A"]) == bit["A"] | bit["B"]
    assert way._lean(everything, 0) == 0
    assert way._lean(bit["C"], bit["A"] | bit["C"]) == bit["C"]


def test_few_conditionals_are_enough() -> None:
    problem = task(parse_kb(ONTOLOGY))
    way = lean.offer(problem)
    assert isinstance(way, Lean)
    mask = problem.problem.vocabulary.mask
    person, father = mask(Name("Person")), mask(Name("Father"))
    assert person is not None
    assert father is not None
    found = way.maximise(Goal(person), ((person | father, 1),))
    assert isinstance(found, Optimum)
    assert found.value == Fraction(3, 10)
    said = {str(problem.problem.rows[row].statement) for row in found.multipliers}
    assert said == {"3", "4"}  # nothing about doctors
    assert not broken_rows(problem.problem.rows, found.weights)


@pytest.mark.parametrize(("large", "enough"), [(300, True), (2, True), (0, False)])
def test_some_more_rows_than_a_large_problem_has_may_join(large: int, enough: bool) -> None:
    chain = "".join(f"(A{n + 1} | A{n})[0.5, 0.6]\nA{n} SubClassOf r some A{n}\n" for n in range(4))
    problem = task(parse_kb(chain), Limits(large=large))
    mask = problem.problem.vocabulary.mask(Name("A0"))
    assert mask is not None
    found = Lean(problem).maximise(Goal(mask), ())
    assert isinstance(found, Optimum) == enough
    if isinstance(found, Optimum):
        assert not broken_rows(problem.problem.rows, found.weights)
    else:
        assert isinstance(found, Passed)
        assert found.why.endswith("rows joined, and were not enough")


def test_values_are_attained_just_where_a_programme_of_their_own_attains_them() -> None:
    met, missed = 0, 0
    for seed in range(EACH):
        random = Random(seed)
        kb, query = random_kb(random)
        one = Task(Problem(enumerate(kb.axioms), (query.head, query.body)), Budget())
        body, head = map(one.problem.vocabulary.mask, (query.body, query.head))
        if body is None or head is None or one.listed is None:
            continue
        goal = Goal(body)
        objective = ((body | head, random.choice((1, -1))),) if seed % 4 else ()
        kinds = random.sample(one.listed.kinds, min(8, len(one.listed.kinds)))
        useful = Useful(one, goal, objective)
        for count in (len(kinds) // 2, len(kinds)):  # they grow
            some = kinds[:count]
            if not any(map(goal.has, some)):
                continue
            space = ListedSpace(some, one.width)
            best = Programme(one.problem.rows, space, Budget()).maximise(goal, objective)
            value = best.value if isinstance(best, Optimum) else Fraction(-1)
            assert useful.attain(some, value + 2) is None or not objective
            weights = useful.attain(some, value)
            assert (weights is not None) == isinstance(best, Optimum), seed
            if weights is None:
                missed += 1
                continue
            met += 1
            assert not broken_rows(one.problem.rows, weights)
            assert sum(weight for kind, weight in weights.items() if goal.has(kind)) == 1
            gained = (weight * gain_of(objective, kind) for kind, weight in weights.items())
            assert sum(gained, Fraction(0)) == value
    assert met > EACH / 3
    assert missed


def test_tables_of_shares_are_left_to_others() -> None:
    shares = "\n".join(f"(B{n} | A)[0.2, 0.4]" for n in range(20))
    passed = lean.offer(task(parse_kb(f"{shares}\n(r some A | A)[0.1, 0.3]")))
    assert passed == Passed("there are few existentials beside the rows")


def test_rows_that_are_broken_are_named() -> None:
    problem = Problem(enumerate(parse_kb("(B | A)[0.2, 0.4]").axioms))
    a, b = (problem.vocabulary.bit(Name(one)) for one in "AB")
    assert broken_rows(problem.rows, {a: Fraction(7, 10), a | b: Fraction(3, 10)}) == set()
    assert [problem.rows[n].side for n in broken_rows(problem.rows, {a: Fraction(1)})] == ["lower"]
    both = broken_rows(problem.rows, {a | b: Fraction(1)})
    assert [problem.rows[n].side for n in both] == ["upper"]


@pytest.mark.parametrize("find", [find_canonical, partial(find_canonical, parts=Parts)])
def test_a_canonical_population_is_a_model(find: Canonical) -> None:
    met = 0
    for seed in range(EACH):
        kb, _ = (nested_kb, random_kb)[seed % 2](Random(seed))
        names = kb.signature.concepts
        combined = [disjunction(*names[:2]), negation(names[0])] if seed % 3 else []
        problem = Problem(enumerate(kb.axioms), [*names, *combined])
        weights = find(kb.axioms, problem, Budget())
        met += bool(weights)
        assert not broken_rows(problem.rows, weights), seed
        assert all(clause.holds(kind) for _, clause in problem.clauses for kind in weights), seed
        witnesses = Witnesses(problem)
        witnesses.add(weights)
        for kind in weights:
            for existential in problem.existentials:
                assert (
                    not kind & existential.bit or witnesses.find(existential, kind) is not None
                ), seed
        shown = {name for kind in weights for name in problem.vocabulary.names_in(kind)}
        # Individuals are not its matter: without a place for one there is no model at all.
        assert not is_consistent(kb) or shown.isdisjoint(empty_names(kb)), seed
    assert met > EACH / 3


@pytest.mark.parametrize("find", [find_canonical, partial(find_canonical, parts=Parts)])
def test_nobody_has_members_of_nothing(find: Canonical) -> None:
    kb = parse_kb("A SubClassOf r some B\nD SubClassOf s some owl:Nothing\n(C | A)[0.2, 0.4]")
    problem = Problem(enumerate(kb.axioms))
    weights = find(kb.axioms, problem, Budget())
    nothing = next(basic for basic in problem.vocabulary.basics if basic.mentions_bottom)
    assert weights
    assert not any(kind & problem.vocabulary.bit(nothing) for kind in weights)


def test_what_empties_a_concept_by_the_needs_of_others_is_found() -> None:
    ghosts = "(Idle | Ghost)[0.1]\n(Idle | Ghost)[0.9]\nHaunted SubClassOf seenBy some Ghost"
    kb = parse_kb(f"{ONTOLOGY}\n{ghosts}")
    outcome = Reasoner(kb, ways=("lean",), limits=Limits(few=0)).bounds("(Man | Haunted)")
    assert outcome.status == "vacuous"
    task_ = task(kb)
    ghost = task_.problem.vocabulary.mask(Name("Ghost"))
    assert ghost is not None
    assert isinstance(Lean(task_).maximise(Goal(ghost), ()), Impossible)
