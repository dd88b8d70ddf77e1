"""Spreadsheets and frames: what people have is read as it is, and what was guessed is said."""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
from fractions import Fraction
from typing import Any

import pandas as pd
import pytest
from hypothesis import given, settings

import boxsel
from boxsel.errors import ReadError, WrongKindError
from boxsel.formats import csv_table, workbook
from boxsel.formats.registry import read_sources
from boxsel.formats.source import Source
from boxsel.formats.table_columns import Choice, find_layout
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from tests.depth import cases
from tests.formats.test_csv_table import tabular_kbs
from tests.workbooks import Cell, ods, xlsx


def table(text: str, **choice: Any) -> tuple[KB, tuple[str, ...]]:
    found = csv_table.tabled(Source("kb.csv", text.encode()), Choice(**choice))
    return found.kb, found.remarks


def lines(kb: KB) -> list[str]:
    return [str(statement) for statement in kb]


@given(tabular_kbs())
@settings(max_examples=cases(60))
def test_a_sheet_and_a_frame_state_what_the_same_table_states(kb: KB) -> None:
    rows = list(csv.reader(io.StringIO(csv_table.write(kb), newline="")))
    for written in (xlsx, ods) if all("\r" not in cell for row in rows for cell in row) else ():
        found = workbook.tabled(Source("kb.xlsx", written({"sheet": rows})))
        guarded = any("'" in cell[:1] for row in rows for cell in row)
        assert guarded or set(found.kb.axioms) == set(kb.axioms)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert boxsel.read(kb.to_frame()) == kb


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("group,of,percent,n,N,source", "head body percent count total source"),
        ("GROUP,Of,Percent,Reference", "head body percent source"),
        ("Outcome,Group,Prevalence (%)", "head body percent"),
        ("group,outcome,rate", "body head share"),
        ("Disease;Population;CI lower;CI upper", "head body lower upper"),
        ("head,body,cases,sample size", "head body count total"),
        ("head,body,share,n", "head body share "),
        ("head,body,lower,upper,year", "head body lower upper "),
        ("head,body,percent,study,doi", "head body percent source "),
        ("Krankheit;Gruppe;Anteil (%);95%-KI", "head body percent interval"),
        ("Condition;Study population;Prevalence 2019;Source (ref.)", "head body share source"),
        ("Disease;Among;No. of cases;No. examined", "head body count total"),
        ("Disease;Disease duration;Among;rate", "head  body share"),
        ("Disease;Among;Rate per 100,000;95% UI", "head body share interval"),
        ("Disease;Among;%;OR;95% CI", "head body percent  "),
        ("Disease;Among;%;CI;CI lower;CI upper", "head body percent  lower upper"),
        ("Disease;Among;Prevalence (%);% change;p value", "head body percent  "),
    ],
)
def test_columns_are_found_by_likely_names(header: str, columns: str) -> None:
    layout = find_layout(header.split(";" if ";" in header else ","))
    assert not isinstance(layout, str), layout
    assert layout.columns == tuple(columns.split(" "))


def test_columns_are_as_told_and_nothing_is_guessed() -> None:
    text = "Disease;Prevalence 2019;Prevalence 2020;Who\nFlu;8;0,5;Adult\n"
    with pytest.raises(ReadError, match="'Prevalence % 2019', 'Prevalence % 2020' could each"):
        table(text.replace("ence", "ence %"), columns={"body": "Who"})
    told = {"head": "disease", "body": "Who", "percent": "Prevalence 2020"}
    kb, remarks = table(text, columns=told)
    assert lines(kb) == ["(Flu | Adult)[0.005]"]
    assert remarks == ("columns that are not used: Prevalence 2019",)
    with pytest.raises(ReadError, match="there is no column 'Whom': the columns are Disease"):
        table(text, columns={"body": "Whom"})


