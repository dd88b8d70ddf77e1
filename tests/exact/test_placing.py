"""Types for individuals: few are tried one after the other, many are left to a solver."""

from __future__ import annotations

from itertools import pairwise

import pytest

from boxsel.exact import individuals
from boxsel.exact.ladder import Ladder
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import Individual, Name
from boxsel.syntax.parser import parse_kb


def chained(number: int, last: str) -> Reasoner:
    """A chain of individuals, whose first has whatever the last one has."""
    links = "\n".join(f"r(a{one}, a{one + 1})" for one in range(number))
    rules = "(B | A)[0.3]\nr some A SubClassOf A\nA and Z SubClassOf owl:Nothing"
    return Reasoner(parse_kb(f"{rules}\n{links}\n{last}(a{number})\nZ(a0)"))


@pytest.mark.parametrize("number", [3, 30, 1200])
def test_long_chains_are_placed(number: int) -> None:
    assert not chained(number, "A").consistent
    assert chained(number, "B").consistent


@pytest.mark.parametrize("limit", ["MOST_INDIVIDUALS", "PLACING_TRIES"])
def test_tries_and_the_solver_agree(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(individuals, limit, 1)
    assert not chained(4, "A").consistent
    assert chained(4, "B").consistent


def test_individuals_are_among_those_who_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"N{number}" for number in range(14)]
    shares = [f"({b} | {a})[0.1, 0.9]" for a, b in pairwise(names)]
    linked = [f"(r some {b} | {a})[0.1, 0.9]" for a, b in zip(names, names[5:], strict=False)]
    said = ["N0(a)", "N7(a)", "r(a, b)", "N5(b)", "N1(c)"]
    kb = parse_kb("\n".join([*shares, *linked, "s SubPropertyOf r", *said]))

    def refuse(*_: object) -> None:
        raise AssertionError("a type was proved to be possible")

    monkeypatch.setattr(Ladder, "_relax", refuse)
    reasoner = Reasoner(kb)
    assert reasoner._assertions.refute(kb.query("(N1 | N0)")) is None
    model = reasoner._assertions.model
    assert {str(individual) for individual in model.individuals} == {"a", "b", "c"}
    inside = model.interpretation
    for name, individual in (("N0", "a"), ("N7", "a"), ("N5", "b"), ("N1", "c")):
        assert inside.places(Name(name)) >> model.individuals[Individual(individual)] & 1
