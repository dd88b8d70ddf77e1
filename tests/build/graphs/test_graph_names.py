"""Names in the tables and in the knowledge base."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.build.graphs.names import YAGO_BASE, canonical, concept, iri, iris, role
from boxsel.errors import InvalidStatementError
from boxsel.logic.names import BARE_NAMESPACE, is_iri

names = st.text(st.characters(codec="utf-8"), min_size=1).filter(lambda name: name[:2] != "_:")


@given(names)
def test_every_name_has_an_iri(name: str) -> None:
    assert is_iri(iri(name))


@given(names)
def test_canonical_names_stay_as_they_are(name: str) -> None:
    once = canonical(name)
    if not (once.startswith(("<", YAGO_BASE)) or once != once.strip()):
        assert canonical(once) == once


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Q5", BARE_NAMESPACE + "Q5"),
        ("Heart attack", BARE_NAMESPACE + "Heart%20attack"),
        ("wikidata:Q5", "wikidata:Q5"),
        ("HP:0001250", "HP:0001250"),
        ("http://example.org/A", "http://example.org/A"),
        ("http://example.org/a b|c", "http://example.org/a%20b%7Cc"),
        ("http://example.org/a%20b", "http://example.org/a%20b"),
        ("note: a b", BARE_NAMESPACE + "note%3A%20a%20b"),
        ("owl:Thing", "http://www.w3.org/2002/07/owl#Thing"),
        ("rdfs:seeAlso", "http://www.w3.org/2000/01/rdf-schema#seeAlso"),
        ("1.F.C._Saarbrücken", BARE_NAMESPACE + "1.F.C._Saarbrücken"),
        ("'s-Hertogenbosch", BARE_NAMESPACE + "%27s-Hertogenbosch"),
    ],
)
def test_iris(name: str, expected: str) -> None:
    assert iri(name) == expected


@pytest.mark.parametrize(
    ("spelt", "expected"),
    [
        ("<wordnet_person_100007846>", "wordnet_person_100007846"),
        (f"<{YAGO_BASE}wordnet_person_100007846>", "wordnet_person_100007846"),
        (YAGO_BASE + "isMarriedTo", "isMarriedTo"),
        ("<http://example.org/A>", "http://example.org/A"),
        (" P31 ", "P31"),
        ("<>", "<>"),
        ("a<b>", "a<b>"),
    ],
)
def test_canonical_spellings(spelt: str, expected: str) -> None:
    assert canonical(spelt) == expected


def test_blank_nodes_have_no_name() -> None:
    for make in (concept, role, iri):
        with pytest.raises(InvalidStatementError, match="blank node"):
            make("_:0_b")


def test_two_names_must_not_become_one() -> None:
    assert iris(["Q5", "a b", "Q5"]) == {
        "Q5": BARE_NAMESPACE + "Q5",
        "a b": BARE_NAMESPACE + "a%20b",
    }
    with pytest.raises(InvalidStatementError, match="'http://e/a b' and 'http://e/a%20b'"):
        iris(["http://e/a b", "http://e/a%20b"])
