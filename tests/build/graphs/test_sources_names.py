"""The name of a file says nothing about what is in it: no patterns, no columns."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.spark_engine import SparkEngine
from tests.build.graphs.graph_files import staged, write_parquet

NAMES = ("t[1]", "*", "a?b{1,2}", "it's", 'a "b" ü', "class=Q", "c0=z", "a]b[")
TYPES = [("ann", "Cook")]


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine()
    yield engine
    engine.close()


def types_in(folder: Path, name: str, extension: str) -> str:
    """A file in a folder of a name, beside one that the name would mean as a pattern."""
    for place, class_ in ((folder / "t1", "Wrong"), (folder / name, "Cook")):
        place.mkdir(parents=True)
        path = place / f"{place.name}.{extension}"
        if extension == "parquet":
            write_parquet(
                f"SELECT 'ann' AS entity, '{class_}' AS class", str(path).replace("'", "''")
            )
        else:
            path.write_text(f"ann\t{class_}\n")
    return str(folder / name / f"{name}.{extension}")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("extension", ["tsv", "parquet"])
def test_a_name_is_one_file_with_the_columns_in_it(
    engine: DuckDBEngine, tmp_path: Path, name: str, extension: str
) -> None:
    path = types_in(tmp_path, name, extension)
    assert staged(engine, tmp_path, types=(path,))[0]["types"] == TYPES
    if extension == "parquet":
        folder = str(Path(path).parent)
        assert staged(engine, tmp_path, types=(folder,))[0]["types"] == TYPES


@pytest.mark.parametrize("name", ["t[1]", "a?b{1,2}", "class=Q"])
def test_spark_reads_the_file_that_is_named(spark: SparkEngine, tmp_path: Path, name: str) -> None:
    path = types_in(tmp_path, name, "parquet")
    assert staged(spark, tmp_path, types=(path,))[0]["types"] == TYPES
    text = types_in(tmp_path / "text", name, "tsv")
    work = tmp_path / "work[1]"
    assert staged(spark, work, types=(text,))[0]["types"] == TYPES


def test_folders_inside_a_folder_may_be_columns(engine: DuckDBEngine, tmp_path: Path) -> None:
    for role in ("knows", "likes"):
        folder = tmp_path / "class=Q" / "facts" / f"role={role}"
        folder.mkdir(parents=True)
        write_parquet("SELECT 'a' AS subject, 'b' AS object", folder / "rows.parquet")
    facts = str(tmp_path / "class=Q" / "facts")
    expected = [("a", "knows", "b"), ("a", "likes", "b")]
    assert staged(engine, tmp_path, facts=(facts,))[0]["facts"] == expected