@pytest.mark.parametrize(
    ("column", "cells", "shares"),
    [
        ("percent", ["30", "0.5", "12.5 %"], ["0.3", "0.005", "0.125"]),
        ("percent", ["0", "100"], ["0", "1"]),
        ("prevalence", ["30", "12"], ["0.3", "0.12"]),
        ("prevalence", ["0.3", "0.12"], ["0.3", "0.12"]),
        ("prevalence", ["0.3", "12%"], ["0.3", "0.12"]),
        ("share", ["1/3", "1"], ["1/3", "1"]),
    ],
)
def test_percentages_are_decided_for_a_column(
    column: str, cells: list[str], shares: list[str]
) -> None:
    kb, remarks = table(f"head,body,{column}\n" + "".join(f"A,B,{cell}\n" for cell in cells))
    assert [conditional.bounds for conditional in kb.conditionals] == [
        Interval.point(share) for share in shares
    ]
    guessed = column == "prevalence" and "30" in cells
    assert guessed == any("taken for percentages" in remark for remark in remarks)


@pytest.mark.parametrize(
    ("column", "cells", "problem"),
    [
        ("percent", ["0.3", "0.5"], "has no number above 1: are they percentages"),
        ("rate", ["0.3", "30"], "reach from below 1 to 30"),
        ("rate", ["1.2", "1"], "reach from 1 to 1.2"),
        ("percent", ["0.3", "0.2–0.5"], "has no number above 1: are they percentages"),
        ("rate", ["0.5", "0.5–1.5", "30"], "reach from below 1 to 30"),
        ("rate", ["0.5", "<30"], "reach from below 1 to 30"),
    ],
)
def test_what_could_be_both_is_asked_and_not_guessed(
    column: str, cells: list[str], problem: str
) -> None:
    text = f"head,body,{column}\n" + "".join(f"A,B,{cell}\n" for cell in cells)
    with pytest.raises(ReadError, match=problem):
        table(text)
    told, _ = table(text, columns={"percent": column})
    assert next(told.conditionals).bounds == Interval.point(f"{cells[0]}%")


def test_counts_and_bounds_say_more_than_the_percentage_beside_them() -> None:
    kb, _ = table("group,of,percent,n,N,lower,upper\nA,B,30,3,10,,\nA,C,30,,,25,35\nA,D,30,,,,")
    found = [conditional.proportion for conditional in kb.conditionals]
    assert found == [Count(3, 10), Interval.of("1/4", "0.35"), Interval.point("0.3")]
    with pytest.raises(ReadError, match=r"kb.csv:2: 0\.3 is far from 7 of 10, beside it"):
        table("group,of,percent,n,N\nA,B,30,7,10")
    with pytest.raises(ReadError, match=r"kb.csv:2: 0\.3 is not between lower and upper"):
        table("group,of,percent,lower,upper\nA,B,30,40,50")


def test_a_cell_may_hold_a_range() -> None:
    kb, remarks = table(
        "disease;among;percent;95% CI;N\n"
        "A;C;9,5;8,9–10,1;800\nB;C;20;[18, 22 %];800\nD;C;5 - 10;;\nE;C;<1 %;;\nF;C;≥ 50;;\n"
    )
    assert lines(kb) == [
        "(A | C)[0.089, 0.101]",
        "(B | C)[0.18, 0.22]",
        "(D | C)[0.05, 0.1]",
        "(E | C)[0, 0.01]",
        "(F | C)[0.5, 1]",
    ]
    assert "columns: disease is head, among is body, 95% CI is interval" in remarks
    doubtful = "disease,among,percent,CI\nA,C,9.5,±0.6\n"
    with pytest.raises(ReadError, match=r"column 'CI': '±0\.6' is not a number"):
        table(doubtful)
    passed, _ = table(doubtful, columns={"interval": ""})
    assert lines(passed) == ["(A | C)[0.095]"]


def test_a_cell_may_be_per_thousand() -> None:
    kb, _ = table("head,body,share\nA,C,3.5 ‰\nB,C,4–12 ‰\nD,C,0.2\n")
    assert lines(kb) == ["(A | C)[0.0035]", "(B | C)[0.004, 0.012]", "(D | C)[0.2]"]
    with pytest.raises(ReadError, match="1200 ‰' is above 100 %"):
        table("head,body,share\nA,C,1200 ‰\n")


