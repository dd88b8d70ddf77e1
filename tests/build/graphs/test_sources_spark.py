"""Spark sees the same tables as DuckDB, by the same statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.running import Running
from boxsel.build.graphs.running import staged as tables_as_staged
from boxsel.build.graphs.selection import Lookup
from boxsel.build.graphs.spark_engine import SparkEngine
from boxsel.errors import ReadError
from tests.build.graphs.graph_files import staged, tables_of, write_parquet
from tests.build.graphs.test_staging import MIXED


def test_spark_gets_the_same_tables(spark: SparkEngine, tmp_path: Path) -> None:
    text, rows = tmp_path / "g.tsv", tmp_path / "f.parquet"
    text.write_text(MIXED)
    sql = """SELECT 'x' AS s, 'it''s' AS "the p", 'y' AS o"""
    write_parquet(f"{sql} UNION ALL SELECT 'x', NULL, 'z'", rows)
    given = {"graph": (str(text),), "facts": (str(rows),), "concept_from": ("it's",)}
    here = DuckDBEngine()
    try:
        expected = staged(here, tmp_path / "here", **given)  # type: ignore[arg-type]
    finally:
        here.close()
    assert staged(spark, tmp_path / "there", **given) == expected  # type: ignore[arg-type]


def test_labels_are_found_whatever_signs_they_hold(spark: SparkEngine, tmp_path: Path) -> None:
    path = tmp_path / "g.tsv"
    path.write_text("a\trdf:type\tC\nC\trdfs:label\tO'Neil\\\n")
    staged(spark, tmp_path, graph=(str(path),))
    assert Lookup(spark, {"C"}).find("o'neil\\", "class") == "C"


def test_a_folder_of_spark_is_of_no_use_to_duckdb(spark: SparkEngine, tmp_path: Path) -> None:
    path, running = tmp_path / "g.tsv", Running(work=tmp_path)
    path.write_text("a\trdf:type\tC\n")
    inputs, here = Inputs(graph=(str(path),)), DuckDBEngine()
    try:
        for engine in (spark, here):
            tables_as_staged(engine, inputs, running, tmp_path)
            assert tables_of(engine)["types"] == [("a", "C")]
    finally:
        here.close()


def test_parquet_that_spark_cannot_see(spark: SparkEngine, tmp_path: Path) -> None:
    with pytest.raises(ReadError, match=r"nowhere\.parquet: this cannot be read as Parquet"):
        staged(spark, tmp_path, graph=("nowhere.parquet",))
