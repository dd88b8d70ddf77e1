"""Statements are found in the text again, and changed there without touching anything else."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from boxsel import examples
from boxsel.logic.axioms import Conditional
from boxsel.logic.kb import KB
from boxsel.serve.page.outline import Outline, stating_lines
from boxsel.serve.page.premises import ConditionalText, proportion
from boxsel.syntax.parser import parse_kb
from tests.strategies import kbs


def outline_of(text: str) -> Outline:
    kb = parse_kb(text)
    return Outline.of(text, [statement.text(kb.prefixes) for statement in kb])


@given(kbs())
def test_every_statement_has_its_line(kb: KB) -> None:
    from boxsel.formats.registry import format_named

    text: str = format_named("sel").codec.write(kb)
    lines = text.split("\n")
    outline = outline_of(text) if text.strip() else Outline()
    assert len(outline.statements) == len(kb)
    for number, statement in outline.statements:
        assert lines[number - 1] == statement


def test_comments_prefixes_and_blanks_state_nothing() -> None:
    for name in examples.names():
        text = examples.text(name)
        assert len(stating_lines(text)) == len(parse_kb(text))


def test_where_lines_cannot_be_told_there_are_none() -> None:
    assert Outline.of("A SubClassOf B\nC SubClassOf D", ["A SubClassOf B"]).statements == ()


@given(kbs(), st.data())
def test_conditionals_are_read_and_restated_like_the_parser_does(
    kb: KB, data: st.DataObject
) -> None:
    conditionals = [one for one in kb if isinstance(one.axiom, Conditional)]
    assume(conditionals)
    statement = data.draw(st.sampled_from(conditionals))
    assert isinstance(statement.axiom, Conditional)
    text = statement.text(kb.prefixes)
    found = ConditionalText.of(text)
    assert found is not None
    bounds = statement.axiom.bounds
    assert (found.lower, found.upper) == (bounds.lower, bounds.upper)
    lower, upper = sorted(data.draw(st.tuples(*[st.fractions(0, 1, max_denominator=100)] * 2)))
    changed = found.put_into(text, found.share + proportion(lower, upper))
    again = ConditionalText.of(changed)
    assert again == ConditionalText(found.share, lower, upper)
    end = text.index("]", text.rindex(found.share) + len(found.share))
    assert changed.endswith(text[end:])


@given(kbs())
def test_other_statements_are_no_conditionals(kb: KB) -> None:
    for statement in kb:
        if not isinstance(statement.axiom, Conditional):
            assert ConditionalText.of(statement.text(kb.prefixes)) is None


def test_changes_keep_comments_and_notes() -> None:
    text = "# a\n(B | A)[20%]  # said so\n\n(B | A)[0.8]  ## source: X\nA SubClassOf C\n"
    outline = outline_of(text)
    changed = outline.restated({"(B | A)[0.8]  ## source: X": "(B | A)[0.2, 0.8]  ## source: X"})
    assert changed == text.replace("[0.8]", "[0.2, 0.8]")
    assert outline.lines(["(B | A)[0.2]", "A SubClassOf C"]) == [2, 5]


def test_a_move_takes_the_place_of_all_about_its_share() -> None:
    text = "(B | A)[20%]  # said so\n(C | A)[0.5]\n(B | A)[0.8]\n"
    supposed = outline_of(text).supposed(["(B | A)[0.3]", "(D | A)[1/3]"])
    assert supposed == "(B | A)[0.3]  # said so\n(C | A)[0.5]\n\n(D | A)[1/3]"