@pytest.mark.parametrize(
    ("cell", "bounds"),
    [
        ("9.5 (8.9–10.1)", ("0.089", "0.101")),
        ("9.5% (95% CI 8.9 to 10.1)", ("0.089", "0.101")),
        ("9.5 [8.9; 10.1 %]", ("0.089", "0.101")),
        ("0.5–10", ("0.005", "0.1")),
        ("8,9 − 10,1", ("0.089", "0.101")),  # some write a minus for a dash
        (">=5", None),
        ("9.5 (0.089–0.101)", None),  # the range is not of percentages, or it is a slip
        ("5% – 10", None),
        ("10–5", None),
        ("1,234", None),
        ("1,234–2,345", None),
    ],
)
def test_what_a_range_means_is_never_guessed(cell: str, bounds: tuple[str, str] | None) -> None:
    text = f'head,body,percent\nA,B,"{cell}"\nC,D,30\n'
    if bounds is None:
        with pytest.raises(ReadError, match=r"kb\.csv:2: "):
            table(text)
    else:
        assert next(table(text)[0].conditionals).bounds == Interval.of(*bounds)


def test_semicolons_say_that_commas_are_decimal() -> None:
    kb, _ = table("head;body;percent\nA;B;1,234\nC;D;30\n")
    assert lines(kb) == ["(A | B)[0.01234]", "(C | D)[0.3]"]


def test_a_column_may_count_per_so_many() -> None:
    kb, remarks = table("Disease;Among;Cases per 100,000;95% CI\nA;B;45;40–50\nC;B;2 %;\nD;B;0,5\n")
    assert lines(kb) == ["(A | B)[0.0004, 0.0005]", "(C | B)[0.02]", "(D | B)[0.000005]"]
    assert "numbers in Cases per 100,000 are taken per 100,000" in remarks
    told, _ = table(
        "A;B;x / 1000\nC;D;7\n", columns={"head": "A", "body": "B", "share": "x / 1000"}
    )
    assert lines(told) == ["(C | D)[0.007]"]
    with pytest.raises(ReadError, match="there is no column of numbers"):
        table("Disease;Among;Rate per 1000 person-years\nA;B;45\n")


def test_an_interval_beside_a_count_is_checked_and_the_count_stated() -> None:
    text = "disease,among,n,N,percent,95% CI\nA,C,76,800,9.5,7.6–11.7\nB,C,,,20,18–22\n"
    kb, _ = table(text)
    assert lines(kb) == ["(A | C)[76 of 800]", "(B | C)[0.18, 0.22]"]
    with pytest.raises(ReadError, match=r"0\.3, 0\.4 is far from 76 of 800") as raised:
        table(text.replace("9.5,7.6–11.7", ",30–40"))
    assert "--columns count=,total=" in str(raised.value)
    left, _ = table(text.replace("9.5,7.6–11.7", ",30–40"), columns={"count": "", "total": ""})
    assert lines(left) == ["(A | C)[0.3, 0.4]", "(B | C)[0.18, 0.22]"]
    with pytest.raises(ReadError, match="is not between the ends of '95% CI'"):
        table(text.replace("18–22", "1.8–2.2"))


def test_a_share_beside_a_percentage_is_the_same() -> None:
    kb, _ = table("head,body,percent,share\nA,B,30,0.3\nA,C,40,\n")
    assert lines(kb) == ["(A | B)[0.3]", "(A | C)[0.4]"]
    with pytest.raises(ReadError, match=r"0\.03 is far from 0\.3, beside it"):
        table("head,body,percent,share\nA,B,30,0.03\n")


def test_notes_below_a_table_are_left_out_and_named() -> None:
    text = "group,of,percent\nA,C,30\n,,\n* weighted; see (Smith | 2019)\nAs of 2020,,\n"
    kb, remarks = table(text)
    assert lines(kb) == ["(A | C)[0.3]"]
    assert "rows 4, 5 left out: no number is stated" in remarks
    with pytest.raises(ReadError, match="column 'of': the cell is empty"):
        table(text + "B,,40\n")


def test_a_spreadsheet_is_a_whole_knowledge_base() -> None:
    kb, _ = table(
        "group,kind,of,percent\n"
        "Type 2 diabetes,is a,Diabetes,\n"
        "Smoker,disjoint,\"'Never, ever smoked'\",\n"
        'A,disjoint,"B, C",\n'
        "Stroke (ischaemic),,Diabetes and Smoker,12\n"
        "Kids,same as,Children under 18,\n"
    )
    assert lines(kb) == [
        "'Type 2 diabetes' SubClassOf Diabetes",
        "DisjointClasses: Smoker, 'Never, ever smoked'",
        "DisjointClasses: A, B, C",
        "('Stroke (ischaemic)' | Diabetes and Smoker)[0.12]",
        "Kids EquivalentTo 'Children under 18'",
    ]


