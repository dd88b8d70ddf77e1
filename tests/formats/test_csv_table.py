"""Tables of conditionals: round trips, what spreadsheets do to files, and every mistake placed."""

from __future__ import annotations

import csv
import io
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxsel.errors import ReadError, WriteError
from boxsel.formats import tsv_table
from boxsel.formats.csv_table import read, tabular, write
from boxsel.formats.source import Source
from boxsel.logic.axioms import Conditional, Disjointness, Equivalence, Inclusion, conditional
from boxsel.logic.concepts import Name, Role, names
from boxsel.logic.kb import KB, Dropped
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Note, Statement
from tests.depth import cases
from tests.strategies import kbs

A, B = names("A B")
HEADER = "head,body,lower,upper,count,total,source\n"


def read_text(text: str) -> KB:
    return read(Source("kb.csv", text.encode()))


def mistakes(text: str) -> list[str]:
    with pytest.raises(ReadError) as caught:
        read_text(text)
    return [str(diagnostic) for diagnostic in caught.value.diagnostics]


@st.composite
def tabular_kbs(draw: st.DrawFn) -> KB:
    return tabular(draw(kbs()))[0]


@given(tabular_kbs())
def test_writing_then_reading_is_the_identity(kb: KB) -> None:
    assert read_text(write(kb)) == kb
    assert read(Source("kb.tsv", tsv_table.write(kb).encode())) == kb
    assert write(read_text(write(kb))) == write(kb)


hazards = st.text(st.sampled_from("='+-@＝ \t\r\n\",;a"), max_size=6)


@given(hazards, hazards, hazards)
@example("'=1+1", "''@x", "a\rb")
@settings(max_examples=cases(200))
def test_notes_round_trip_and_never_start_a_formula(label: str, source: str, comment: str) -> None:
    kb = KB((Statement(conditional(A, given=B, exactly=1), Note(label, source, comment)),))
    text = write(kb)
    assert read_text(text) == kb
    for row in csv.reader(io.StringIO(text, newline="")):
        assert not any(cell.startswith(tuple("=+-@＝＋－＠\t\r")) for cell in row)


@given(kbs())
def test_a_knowledge_base_is_written_whole_or_not_at_all(kb: KB) -> None:
    kept, losses = tabular(kb)
    held = (Conditional, Inclusion, Equivalence, Disjointness)
    assert all(isinstance(axiom, held) for axiom in kept.axioms)
    assert (kept == kb) == (not losses)
    if losses:
        with pytest.raises(WriteError) as caught:
            write(kb)
        assert "--lossy" in str(caught.value)
        assert all(loss in str(caught.value) for loss in losses)


def test_what_would_be_lost_is_said_by_kind_and_count() -> None:
    kb = KB(
        (
            Statement(conditional(A, given=B, exactly=1)),
            Statement(A <= B),
            Statement(Role("r") <= Role("s")),
        ),
        labels={A.iri: "a"},
        declared=frozenset({Name("C")}),
        dropped=(Dropped("ObjectUnionOf", 26, ""),),
    )
    assert tabular(kb)[1] == [
        "1 role inclusion",
        "3 names that occur in no row",
        "1 label of a name",
        "the record of 26 axioms left out on reading",
    ]


