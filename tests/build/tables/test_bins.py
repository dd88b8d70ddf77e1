"""Numbers and dates in classes: every value is where its class's name says."""

from __future__ import annotations

import bisect
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boxsel
from boxsel.build.tables.bins import Wanted, part_at, quantiles, read_bins
from boxsel.errors import BoxselError, ReadError
from tests.depth import cases
from tests.workbooks import Cell, xlsx

numbers = st.one_of(st.integers(-20, 120), st.sampled_from([0.5, 17.5, 18.0, 64.99, 65.0]))


@given(st.lists(numbers, min_size=1, max_size=30), st.sets(st.integers(-5, 90), min_size=1))
@settings(max_examples=cases(40))
def test_every_value_is_in_its_class(ages: list[float], edges: set[int]) -> None:
    ordered = sorted(edges)
    whole = all(float(age).is_integer() for age in ages)
    names = part_at([str(edge) for edge in ordered], whole=whole, dates=False).names
    expected = Counter(names[bisect.bisect_right(ordered, age)] for age in ages)
    frame = pd.DataFrame({"age": [str(age) for age in ages]})
    kb = boxsel.build.table(frame, bins={"age": ordered}, individuals=True).kb
    for name, number in expected.items():
        lower = kb.bounds(f"('age={name}' | owl:Thing)").lower
        assert lower == Fraction(number, len(ages))


@given(st.lists(st.integers(0, 30), min_size=2, max_size=60), st.integers(2, 6))
def test_quantiles_part_about_equally(values: list[int], parts: int) -> None:
    counts = sorted(Counter(values).items())
    edges = [int(edge) for edge in quantiles([(str(one), n) for one, n in counts], parts)]
    assert edges == sorted(set(edges))
    assert len(edges) < parts
    assert len(edges) >= min(1, len(counts) - 1)
    sizes = Counter(bisect.bisect_right(edges, value) for value in values)
    most = max(Counter(values).values())
    assert all(size <= len(values) / parts + most for size in sizes.values()) or len(edges) < 2


@pytest.mark.parametrize("text", ["1 parts", "x", "18,x", "2020-01-01,18", "101 parts"])
def test_what_is_no_way_to_part_is_refused(text: str) -> None:
    with pytest.raises(BoxselError, match="--bin"):
        Wanted.read(text)
    with pytest.raises(BoxselError, match="bins are edges"):
        read_bins({"age": 1.5})


PEOPLE = """age;sex;visit;weight
3;f;2020-01-05;15,5
17;m;2020-03-05;k.A.
18;f;2021-01-05;61
NA;m;2021-05-05;80,2
70;f;2022-07-05;
"""


