"""Counted graphs: base and satellites give the answers that every other way gives."""

from __future__ import annotations

import importlib
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.certificate import certificate
from boxsel.exact.compile.problem import Problem
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.separated import Separated, offer
from boxsel.exact.ways.way import Task
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb, parse_query
from tests.conftest import DataFile
from tests.depth import some
from tests.exact.brute_force import Answer, answer
from tests.exact.counted.graphs import counted_kb

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


def counting(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The benchmark that counts graphs, as a module."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("counted_graphs")


def said(reasoner: Reasoner, query: Query) -> Answer:
    bounds = reasoner.bounds(query)
    assert bounds.status != "budget"
    return Answer(
        bounds.status,
        bounds.lower.bound if bounds.lower else None,
        bounds.upper.bound if bounds.upper else None,
    )


@pytest.mark.parametrize("part", range(4))
def test_counted_populations_against_brute_force(part: int) -> None:
    separated = seen = 0
    for seed in some(range(part * 20, part * 20 + 20)):
        kb, queries = counted_kb(Random(seed))
        reasoner = Reasoner(kb)
        for query in queries:
            assert said(reasoner, query) == answer(kb, query), (seed, query)
        problem = Problem(enumerate(kb.axioms), [query.head for query in queries])
        separated += isinstance(offer(Task(problem, Budget())), Separated)
        seen += 1
    assert separated > seen / 3


def test_their_certificates_are_verified() -> None:
    for seed in some(range(1000, 1025)):
        kb, queries = counted_kb(Random(seed))
        reasoner = Reasoner(kb)
        for query in queries[:3]:
            checked = verify(kb, certificate(reasoner.bounds(query)))
            assert checked.exact, (seed, query, checked.problems)


def test_satellites_never_meet() -> None:
    kb = parse_kb(
        "(A | owl:Thing)[0.5]\n(P | owl:Thing)[0.5]\n(Q | owl:Thing)[0.4]\n(Q | A)[0.3]\n"
        "DisjointClasses: P, Q"
    )
    reasoner = Reasoner(kb)
    for text in ("(P | A)", "(Q | A)", "(A | P)", "(P | owl:Thing)", "(P and A | Q)"):
        query = parse_query(text)
        assert said(reasoner, query) == answer(kb, query), text
        assert verify(kb, certificate(reasoner.bounds(query))).exact


def test_a_satellite_in_the_body() -> None:
    kb = parse_kb("(A | owl:Thing)[3 of 10]\n(B | owl:Thing)[0.5]\n(B | A)[0]\n(Q | B)[0.4]")
    reasoner = Reasoner(kb)
    for text in ("(A | Q)", "(B | Q)", "(Q | A)", "(Q | owl:Thing)", "(owl:Thing | Q)"):
        assert said(reasoner, parse_query(text)) == answer(kb, parse_query(text)), text


@pytest.mark.parametrize("size", [13, 30])
@pytest.mark.parametrize("graph", ["yago3-mini", "codex-m"])
def test_real_graphs_in_two_ways(
    graph: str, size: int, data: DataFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of queries agrees with the search for types, and holds what was counted."""
    folder = data(graph)
    module = counting(monkeypatch)
    conditionals = module.count(module.READERS[graph](folder), size)
    truth = {
        (conditional.head, conditional.body): conditional.bounds.lower
        for conditional in conditionals
    }
    asked = module.split(conditionals, 3 if size == 13 else 8)
    reasoner = Reasoner(asked.kb)
    for query in asked.queries:
        bounds = reasoner.bounds(query)
        assert bounds.lower is not None
        assert bounds.upper is not None
        assert bounds.lower.bound <= truth[query.head, query.body] <= bounds.upper.bound
    searching = Reasoner(asked.kb, ways=("generated",))
    for query in Random(0).sample(asked.queries, 3):
        if size == 13:
            assert said(reasoner, query) == said(searching, query)
        assert verify(asked.kb, certificate(reasoner.bounds(query))).exact
