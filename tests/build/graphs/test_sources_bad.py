"""Input that is no graph, or a broken one: one clear error, or rows that are counted and shown."""

from __future__ import annotations

import bz2
import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.build.built import Rejects
from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.errors import BoxselError, InvalidStatementError, ReadError
from tests.build.graphs.graph_files import staged, write_parquet
from tests.depth import cases

NAMES = ("g.tsv", "g.csv", "g.nt", "g.nq", "g.ttl", "g.trig", "g.rdf", "g.parquet", "g.duckdb", "g")
RAW = ("Exception", "Traceback", "Error:", "read_csv", "LINE 1", "SELECT", "source_0")
"""What only the inside of a database would say."""


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine()
    yield engine
    engine.close()


def fails(engine: DuckDBEngine, folder: Path, **given: object) -> str:
    """What is said about input that cannot be read at all."""
    with pytest.raises(BoxselError) as caught:
        staged(engine, folder, **given)  # type: ignore[arg-type]
    said = str(caught.value)
    assert not any(word in said for word in RAW), said
    return said


def written(folder: Path, name: str, content: bytes | str) -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def rejected(
    engine: DuckDBEngine, folder: Path, path: str, **given: object
) -> dict[str, tuple[int, tuple[str, ...]]]:
    """Reasons with counts and examples, without the folder."""
    rejects = Rejects()
    staged(engine, folder, rejects, **{"graph": (path,), **given})
    short = f"{folder}{os.sep}"
    return {
        rejection.reason: (
            rejection.count,
            tuple(example.replace(short, "") for example in rejection.examples),
        )
        for rejection in rejects.listed()
    }


@pytest.mark.parametrize("name", NAMES)
def test_files_that_are_missing_empty_or_rubbish(
    engine: DuckDBEngine, tmp_path: Path, name: str
) -> None:
    path = str(tmp_path / name)
    assert fails(engine, tmp_path, graph=(path,)) == f"{path}: there is no such file"
    for content in (b"", bytes(range(256)) * 20, b"\xff\xfea\0\t\0b\0", b"\n\n\n", b"\x1f\x8b"):
        assert path in fails(engine, tmp_path, graph=(written(tmp_path, name, content),))


@settings(max_examples=cases(40))
@given(name=st.sampled_from(NAMES), content=st.binary(min_size=1, max_size=60))
def test_random_bytes_never_crash(
    engine: DuckDBEngine, tmp_path_factory: pytest.TempPathFactory, name: str, content: bytes
) -> None:
    folder = tmp_path_factory.mktemp("rubbish")
    try:
        staged(engine, folder, graph=(written(folder, name, content),))
    except BoxselError as error:
        assert not any(word in str(error) for word in RAW)


