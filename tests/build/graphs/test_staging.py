"""The rows of all files in four tables, whatever engine holds them."""

from __future__ import annotations

import gzip
import io
import json
import os
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.build.built import Rejects
from boxsel.build.graphs.engine import TABLES, Column, DuckDBEngine, Engine, Words
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.sources.splitting import LOOPS, OTHER, SCHEMA
from boxsel.build.graphs.staging import reattach, stage
from tests.build.graphs.graph_files import staged, tables_of, write_parquet
from tests.depth import cases


class Other(Engine):
    """Another engine than DuckDB for whoever asks: Spark's dialect, handed on to a DuckDB."""

    name = "other"
    quotation = "`"

    def __init__(self) -> None:
        self.behind = DuckDBEngine()
        self.seen: list[str] = []

    def execute(self, sql: str) -> None:
        assert '"' not in sql
        self.behind.execute(sql.replace("`", '"').replace("TEMPORARY ", ""))

    def rows(self, sql: str) -> list[tuple[object, ...]]:
        assert '"' not in sql
        return self.behind.rows(sql.replace("`", '"'))

    def view(self, name: str, sql: str) -> None:
        self.execute(f"CREATE OR REPLACE TEMPORARY VIEW {name} AS {sql}")

    def view_parquet(self, name: str, path: str) -> None:
        self.seen.append(path)
        self.behind.view_parquet(name, path)

    def load(
        self, table: str, columns: Mapping[str, Column], values: Sequence[Sequence[object]]
    ) -> None:
        self.behind.load(table, columns, values)

    def materialize(self, table: str, sql: str) -> None:
        self.behind.materialize(table, sql)

    def write_parquet(self, sql: str, folder: Path) -> None:
        self.behind.write_parquet(sql, folder)

    def integers(self, sql: str, chunk: int) -> Iterator[Words]:
        return self.behind.integers(sql, chunk)

    def close(self) -> None:
        self.behind.close()


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine()
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def other() -> Iterator[Other]:
    engine = Other()
    yield engine
    engine.close()


def written(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text)
    return str(folder / name)


def parquet(folder: Path, name: str, sql: str) -> str:
    write_parquet(sql, folder / name)
    return str(folder / name)


MIXED = (
    "alice\trdf:type\tWoman\nWoman\trdfs:subClassOf\tPerson\nWoman\trdfs:subClassOf\tWoman\n"
    "Woman\trdf:type\towl:Class\nWoman\trdfs:label\ta woman\nknows\trdfs:domain\tPerson\n"
    "alice\tknows\tbob\nalice\tjob\tpilot\n"
)


def test_predicates_tell_the_rows_of_a_graph_apart(engine: DuckDBEngine, tmp_path: Path) -> None:
    tables, found = staged(
        engine, tmp_path, graph=(written(tmp_path, "g.tsv", MIXED),), concept_from=("job",)
    )
    assert tables == {
        "types": [("alice", "Woman"), ("alice", "pilot")],
        "taxonomy": [("Woman", "Person")],
        "facts": [("alice", "knows", "bob")],
        "labels": [("Woman", "a woman")],
    }
    assert found.unused == {LOOPS: 1, SCHEMA: 2}
    assert found.rows == 8
    assert json.loads(json.dumps(found.to_json()))["tables"] == found.tables
    assert "g.tsv: 8 (types 2, taxonomy 1, facts 1, labels 1)" in "\n".join(found.text)


@pytest.mark.parametrize("given_as", ["types", "taxonomy", "facts", "labels"])
def test_a_file_feeds_only_what_it_is_given_as(
    engine: DuckDBEngine, tmp_path: Path, given_as: str
) -> None:
    path = written(tmp_path, "g.tsv", MIXED)
    whole, _ = staged(engine, tmp_path, graph=(path,))
    tables, found = staged(engine, tmp_path, **{given_as: (path,)})  # type: ignore[arg-type]
    assert tables == {table: whole[table] if table == given_as else [] for table in TABLES}
    assert found.unused[OTHER] > 0
    assert found.rows == 8


