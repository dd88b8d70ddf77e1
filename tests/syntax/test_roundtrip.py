"""Printing then parsing is the identity."""

from __future__ import annotations

import pytest
from hypothesis import given

from boxsel.formats import sel
from boxsel.formats.source import Source
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Note, Query, Statement
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.parser import parse_concept, parse_kb, parse_query
from tests.strategies import PREFIX_TABLES, combinations, concepts, kbs


@given(kbs())
def test_a_printed_kb_reads_back_equal(kb: KB) -> None:
    again = sel.read(Source("kb.sel", sel.write(kb).encode()))
    assert again == kb
    assert again.prefixes == kb.prefixes
    assert [str(statement) for statement in again] == [str(statement) for statement in kb], (
        "the order is kept"
    )
    assert sel.write(again) == sel.write(kb)


@given(concepts(bottom=True))
def test_a_printed_concept_reads_back_equal_under_any_prefixes(concept: Concept) -> None:
    for table in map(Prefixes, PREFIX_TABLES):
        assert parse_concept(concept.text(table), NameTable(table)) == concept


@given(combinations(), combinations())
def test_a_printed_query_reads_back_equal(head: Concept, body: Concept) -> None:
    query = Query(head, body)
    assert parse_query(str(query)) == query
    assert parse_query(str(query)[1:-1]) == query, "the parentheses may be left out"


@pytest.mark.parametrize(
    "text", ["#", "##", "###", "####", "a##b###c", "\\", "\\#", "#\\#", "\\n", "a\nb\r\nc", "x: y"]
)
def test_a_note_reads_back_whatever_it_holds(text: str) -> None:
    for note in (Note(source=text), Note(label=text, source=text, comment=text)):
        kb = KB((Statement(Name("A") <= Name("B"), note),))
        assert parse_kb(sel.write(kb)).statements[0].note == note


def test_the_default_prefix_is_that_of_bare_and_of_empty_prefixed_names() -> None:
    kb = parse_kb("Prefix: : <http://example.org/>\nA SubClassOf 'B'\n:A SubClassOf :B\n")
    assert len(set(kb.statements)) == 1
    assert [name.iri for name in kb.signature] == ["http://example.org/A", "http://example.org/B"]
    assert parse_kb(":A SubClassOf :B") == parse_kb("A SubClassOf B")


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    text = "# c\n  ## not a note\nA SubClassOf B  ## source: x\n\n(A | B)[0.5]\nA(x)\n"
    expected = parse_kb(text)
    windows = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert sel.read(Source("kb.sel", windows)) == expected
    assert len(expected) == 3
