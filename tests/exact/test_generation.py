"""Column generation: prices that follow slowly lead to the optima of the programme itself."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from boxsel.exact.compile.definitions import definition
from boxsel.exact.compile.problem import Clause, Goal, Problem
from boxsel.exact.lp import generation
from boxsel.exact.lp.generation import obvious_bound
from boxsel.exact.lp.optimum import Impossible, Optimum
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Task
from boxsel.logic.booleans import Combination
from boxsel.logic.concepts import TOP
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.knowledge_bases import random_kb
from tests.exact.test_booleans import combination
from tests.exact.test_near import said

EACH = cases(40)


def optimum(kb: KB, body: int, objective: int, *, listed: bool) -> tuple[Fraction, bool] | None:
    """The largest share of a head in a body; whether no statement was needed for that."""
    task = Task(Problem(enumerate(kb.axioms)), Budget(), listing=listed)
    found = task.programme.maximise(Goal(body), ((body | objective, 1),))
    if isinstance(found, Impossible):
        return None
    assert isinstance(found, Optimum)
    return found.value, not found.multipliers


@pytest.mark.parametrize("listed", [True, False])
@pytest.mark.parametrize("new", [0.1, 0.5])
def test_slow_prices_lead_to_the_same_optimum(
    monkeypatch: pytest.MonkeyPatch, new: float, listed: bool
) -> None:
    for seed in range(EACH):
        kb, _ = random_kb(Random(seed))
        found = []
        for pace, each in ((new, 1), (1.0, 64)):
            monkeypatch.setattr(generation, "NEW", pace)
            monkeypatch.setattr(generation, "EACH", each)
            found.append(optimum(kb, 0b01, 0b10, listed=listed))
        first, second = found
        assert (first and first[0]) == (second and second[0]), seed


@pytest.mark.parametrize(
    ("objective", "most"),
    [(((0b11, 1),), 1), (((0b11, -1),), 0), (((0b10, 1),), None), (((0b11, 2), (0b01, -1)), 2)],
)
def test_what_a_form_cannot_exceed(objective: tuple[tuple[int, int], ...], most: int) -> None:
    assert obvious_bound(Goal(0b01), objective) == most


def test_a_share_of_one_needs_no_statements() -> None:
    kb = parse_kb("(B | A)[0.5, 1]\n(C | B)[0.2, 1]")
    assert optimum(kb, 0b10, 0b01, listed=True) == (Fraction(1), True)
    kb = parse_kb("(B | A)[0.5, 0.75]\n(C | B)[0.2, 1]")
    assert optimum(kb, 0b10, 0b01, listed=True) == (Fraction(3, 4), False)


def test_combinations_are_seen_of_a_type() -> None:
    for seed in range(EACH):
        random = Random(seed)
        kb, _ = random_kb(random)
        names = [*kb.signature.concepts]
        concepts = [combination(random, [*names], random.choice((1, 2, 3))) for _ in range(3)]
        vocabulary = Problem(enumerate(kb.axioms), [*concepts, TOP]).vocabulary
        plain = sum(vocabulary.bit(one) for one in names if random.random() < 0.5)
        kind = vocabulary.combined(plain)
        gates = [basic for basic in vocabulary.basics if isinstance(basic, Combination)]
        assert kind & ~plain & ~sum(vocabulary.bit(gate) for gate in gates) == 0
        for gate in gates:
            clauses = [Clause(*one) for one in definition(gate, vocabulary.mask)]
            assert all(clause.holds(kind) for clause in clauses), (seed, str(gate))


SIGNS = """
Cough SubClassOf Chest
Wheeze SubClassOf Chest
Rash SubClassOf Skin
"""


@pytest.mark.parametrize(
    "body", ["D or E", "D and not E", "not (D or E)", "at least 2 of (D, E, F)"]
)
def test_combined_bodies_of_two_diseases_agree_with_a_table(body: str) -> None:
    random = Random(7)
    lines = [SIGNS]
    for disease in "DEF":
        for sign in ("Cough", "Wheeze", "Rash", "Skin", "Fever"):
            low = random.randrange(0, 50)
            high = low if random.random() < 0.3 else low + random.randrange(50)
            lines.append(f"(has some {sign} | {disease})[{low}%, {high}%]")
    lines += [f"has some {sign} SubClassOf has some Chest" for sign in ("Cough", "Wheeze")]
    lines.append("has some Rash SubClassOf has some Skin")
    kb = parse_kb("\n".join(lines))
    for head in ("has some Chest", "has some Rash or has some Fever"):
        query = f"({head} | {body})"
        lean = Reasoner(kb, ways=("lean", "generated")).bounds(query)
        assert said(lean) == said(Reasoner(kb, ways=("listed",)).bounds(query)), query
