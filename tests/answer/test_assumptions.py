"""What if: which statements an assumption takes the place of."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from boxsel.answer.assumptions import assumed
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.strategies import kbs


def lines(kb: KB) -> list[str]:
    return [statement.text(kb.prefixes) for statement in kb]


KB_TEXT = "(B | A)[0.5]  ## source: a\nC SubClassOf A\n(B | A)[0.2, 0.6]\n(B | A and C)[0.1]"


def test_a_conditional_takes_the_place_of_all_about_the_same_share() -> None:
    kb = parse_kb(KB_TEXT)
    expected = ["(B | A)[0.3]", "C SubClassOf A", "(B | A and C)[0.1]"]
    assert lines(assumed(kb, ["(B | A)[0.3]"])) == expected
    assert lines(assumed(kb, ["(B | A)[0.9]", "(B | A)[0.3]"])) == expected
    # The order of a conjunction is not part of what is said.
    assert "(B | C and A)[0.7]" in lines(assumed(kb, ["(B | C and A)[0.7]"]))
    assert len(assumed(kb, ["(B | C and A)[0.7]"])) == len(kb)


def test_anything_else_is_added() -> None:
    kb = parse_kb(KB_TEXT)
    for line in ("(C | B)[0.3]", "B SubClassOf A", "DisjointClasses: B, C"):
        assert lines(assumed(kb, [line])) == [*lines(kb), line]
    both = assumed(kb, ["(C | B)[0.3]\n(A | B)[1]"])
    assert lines(both) == [*lines(kb), "(C | B)[0.3]", "(A | B)[1]"]


@settings(max_examples=cases(100), deadline=None)
@given(kbs())
def test_what_is_stated_may_be_assumed(kb: KB) -> None:
    shares = [(conditional.head, conditional.body) for conditional in kb.conditionals]
    if len(set(shares)) == len(shares):
        again = assumed(kb, list(kb.statements))
        assert {*again.statements} == {*kb.statements}
        assert again.signature == kb.signature


def test_names_are_those_of_the_knowledge_base() -> None:
    kb = parse_kb("Prefix: ex: <http://example.org/>\n(ex:B | ex:A)[0.5]")
    assert lines(assumed(kb, ["(ex:B | ex:A)[0.1]"])) == ["(ex:B | ex:A)[0.1]"]
    with pytest.raises(BoxselError, match="does not mention"):
        assumed(kb, ["(ex:B | ex:C)[0.1]"])
    with pytest.raises(BoxselError, match="states nothing"):
        assumed(kb, ["  "])