def test_the_sheet_is_the_first_or_the_one_that_is_named() -> None:
    rows: dict[str, list[list[Cell]]] = {
        "Read me": [["who made this", "when"]],
        "Shares": [["A survey"], [], ["group", "of", "percent"], ["A", "B", 30], ["A", "C", 12.5]],
    }
    source = Source("study.xlsx", xlsx(rows))
    for sheet in ("Shares", "shares", 2):
        found = workbook.tabled(source, Choice(sheet=sheet))
        assert lines(found.kb) == ["(A | B)[0.3]", "(A | C)[0.125]"]
        assert not any("sheet" in remark for remark in found.remarks)
    found = workbook.tabled(source)  # a sheet that has no table of statements is a cover
    assert lines(found.kb) == ["(A | B)[0.3]", "(A | C)[0.125]"]
    assert found.remarks[0] == "only the sheet 'Shares' is read, not Read me"
    notes = Source("notes.xlsx", xlsx({"Notes": [["a", "b"]], "More": [["c"]]}))
    with pytest.raises(ReadError, match=r"in the sheet 'Notes' \(nor in the others: More; choose"):
        workbook.tabled(notes)
    with pytest.raises(ReadError, match="there is no sheet 'Share'\n  help: the sheets are Read"):
        workbook.tabled(source, Choice(sheet="Share"))
    rows["Shares"][3] = ["A", None, 30]
    with pytest.raises(ReadError, match=r"study\.xlsx:4: column 'of': the cell is empty"):
        workbook.tabled(Source("study.xlsx", xlsx(rows)), Choice(sheet=2))


def test_frames_of_all_kinds_of_numbers() -> None:
    frame = pd.DataFrame({"head": ["A", "B"], "body": "C", "count": [7, None], "total": [12, None]})
    frame["share"] = pd.Series([None, Fraction(1, 3)], dtype=object)
    kb = boxsel.read(frame)
    assert [conditional.proportion for conditional in kb.conditionals] == [
        Count(7, 12),
        Interval.point("1/3"),
    ]
    with pytest.raises(ReadError, match="the DataFrame: row 2: column 'head': the cell is empty"):
        boxsel.read(frame.assign(head=pd.Series(["A", None], dtype=object)))
    with pytest.raises(WrongKindError, match="from files and DataFrames, not from int"):
        boxsel.read(3)  # type: ignore[arg-type]


def test_a_frame_and_a_file_are_one_knowledge_base() -> None:
    frame = pd.DataFrame({"head": ["A"], "body": ["B"], "share": [0.5]})
    united = read_sources([Source("tree.sel", b"B SubClassOf C"), frame])
    assert [statement.note.source for statement in united.kb] == ["tree.sel", "DataFrame"]


