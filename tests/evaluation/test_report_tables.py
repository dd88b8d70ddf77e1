"""A table says the same in CSV, in Markdown and in HTML, whatever is in it."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.evaluation.report.aggregate import Runs, Spread
from boxsel.evaluation.report.html import html_table
from boxsel.evaluation.report.parts import Column, Compared, Kind, Table, Value
from boxsel.evaluation.report.spelling import (
    csv_text,
    escaped,
    markdown_table,
    number,
    plain,
    shown,
)

numbers = st.floats(-1e6, 1e6) | st.just(math.nan)
known = st.floats(0, 1e6)
spreads = st.builds(Spread, known, st.none() | known, st.integers(1, 9))
NASTY = ["a|b", "<script>alert(1)</script>", "*bold* _it_", "&amp;", "`x`", 'say "no"', "", "naïve"]
words = st.sampled_from(NASTY) | st.text(
    st.characters(blacklist_categories=("Cs", "Cc")), max_size=12
)
NUMERIC: tuple[Kind, ...] = ("count", "share", "number", "amount")


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables of all kinds of columns, with gaps."""
    columns, makers = [Column("group", "group"), Column("name", draw(words))], []
    for place in range(draw(st.integers(0, 4))):
        kind = draw(st.sampled_from(NUMERIC))
        form = draw(st.sampled_from(("plain", "spread", "compared")))
        columns.append(
            Column(
                f"c{place}",
                f"column {place}",
                kind,
                draw(words),
                draw(st.sampled_from(("", "g", "h"))),
                spread=form != "plain",
                compared=form == "compared",
                shown=draw(st.booleans()),
            )
        )
        filled: dict[str, st.SearchStrategy[Any]] = {
            "plain": numbers,
            "spread": spreads,
            "compared": st.builds(
                Compared,
                st.none() | spreads,
                st.none() | known,
                st.none() | st.booleans(),
                st.booleans(),
            ),
        }
        makers.append(st.none() | filled[form])
    rows = draw(st.lists(st.tuples(st.sampled_from("xyz"), words, *makers), max_size=5))
    rows.sort(key=lambda row: row[0])
    return Table(
        "t", draw(words), tuple(columns), tuple(rows), "over 2 seeds", (draw(words),),
        draw(st.booleans()),
    )  # fmt: skip


def reading(cell: Value) -> Spread | str | float | None:
    assert not isinstance(cell, Runs)
    return cell.ours if isinstance(cell, Compared) else cell


@given(tables())
def test_csv_has_every_number_in_full(table: Table) -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(table))))
    assert len(rows) == len(table.rows)
    for row, given_row in zip(rows, table.rows, strict=True):
        for column, cell in zip(table.columns, given_row, strict=True):
            value = reading(cell)
            if isinstance(value, Spread):
                assert float(row[column.key]) == value.mean
                assert int(row[f"{column.key}_seeds"]) == value.seeds
                off = row[f"{column.key}_std"]
                assert (float(off) if off else None) == value.deviation
            elif value is None or (isinstance(value, float) and math.isnan(value)):
                assert row[column.key] == ""
            else:
                assert type(value)(row[column.key]) == value
            if isinstance(cell, Compared):
                other = row[f"{column.key}_published"]
                assert (float(other) if other else None) == cell.published
                assert (
                    row[f"{column.key}_better"]
                    == {None: "", True: "true", False: "false"}[cell.better]
                )


def markdown_cells(line: str) -> list[str]:
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


@given(tables())
def test_markdown_has_one_cell_for_each_value_that_is_shown(table: Table) -> None:
    lines = [line for line in markdown_table(table).splitlines() if line.startswith("| ")]
    assert len(lines) == len(table.rows) + 2
    for line in lines:
        assert len(markdown_cells(line)) == len(table.visible)
    for line, row in zip(lines[2:], table.rows, strict=True):
        for cell, place in zip(markdown_cells(line), table.visible, strict=True):
            found = shown(row[place], table.columns[place])
            assert escaped(found.text) in cell
            assert escaped(found.deviation) in cell
            assert cell.startswith("**") == found.best or place < 2
            assert ("✓" in cell) == bool(found.better and found.published) or place < 2


@given(tables())
def test_html_is_well_formed_and_has_the_same_values(table: Table) -> None:
    root = ElementTree.fromstring(html_table(table))
    first = 1 if table.grouped else 0
    rows = [
        row for body in root.iter("tbody") for row in body.iter("tr") if row.get("class") != "group"
    ]
    assert len(rows) == len(table.rows)
    for row, given_row in zip(rows, table.rows, strict=True):
        cells = list(row)
        assert [cell.tag for cell in cells] == ["th", *["td"] * (len(cells) - 1)]
        for cell, place in zip(cells, table.visible[first:], strict=True):
            found = shown(given_row[place], table.columns[place])
            text = "".join(cell.itertext())
            assert text.startswith(found.text)
            assert found.deviation in text
            assert found.published in text
    head = root.find(".//thead")
    assert head is not None
    width = len(table.visible) - first
    for line in head:
        assert sum(int(cell.get("colspan", "1")) for cell in line) == width
    assert {element.tag for element in root.iter()}.isdisjoint({"script", "a", "img", "link"})


@pytest.mark.parametrize("kind", NUMERIC)
def test_what_is_not_known_is_a_dash(kind: Kind) -> None:
    for value in (None, math.nan, Compared(None)):
        assert shown(value, Column("x", "X", kind)).text == "–"
        assert plain(value, kind) == "–"


@given(st.floats(0, 1e4, exclude_min=True), st.sampled_from(NUMERIC[1:]))
def test_a_small_number_does_not_look_like_zero(value: float, kind: Kind) -> None:
    assert not re.fullmatch(r"0(\.0+)?\D*", number(value, kind))


@given(st.floats(0, 1), st.floats(0, 1))
def test_numbers_are_rounded_not_cut(mean: float, deviation: float) -> None:
    found = shown(Spread(mean, deviation, 3), Column("x", "X", "number"))
    if "<" not in found.text:
        assert abs(float(found.text) - mean) <= 0.0005 + 1e-12
    assert abs(float(found.deviation) - deviation) <= 0.0005 + 1e-12


def test_a_count_that_is_the_same_for_all_seeds_has_no_deviation() -> None:
    column = Column("n", "n", "count")
    assert shown(Spread(3480.0, 0.0, 5), column).text == "3,480"
    assert shown(Spread(3480.0, 0.0, 5), column).deviation == ""
    assert shown(Spread(3480.5, 1.25, 5), column).deviation == "1.2"


def test_runs_are_marked_by_their_failures_and_not_by_their_words() -> None:
    column = Column("runs", "runs")
    failed = shown(Runs((0, 1), {1: "no memory"}), column)
    assert failed.failed
    assert failed.text == "failed 1 of 2: no memory"
    assert not shown(Runs((0, 1), {}), column).failed
    assert not shown("failed to thrive", column).failed
