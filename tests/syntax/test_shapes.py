"""The fast reader agrees with the grammar on every line that it reads."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxsel.errors import ReadError
from boxsel.logic.statements import Statement
from boxsel.syntax.builder import Builder
from boxsel.syntax.by_grammar import parser
from boxsel.syntax.common_lines import ShapeReader
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.parser import parse_kb
from tests.depth import cases
from tests.strategies import axioms, plain_names

PREFIXES = {"ex": "http://example.org/"}

# Lines near the shapes: right, almost right and wrong, with odd spaces, names and numbers.
_pieces = st.sampled_from(
    ["(", ")", "|", "[", "]", ",", " ", "  ", "\t", "\r", "\u00a0", "#", "##", ".", "-", ":", "%"]
    + ["A", "B", "ex:A", "no:A", ":A", "é", "²", "_x", "a-b", "a.b", "a.", "7up", "'q'", "<u:x>"]
    + ["and", "some", "or", "of", "android", "and.x", "SubClassOf", "EquivalentTo", "owl:Thing"]
    + ["owl:Nothing", "0", "1", "0.5", ".5", "1.", "50%", "1/2", "1/0", "2", "-0", "+1", "1e-3"]
    + ["7 of 12", "9 of 3", "0, 1", "1, 0", "٣"]
)
_soup = st.lists(_pieces, min_size=1, max_size=12).map("".join)
_spaced_soup = st.lists(_pieces, min_size=1, max_size=12).map(" ".join)
_concept = st.sampled_from(
    ["A", "ex:A", "A and B", "A and A", "r some A", "A and r some B", "r some s some A", "and"]
    + ["s some r some B and A", "r some s", "r some A some B", "r some (s some A)", "'A'"]
    + [
        "r some",
        "A B",
        "A and",
        "owl:Thing",
        "owl:Nothing",
        "A and  ex:B\t",
        "no:A",
        "7",
        "A\u00a0",
    ]
    + ["A.b", "ex:0001", "r some A and B", "some some A"]
)
_bounds = st.sampled_from(
    ["0.5", "50%", "1/3", "0.1, 0.2", "0.2,0.1", "7 of 12", "13 of 12", "7of 12", "7 of12", "1e-3"]
    + [
        "",
        "x",
        "1.5",
        "0.5 ",
        " .5",
        "1 / 3",
        "7.0 of 12",
        "00 of 1",
        "5 %",
        "5\u202f%",
        "5  %",
        "1/2 %",
        "7 of 12 of 13",
    ]
)
_shaped = st.one_of(
    st.builds("({} | {})[{}]".format, _concept, _concept, _bounds),
    st.builds("( {}|{} ) [{}]".format, _concept, _concept, _bounds),
    st.builds("{} SubClassOf {}".format, _concept, _concept),
    st.builds("{}({})".format, _concept, _concept),
    st.builds("{} ( {},{} ) ".format, _concept, _concept, _concept),
)
_trailer = st.sampled_from(
    ["", "  # why not", "## source: a", " ## source: a ## comment: b#c", " # no ## source: x"]
    + [
        "## source: a ## source: b",
        "## no key",
        "##",
        " ## label: a\\#\\# \\n ",
        " #",
        "## source:\r",
    ]
)


def _by_grammar(line: str) -> object:
    return Builder(NameTable()).transform(parser().parse(line, start="line"))


def _by_grammar_with_prefixes(line: str) -> object:
    names = NameTable()
    names.prefixes.update(PREFIXES)
    return Builder(names).transform(parser().parse(line.rstrip("\r"), start="line"))


@settings(max_examples=cases(600))
@given(st.one_of(_shaped, _soup, _spaced_soup), _trailer)
@example("(or | A)[0.5]", "")
@example("A and not SubClassOf B", "")
@example("some some A SubClassOf B", "")
@example("A(only)", "")
@example("(A | B)[0.5]", "\r")
@example("A SubClassOf B and ", "")
def test_what_the_fast_reader_reads_the_grammar_reads_alike(start: str, end: str) -> None:
    line = start + end
    names = NameTable()
    names.prefixes.update(PREFIXES)
    fast = ShapeReader(names).statement(line, 1)
    if fast is not None:
        assert fast == _by_grammar_with_prefixes(line)


@given(axioms(plain_names))
def test_the_fast_reader_and_the_grammar_agree_on_axioms(axiom: object) -> None:
    line = str(axiom)
    fast = ShapeReader(NameTable()).statement(line, 1)
    assert fast is None or fast == _by_grammar(line) == Statement(axiom)  # type: ignore[arg-type]


# Lines that say what names are, so that what a line leaves behind shows in those after it.
_directive = st.sampled_from(
    ["Prefix: ex: <http://example.org/>", "Prefix: : <http://example.org/>", "Class: A, s"]
    + ["Prefix: : <http://www.w3.org/2002/07/owl#>", "ObjectProperty: r, A", "Individual: B"]
    + ['Label: A "a"', 'Label: A "b"', "r SubPropertyOf s", "A Domain: B", "", "# nothing"]
)
_line = st.one_of(st.builds("{}{}".format, _shaped, _trailer), _directive, _spaced_soup)


def _read(text: str, *, by_shape: bool) -> tuple[object, ...]:
    try:
        kb = parse_kb(text, by_shape=by_shape)
    except ReadError as error:
        return error.diagnostics, error.more
    return kb, kb.statements, dict(kb.prefixes), list(kb.signature)


@settings(max_examples=400)
@given(st.lists(_line, min_size=1, max_size=6).map("\n".join))
@example("A SubClassOf r some s some B\nr some B SubClassOf s some A")
@example("A SubClassOf or\nPrefix: : <http://example.org/>\nA SubClassOf B")
@example("(A | no:B)[0.5]\nA(x)\nr(A, x)")
@example("(A | r some B)[2]\n(r | A)[0.5]\nA SubClassOf r some B")
@example("r some A SubClassOf B ## nothing\nA SubClassOf B\nr SubClassOf A")
@example("Nothing SubClassOf not\nPrefix: : <http://www.w3.org/2002/07/owl#>\nA(Nothing)")
def test_a_text_is_read_as_by_the_grammar_alone(text: str) -> None:
    assert _read(text, by_shape=True) == _read(text, by_shape=False)


def test_what_a_reader_refuses_names_nothing() -> None:
    kb = parse_kb("D SubClassOf s some r some B\nr some B SubClassOf D")
    assert [str(statement) for statement in kb] == [
        "D SubClassOf s some (r some B)",
        "r some B SubClassOf D",
    ]
    with pytest.raises(ReadError) as caught:
        parse_kb("D SubClassOf r and r some B\nD SubClassOf r some B\nB(r)")
    first, third = caught.value.diagnostics
    assert (first.line, third.line) == (1, 3)
    assert "as a role in line 2" in third.message


@given(st.lists(_concept, min_size=1, max_size=5))
def test_a_concept_that_is_left_to_the_grammar_leaves_no_trace(texts: list[str]) -> None:
    names = NameTable()
    reader = ShapeReader(names)
    for text in texts:
        before = names.mark()
        if reader.concept(text) is None:
            assert names.mark() == before


def test_the_common_lines_are_read_fast() -> None:
    reader = ShapeReader(NameTable())
    for line in (
        "(B | A)[0.25]",
        "(B | A and C)[25%, 1/3]",
        "(B | r some A)[7 of 12]",
        "(r some A | B)[1]",
        "(r some s some A | B and s some r some C)[1]",
        "A SubClassOf B",
        "A and C SubClassOf r some B",
        "A(x)",
        "r(x, y)",
        "(B | A)[0.25]  ## source: PMID:123",
        "(B | A)[0.25]  # measured twice",
    ):
        assert reader.statement(line, 1) == _by_grammar(line), line