@settings(max_examples=cases(15))
@given(
    types=st.lists(st.tuples(st.integers(0, 5), st.sampled_from("ABC")), min_size=1, max_size=8),
    facts=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(["p", "it's", "a\\b"]), st.integers(0, 5)),
        min_size=1,
        max_size=8,
    ),
    numbers=st.booleans(),
)
def test_every_engine_gets_the_same_tables(
    engine: DuckDBEngine,
    other: Other,
    tmp_path_factory: pytest.TempPathFactory,
    types: list[tuple[int, str]],
    facts: list[tuple[int, str, int]],
    numbers: bool,
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    entity = "BIGINT" if numbers else "VARCHAR"
    with duckdb.connect() as made:
        made.execute(f"CREATE TABLE t (entity {entity}, class VARCHAR)")
        made.executemany("INSERT INTO t VALUES (?, ?)", types)
        made.execute(f'CREATE TABLE f (von {entity}, "the role" VARCHAR, nach {entity})')
        made.executemany("INSERT INTO f VALUES (?, ?, ?)", facts)
        made.execute(f"COPY t TO '{folder}/t.parquet'")
        made.execute(f"COPY f TO '{folder}/f.parquet'")
    given = {
        "types": (f"{folder}/t.parquet",),
        "facts": (f"{folder}/f.parquet",),
        "taxonomy": (written(folder, "taxonomy.tsv", "A\tB\nB\tC\n"),),
        "labels": (written(folder, "labels.csv", 'id,kind,label\nA,class,"a, b"\n'),),
        "columns": ("von", "the role", "nach"),
        "concept_from": ("it's",),
    }
    here, found = staged(engine, folder / "here", **given)  # type: ignore[arg-type]
    there, reported = staged(other, folder / "there", **given)  # type: ignore[arg-type]
    assert here == there
    assert found == reported
    assert found.entities == ("integers" if numbers else "text")
    spell = (lambda n: n) if numbers else str
    assert here["types"] == sorted(
        [(spell(e), c) for e, c in types] + [(spell(s), str(o)) for s, r, o in facts if r == "it's"]
    )
    assert here["facts"] == sorted((spell(s), r, spell(o)) for s, r, o in facts if r != "it's")
    assert here["taxonomy"] == [("A", "B"), ("B", "C")]
    assert here["labels"] == [("A", "a, b")]


def test_another_engine_sees_parquet_where_it_is(other: Other, tmp_path: Path) -> None:
    folder = tmp_path / "facts.parquet"
    folder.mkdir()
    for n in range(2):
        parquet(folder, f"{n}.parquet", f"SELECT 'a{n}' AS s, 'p' AS p, 'b' AS o")
    other.seen.clear()
    tables, _ = staged(other, tmp_path, facts=(str(folder),))
    assert other.seen == [str(folder)]
    assert len(tables["facts"]) == 2


def test_parquet_is_not_copied(engine: DuckDBEngine, tmp_path: Path) -> None:
    path = parquet(tmp_path, "f[1]*.parquet", "SELECT 'a' AS s, 'p' AS p, 'b' AS o")
    staged(engine, tmp_path, facts=(path,))
    assert engine.rows("SELECT * FROM duckdb_tables()") == []
    assert engine.rows("SELECT * FROM facts") == [("a", "p", "b")]


def test_numbers_of_any_width_are_entities(engine: DuckDBEngine, tmp_path: Path) -> None:
    types = parquet(tmp_path, "t.parquet", "SELECT 7::BIGINT AS entity, 3::INTEGER AS class")
    facts = parquet(
        tmp_path, "f.parquet", "SELECT 7::INTEGER AS s, 1::TINYINT AS p, 8::INTEGER AS o"
    )
    tables, found = staged(engine, tmp_path, types=(types,), facts=(facts,), concept_from=("2",))
    assert tables["types"] == [(7, "3")]
    assert tables["facts"] == [(7, "1", 8)]
    assert found.entities == "integers"
    # An empty table has the same columns, so that joins are possible.
    tables, _ = staged(engine, tmp_path, facts=(facts,))
    kinds = engine.rows("DESCRIBE types")
    assert [kind for _, kind, *_ in kinds] == ["BIGINT", "VARCHAR"]


def test_a_database_gives_triples_or_tables(engine: DuckDBEngine, tmp_path: Path) -> None:
    path = str(tmp_path / "graph.duckdb")
    with duckdb.connect(path) as database:
        database.execute(
            "CREATE TABLE types AS SELECT 'a' AS entity, 'A' AS class, 'x' AS source;"
            "CREATE TABLE facts AS SELECT 'a' AS subject, 'p' AS role, 'b' AS object;"
            "CREATE VIEW more AS SELECT 'b' AS s, 'rdf:type' AS p, 'B' AS o;"
            "CREATE SCHEMA apart; CREATE TABLE apart.labels AS SELECT 'A' AS name, 'an A' AS label"
        )
    tables, _ = staged(engine, tmp_path, graph=(path,))
    assert tables == {
        "types": [("a", "A")],
        "taxonomy": [],
        "facts": [("a", "p", "b")],
        "labels": [("A", "an A")],
    }
    both, _ = staged(engine, tmp_path, graph=(path, path + ":more"))
    assert both["types"] == [("a", "A"), ("b", "B")]
    only, _ = staged(engine, tmp_path, types=(path,))
    assert only["types"] == [("a", "A")]
    assert not only["facts"]


def test_a_kept_database_goes_on_with_the_same_files(tmp_path: Path) -> None:
    path = str(tmp_path / "graph.duckdb")
    with duckdb.connect(path) as database:
        database.execute("CREATE TABLE facts AS SELECT 'a' AS s, 'p' AS p, 'b' AS o")
    (tmp_path / "kept").mkdir()
    inputs = Inputs(graph=(written(tmp_path, "g.tsv", MIXED),), facts=(path + ":facts",))
    engine = DuckDBEngine(tmp_path / "kept")
    stage(engine, inputs, Rejects(), tmp_path)
    expected = tables_of(engine)
    engine.close()
    engine = DuckDBEngine(tmp_path / "kept")
    reattach(engine, inputs)
    assert tables_of(engine) == expected
    engine.close()


def test_another_engine_gets_a_database_as_parquet(other: Other, tmp_path: Path) -> None:
    path = str(tmp_path / "graph.duckdb")
    with duckdb.connect(path) as database:
        database.execute("CREATE TABLE triples AS SELECT 1 AS s, 'p' AS p, 2 AS o")
    for _ in range(2):  # a second reading takes the place of the first
        tables, _ = staged(other, tmp_path, graph=(path,))
        assert tables["facts"] == [(1, "p", 2)]


def test_a_kept_database_forgets_what_it_read_before(tmp_path: Path) -> None:
    text = written(tmp_path, "g.tsv", "a\tp\tb\n")
    rows = parquet(tmp_path, "g.parquet", "SELECT 'c' AS s, 'p' AS p, 'd' AS o")
    for path, fact in ((text, ("a", "p", "b")), (rows, ("c", "p", "d")), (text, ("a", "p", "b"))):
        folder = tmp_path / "kept"
        folder.mkdir(exist_ok=True)
        engine = DuckDBEngine(folder)
        try:
            assert staged(engine, tmp_path, graph=(path,))[0]["facts"] == [fact]
        finally:
            engine.close()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_standard_input_and_pipes(
    engine: DuckDBEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\tp\tb\nx\n")))
    rejects = Rejects()
    tables, found = staged(engine, tmp_path, rejects, graph=("-",))
    assert tables["facts"] == [("a", "p", "b")]
    assert found.files[0].file == "<stdin>"
    assert rejects.listed()[0].examples == ("<stdin>:2: x",)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(gzip.compress(b"c\tp\td\n"),))
    writer.start()
    tables, _ = staged(engine, tmp_path, graph=(str(pipe),))
    writer.join()
    assert tables["facts"] == [("c", "p", "d")]


def test_columns_by_name_and_by_number(engine: DuckDBEngine, tmp_path: Path) -> None:
    headed = written(tmp_path, "g.csv", "id,nach,rel,von\n1,b,knows,a\n")
    plain = written(tmp_path, "g.tsv", "1\tb\tknows\ta\n")
    known = written(tmp_path, "k.csv", "tail;relation;head\nb;knows;a\n")
    by_name, _ = staged(engine, tmp_path, graph=(headed,), columns=("von", "rel", "nach"))
    by_number, _ = staged(engine, tmp_path, graph=(plain,), columns=("4", "3", "2"))
    by_heading, _ = staged(engine, tmp_path, graph=(known,))
    assert by_name == by_number == by_heading
    assert by_name["facts"] == [("a", "knows", "b")]


def test_predicates_may_be_asked_for_in_any_spelling(engine: DuckDBEngine, tmp_path: Path) -> None:
    full = "http://www.w3.org/2002/07/owl#sameAs"
    text = f"Q1\tP31\tQ5\nQ1\trdf:type\tX\nQ5\tP279\tQ6\na\t{full}\tb\n"
    tables, _ = staged(
        engine,
        tmp_path,
        graph=(written(tmp_path, "g.tsv", text),),
        type_predicates=("<P31>", "rdf:type"),
        subclass_predicates=("P279",),
        concept_from=("owl:sameAs",),
    )
    assert tables["types"] == [("Q1", "Q5"), ("Q1", "X"), ("a", "b")]
    assert tables["taxonomy"] == [("Q5", "Q6")]


def test_tables_of_pairs(engine: DuckDBEngine, tmp_path: Path) -> None:
    tables, _ = staged(
        engine,
        tmp_path,
        types=(written(tmp_path, "t.csv", "class,entity\nA,a\n"),),
        taxonomy=(
            written(tmp_path, "x.txt", "<A> <B>\n<B> <B>\n"),
            parquet(tmp_path, "x.parquet", "SELECT 'B' AS child, 'C' AS parent, 1.5 AS weight"),
        ),
        labels=(
            written(tmp_path, "l.tsv", "A\ttype\t<the> A\n"),
            written(tmp_path, "m.tsv", "B\trdfs:label\tthe B\nB\tcolour\tblue\n"),
        ),
    )
    assert tables == {
        "types": [("a", "A")],
        "taxonomy": [("A", "B"), ("B", "C")],
        "facts": [],
        "labels": [("A", "<the> A"), ("B", "the B")],
    }


def test_rows_that_lack_a_value_are_in_no_table(engine: DuckDBEngine, tmp_path: Path) -> None:
    values = "('a', 'p', 'b'), (NULL, 'p', 'b'), ('a', '', 'b'), ('a', 'rdf:type', NULL)"
    rows = parquet(tmp_path, "g.parquet", f"SELECT * FROM (VALUES {values}) AS t(s, p, o)")
    text = written(tmp_path, "g.tsv", "c\tp\td\n\tp\tb\na\t\tb\na\trdf:type\t\n")
    rejects = Rejects()
    tables, found = staged(engine, tmp_path, rejects, graph=(rows, text))
    assert tables["facts"] == [("a", "p", "b"), ("c", "p", "d")]
    assert tables["types"] == []
    assert [(file.rows, file.rejected) for file in found.files] == [(4, 3), (4, 3)]
    (missing,) = rejects.listed()
    assert (missing.reason, missing.count) == ("a value is missing", 6)
    assert missing.examples == (rows, f"{text}:2: \tp\tb", f"{text}:3: a\t\tb")


def test_repeated_rows_are_kept(engine: DuckDBEngine, tmp_path: Path) -> None:
    path = written(tmp_path, "g.tsv", "a\tp\tb\n" * 3)
    found = stage(engine, Inputs(facts=(path,)), Rejects(), tmp_path)
    assert found.tables["facts"] == len(tables_of(engine)["facts"]) == 3
