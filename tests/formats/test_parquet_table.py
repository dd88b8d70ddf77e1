"""Parquet tables: the same conditionals as CSV, exact, and every mistake in its row."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import duckdb
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from boxsel.cli.options import Output
from boxsel.cli.writing import Target
from boxsel.errors import BoxselError, ReadError, WriteError
from boxsel.formats import csv_table
from boxsel.formats.parquet_table import read, tabular, write
from boxsel.formats.registry import read as read_file
from boxsel.formats.registry import recognise
from boxsel.formats.registry import write as write_file
from boxsel.formats.source import Source
from boxsel.formats.table_columns import WRITTEN as COLUMNS
from boxsel.logic.axioms import conditional
from boxsel.logic.concepts import Role, names
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from boxsel.logic.statements import Note, Statement
from boxsel.machine import database
from tests.depth import cases
from tests.strategies import kbs

A, B = names("A B")


def read_bytes(data: bytes) -> KB:
    return read(Source("kb.parquet", data))


def parquet(tmp_path: Path, select: str) -> bytes:
    """A Parquet file as another program might write it."""
    path = tmp_path / "other.parquet"
    duckdb.execute(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
    return path.read_bytes()


def mistakes(data: bytes) -> list[str]:
    with pytest.raises(ReadError) as caught:
        read_bytes(data)
    return [str(diagnostic) for diagnostic in caught.value.diagnostics]


@st.composite
def tabular_kbs(draw: st.DrawFn) -> KB:
    return tabular(draw(kbs()))[0]


@given(tabular_kbs())
@settings(max_examples=cases(40))
def test_writing_then_reading_is_the_identity_and_the_same_as_csv(kb: KB) -> None:
    data = write(kb)
    assert recognise(Source("-", data)).name == "parquet"
    found = read_bytes(data)
    assert found.statements == kb.statements
    assert found == csv_table.read(Source("kb.csv", csv_table.write(kb).encode()))


@given(st.text(st.sampled_from("='+-@ \r\n\",;a"), max_size=6))
@example("'=1+1")
@settings(max_examples=cases(30))
def test_notes_are_kept_as_they_are(source: str) -> None:
    kb = KB((Statement(conditional(A, given=B, exactly=1), Note(source=source)),))
    data = write(kb)
    assert read_bytes(data) == kb


def test_the_columns_are_those_of_csv_with_exact_types(tmp_path: Path) -> None:
    path = tmp_path / "kb.parquet"
    third = conditional(A, given=B, exactly="1/3")
    kb = KB.of(third, conditional(B, given=A, count=(7, 12)))
    write_file(kb, path)
    kinds = duckdb.execute(f"DESCRIBE SELECT * FROM '{path}'").fetchall()
    assert [name for name, *_ in kinds] == list(COLUMNS)
    assert [kind for _, kind, *_ in kinds] == ["VARCHAR"] * 5 + ["BIGINT"] * 2 + ["VARCHAR"] * 3
    assert duckdb.execute(f"SELECT * FROM '{path}'").fetchall() == [
        ("share", "A", "B", "1/3", "1/3", None, None, None, None, None),
        ("share", "B", "A", None, None, 7, 12, None, None, None),
    ]
    assert read_file(path) == kb


def test_an_empty_knowledge_base_is_a_table_without_rows() -> None:
    data = write(KB())
    assert read_bytes(data) == KB()


@pytest.mark.deep
def test_order_is_kept_in_large_tables() -> None:
    kb = KB.of(*(conditional(A, given=B, count=(n, 300_000)) for n in range(140_000)))
    assert read_bytes(write(kb)).statements == kb.statements


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("SELECT 'A' AS Head, 'B' AS body, 0.1::DOUBLE AS lower, 0.25 AS upper", (0.1, 0.25)),
        ("SELECT 'A' AS head, 'B' AS body, '10%' AS lower, '1/4' AS upper", ("0.1", "1/4")),
        ("SELECT 0 AS lower, 1 AS upper, 'B' AS body, 'A' AS head", (0, 1)),
    ],
)
def test_what_other_programs_write(
    tmp_path: Path, select: str, expected: tuple[float, float]
) -> None:
    (found,) = read_bytes(parquet(tmp_path, select)).conditionals
    assert found == conditional(A, given=B, between=expected)


def test_counts_with_gaps_are_counts(tmp_path: Path) -> None:
    select = (
        "SELECT 'A' AS head, 'B' AS body, 7::DOUBLE AS count, 12::DOUBLE AS total,"
        " NULL::VARCHAR AS lower, NULL::VARCHAR AS upper"
        " UNION ALL SELECT 'B', 'A', NULL, NULL, '0.5', '0.5'"
    )
    kb = read_bytes(parquet(tmp_path, select))
    assert [one.proportion for one in kb.conditionals] == [Count(7, 12), Interval.point(0.5)]


GOOD = "'A' AS head, 'B' AS body"


@pytest.mark.parametrize(
    ("select", "expected"),
    [
        ("SELECT 'A' AS head, 1 AS count, 2 AS total", "there is no column for body"),
        (f"SELECT {GOOD}", "there is no column of numbers"),
        (f"SELECT {GOOD}, 1 AS count", "the column 'total' is missing"),
        ("SELECT 1 AS head, 'B' AS body, 1 AS count, 2 AS total", "holds INTEGER, expected text"),
        (f"SELECT {GOOD}, [1] AS count, 2 AS total", "'count' holds INTEGER[], expected whole"),
        (f"SELECT {GOOD}, true AS lower, 1 AS upper", "'lower' holds BOOLEAN, expected text or"),
        (f"SELECT {GOOD}, NULL::INT AS count, 2 AS total", "row 1: column 'count': expected a"),
        (
            "SELECT 'A' AS head, NULL::VARCHAR AS body, 1 AS count, 2 AS total",
            "kb.parquet: row 1: column 'body': the cell is empty",
        ),
        (f"SELECT {GOOD}, 3 AS count, 2 AS total", "row 1: the count 3 is above its total 2"),
        (f"SELECT {GOOD}, 1.5 AS count, 2 AS total", "expected a whole number, found '1.5'"),
        (f"SELECT {GOOD}, 'nan'::DOUBLE AS lower, 1 AS upper", "column 'lower': the cell is empty"),
    ],
)
def test_each_mistake_has_its_row_and_its_words(tmp_path: Path, select: str, expected: str) -> None:
    (mistake,) = mistakes(parquet(tmp_path, select))
    assert expected in mistake


def test_reporting_stops_after_twenty_mistakes(tmp_path: Path) -> None:
    data = parquet(tmp_path, f"SELECT {GOOD}, 3 AS count, 2 AS total FROM range(50)")
    assert len(mistakes(data)) == 20


@pytest.mark.parametrize("keep", [0, 3, 5, 200, -1, -20])
def test_damaged_files_are_said_to_be_so(keep: int) -> None:
    data = write(KB.of(conditional(A, given=B, exactly=1)))[:keep]
    (mistake,) = mistakes(data)
    assert mistake.startswith("kb.parquet: this is not a Parquet file, or it is damaged")
    assert "/tmp" not in mistake


def test_more_than_a_table_holds_and_too_large_counts_are_refused() -> None:
    with pytest.raises(WriteError, match="--lossy"):
        write(KB.of(Role("r") <= Role("s")))
    with pytest.raises(WriteError, match=r"is above 9223372036854775807: write \.csv"):
        write(KB.of(conditional(A, given=B, count=(1, 2**63))))


def test_text_that_starts_with_the_magic_word_is_still_text() -> None:
    assert recognise(Source("-", b"PAR1 SubClassOf B")).name == "sel"


def test_a_terminal_shows_no_parquet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(BoxselError, match="give a file with -o"):
        Target.of(Output(None, "parquet"), default=None, as_json=False)
    assert Target.of(Output("kb.parquet", None), default=None, as_json=False).format.binary


def test_a_pipe_gets_the_bytes(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    kb = KB.of(conditional(A, given=B, exactly="1/3"))
    Target.of(Output(None, "parquet"), default=None, as_json=False).write(kb)
    assert read_bytes(capfdbinary.readouterr().out) == kb


def test_no_room_for_temporary_files_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    data = write(KB.of(conditional(A, given=B, count=(1, 2))))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BoxselError, match=r"(?s)No space left on device.*TMPDIR"):
        read_bytes(data)
    monkeypatch.setattr(database, "quoted", lambda _: "'/nowhere/t.parquet'")
    with pytest.raises(BoxselError, match="DuckDB stopped: "):
        write(KB.of(conditional(A, given=B, count=(1, 2))))