def test_guesses_are_warnings_in_python() -> None:
    frame = pd.DataFrame({"group": ["A"], "of": ["B"], "prevalence": [30], "year": [2020]})
    with pytest.warns(UserWarning) as told:
        boxsel.read(frame)
    assert [str(message.message) for message in told] == [
        "columns: group is head, of is body, prevalence is share",
        "columns that are not used: year",
        "numbers in prevalence are taken for percentages",
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        boxsel.read(
            frame.drop(columns="year"),
            columns={"head": "group", "body": "of", "percent": "prevalence"},
        )


def test_rows_without_a_number_are_left_out_and_named() -> None:
    kb, remarks = table("group,of,percent\nA,C,30\nB,C,\nD,C,k.A.\n")
    assert lines(kb) == ["(A | C)[0.3]"]
    assert "rows 3, 4 left out: no number is stated" in remarks
    with pytest.raises(ReadError, match="the row states no number"):
        table("group,of,percent\nA,C,\n")


@pytest.mark.parametrize(
    "header",
    [
        "Condition,Among,Prevalence (%),,\n,,Estimate,Lower,Upper",
        "Condition,Among,Prevalence (%),95% CI,\n,,,lower,upper",
        "Condition,Among,Prevalence,,\n,,%,95% CI,\n,,,lower,upper",
        "Survey 2020\n\nCondition,Among,Percent,95% CI,\n,,,from,to",
    ],
)
def test_headings_in_several_rows_are_one(header: str) -> None:
    kb, remarks = table(f"{header}\nA,B,30,28,32\nC,B,0.5,0.4,0.6\n")
    assert lines(kb) == ["(A | B)[0.28, 0.32]", "(C | B)[0.004, 0.006]"]
    assert any("are taken for percentages" in remark for remark in remarks)
    rows = [line.split(",") for line in header.split("\n")]
    width = max(map(len, rows))
    cells: list[list[Cell]] = [
        [*(one or None for one in row), *[None] * (width - len(row))] for row in rows
    ]
    cells.append(["A", "B", 30, 28, 32])
    found = workbook.tabled(Source("kb.xlsx", xlsx({"one": cells})))
    assert lines(found.kb) == ["(A | B)[0.28, 0.32]"]


def test_a_row_of_data_or_a_title_is_no_heading() -> None:
    with pytest.raises(ReadError, match="there is no column for body"):
        table("Disease,Men,Women\nFlu,12%,13%\n")
    with pytest.raises(ReadError, match="'x' stands under no column"):
        table("head,body,percent\nA,B,30,x\n")
    kb, _ = table("Prevalence of diseases\ngroup,of,percent\nA,B,30\n")
    assert lines(kb) == ["(A | B)[0.3]"]


def test_a_heading_may_have_several_lines_and_be_said_again() -> None:
    kb, remarks = table(
        'group,of,"Prevalence\n(%)"\nA,B,0.3\nC,B,20\ngroup,of,prevalence (%)\nD,B,5\n'
    )
    assert lines(kb) == ["(A | B)[0.003]", "(C | B)[0.2]", "(D | B)[0.05]"]
    assert "columns: group is head, of is body, Prevalence (%) is percent" in remarks


def test_marks_of_footnotes_are_left_out_and_said() -> None:
    kb, remarks = table(
        "group,of,percent\nA,B,30*\nC,B,12.5 †\nD,B,8–10²\nE,B,*\n* not weighted,,\n"
    )
    assert lines(kb) == ["(A | B)[0.3]", "(C | B)[0.125]", "(D | B)[0.08, 0.1]"]
    assert "marks of footnotes behind numbers are left out: 30*, 12.5 †, 8–10²" in remarks
    assert "rows 5, 6 left out: no number is stated" in remarks


def test_a_count_may_have_separators_between_thousands() -> None:
    for text in ('"1,234","5,000"', "1'234,5'000", "1 234,5 000", '"1,234,567","2,000,000"'):
        kb, _ = table(f"group,of,n,N\nA,B,{text}\n")
        assert lines(kb)[0].startswith("(A | B)[1234")
    kb, _ = table("group;of;n;N\nA;B;1.234;5.000\n")
    assert lines(kb) == ["(A | B)[1234 of 5000]"]
    for text in ("1.234,5", "12,5.000", '"1,23",5', '"12,34,567",5'):
        with pytest.raises(ReadError, match="expected a whole number"):
            table(f"group,of,n,N\nA,B,{text}\n")


@pytest.mark.parametrize(
    ("cell", "problem"),
    [
        ("130", "'130' is above 100 %"),
        ("-3", "'-3' is below 0"),
        ("2020-03-01", "spreadsheets make dates of fractions"),
        ("~20", "say how far it may be off"),
    ],
)
def test_what_is_no_share_is_told_in_the_words_of_its_column(cell: str, problem: str) -> None:
    with pytest.raises(ReadError, match=problem):
        table(f"group,of,percent\nA,B,{cell}\nC,B,30\n")


def test_signs_beside_bare_shares_are_said() -> None:
    _, remarks = table("group,of,prevalence\nA,B,30%\nC,B,0.3\n")
    assert (
        "numbers without a sign in prevalence are taken for shares, not for percentages" in remarks
    )


def test_a_table_of_excel_is_read_in_whatever_encoding() -> None:
    text = "Gruppe;von;Prozent\nRaucher;Männer;23,5\n"
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        found = csv_table.tabled(Source("kb.csv", text.encode(encoding)))
        assert lines(found.kb) == ["(Raucher | Männer)[0.235]"]
        said = any("read as Windows-1252 (Männer)" in remark for remark in found.remarks)
        assert said == (encoding == "cp1252")
    tabs = text.replace(";", "\t").encode("utf-16")
    united = read_sources(
        [
            Source(
                "Unicode.txt",
                tabs.replace("Gruppe".encode("utf-16-le"), "group".encode("utf-16-le")),
            )
        ]
    )
    assert lines(united.kb) == ["(Raucher | Männer)[0.235]"]


def test_cells_that_are_one_stand_beside_every_row() -> None:
    rows: list[list[Cell]] = [["group", "of", "percent"], ["A", "C", 30], ["B", None, 40]]
    kb = workbook.tabled(Source("kb.xlsx", xlsx({"one": rows}, {"one": "B2:B3"}))).kb
    assert lines(kb) == ["(A | C)[0.3]", "(B | C)[0.4]"]
    with pytest.raises(ReadError, match="column 'of': the cell is empty"):
        workbook.tabled(Source("kb.xlsx", xlsx({"one": rows})))
    title: list[list[Cell]] = [["Shares of C", None, None], *rows[:2]]
    found = workbook.tabled(Source("kb.xlsx", xlsx({"one": title}, {"one": "A1:C1"})))
    assert lines(found.kb) == ["(A | C)[0.3]"]


def test_headings_may_be_german() -> None:
    kb, _ = table("Gruppe;von;Prozent;Quelle\nA;C;22,5 %;RKI\n")
    assert lines(kb) == ["(A | C)[0.225]  ## source: RKI"]


MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def packed_again(data: bytes, **changed: str) -> bytes:
    """A workbook with some of its files changed, or added."""
    with zipfile.ZipFile(io.BytesIO(data)) as old:
        files = {name: old.read(name) for name in old.namelist()}
    files |= {
        name.replace("__", "/").replace("_x", ".x"): text.encode() for name, text in changed.items()
    }
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as new:
        for name, content in files.items():
            new.writestr(name, content)
    return written.getvalue()


def test_what_a_workbook_shows_as_a_percentage_is_one() -> None:
    plain = xlsx({"one": [["group", "of", "percent"], ["A", "B", 0.3], ["C", "B", 12.5]]})
    texts = "".join(
        f'<row r="{line}">' + "".join(
            f'<c r="{column}{line}" t="inlineStr"><is><t>{text}</t></is></c>'
            for column, text in zip("ABC", row, strict=False)
        ) + number + "</row>"
        for line, (row, number) in enumerate([
            (["group", "of", "percent"], ""),
            (["A", "B"], '<c r="C2" s="1"><v>0.07</v></c>'),
            (["C", "B"], '<c r="C3"><v>12.5</v></c>'),
            (["D", "B"], '<c r="C4" s="2"><v>0.3</v></c>'),
            (["E", "B"], '<c r="C5" s="3"><v>1.5</v></c>'),
        ], 1)
    )  # fmt: skip
    data = packed_again(
        plain,
        xl__styles_xml=f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="200"'
        ' formatCode="0.0%;[Red]-0.0%"/><numFmt numFmtId="201" formatCode="0.0&quot; %&quot;"/>'
        '</numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="10"/><xf numFmtId="200"/>'
        '<xf numFmtId="201"/></cellXfs></styleSheet>',
        xl__worksheets__sheet1_xml=f'<worksheet xmlns="{MAIN}"><sheetData>{texts}</sheetData>'
        "</worksheet>",
    )
    found = workbook.tabled(Source("kb.xlsx", data))
    expected = ["(A | B)[0.07]", "(C | B)[0.125]", "(D | B)[0.3]", "(E | B)[0.015]"]
    assert lines(found.kb) == expected
    # Who counts a table has the numbers behind.
    _, rows, _ = workbook.sheet_rows(Source("kb.xlsx", data), None)
    assert [row[2] for _, row in rows[1:]] == ["0.07", "12.5", "0.3", "1.5"]


def test_what_libreoffice_shows_as_a_percentage_is_one() -> None:
    data = ods({"one": [["group", "of", "percent"], ["A", "B", 0.3], ["C", "B", 12.5]]})
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        content = archive.read("content.xml").decode()
    shown = content.replace(
        'value-type="float" office:value="0.3"', 'value-type="percentage" office:value="0.3"'
    )
    assert shown != content
    found = workbook.tabled(Source("kb.ods", packed_again(data, content_xml=shown)))
    assert lines(found.kb) == ["(A | B)[0.3]", "(C | B)[0.125]"]
