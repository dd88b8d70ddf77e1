"""Every mistake has its own message: where, what was found, what was expected, what to do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import MAX_ERRORS, Diagnostic, ReadError
from boxsel.syntax.parser import MAX_LINE, parse_concept, parse_kb, parse_query


def _mistakes(text: str) -> tuple[Diagnostic, ...]:
    with pytest.raises(ReadError) as caught:
        parse_kb(text, "kb.sel")
    return caught.value.diagnostics


def _mistake(text: str) -> Diagnostic:
    (diagnostic,) = _mistakes(text)
    return diagnostic


@pytest.mark.parametrize(
    ("text", "column", "message", "advice"),
    [
        ("A SubclassOf B", 3, "found 'SubclassOf'", "did you mean 'SubClassOf'?"),
        ("A EquivalentT B", 3, "found 'EquivalentT'", "did you mean 'EquivalentTo'?"),
        ("DisjointClases: A, B", 15, "found ':'", "did you mean 'DisjointClasses:'?"),
        ("r Domian: A", 3, "found 'Domian:'", "did you mean 'Domain:'?"),
        ("A SubClassOf r som B", 16, "found 'som'", "did you mean 'some'?"),
        ("(A | B)[1.2]", 9, "1.2 is above 1", None),
        ("(A | B)[80]", 9, "above 1: percentages need a % sign", None),
        ("(A | B)[-0.1, 0.2]", 9, "-0.1 is below 0", None),
        ("(A | B)[0.5, 0.2]", 9, "the lower bound 0.5 is above the upper bound 0.2", None),
        ("(A | B)[1/0]", 9, "divides by zero", None),
        ("(A | B)[13 of 12]", 9, "the count 13 is above its total 12", None),
        ("(A | B)[0 of 0]", 9, "total of at least 1", None),
        ("(A | B)[1.5 of 2]", 9, "a whole number, not 1.5", None),
        ("(A | B)", 8, "expected '[', found the end of the line", None),
        ("(A | B)[]", 9, "expected a number", None),
        ("(A | B)[0.5", 12, "found the end of the line", None),
        ("(A)[0.5]", 4, "found '['", None),
        ("A SubClassOf ex:B", 14, "the prefix 'ex:' is not declared", "Prefix: ex: <"),
        ("owl:Nothing SubClassOf A", 1, "on the left of an inclusion", None),
        ("(A | r some owl:Nothing)[1]", 1, "inside a conditional", None),
        ("owl:Nothing(a)", 1, "in an assertion", None),
        ("A SubClassOf {alice}", 14, "found '{'", "individuals occur only in assertions"),
        ("A SubClassOf r value alice", 16, "found 'value'", "individuals occur only in assertions"),
        ("A or B SubClassOf C", 1, "stand in queries, not in an inclusion", None),
        ("A SubClassOf not B", 1, "write DisjointClasses: A, B for A SubClassOf not B", None),
        ("(not B | A)[0.3]", 1, "write (B | A)[0.7] for (not B | A)[0.3]", None),
        ("(B | A and not C)[0.3]", 1, "N SubClassOf A and DisjointClasses: N, B", None),
        ("(B or C | A)[0.3]", 1, "A SubClassOf N and B SubClassOf N for A or B", None),
        ("r Range: at least 1 of (A, B)", 1, "stand in queries, not in a range", None),
        ("(A or B)(x)", 1, "stand in queries, not in an assertion", None),
        ("A SubClassOf r some (B or C)", 14, "cannot stand after 'some'", None),
        ("A SubClassOf r only B", 16, "found 'only'", "SEL has no universal restriction"),
        ("A", 2, "found the end of the line", None),
        ("DisjointClasses: A", 19, "expected ',', found the end of the line", None),
        ("DisjointClasses: A, A", 1, "two or more different concepts", None),
        ("A SubClassOf B ## see page 3", 16, "found '## see page 3'", "single #"),
        ("A SubClassOf B ## source: a ## source: b", 29, "already has a source", None),
        ("Prefix: owl: <http://x/>", 9, "'owl:' already stands for", None),
        ("Prefix: ex <http://x/>", 9, "expected a prefix such as 'ex:'", None),
        ("Prefix: ex: <somewhere/>", 9, "<somewhere/> is not a full IRI", "a scheme"),
        ("A SubClassOf <somewhere>", 14, "<somewhere> is not a full IRI", "a scheme"),
        ('Label: <somewhere> "x"', 8, "<somewhere> is not a full IRI", "a scheme"),
        ("owl:Thing SubPropertyOf r", 1, "owl:Thing is a concept", None),
        ('Label: A "x\\y"', 10, "unknown escape", "backslash"),
        ("A SubClassOf 'B", 14, "expected a name", None),
        ("A SubClassOf ''", 14, "expected a name", None),
        ("Class: A B", 10, "expected ','", None),
        ("Heart attack SubClassOf C", 7, "found 'attack'", "characters: 'Heart attack'"),
        ("C SubClassOf Type 2 fever", 19, "found '2'", "characters: 'Type 2 fever'"),
        ("(A | B)  # no bounds", 8, "expected '[', found the end of the line", None),
    ],
)
def test_each_mistake_has_its_message(
    text: str, column: int, message: str, advice: str | None
) -> None:
    diagnostic = _mistake("B SubClassOf C\n" + text)
    assert (diagnostic.file, diagnostic.line, diagnostic.column) == ("kb.sel", 2, column)
    assert message in diagnostic.message
    assert (advice or "") in (diagnostic.help or "")
    assert diagnostic.text == text
    assert f"kb.sel:2:{column}: {diagnostic.message}" in str(diagnostic)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "A SubClassOf B\nA(a)\nr(a, A)",
            "A is used as an individual here, but as a concept in line 1",
        ),
        ("A(a)\na SubClassOf A", "a is used as a concept here, but as an individual in line 1"),
        (
            "r some A SubClassOf A\nr SubClassOf A",
            "r is used as a concept here, but as a role in line 1",
        ),
        ("A SubClassOf B\nPrefix: : <http://x/>", "declared after the first bare name"),
        ("Prefix: e: <http://x/>\nPrefix: e: <http://y/>", "'e:' already stands for <http://x/>"),
        ('Label: A "x"\nLabel: A "y"', "A already has the label 'x'"),
    ],
)
def test_mistakes_between_lines_name_both(text: str, message: str) -> None:
    diagnostic = _mistake(text)
    assert message in diagnostic.message
    assert diagnostic.line == text.count("\n") + 1


def test_all_mistakes_are_found_in_one_run_up_to_a_limit() -> None:
    diagnostics = _mistakes("A SubClassOf\nA SubClassOf B\n(A | B)[2]\n\n# fine\nA of B\n")
    assert [diagnostic.line for diagnostic in diagnostics] == [1, 3, 6]
    with pytest.raises(ReadError) as caught:
        parse_kb("A SubClassOf\n" * 1000)
    assert len(caught.value.diagnostics) == MAX_ERRORS
    assert f"stopped after {MAX_ERRORS} errors" in str(caught.value)


def test_the_caret_points_at_the_mistake() -> None:
    assert str(_mistake("(A | B)[0.5, 0.2]")).splitlines()[1:] == [
        "    1 | (A | B)[0.5, 0.2]",
        "      |         ^^^^^^^^",
    ]


def test_the_caret_points_at_the_mistake_in_a_long_line_too() -> None:
    text = "DisjointClasses: " + ", ".join(f"A{n}" for n in range(1000)) + " oops"
    excerpt, caret = str(_mistake(text)).splitlines()[1:3]
    assert excerpt[caret.index("^") :] == "oops"


@given(st.text(st.sampled_from("AB r(|)[]{}<>,.'\"\\#:%01\tand some\u00a0é"), max_size=40))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    for parse in (parse_kb, parse_concept, parse_query):
        try:
            parse(text)
        except ReadError as error:
            assert all(diagnostic.message for diagnostic in error.diagnostics)


NESTED = 20_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A SubClassOf " + "(" * NESTED + "A", "found the end of the line"),
        ("A SubClassOf " + "r some (" * NESTED + "A" + ")" * NESTED, "nested more than"),
        ("A SubClassOf " + "r some " * NESTED + "A", "nested more than"),
        ("A SubClassOf " + "A and " * 9_000_000 + "A", f"at most {MAX_LINE:,} are read"),
        ("A" * 50_000_000, f"at most {MAX_LINE:,} are read"),
        ("(A | B)[" + "9" * 900_000 + " of 3]", "more than 400 characters"),
        ("(A | B)[" + "9" * 900_000 + "x]", "found 'x'"),
        ("(A" + " " * 900_000 + "B)", "found 'B'"),
        ("A SubClassOf '" + "\\'" * 400_000, "expected a name"),
        ("A SubClassOf B " + "#" * 900_000, "single #"),
        ("", "the file is empty"),
        (" \n\t\n", "the file is empty"),
    ],
    ids=range(12),
)
def test_hostile_text_is_refused_in_words_and_in_no_time(text: str, message: str) -> None:
    assert message in str(_mistake(text))


def test_many_parentheses_are_no_mistake() -> None:
    kb = parse_kb("A SubClassOf " + "(" * NESTED + "B" + ")" * NESTED)
    assert str(kb.statements[0]) == "A SubClassOf B"
