"""Individuals of what is easily seen to be empty: few statements tell, before types are found."""

from __future__ import annotations

from random import Random

import pytest

from boxsel.checker.verify import verify
from boxsel.errors import BoxselError
from boxsel.exact.bounds import bounds
from boxsel.exact.diagnosis import parts
from boxsel.exact.diagnosis.conflicts import conflict
from boxsel.exact.ladders import Ladders
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import ConceptAssertion
from boxsel.logic.concepts import TOP, Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import is_consistent
from tests.exact.knowledge_bases import random_kb


@pytest.mark.parametrize("seed", some(range(400), 80))
@pytest.mark.parametrize("easily", [0, 300])
def test_verdicts_and_conflicts_are_those_of_brute_force(
    seed: int, easily: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether few statements are looked for, or types for everybody at once."""
    monkeypatch.setattr(parts, "SOME", 300 - easily)
    kb = _with_somebody(Random(seed))
    reasoner = Reasoner(kb, limits=Limits(large=easily))
    assert reasoner.consistent == is_consistent(kb)
    found = conflict(reasoner)
    if reasoner.consistent:
        return
    assert found is not None
    assert not is_consistent(KB(found.statements))
    for left_out in found.statements:
        assert is_consistent(KB(tuple(one for one in found.statements if one != left_out)))
    answer = bounds(kb, Query(TOP, TOP))
    assert (answer.status, verify(kb, answer.certificate).valid) == ("inconsistent", True)


def _with_somebody(random: Random) -> KB:
    """A random knowledge base with a member of one of its names, if it says nothing of anybody."""
    kb, _ = random_kb(random, 4)
    names = kb.signature.concepts
    if kb.signature.individuals or not names:
        return kb
    member = parse_kb("Somebody(a)").statements[0].axiom
    assert isinstance(member, ConceptAssertion)
    return kb.with_statements(
        (*kb.statements, Statement(ConceptAssertion(random.choice(names), member.individual)))
    )


def test_who_is_in_an_empty_group_is_told_without_types_for_everybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kb = parse_kb(
        "".join(f"(A{n} | A{n + 1} and A{n + 2})[0.1, 0.2]\n" for n in range(30))
        + "C SubClassOf A3\nC SubClassOf B\n(D | B)[0.2]\n(D | B)[0.8]\nC(c)\nA5(a)\nr(a, c)\n"
    )

    def refuse(self: Ladders, *concepts: Name) -> object:
        raise BoxselError("types for everybody were looked for")

    monkeypatch.setattr(Ladders, "around", refuse)
    assert not Reasoner(kb).consistent
    found = conflict(Reasoner(kb))
    assert found is not None
    assert [statement.text() for statement in found.statements] == [
        "C SubClassOf B",
        "(D | B)[0.2]",
        "(D | B)[0.8]",
        "C(c)",
    ]
