"""Spark runs the statements that DuckDB runs, and counts the same."""

from __future__ import annotations

import shutil
import signal
import sys
from pathlib import Path

import pytest

from boxsel.build.graphs import counting
from boxsel.build.graphs.choice import Chosen
from boxsel.build.graphs.counting import count_graph
from boxsel.build.graphs.engine import DuckDBEngine, Engine
from boxsel.build.graphs.spark_engine import SparkEngine
from boxsel.errors import BoxselError
from tests.build.graphs.reference import Graph, assert_same, load_graph, reference_counts
from tests.build.graphs.test_engines import EngineContract

BEFORE = signal.getsignal(signal.SIGINT)
"""Who gets interrupts; nobody, if the tests run in the background."""


class TestSpark(EngineContract):
    @pytest.fixture
    def engine(self, spark: SparkEngine) -> Engine:
        return spark


def graph() -> tuple[Graph, Chosen]:
    """Over two words: repeated rows, untyped ends, loops, and a class with odd letters."""
    names = [f"C{k}" for k in range(69)] + ["it's"]
    types = [(f"e{k % 40}", names[k * 7 % 70]) for k in range(120)]
    taxonomy = [(names[k], names[k // 2]) for k in range(1, 70)]
    facts = [(f"e{k * k % 50}", ("r", "it's")[k % 2], f"e{k * 3 % 50}") for k in range(150)]
    chosen = Chosen(tuple(names), ("r", "it's", "none"), (0, 3, 65, 69), everything=True)
    return Graph(tuple(types + types[:9]), tuple(taxonomy), tuple(facts + facts[:9])), chosen


def test_spark_counts_what_duckdb_counts(spark: SparkEngine) -> None:
    rows, chosen = graph()
    above = rows.above(chosen.concepts)
    superclasses = {name: rows.superclasses(name) for name in above}
    found = []
    for engine in (spark, duck := DuckDBEngine()):
        load_graph(engine, rows)
        counts = count_graph(engine, chosen, above, chunk=7)
        assert_same(counts, reference_counts(rows, chosen))
        found.append(
            (
                counts.patterns,
                counting.instances(engine, superclasses),
                counting.facts_by_role(engine, subjects=["C1", "it's"], objects=["C2", "C3"]),
                counting.classes_at_ends(engine, ["it's"]),
            )
        )
    duck.close()
    assert found[0] == found[1]


def test_what_an_interrupted_run_left_is_made_again(spark: SparkEngine) -> None:
    left = spark.folder / "half"
    left.mkdir()
    (left / "part-0.parquet").write_bytes(b"half")
    spark.materialize("half", "SELECT 1 AS n")
    assert spark.rows("SELECT n FROM half") == [(1,)]


def test_settings_of_the_user_stay(spark: SparkEngine) -> None:
    assert spark.session.conf.get("spark.sql.shuffle.partitions") == "2"


def test_spark_leaves_interrupts_to_the_command_line(spark: SparkEngine) -> None:
    assert signal.getsignal(signal.SIGINT) is BEFORE


def test_without_java_the_message_says_what_to_install(
    spark: SparkEngine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(BoxselError, match="install Java"):
        SparkEngine("local[2]", tmp_path)


def test_without_spark_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(BoxselError, match=r"pip install 'boxsel\[spark\]'"):
        SparkEngine("local[2]", tmp_path)