def test_names_need_no_prefixes() -> None:
    kb = KB.of(conditional(Name("http://example.org/A"), given=Name("Heart attack"), exactly=1))
    assert write(kb).splitlines()[1] == "<http://example.org/A>,'Heart attack',1,1,,,"


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("A,B,0.2,0.25,,,", Interval.of("0.2", "0.25")),
        ("A,B,20%,1/3,,,", Interval.of("1/5", "1/3")),
        ("A,B,20 %,100%,,,", Interval.of("1/5", 1)),
        ("A,B,,,7,12,", Count(7, 12)),
        ("A,B,,,7.0,12.0,", Count(7, 12)),
        ("A,B,,,7,12", Count(7, 12)),
        (' "A", "B", 0.2 , 0.25', Interval.of("0.2", "0.25")),
        ('A,B,"0,1","12,5 %",,,', Interval.of("0.1", "0.125")),
        ("A,B,1e-2,1,,,,,,", Interval.of("0.01", 1)),
    ],
)
def test_numbers_and_counts(row: str, expected: Interval | Count) -> None:
    assert next(read_text(HEADER + row).conditionals).proportion == expected


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_decimal_commas_where_the_comma_separates_nothing(delimiter: str) -> None:
    text = (HEADER + "A;B;0,2;12,5%;;;\n").replace(",source", ";source")
    text = text.replace("head,body,lower,upper,count,total", "head;body;lower;upper;count;total")
    kb = read_text(text.replace(";", delimiter).replace("0,2", "0,1"))
    assert next(kb.conditionals).bounds == Interval(Fraction(1, 10), Fraction(1, 8))


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffhead,body,lower,upper\nA,B,0.5,0.5\n",
        "\n\n,,,\nhead,body,lower,upper\n\nA,B,0.5,0.5\n,,,\n\n",
        "head,body,lower,upper\r\nA,B,0.5,0.5\r\n",
        "head,body,lower,upper\rA,B,0.5,0.5\r",
        "Upper,HEAD, body ,lower\n0.5,A,B,0.5\n",
        '"head","body","lower","upper",,\n"A","B","0.5","0.5",,\n',
        "lower\tupper\thead\tbody\n0.5\t0.5\tA\tB",
        "head|body|lower|upper\nA|B|0.5|0.5\n|||\n",
    ],
)
def test_what_spreadsheets_and_people_do_to_tables(text: str) -> None:
    assert read_text(text) == KB.of(conditional(A, given=B, exactly=0.5))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "kb.csv: the file is empty"),
        ("\n , \n", "kb.csv: the file is empty"),
        ("A,B,0.5\n", "kb.csv:1: there is no column for head (what has a share) and none for body"),
        ("head,body\n", "kb.csv:1: there is no column of numbers: share or percent, lower and"),
        ("head,body,lower\n", "kb.csv:1: the column 'upper' is missing"),
        ("head,body,total\n", "kb.csv:1: the column 'count' is missing"),
        ("a title\n\nhead,body,total,a\n", "kb.csv:3: the column 'count' is missing"),
        ("head,body,count,total,head\n", "kb.csv:1: the column 'head' occurs twice"),
        (HEADER + "A,,1,1,,,", "kb.csv:2: column 'body': the cell is empty"),
        (HEADER + "A and,B,1,1,,,", "kb.csv:2: column 'head': expected a name or '(', found the"),
        (HEADER + "A,B only C,1,1,,,", "(character 3 of 'B only C')"),
        (HEADER + "A,B or C,1,1,,,", "stand in queries"),
        (HEADER + "r,B only C,1,1,,,\nr some s some A,B,1,1,,,", "kb.csv:2: column 'body'"),
        (HEADER + "ex:A,B,1,1,,,", "a table declares no prefixes"),
        (HEADER + "A,owl:Nothing,1,1,,,", "kb.csv:2: owl:Nothing cannot stand"),
        (HEADER + "\n\nr some A,r,1,1,,,", "kb.csv:4: column 'body': r is used as a concept here"),
        (HEADER + "A,B,1,,,,", "kb.csv:2: column 'upper': the cell is empty"),
        (HEADER + "A,B,,,7,,", "kb.csv:2: column 'total': expected a whole number, the cell is"),
        (HEADER + "A,B,,,,,", "kb.csv:2: the row states neither bounds nor a count"),
        (HEADER + "A,B,1,1,1,1,", "kb.csv:2: the row states both bounds and a count"),
        (HEADER + "A,B,½,1,,,", "kb.csv:2: column 'lower': '½' is not a number"),
        (HEADER + 'A,B,"0,5,5",1,,,', "kb.csv:2: column 'lower': '0,5,5' is not a number"),
        (HEADER + "A,B,0.5,80,,,", "kb.csv: the numbers in lower, upper reach from below 1 to 80"),
        (HEADER + "A,B,1,1.5,,,", "kb.csv: the numbers in lower, upper reach from 1 to 1.5"),
        (HEADER + "A,B,20%,120%,,,", "kb.csv:2: column 'upper': '120%' is above 100 %"),
        (HEADER + "A,B,,,5.000,12,", "expected a whole number, found '5.000'"),
        ("kind," + HEADER + "part,A,B,,,,,", "column 'kind': expected share, subclass,"),
        ("kind," + HEADER + "disjoint,A,B,1,1,,,", "column 'lower': only a share has numbers"),
        (HEADER + "A,B,0.5,0.2,,,", "kb.csv:2: the lower bound 0.5 is above the upper bound 0.2"),
        (HEADER + "A,B,,,13,12,", "kb.csv:2: the count 13 is above its total 12"),
        (HEADER + "A,B,,,1.5,12,", "column 'count': expected a whole number, found '1.5'"),
        (HEADER + "A,B,,,-1,12,", "column 'count': expected a whole number, found '-1'"),
        (HEADER + "A,B,1,1,,,x,y,", "kb.csv:2: the cell 'y' stands under no column"),
        (HEADER + 'A,B,1,1,,,"x', "kb.csv:2: a cell starts with a double quote here, and it is"),
        (HEADER + 'A,B,1,1,,,"x\ny" z', "kb.csv:2: there is text after a closing double quote"),
        (HEADER + f"A,B,1,1,,,{'x' * 200_000}", "kb.csv:2: a cell has more than 131,072"),
    ],
)
def test_each_mistake_has_its_place_and_its_words(text: str, expected: str) -> None:
    (mistake,) = mistakes(text)
    assert expected in mistake


def test_several_mistakes_are_reported_at_once_at_the_line_where_the_row_starts() -> None:
    rows = 'A,B,0.3,0.2,,,"two\nlines"\nA,B,1,1,,,"fine\r\nhere"\nA,,1,1,,,\n'
    assert [mistake.split(": ")[0] for mistake in mistakes(HEADER + rows)] == [
        "kb.csv:2",
        "kb.csv:6",
    ]


def test_reporting_stops_after_twenty_mistakes() -> None:
    with pytest.raises(ReadError, match="stopped after 20 errors") as caught:
        read_text(HEADER + "A,B,,,,\n" * 50)
    assert len(caught.value.diagnostics) == 20


@given(st.text(st.sampled_from("AB,;\t\"\r\n'<>().=01%/ and"), max_size=60))
@settings(max_examples=cases(300))
def test_no_text_crashes_the_reader(text: str) -> None:
    for attempt in (text, HEADER + text, "head;body;count;total;comment\n" + text):
        try:
            kb = read_text(attempt)
        except ReadError:
            continue
        assert read_text(write(kb)) == kb
