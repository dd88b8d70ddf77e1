"""Printing then parsing is the identity."""

from __future__ import annotations

from hypothesis import given

from boxsel.formats import sel
from boxsel.formats.source import Source
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.statements import Query
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.parser import parse_concept, parse_kb, parse_query
from tests.strategies import PREFIX_TABLES, concepts, kbs


@given(kbs())
def test_a_printed_kb_reads_back_equal(kb: KB) -> None:
    again = sel.read(Source("kb.sel", sel.write(kb).encode()))
    assert again == kb
    assert again.prefixes == kb.prefixes
    assert [str(one) for one in again] == [str(one) for one in kb], "the order is kept"
    assert sel.write(again) == sel.write(kb)


@given(concepts(bottom=True))
def test_a_printed_concept_reads_back_equal_under_any_prefixes(concept: Concept) -> None:
    for table in map(Prefixes, PREFIX_TABLES):
        assert parse_concept(concept.text(table), NameTable(table)) == concept


@given(concepts(), concepts())
def test_a_printed_query_reads_back_equal(head: Concept, body: Concept) -> None:
    query = Query(head, body)
    assert parse_query(str(query)) == query
    assert parse_query(str(query)[1:-1]) == query, "the parentheses may be left out"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    text = "# c\n  ## not a note\nA SubClassOf B  ## source: x\n\n(A | B)[0.5]\nA(x)\n"
    expected = parse_kb(text)
    windows = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    assert sel.read(Source("kb.sel", windows)) == expected
    assert len(expected) == 3
