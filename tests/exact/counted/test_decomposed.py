"""Counted graphs with roles: names and roles apart give what every other way gives."""

from __future__ import annotations

from random import Random

import pytest
from flint import fmpq

from boxsel.checker.verify import verify
from boxsel.exact.certificate import certificate
from boxsel.exact.compile.problem import Problem
from boxsel.exact.lp import sparse
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.decomposed import Decomposed, offer
from boxsel.exact.ways.way import Passed, Task
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.syntax.parser import parse_kb, parse_query
from tests.conftest import DataFile
from tests.depth import some
from tests.exact.brute_force import answer
from tests.exact.counted.graphs import counted_graph
from tests.exact.counted.test_separated import counting, said


@pytest.mark.parametrize("part", range(4))
def test_counted_graphs_against_brute_force(part: int) -> None:
    decomposed = seen = 0
    for seed in some(range(part * 30, part * 30 + 30)):
        kb, queries = counted_graph(Random(seed))
        reasoner = Reasoner(kb)
        for query in queries:
            assert said(reasoner, query) == answer(kb, query), (seed, query)
        problem = Problem(enumerate(kb.axioms))
        way = offer(Task(problem, Budget()))
        decomposed += bool(problem.existentials) and isinstance(way, Decomposed)
        seen += 1
    assert decomposed > seen / 2 if seen == 30 else decomposed >= seen / 3  # few vary more


def test_their_certificates_are_verified() -> None:
    with_numbers = 0
    # Of the first two, queries have the same module and names outside that an axiom joins; of the
    # third, witnesses are missing only because of shares.
    for seed in (165, 505, 229, *some(range(200, 250))):
        kb, queries = counted_graph(Random(seed))
        reasoner = Reasoner(kb)
        for query in queries:
            bounds = reasoner.bounds(query)
            checked = verify(kb, certificate(bounds))
            assert checked.exact, (seed, query, checked.problems)
            if bounds.upper:
                with_numbers += any(step.multipliers for step in bounds.upper.proof.steps)
    assert with_numbers


def test_an_axiom_that_joins_roles_is_left_to_others() -> None:
    kb = parse_kb("(r some A | s some A)[0.5]\n(A | owl:Thing)[0.25]")
    assert isinstance(offer(Task(Problem(enumerate(kb.axioms)), Budget())), Passed)
    query = parse_query("(r some A | s some A)")
    assert said(Reasoner(kb), query) == answer(kb, query)


@pytest.mark.parametrize(
    "axiom", ["r SubPropertyOf s", "r Range: B", "A SubClassOf r some s some B"]
)
def test_roles_with_axioms_are_left_to_others(axiom: str) -> None:
    kb = parse_kb(f"(r some A | B)[0.5]\n(s some A | B)[0.5]\n(B | owl:Thing)[0.5]\n{axiom}")
    assert isinstance(offer(Task(Problem(enumerate(kb.axioms)), Budget())), Passed)


@pytest.mark.parametrize("graph", ["yago3-mini", "codex-m"])
def test_real_graphs_with_roles(
    graph: str, data: DataFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of queries holds what was counted, and its certificates are verified."""
    folder = data(graph)
    module = counting(monkeypatch)
    conditionals = module.count(module.READERS[graph](folder), 13, 18)
    truth = {
        (conditional.head, conditional.body): conditional.bounds.lower
        for conditional in conditionals
    }
    asked = module.split(conditionals, 3)
    reasoner = Reasoner(asked.kb)
    for query in Random(0).sample(asked.queries, 3):
        bounds = reasoner.bounds(query)
        assert bounds.lower is not None
        assert bounds.upper is not None
        assert bounds.lower.bound <= truth[query.head, query.body] <= bounds.upper.bound
        assert verify(asked.kb, certificate(bounds)).exact


def test_a_budget_stops_a_solution_in_fractions() -> None:
    ticks = 0

    def check() -> None:
        nonlocal ticks
        ticks += 1
        if ticks > 3:
            raise OutOfTimeError

    lines = [{n: 1, n + 1: 2} for n in range(20)]
    with pytest.raises(OutOfTimeError):
        sparse.solve(lines, [fmpq(1)] * 20, check)
    assert ticks == 4
