"""A knowledge base is what it states, over which names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
from boxsel.logic.axioms import ConceptAssertion, RoleAssertion
from boxsel.logic.concepts import Individual, Name, Role, names
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Statement
from tests.strategies import kbs

A, B = names("A B")


@given(kbs(), st.randoms())
def test_order_repetition_and_prefixes_do_not_matter(kb: KB, random: object) -> None:
    statements = [*kb.statements, *kb.statements[:2]]
    random.shuffle(statements)  # type: ignore[attr-defined]
    other = KB(
        tuple(statements),
        prefixes=Prefixes({"zz": "http://zz/"}),
        labels=kb.labels,
        declared=frozenset(kb.signature),
        dropped=tuple(reversed(kb.dropped)),
        data=kb.data,
    )
    assert other == kb
    assert hash(other) == hash(kb)


@given(kbs(max_size=3))
def test_whatever_is_said_matters(kb: KB) -> None:
    more = Statement(Name("Unheard") <= A)
    assert KB((*kb.statements, more), labels=kb.labels, dropped=kb.dropped) != kb
    assert KB(kb.statements, labels={**kb.labels, "urn:x:y": "new"}, dropped=kb.dropped) != kb
    assert KB(kb.statements, labels=kb.labels, dropped=(*kb.dropped, Dropped("x", 1, ""))) != kb


@given(kbs())
def test_the_signature_is_every_name_that_occurs_or_is_declared(kb: KB) -> None:
    occurring = {entity for axiom in kb.axioms for entity in axiom.entities()}
    assert set(kb.signature) == occurring | kb.declared
    assert kb.unused == kb.declared - occurring
    assert all(isinstance(name, Name) for name in kb.signature.concepts)
    assert all(isinstance(role, Role) for role in kb.signature.roles)
    assert sum(kb.counts_by_kind().values()) == len(kb)


def test_one_name_is_one_kind_of_thing() -> None:
    x = Individual("x")
    with pytest.raises(
        InvalidStatementError, match="x is used both as a role and as an individual"
    ):
        KB.of(RoleAssertion(Role("x"), x, x))
    with pytest.raises(InvalidStatementError, match="both as a concept and as a role"):
        KB((), declared=frozenset({Name("y")}) | {Role("y")})
    assert KB.of(ConceptAssertion(A, x))


def test_what_was_left_out_is_remembered() -> None:
    kb = KB(
        dropped=(
            Dropped("TransitiveObjectProperty", 26, "not in SEL"),
            Dropped("AnnotationAssertion", 9, "", logical=False),
        )
    )
    assert kb.ignored_axioms == 26
    assert KB(dropped=kb.dropped * 2).ignored_axioms == 52, "the same kind is counted together"
    assert len(KB(dropped=kb.dropped * 2).dropped) == 2
    with pytest.raises(InvalidStatementError):
        Dropped("x", 0, "")


def test_notebooks_show_a_table() -> None:
    assert "<td style='text-align:left'>inclusion</td>" in KB.of(A <= B)._repr_html_()
