from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from boxsel.build.graphs.engine import DuckDBEngine, Engine, database_share
from boxsel.errors import BoxselError

ODD = ["it's", 'a "quoted" one', "back\\slash\\n", "", "ünï 東", "-- no comment; SELECT", "${x} %s"]


class EngineContract:
    """What every engine does; a test class names one as its fixture `engine`."""

    def test_rows_are_tuples(self, engine: Engine) -> None:
        assert engine.rows("SELECT 1, 'a', CAST(NULL AS STRING)") == [(1, "a", None)]

    def test_values_are_loaded_as_they_are(self, engine: Engine) -> None:
        numbers = [0, -1, 2**63 - 1, 7, 8, 9, 10]
        engine.load("loaded", {"name": "VARCHAR", "number": "BIGINT"}, [ODD, numbers])
        rows = engine.rows("SELECT name, number FROM loaded")
        assert sorted(rows, key=str) == sorted(zip(ODD, numbers, strict=True), key=str)

    def test_loading_again_replaces(self, engine: Engine) -> None:
        engine.load("again", {"name": "VARCHAR"}, [["a", "b"]])
        engine.load("again", {"number": "BIGINT"}, [[]])
        assert engine.rows("SELECT number FROM again") == []

    def test_a_table_is_made_once(self, engine: Engine) -> None:
        engine.load("source", {"n": "BIGINT"}, [[1, 2]])
        engine.materialize("made", "SELECT n, n + 1 AS m FROM source")
        engine.load("source", {"n": "BIGINT"}, [[7]])
        engine.materialize("made", "SELECT n, n + 1 AS m FROM source")
        assert sorted(engine.rows("SELECT * FROM made")) == [(1, 2), (2, 3)]

    def test_parquet_goes_out_and_in(self, engine: Engine, tmp_path: Path) -> None:
        folder = tmp_path / "it's rows"
        engine.load("out", {"name": "VARCHAR"}, [ODD])
        engine.write_parquet("SELECT name AS class FROM out", folder)
        engine.view_parquet("back", str(folder))
        assert sorted(str(name) for (name,) in engine.rows("SELECT class FROM back")) == sorted(ODD)

    @pytest.mark.parametrize("chunk", [1, 4, 1000])
    def test_integers_come_in_chunks(self, engine: Engine, chunk: int) -> None:
        engine.load("numbers", {"n": "BIGINT"}, [range(10)])
        parts = list(engine.integers("SELECT n, -n AS m FROM numbers", chunk))
        assert max(len(part) for part in parts) == min(chunk, 10)
        together = np.concatenate(parts)
        assert together.dtype == np.int64
        assert sorted(together.tolist()) == [[n, -n] for n in range(10)]

    def test_integers_of_a_made_table_leave_it_there(self, engine: Engine) -> None:
        engine.materialize("kept", "SELECT CAST(5 AS BIGINT) AS n")
        for _ in range(2):
            assert [part.tolist() for part in engine.integers("SELECT * FROM kept", 9)] == [[[5]]]

    def test_no_integers_are_no_chunks(self, engine: Engine) -> None:
        engine.load("numbers", {"n": "BIGINT"}, [[]])
        assert list(engine.integers("SELECT n FROM numbers", 5)) == []

    @pytest.mark.parametrize("sql", ["SELECT nothing FROM nowhere", "SELEKT 1"])
    def test_errors_are_one_message(self, engine: Engine, sql: str) -> None:
        for run in (engine.execute, engine.rows, lambda text: engine.materialize("no", text)):
            with pytest.raises(BoxselError, match="stopped: ") as told:
                run(sql)
            assert "\n" not in str(told.value)

    def test_a_missing_file_is_named(self, engine: Engine, tmp_path: Path) -> None:
        with pytest.raises(BoxselError, match=r"absent\.parquet"):
            engine.view_parquet("absent", str(tmp_path / "absent.parquet"))


class TestDuckDB(EngineContract):
    @pytest.fixture
    def engine(self, tmp_path: Path) -> Iterator[Engine]:
        engine = DuckDBEngine(tmp_path)
        yield engine
        engine.close()


def test_integers_are_complete_over_many_blocks() -> None:
    engine = DuckDBEngine(threads=2)
    query = "SELECT range AS n, range % 7 AS m FROM range(700001)"
    sums = sum(part.sum(axis=0) for part in engine.integers(query, 50_000))
    assert np.asarray(sums).tolist() == [700001 * 700000 // 2, sum(n % 7 for n in range(700001))]
    engine.close()


def test_a_folder_of_its_own_is_gone_at_the_end_and_the_users_stays(tmp_path: Path) -> None:
    own = DuckDBEngine()
    own.close()
    assert not own.folder.exists()
    first = DuckDBEngine(tmp_path)
    first.materialize("kept", "SELECT 42 AS n")
    first.close()
    second = DuckDBEngine(tmp_path)
    assert second.rows("SELECT n FROM kept") == [(42,)]
    second.close()


def test_a_limit_that_is_too_small_says_so() -> None:
    engine = DuckDBEngine(memory=200_000_000)
    with pytest.raises(BoxselError, match=r"memory limit is too small[^\n]*\n  help: .*--memory"):
        engine.rows("SELECT len(list(range)) FROM range(100000000)")
    engine.close()


def test_a_full_disk_says_so() -> None:
    engine = DuckDBEngine(memory=200_000_000)
    engine.execute("SET max_temp_directory_size = '1MB'")
    with pytest.raises(BoxselError, match=r"disk is full[^\n]*\n  help: .*--work"):
        engine.materialize("large", "SELECT hash(range) AS h FROM range(50000000) ORDER BY h")
    assert engine.rows("SELECT count(*) FROM duckdb_tables() WHERE table_name = 'large'") == [(0,)]
    engine.close()


@pytest.mark.parametrize("memory", [0, 300_000_000, 8_000_000_000, 10**12])
def test_duckdb_gets_a_part_of_the_memory(memory: int) -> None:
    share = database_share(memory)
    assert share > 0
    assert memory < 500_000_000 or share < memory
    duckdb.connect(config={"memory_limit": f"{share}B"}).close()


INTERRUPTED = """
import signal
from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.cli.exits import Interrupted

def interrupt(*_):
    raise Interrupted

signal.signal(signal.SIGINT, interrupt)
engine = DuckDBEngine(threads=2)
print(engine.folder, flush=True)
try:
    engine.materialize("endless", "SELECT count(*) FROM range(9000000) AS a, range(9000000) AS b")
except Interrupted:
    print("interrupted", engine.rows("SELECT count(*) FROM duckdb_tables()"))
finally:
    engine.close()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals between processes")
def test_an_interrupt_ends_a_long_query_at_once() -> None:
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    folder = child.stdout.readline().strip()
    time.sleep(0.5)
    os.kill(child.pid, signal.SIGINT)
    start = time.monotonic()
    output, _ = child.communicate(timeout=20)
    assert time.monotonic() - start < 5
    assert output == "interrupted [(0,)]\n"
    assert not Path(folder).exists()
