"""Which column of a table is taken for counts: by one rule wherever tables are read, and said."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

from boxsel import examples, simpson
from boxsel.build.tables.building import build_table
from boxsel.errors import BoxselError
from boxsel.reversals.tabulation import TableOptions, tabulated


def frame(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text.replace(" ", "\n")), dtype=str)


TAKEN = {
    "the whole table": "sex,ill,Freq m,yes,3 m,no,4 f,yes,0 f,no,5",
    "empty cells left out": "sex,ill,n m,yes,3 m,no,4 f,no,5",
    "one variable": "dept,count A,3 B,4 C,5",
    "a constant beside it": "year,dept,COUNT 1973,A,3 1973,B,4 1973,C,5",
    "one row": "sex,ill,counts m,yes,3",
    "numbers of programs": "sex,ill,frequency m,yes,3.0 m,no,4.0 f,no,5.0",
    "missing values": "sex,ill,Freq m,yes,3 m,,4 ,no,5 f,no,1",
    "text as well": "sex,note,ill,Freq m,a,yes,3 m,a,no,4 f,b,no,5",
}
LEFT = {
    "individuals alike": "sex,ill,count m,yes,3 m,yes,4 f,no,5",
    "individuals with names": "name,sex,count ann,f,3 bob,m,4 eve,f,5",
    "individuals with numbers": "id,sex,n 1,f,3 2,m,4 3,f,5",
    "two columns of counts": "sex,n,Freq m,3,4 f,4,5",
}
SILENT = {
    "words": "sex,frequency m,daily f,weekly",
    "another name": "sex,ill,age m,yes,30 m,no,41 f,no,52",
    "body weight": "sex,ill,weight m,yes,80 m,no,71 f,no,62",
    "the only column": "n 1 2 3",
}


@pytest.mark.parametrize("case", TAKEN)
def test_counts_are_found_and_said(case: str) -> None:
    table = frame(TAKEN[case])
    column = table.columns[-1]
    built, named = build_table(table), build_table(table, count=column)
    assert built.kb == named.kb
    assert (built.report.count, named.report.count) == (column, column)
    assert f"counts are taken from the column {column!r}" in built.report.text
    assert named.report.remarks == ()
    with tabulated(table, TableOptions()) as counted:
        assert (counted.count, counted.remarks) == (column, built.report.remarks)


@pytest.mark.parametrize("case", [*LEFT, *SILENT])
def test_what_is_no_count_stays_a_variable(case: str) -> None:
    table = frame({**LEFT, **SILENT}[case])
    built = build_table(table)
    assert built.report.count is None
    assert built.report.individuals == len(table)
    assert built.kb == build_table(table, individuals=True).kb
    assert len(built.report.remarks) == (case in LEFT)
    with tabulated(table, TableOptions()) as counted:
        assert (counted.count, counted.remarks) == (None, built.report.remarks)


def test_the_user_has_the_last_word() -> None:
    table = frame("sex,ill,seen,Freq m,yes,9,3 m,no,8,4 f,no,8,5")
    assert build_table(table).report.individuals == 12
    assert build_table(table, count="seen").report.individuals == 25
    assert build_table(table, individuals=True).report.individuals == 3
    # Whoever asks for the shares of its values does not take it for counts.
    for options in ({"columns": ["sex,Freq"]}, {"of": ["Freq"]}, {"given": ["Freq"]}):
        report = build_table(table, **options).report  # type: ignore[arg-type]
        assert (report.individuals, report.remarks) == (3, ())
    assert build_table(table, columns=["sex", "ill"]).report.individuals == 12
    with pytest.raises(BoxselError, match="choose"):
        build_table(table, count="Freq", individuals=True)


def test_a_mistake_among_counts_is_no_reason_to_take_them_for_a_variable() -> None:
    table = frame("sex,ill,Freq m,yes,3 m,no,4 f,yes,3O f,no,5")
    for reading in (build_table, simpson):
        with pytest.raises(BoxselError, match=r"'3O' is none\n.*--individuals"):
            reading(table)


@pytest.mark.parametrize("name", ["admissions", "kidney_stones", "whickham_smoking"])
def test_the_bundled_tables_have_counts(name: str) -> None:
    path = examples.path(f"{name}.csv")
    assert build_table(path).kb == build_table(path, count="Freq").kb


def test_lines_that_end_in_different_ways(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    rows = "".join(f'"a{one}","b{one % 7}",{one}\r\n"x{one}","y",2\n' for one in range(3000))
    file.write_bytes(("a,b,Freq\n" + rows).encode())
    report = build_table(file, max_values=10_000, depth=0).report
    assert report.count is None  # a is different in each row, and b is not
    assert report.rows == 6000
