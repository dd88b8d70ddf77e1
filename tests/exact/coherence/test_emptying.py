"""What few statements are said to empty is empty, and proved to be from these alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.exact.answers import Proof
from boxsel.exact.certificate import certificate
from boxsel.exact.coherence.emptying import find_emptying
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Limits
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import answer
from tests.exact.knowledge_bases import random_kb


@pytest.mark.parametrize("seed", some(range(1000), 100))
def test_few_statements_are_enough(seed: int) -> None:
    kb, query = random_kb(Random(seed), 5)
    kb = replace(kb, data=None)
    few = find_emptying(kb.statements, query.body, Budget())
    if few is not None:
        assert answer(KB(few), query).status != "bounded"
    outcome = Reasoner(kb, limits=Limits(few=0)).vacuous(query)
    if outcome is not None:
        assert outcome.status == answer(kb, query).status == "vacuous"
        assert verify(kb, certificate(outcome)).valid


def test_it_is_found_across_heads_and_witnesses() -> None:
    kb = parse_kb(
        "(B | A)[0.2]\n(B | A)[0.8]\n(A | C)[0.5]\nD SubClassOf r some C\n(E | D)[0.1]\n"
        "F SubClassOf D"
    )
    outcome = Reasoner(kb, limits=Limits(few=0)).vacuous("(E | F)")
    assert outcome is not None
    assert isinstance(outcome.empty, Proof)
    assert len(outcome.empty.premises) == 5  # all but the share of E
    assert verify(kb, certificate(outcome)).valid
