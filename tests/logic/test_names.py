"""A name's spelling reads back as its IRI, and only as that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import Name
from boxsel.logic.names import Prefixes, bare_iri, quote_name, unquote_name
from boxsel.syntax.nametable import NameTable
from tests.strategies import PREFIX_TABLES

any_text = st.text(min_size=1, max_size=20)
namespaces = st.sampled_from(
    ["urn:boxsel:", "http://example.org/onto#", "http://purl.obolibrary.org/obo/HP_", "urn:x:"]
)
locals_ = st.text(
    st.one_of(st.sampled_from("ab09_-.%~'/#:²é"), st.characters(categories=["Ll", "Lo", "Nd"])),
    max_size=8,
)


@given(any_text)
def test_every_text_is_a_name_and_different_texts_are_different_names(text: str) -> None:
    assert bare_iri(text).isprintable()
    assert Name(bare_iri(text)).iri == bare_iri(text)
    assert bare_iri(text) != bare_iri(text + "x")


@given(any_text, any_text)
def test_no_two_texts_share_an_iri(one: str, two: str) -> None:
    assert (bare_iri(one) == bare_iri(two)) == (one == two)


@given(namespaces, locals_, st.sampled_from(PREFIX_TABLES))
def test_a_spelling_reads_back_as_its_iri(
    namespace: str, local: str, table: dict[str, str]
) -> None:
    iri = namespace + local
    prefixes = Prefixes(table)
    assert NameTable(prefixes).iri(prefixes.shorten(iri)) == iri


@given(any_text)
def test_quoting_is_undone(name: str) -> None:
    assert unquote_name(quote_name(name)) == name


@pytest.mark.parametrize(
    ("iri", "spelling"),
    [
        ("urn:boxsel:Woman", "Woman"),
        ("urn:boxsel:Heart%20attack", "'Heart attack'"),
        ("urn:boxsel:and", "'and'"),
        ("urn:boxsel:or", "'or'"),
        ("urn:boxsel:a%2", "<urn:boxsel:a%2>"),
        ("http://example.org/onto#0001", "ex:0001"),
        ("http://example.org/onto#a/b", "<http://example.org/onto#a/b>"),
        ("http://example.org/onto#", "<http://example.org/onto#>"),
        ("http://elsewhere.org/x", "<http://elsewhere.org/x>"),
    ],
)
def test_the_shortest_spelling_is_chosen(iri: str, spelling: str) -> None:
    assert Prefixes({"ex": "http://example.org/onto#"}).shorten(iri) == spelling


def test_the_longest_namespace_wins() -> None:
    table = Prefixes({"a": "http://x/", "b": "http://x/y#"})
    assert table.shorten("http://x/y#z") == "b:z"


def test_builtin_prefixes_cannot_be_bent() -> None:
    with pytest.raises(InvalidStatementError, match="always means"):
        Prefixes({"owl": "http://example.org/"})
