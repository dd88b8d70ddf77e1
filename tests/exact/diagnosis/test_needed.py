"""Statements that no proof can do without: leaving one out does lose the bound."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest

from boxsel.exact.diagnosis.parts import Parts, minimal
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.exact.knowledge_bases import random_kb


def chain(length: int, said: str) -> KB:
    lines = [said.format(n=n, m=n + 1) for n in range(length)]
    return parse_kb("\n".join(lines))


def needed_of(kb: KB, query: Query, sign: int) -> tuple[int, tuple[int, ...], frozenset[int]]:
    """How many statements are enough, the least of them, and those seen to be needed."""
    outcome = Reasoner(kb).bounds(query)
    end = outcome.upper if sign > 0 else outcome.lower
    assert end is not None
    parts = Parts(kb)
    suffices = partial(parts.bounding, query=query, sign=sign, bound=end.bound)
    enough = suffices(range(len(kb.statements)))
    assert enough is not None
    needed = parts._needed(enough, query=query, sign=sign, bound=end.bound)
    for number in needed:
        assert suffices(tuple(one for one in enough if one != number)) is None
    least = minimal(enough, suffices, enough=True)
    assert needed <= {*least}
    found = parts.premises(query, sign, end.bound)
    assert found is not None
    assert suffices(found) is not None
    for number in found:
        assert suffices(tuple(one for one in found if one != number)) is None
    return len(enough), least, needed


def test_leaving_out_what_is_needed_loses_the_bound() -> None:
    seen = found = 0
    for seed in range(cases(150)):
        kb, query = random_kb(Random(seed), 5)
        if Reasoner(kb).bounds(query).status != "bounded":
            continue
        for sign in (-1, 1):
            _, least, needed = needed_of(kb, query, sign)
            seen += len(least)
            found += len(needed)
    assert seen > cases(150) / 4
    assert found > seen / 3  # and mostly that is all


@pytest.mark.parametrize(
    "said",
    [
        "(N{m} | N{n})[0.9, 0.95]\nN{m} SubClassOf N{n}",
        "(N{m} | N{n})[0.9]\nN{m} SubClassOf N{n}",
        "(N{m} | N{n})[0.9, 1]\n(N{m} | N{n})[0, 0.95]\nN{m} SubClassOf N{n}",
    ],
)
def test_of_a_chain_all_is_seen_to_be_needed_at_once(said: str) -> None:
    kb = chain(12, said)
    query = kb.query("(N12 | N0)")
    for sign in (-1, 1):
        _, least, needed = needed_of(kb, query, sign)
        assert {*least} == needed
        assert len(least) >= 23


def test_what_is_stated_twice_is_not_needed() -> None:
    kb = parse_kb("(B | A)[0.9]\n(B | A)[0.9, 1]\n(C | B)[0.9, 1]\nC SubClassOf B\nB SubClassOf A")
    query = kb.query("(C | A)")
    outcome = Reasoner(kb).bounds(query)
    assert outcome.lower is not None
    asked = partial(Parts(kb)._needed, query=query, sign=-1, bound=outcome.lower.bound)
    assert asked(range(5)) == {2}
    assert asked((1, 2, 3, 4)) == {1, 2, 4}