def test_markers_decimal_commas_and_dates(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text(PEOPLE)
    built = boxsel.build.table(file, bins=["age=18", "visit=year", "weight=60"], depth=1)
    assert built.report.remarks == (
        "taken for missing values: 'NA' in age, 'k.A.' in weight (--missing TEXT decides"
        " otherwise)",
    )
    assert built.report.columns[0].missing == 1
    assert {str(name) for name in built.kb.signature.concepts} == {
        *("'age=<18'", "'age=18+'", "'sex=f'", "'sex=m'", "'weight=<60'", "'weight=60+'"),
        *("'visit=2020'", "'visit=2021'", "'visit=2022'"),
    }
    said = boxsel.build.table(file, columns=["age"], missing=["3"], depth=0)
    assert "'age=NA'" in {str(name) for name in said.kb.signature.concepts}
    assert not said.report.remarks


def test_dates_and_numbers_as_people_write_them(tmp_path: Path) -> None:
    rows = ["5.1.2020;1.200,50;7", "13.12.2020;900;8", "01.02.2021;3.400,5;9", "k.A.;NA;10"]
    file = tmp_path / "german.csv"
    file.write_text("\n".join(["seen;income;n", *rows]), "cp1252")
    built = boxsel.build.table(
        file, columns=["seen", "income"], bins=["seen=year", "income=1000,2000"], depth=0, count="n"
    )
    shares = {str(one.head): one.proportion for one in built.kb.conditionals}
    assert not shares  # in both columns somebody has no value
    names = {str(name) for name in built.kb.signature.concepts}
    assert {"'seen=2020'", "'seen=2021'", "'income=<1000'", "'income=2000+'"} <= names
    assert "'income=1000 to <2000'" in names


@pytest.mark.parametrize(
    ("dates", "month"),
    [
        (["3/4/2020", "13/4/2020"], "2020-04"),
        (["3/4/2020", "4/13/2020"], "2020-03"),
        (["03.04.2020", "4.4.2020 10:30"], "2020-04"),
        (["2020-04-03T10:00", "2020-04-04"], "2020-04"),
    ],
)
def test_the_dates_of_a_column_tell_its_order(dates: list[str], month: str) -> None:
    frame = pd.DataFrame({"seen": [*dates, *dates]})
    built = boxsel.build.table(frame, bins={"seen": "month"}, individuals=True)
    assert f"'seen={month}'" in {str(name) for name in built.kb.signature.concepts}


def test_dates_that_could_be_two_are_parted_by_year_alone() -> None:
    frame = pd.DataFrame({"seen": ["3/4/2020", "5/6/2021"]})
    with pytest.raises(ReadError, match="could have the day or the month first"):
        boxsel.build.table(frame, bins={"seen": "month"}, individuals=True)
    built = boxsel.build.table(frame, bins={"seen": "year"}, individuals=True)
    assert len(built.kb.signature.concepts) == 2


def test_words_among_numbers_stay_apart_and_are_said() -> None:
    frame = pd.DataFrame({"age": ["20", "70", "unknown", "unknown"], "sex": list("abab")})
    built = boxsel.build.table(frame, columns=["age"], bins={"age": [65]}, individuals=True)
    shares = {str(one.head): one.bounds.lower for one in built.kb.conditionals}
    assert shares == {
        "'age=<65'": Fraction(1, 4), "'age=65+'": Fraction(1, 4), "'age=unknown'": Fraction(1, 2)
    }  # fmt: skip
    assert "'unknown' in age is no number, and stays apart" in built.report.remarks[0]
    frame["age"] = ["20", "70", "90+", "<5"]
    with pytest.raises(ReadError, match=r"such as '(90\+|<5)'"):
        boxsel.build.table(frame, columns=["age"], bins={"age": [65]}, individuals=True)


def test_numbers_that_could_be_two_are_read_one_way_and_that_is_said(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    for text, edge, style in (
        ('a,b\n"1,200",x\n"3,400",y\n', 2000, "point"),
        ("a;b\n1,200;x\n3,400;y\n", 2, "comma"),
        ("a;b\n1.200;x\n3.400;y\n", 2, "point"),
    ):
        file.write_text(text)
        built = boxsel.build.table(file, bins={"a": [edge]}, individuals=True, depth=0)
        shares = [one.bounds.lower for one in built.kb.conditionals]
        assert set(shares) == {Fraction(1, 2)}
        assert f"numbers in a are read with a decimal {style}" in built.report.remarks


def test_columns_of_names_and_empty_ones_are_left_out_and_said() -> None:
    frame = pd.DataFrame({"name": [f"n{n}" for n in range(60)], "sex": list("ab") * 30})
    frame["fax"] = None
    built = boxsel.build.table(frame)
    assert [column.name for column in built.report.columns] == ["sex"]
    assert "name (60), fax (0)" in built.report.remarks[-1]
    with pytest.raises(ReadError, match="'name' has 60 different values"):
        boxsel.build.table(frame, columns=["name", "sex"])
    with pytest.raises(ReadError, match="'name' has 60 different values"):
        boxsel.build.table(frame[["name"]])


def test_columns_with_too_many_numbers_are_parted_and_said(tmp_path: Path) -> None:
    rows = [[n % 90, n * 0.25, f"{2015 + n % 3}-0{1 + n % 9}-11", n] for n in range(120)]
    frame = pd.DataFrame(rows, columns=["age", "dose", "seen", "id"])
    built = boxsel.build.table(frame, columns=["age", "dose"], max_values=20, depth=1)
    assert [column.values for column in built.report.columns] == [4, 4]
    assert all("is taken in 4 parts" in remark for remark in built.report.remarks)
    dated = boxsel.build.table(frame, columns=["seen"], max_values=5, depth=0)
    assert "is taken by year" in dated.report.remarks[0]
    with pytest.raises(ReadError, match="'id' has 120 different values"):
        boxsel.build.table(frame, columns=["id"])  # it numbers the rows
    with pytest.raises(ReadError, match="'seen' holds dates, and its edges do not"):
        boxsel.build.table(frame, columns=["seen"], bins=["seen=3,4"])
    with pytest.raises(ReadError, match="holds no dates, so it has no years"):
        boxsel.build.table(frame, columns=["age"], bins=["age=year"])
    with pytest.raises(BoxselError, match="there is no such column; those used are age"):
        boxsel.build.table(frame, columns=["age"], bins=["Age=3,5"])


def test_a_sheet_is_counted_like_its_csv(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [["A register"], [], ["Admit", "Gender", "Freq"]]
    rows += [["yes", "f", 3], ["no", "f", 2], ["yes", "m", 5]]
    book, text = tmp_path / "admissions.xlsx", tmp_path / "admissions.csv"
    book.write_bytes(xlsx({"Notes": [["nothing"]], "Counts": rows}))
    text.write_text("".join(",".join(map(str, row)) + "\n" for row in rows[2:]))
    assert boxsel.build.table(book, sheet="counts").kb == boxsel.build.table(text).kb


def test_reversals_in_classes() -> None:
    frame = pd.DataFrame(
        [
            (age, group, outcome)
            for age, group, outcome, number in [
                (30, "new", "well", 81), (30, "new", "ill", 6), (40, "old", "well", 234),
                (40, "old", "ill", 36), (70, "new", "well", 192), (70, "new", "ill", 71),
                (80, "old", "well", 55), (80, "old", "ill", 25),
            ]
            for _ in range(number)
        ],
        columns=["age", "treatment", "outcome"],
    )  # fmt: skip
    options = boxsel.reversals.TableOptions(bins=("age=60",))
    found = boxsel.simpson(frame, table=options)
    assert "full" in {comparison.answer for comparison in found.comparisons}  # type: ignore[union-attr]
