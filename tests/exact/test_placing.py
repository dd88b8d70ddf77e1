"""Types for individuals: few are tried one after the other, many are left to a solver."""

from __future__ import annotations

import pytest

from boxsel.exact import individuals
from boxsel.exact.reasoner import Reasoner
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
