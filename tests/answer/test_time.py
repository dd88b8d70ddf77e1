"""The same time for the same work: asking is never weaker than bounds, and nobody overruns."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from random import Random

import jsonschema
import pytest

from boxsel import examples
from boxsel.answer import ask, estimating
from boxsel.answer.ask import Asker
from boxsel.answer.estimating import NOT_DIRECTED, NOT_TRAINED, Estimator, Reply
from boxsel.exact.bounds import bounds
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import Inclusion
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Inner
from boxsel.logic.statements import Query
from boxsel.models.fit import fit
from boxsel.schemas import schema
from boxsel.syntax.parser import parse_query
from tests.exact.counted.graphs import counted_graph, counted_kb
from tests.exact.knowledge_bases import random_kb
from tests.ticking import ticking

LOOKS = (0, 3, 10, 30, 100, 300)


def never_weaker(kb: KB, query: Query, case: object, limits: Limits) -> None:
    """At no amount of work does an answer leave more open than bounds do."""
    for looks in LOOKS:
        proving = Reasoner(kb, budget=ticking(looks), limits=limits)
        proved = bounds(kb, query, reasoner=proving)
        reasoner = Reasoner(kb, budget=ticking(None), limits=limits)
        with Asker(kb, estimate="never", reasoner=reasoner) as asker:
            answer = asker.ask(query, budget=looks)
        # Where what is possible meets what is proved, an answer needs no more.
        assert answer.status == proved.status or answer.exact, (case, looks)
        if answer.outer is not None:
            assert proved.lower is not None
            assert proved.upper is not None
            assert proved.lower <= answer.outer.lower, (case, looks)
            assert answer.outer.upper <= proved.upper, (case, looks)


@pytest.mark.parametrize("large", [False, True])
def test_asking_is_never_weaker_than_bounds(large: bool) -> None:
    limits = Limits(large=1) if large else Limits()  # then chains and rules come first
    for seed in range(40):
        never_weaker(*random_kb(Random(seed)), seed, limits)
    for seed in range(8):
        for counted in (counted_kb, counted_graph):
            kb, queries = counted(Random(seed))
            never_weaker(kb, queries[0], (counted, seed), limits)


def test_without_time_members_are_asked_as_they_are() -> None:
    kb = examples.load("applicant")
    model = fit(kb, members=2, dim=2, epochs=1)
    with Asker(model, directed=True) as asker:
        answer = asker.ask("(Admitted | Applicant)", budget=0.0)
    assert answer.undirected == NOT_DIRECTED
    assert f"not directed: {NOT_DIRECTED}" in answer.text
    assert answer.estimate is None or not answer.estimate.directed
    jsonschema.validate(answer.to_json(), schema("ask"))


class Deaf:
    """A process that never reads what it is sent, until it is ended."""

    exitcode = None

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def terminate(self) -> None:
        self._connection.close()

    def join(self) -> None:
        pass


def test_nobody_waits_for_a_process_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = Pipe()
    monkeypatch.setattr(estimating, "spawned", lambda _: (ours, Deaf(theirs)))
    large = KB.of(*(Inclusion(Name(f"A{n}"), Name(f"B{n}")) for n in range(10_000)))
    estimator = Estimator(large)
    query = parse_query("(B0 | A0)")
    estimator.start(query)  # more than a pipe takes
    estimator.start(query)
    assert estimator.wait(0.0).estimate == NOT_TRAINED
    estimator.close()


def test_what_is_said_of_the_last_question_does_not_end_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours, theirs = Pipe()
    monkeypatch.setattr(estimating, "spawned", lambda _: (ours, Deaf(theirs)))
    estimator = Estimator(KB.of(Inclusion(Name("A"), Name("B"))))
    query = parse_query("(B | A)")
    all_shares = Reply(NOT_TRAINED, Inner.between(Fraction(0), Fraction(1)), last=False)
    with estimator.beside(query, 0.0) as asked:
        assert asked()
        assert theirs.recv() == KB.of(Inclusion(Name("A"), Name("B")))
        number = theirs.recv().number
        theirs.send(("item", (number, all_shares)))
        assert estimator.shows(Fraction(0), Fraction(1))
    theirs.send(("item", (number, all_shares)))  # and late
    with estimator.beside(query, 1e6) as asked:
        assert not asked()
        assert not estimator.shows(Fraction(0), Fraction(1))
    estimator.close()


def test_populations_complete_a_proof_that_there_was_no_time_to_check(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kb, query = examples.load("applicant"), parse_query("(Admitted | Applicant)")
    proved = bounds(kb, query)
    assert proved.exact
    unchecked = replace(proved, status="budget", exact=False, certified=False, inner=None)
    monkeypatch.setattr(ask, "bounds_of", lambda *_, **__: unchecked)
    shown = Inner.between(proved.lower or Fraction(0), proved.upper or Fraction(1))
    monkeypatch.setattr(
        Estimator, "wait", lambda *_: Reply(NOT_TRAINED, shown, last=False)
    )  # as if the process beside the proof had been there
    with Asker(kb, estimate="always") as asker:
        answer = asker.ask(query, budget=60)
    assert answer.inner is not None
    assert answer.inner[:2] == shown[:2]
    assert answer.status == "bounded"
    assert answer.exact


def test_an_ensemble_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(estimating, "spawned", refused)
    with Asker(examples.load("applicant"), estimate="always") as asker:
        answer = asker.ask("(Admitted | Applicant)", budget=60)
    assert answer.exact
    assert "no more processes" in answer.unestimated