@pytest.mark.parametrize("name", ["g.tsv.gz", "g.nt.gz", "g.ttl.gz", "g.tsv.bz2", "g.nt.bz2"])
def test_compressed_files_that_are_cut_short(
    engine: DuckDBEngine, tmp_path: Path, name: str
) -> None:
    line = (
        "a{0}\tknows\tb{0}\n" if "tsv" in name else "<http://e/a{0}> <http://e/p> <http://e/b> .\n"
    )
    text = "".join(line.format(n * n) for n in range(60_000)).encode()
    packed = (gzip.compress if name.endswith("gz") else bz2.compress)(text)
    said = fails(engine, tmp_path, graph=(written(tmp_path, name, packed[: len(packed) * 2 // 3]),))
    assert "cut short" in said


def test_what_is_no_file(engine: DuckDBEngine, tmp_path: Path) -> None:
    assert "no file was given" in fails(engine, tmp_path)
    assert "this is a directory" in fails(engine, tmp_path, graph=(str(tmp_path),))
    assert "--engine spark" in fails(engine, tmp_path, graph=("s3://bucket/graph.parquet",))
    path = written(tmp_path, "g.tsv", "a\tb\tc\n")
    assert "given twice" in fails(engine, tmp_path, graph=(path, path))
    other = str(tmp_path / "." / "x" / ".." / "g.tsv")
    (tmp_path / "x").mkdir()
    assert "given twice, also as" in fails(engine, tmp_path, facts=(path, other))
    assert "only a DuckDB database" in fails(engine, tmp_path, graph=(path + ":triples",))
    zstd = written(tmp_path, "g.tsv.zst", b"\x28\xb5\x2f\xfd rest")
    assert "zstd" in fails(engine, tmp_path, graph=(zstd,))


def test_broken_rows_are_counted_with_their_reason_and_place(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    content = b'a\tknows\tb\nx\ty\n\na\tb\tc\td\n\xff\xfe\tb\tc\n"q\tb\tc\ne\tf\t\nx\nend\tb\tc'
    expected = {
        "there are too few columns": (2, ("{}:2: x\ty", "{}:8: x")),
        "there are too many columns": (1, ("{}:4: a\tb\tc\td",)),
        "the line is not valid UTF-8": (1, ("{}:5: ??\tb\tc",)),
        "a value is missing": (1, ("{}:7: e\tf\t",)),
    }
    for name, packed in (
        ("g.tsv", content),
        ("g.tsv.gz", gzip.compress(content)),
        ("g.tsv.bz2", bz2.compress(content)),
    ):
        found = rejected(engine, tmp_path, written(tmp_path, name, packed))
        assert found == {
            reason: (count, tuple(example.format(name) for example in examples))
            for reason, (count, examples) in expected.items()
        }


def test_broken_lines_are_found_in_long_files_and_only_the_first_are_shown(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    for name, good, reason in (
        ("g.tsv", "a{0}\tknows\tb{0}", "there are too few columns"),
        ("g.nt", "<http://e/a{0}> <http://e/p> <http://e/b> .", "the line is not a triple"),
    ):
        lines = [good.format(n * n) for n in range(300_000)]
        broken = [7, 100_000, 200_000, 250_000, 299_999]
        for n in broken:
            lines[n] = f"broken {n}"
        found = rejected(engine, tmp_path, written(tmp_path, name, "\n".join(lines)))
        assert found == {reason: (5, tuple(f"{name}:{n + 1}: broken {n}" for n in broken[:3]))}


def test_broken_triples_are_counted_with_their_reason_and_place(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    good = "<http://e/a> <http://e/b> <http://e/c> ."
    content = (
        (
            f'{good}\nbroken line\n<http://e/a> <http://e/b> "open\n{good} {good}\n'
            f'<http://e/a> "p" <http://e/c> .\n'
        ).encode()
        + b"<http://e/\xff> <http://e/b> <http://e/c> .\n"
        + good.encode()
    )
    found = rejected(engine, tmp_path, written(tmp_path, "g.nt", content))
    assert found == {
        "the line is not a triple": (
            4,
            (
                "g.nt:2: broken line",
                'g.nt:3: <http://e/a> <http://e/b> "open',
                f"g.nt:4: {good} {good}",
            ),
        ),
        "the line is not valid UTF-8": (1, ("g.nt:6: <http://e/?> <http://e/b> <http://e/c> .",)),
    }


def test_a_triple_does_not_go_on_in_the_next_line(engine: DuckDBEngine, tmp_path: Path) -> None:
    good = "<http://e/a> <http://e/b> <http://e/c> ."
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    path = written(tmp_path, "g.nt", f'{good}\n<http://e/a> <{label}> "open\nclosed"@en .\n')
    assert rejected(engine, tmp_path, path)["the line is not a triple"][0] == 2
    assert engine.rows("SELECT * FROM labels") == []


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("g.tsv", "a\tb\tc\nx\ty\n", "g.tsv:2: there are too few columns: x\ty"),
        ("g.tsv", "a\tb\tc\n\nx\t\tz\n", "g.tsv:3: a value is missing: x\t\tz"),
        ("g.csv", 'a,b,c\na,"b\nB",\n', "g.csv:2: a value is missing: a,b\ufffdB,"),
        ("g.nt", "<http://a> <http://b> <http://c> .\nx\n", "g.nt:2: the line is not a triple: x"),
    ],
)
def test_strict_stops_at_the_first_broken_row(
    engine: DuckDBEngine, tmp_path: Path, name: str, content: str, place: str
) -> None:
    with pytest.raises(ReadError) as caught:
        staged(engine, tmp_path, Rejects(strict=True), graph=(written(tmp_path, name, content),))
    assert str(caught.value).splitlines()[0] == f"{tmp_path}{os.sep}{place}"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (
            "g.ttl",
            "@prefix e: <http://e/> .\ne:a e:b e:c .\ne:a no:b e:c .\n",
            "g.ttl:3: this is not valid Turtle: The prefix no: has not",
        ),
        ("g.trig", "<http://a> <http://b> .", "g.trig:1: this is not valid TriG"),
        (
            "g.rdf",
            "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description>",
            "g.rdf:1: this is not valid RDF/XML: no element found",
        ),
        ("g.rdf", "<a>\n<b></a>", "g.rdf:2: this is not valid RDF/XML"),
    ],
)
def test_broken_documents_are_one_error_with_a_place(
    engine: DuckDBEngine, tmp_path: Path, name: str, content: str, said: str
) -> None:
    assert said in fails(engine, tmp_path, graph=(written(tmp_path, name, content),))


def test_columns_that_are_not_there(engine: DuckDBEngine, tmp_path: Path) -> None:
    headed = written(tmp_path, "g.csv", "id,von,rel,nach\n1,a,knows,b\n")
    said = fails(engine, tmp_path, graph=(headed,), columns=("von", "relation", "nach"))
    assert "no column 'relation'" in said
    assert "'id', 'von', 'rel', 'nach'" in said
    said = fails(engine, tmp_path, graph=(headed,), columns=("1", "2", "9"))
    assert "there is no column 9: there are 4" in said
    assert "header" in fails(engine, tmp_path, graph=(headed,), columns=("x", "y", "z"))
    assert "expected three" in fails(engine, tmp_path, graph=(headed,), columns=("x", "y"))
    parquet = str(tmp_path / "g.parquet")
    write_parquet("SELECT 'a' AS von, 'p' AS rel, 'b' AS nach", parquet)
    said = fails(engine, tmp_path, graph=(parquet,), columns=("von", "x", "nach"))
    assert "no column 'x'" in said
    assert "'von', 'rel', 'nach'" in said
    two = written(tmp_path, "g.tsv", "a\tb\n")
    assert "2 columns, expected three" in fails(engine, tmp_path, graph=(two,))
    one = written(tmp_path, "g.tsv", "a\nb\n")
    assert "one column only" in fails(engine, tmp_path, types=(one,))


def test_rows_of_which_none_is_of_use(engine: DuckDBEngine, tmp_path: Path) -> None:
    wikidata = written(tmp_path, "types.tsv", "Q1\tP31\tQ2\nQ3\tP31\tQ2\nQ3\tP21\tQ4\n")
    said = fails(engine, tmp_path, types=(wikidata,))
    assert "of 3 rows none is of use as types" in said
    assert "most frequent predicates are P31, P21" in said
    numbers = written(tmp_path, "n.nt", '<http://a> <http://b> "5" .\n')
    assert "text and numbers" in fails(engine, tmp_path, graph=(numbers,))
    assert "none is of use" in fails(engine, tmp_path, graph=(written(tmp_path, "b.nt", "x\n"),))


def test_databases(engine: DuckDBEngine, tmp_path: Path) -> None:
    path = str(tmp_path / "graph.duckdb")
    with duckdb.connect(path) as database:
        database.execute(
            "CREATE TABLE one (a VARCHAR);"
            "CREATE TABLE bytes AS SELECT 'x'::BLOB AS s, 'p' AS p, 'o' AS o"
        )
    said = fails(engine, tmp_path, graph=(path,))
    assert "no table 'triples' or 'types'" in said
    assert "'bytes', 'one'" in said
    assert "no table 'facts' or 'triples'" in fails(engine, tmp_path, facts=(path,))
    assert "no table 'x'" in fails(engine, tmp_path, graph=(path + ":x",))
    assert "one column" in fails(engine, tmp_path, graph=(path + ":one",))
    assert "'s' holds BLOB" in fails(engine, tmp_path, graph=(path + ":bytes",))


def test_parquet(engine: DuckDBEngine, tmp_path: Path) -> None:
    path = tmp_path / "g.parquet"
    rows = "SELECT 'a' || i AS s, 'p' AS p, 'o' || i * i AS o FROM range(5000) AS t(i)"
    write_parquet(rows, path)
    whole = path.read_bytes()
    cut = written(tmp_path, "cut.parquet", whole[:-30])
    assert "cut short" in fails(engine, tmp_path, graph=(cut,))
    hurt = written(tmp_path, "hurt.parquet", whole[:100] + b"\xff" * 2000 + whole[2100:])
    with pytest.raises(BoxselError, match=r"hurt\.parquet"):  # at the latest when rows are used
        staged(engine, tmp_path, graph=(hurt,))
    write_parquet("SELECT 1.5 AS s, 'p' AS p, 'o' AS o", path)
    assert "'s' holds DECIMAL" in fails(engine, tmp_path, graph=(str(path),))
    write_parquet("SELECT '<a>' AS s, '<p>' AS p, '<o>' AS o", path)
    assert "in angle brackets: <p>" in fails(engine, tmp_path, graph=(str(path),))


def test_entities_that_are_numbers_here_and_text_there(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    types, facts = tmp_path / "types.parquet", tmp_path / "facts.parquet"
    write_parquet("SELECT 1 AS entity, 'C' AS class", types)
    write_parquet("SELECT '1' AS s, 'p' AS p, '2' AS o", facts)
    said = fails(engine, tmp_path, types=(str(types),), facts=(str(facts),))
    assert "'entity' of " + str(types) in said
    assert "'s' of " + str(facts) in said


def test_one_predicate_has_one_meaning(engine: DuckDBEngine, tmp_path: Path) -> None:
    path = written(tmp_path, "g.tsv", "a\tb\tc\n")
    with pytest.raises(InvalidStatementError, match="'P31' is given two meanings"):
        staged(engine, tmp_path, graph=(path,), type_predicates=("P31",), concept_from=("<P31>",))


def test_a_very_long_cell_is_no_crash(engine: DuckDBEngine, tmp_path: Path) -> None:
    long = "x" * 150_000
    path = written(tmp_path, "g.csv", f"a,rdf:type,{long}\n,,\na,rdf:type,C\n")
    assert rejected(engine, tmp_path, path) == {"a value is missing": (1, ("g.csv:2: ,,",))}


def test_quotes_are_closed_however_lines_end(engine: DuckDBEngine, tmp_path: Path) -> None:
    path = written(tmp_path, "g.csv", 'a,rdf:type,"C"\r\nb,rdf:type,"D"\nc,rdf:type,"D"\r\n')
    tables, found = staged(engine, tmp_path, graph=(path,))
    assert tables["types"] == [("a", "C"), ("b", "D"), ("c", "D")]
    assert not found.files[0].rejected
