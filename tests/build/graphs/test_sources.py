"""The same graph in every format gives the same tables."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.build.built import Rejects
from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.sources.relation import LANGUAGES, LITERALS
from boxsel.build.graphs.sources.splitting import ANONYMOUS
from tests.build.graphs.graph_files import (
    DOMAIN,
    LABEL,
    OWL_CLASS,
    PLAIN,
    RDF_TYPE,
    SUBCLASS,
    WITH_LITERALS,
    Row,
    obvious,
    staged,
)
from tests.conftest import DataFile
from tests.depth import cases

EX = "http://example.org/"
ROLES = [EX + "knows", EX + "likes", DOMAIN]

names = st.one_of(
    st.sampled_from(["a", "b", "c", "D", "E"]),
    st.text(st.sampled_from("aZ09é_-.,;'()#/%C3語"), min_size=1, max_size=6).map(
        lambda text: text.replace("%", "%25").replace("#", "")
    ),
).map(lambda local: EX + "x" + local)
texts = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")),
    min_size=1,
    max_size=12,
)
entities = st.builds(Row, names, st.sampled_from([*ROLES, RDF_TYPE, SUBCLASS]), names)
declarations = st.builds(Row, names, st.just(RDF_TYPE), st.just(OWL_CLASS))
literals = st.builds(
    Row, names, st.sampled_from([LABEL, ROLES[0]]), texts, st.sampled_from(["", "en", "de"])
)
plain_labels = st.builds(
    Row, names, st.just(LABEL), texts.filter(lambda text: text.strip() == text), st.just("")
)
anchor = Row(EX + "xa", EX + "knows", EX + "xb")  # a file without any row of use is an error


@pytest.fixture(scope="module")
def engine() -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine()
    yield engine
    engine.close()


@pytest.mark.parametrize("name", WITH_LITERALS)
@settings(max_examples=cases(10))
@given(rows=st.lists(st.one_of(entities, declarations, literals), max_size=12))
def test_every_format_gives_the_same_tables(
    name: str, rows: list[Row], engine: DuckDBEngine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    rows = [*rows, anchor]
    WITH_LITERALS[name](rows, folder / name)
    rejects = Rejects()
    tables, found = staged(engine, folder, rejects, graph=(str(folder / name),))
    shutil.rmtree(folder)
    assert tables == obvious(rows)
    assert rejects.total == 0
    assert found.rows == len(rows)
    assert found.tables == {table: len(listed) for table, listed in tables.items()}
    assert sum(found.tables.values()) + sum(found.unused.values()) == len(rows)
    assert found.unused.get(LITERALS, 0) == sum(
        row.tag is not None and row.predicate != LABEL for row in rows
    )
    assert found.unused.get(LANGUAGES, 0) == sum(
        row.tag == "de" and row.predicate == LABEL for row in rows
    )


@pytest.mark.parametrize("name", PLAIN)
@settings(max_examples=cases(10))
@given(rows=st.lists(st.one_of(entities, declarations, plain_labels), max_size=12))
def test_plain_columns_give_the_same_tables(
    name: str, rows: list[Row], engine: DuckDBEngine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("graph")
    rows = [*rows, anchor]
    PLAIN[name](rows, folder / name)
    tables, found = staged(
        engine, folder, graph=(str(folder / name),), concept_from=(EX + "likes",)
    )
    shutil.rmtree(folder)
    assert tables == obvious(rows, [EX + "likes"])
    assert found.rows == len(rows)


def text_graph(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8", newline="")
    return str(path)


def test_yago_is_the_same_from_both_of_its_formats(engine: DuckDBEngine, tmp_path: Path) -> None:
    turtle = text_graph(
        tmp_path,
        "yago.ttl",
        "@base <http://yago-knowledge.org/resource/> .\n"
        "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "#@ <id_1>\n<Al> rdf:type <wordnet_person_1> .\n"
        '<wordnet_person_1> rdfs:label "person"@eng .\n<wordnet_person_1> rdfs:label "x"@deu .\n'
        "<wordnet_person_1> rdfs:subClassOf <wordnet_being_2> .\n"
        '<Al> <knows> <B|b> .\n<Al> <hasHeight> "1.8"^^<m> .\n',
    )
    rows = text_graph(
        tmp_path,
        "yago.tsv",
        "<id_1>\t<Al>\trdf:type\t<wordnet_person_1>\t\n"
        '\t<wordnet_person_1>\trdfs:label\t"person"@eng\n'
        '\t<wordnet_person_1>\trdfs:label\t"x"@deu\t\n'
        "\t<wordnet_person_1>\trdfs:subClassOf\t<wordnet_being_2>\t\n"
        '\t<Al>\t<knows>\t<B|b>\t\n\t<Al>\t<hasHeight>\t"1.8"^^<m>\t1.8\n',
    )
    from_turtle, first = staged(engine, tmp_path, graph=(turtle,))
    from_rows, second = staged(engine, tmp_path, graph=(rows,))
    assert from_turtle == from_rows
    assert from_rows["types"] == [("Al", "wordnet_person_1")]
    assert from_rows["labels"] == [("wordnet_person_1", "person")]
    assert first.unused == second.unused == {LITERALS: 1, LANGUAGES: 1}


def test_blank_nodes_of_two_files_are_different(engine: DuckDBEngine, tmp_path: Path) -> None:
    line = f"_:b <{EX}knows> _:c .\n_:b <{RDF_TYPE}> _:c .\n"
    files = (text_graph(tmp_path, "one.nt", line), text_graph(tmp_path, "two.ttl", line))
    tables, found = staged(engine, tmp_path, graph=files)
    assert len({name for fact in tables["facts"] for name in fact}) == 5
    assert all(str(subject).startswith("_:") for subject, _, _ in tables["facts"])
    assert not tables["types"]  # a class must have a name
    assert found.unused == {ANONYMOUS: 2}


def test_lines_that_no_program_writes_are_read_all_the_same(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    text = (
        "# a comment\n\n"
        f"<{EX}a>\t<{EX}knows>   <{EX}b>.\n"
        f'<{EX}a> <{LABEL}> "A \\u00e9\\n\\"x\\" \\\\"@EN .  # said\n'
        f"<{EX}a|b> <{EX}knows> <{EX}b> .\n"
        f"<{EX}a> <{EX}knows> <{EX}c> <{EX}graph> .\n"
        f'<{EX}b> <{LABEL}> "B .\t<x> <y> ."@en-GB <{EX}graph> .\n'
    )
    rejects = Rejects()
    tables, _ = staged(engine, tmp_path, rejects, graph=(text_graph(tmp_path, "g.nq", text),))
    assert tables["facts"] == [
        (EX + "a", EX + "knows", EX + "b"),
        (EX + "a", EX + "knows", EX + "c"),
        (EX + "a|b", EX + "knows", EX + "b"),
    ]
    assert tables["labels"] == [(EX + "a", 'A é\n"x" \\'), (EX + "b", "B .\t<x> <y> .")]
    assert not rejects.total


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("last", [True, False])
def test_lines_may_end_in_any_way(
    engine: DuckDBEngine, tmp_path: Path, end: str, last: bool
) -> None:
    text = f"\ufeffa\tknows\tb{end}c\tknows\td\ne\tknows\tf{end if last else ''}"
    tables, _ = staged(engine, tmp_path, graph=(text_graph(tmp_path, "g.tsv", text),))
    assert [fact[::2] for fact in tables["facts"]] == [("a", "b"), ("c", "d"), ("e", "f")]


def test_quotes_are_data_between_tabs_and_quotes_between_commas(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    tabs = text_graph(tmp_path, "g.tsv", '"Weird Al"\tsang\t"Eat, It\nx\ty\tz\n')
    commas = text_graph(tmp_path, "g.csv", '"Weird Al",sang,"Eat, ""It"""\n')
    tables, _ = staged(engine, tmp_path, graph=(tabs, commas))
    assert tables["facts"] == [
        ('"Weird Al"', "sang", '"Eat, It'),
        ("Weird Al", "sang", 'Eat, "It"'),
        ("x", "y", "z"),
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (f"# nothing\n<{EX}a> <{EX}p> <{EX}b> .\n", "N-Triples"),
        (f"@prefix e: <{EX}> .\ne:a e:p e:b .\n", "Turtle"),
        (f"a\t{EX}p\tb\n".replace("a", EX + "a", 1).replace("\tb", f"\t{EX}b"), "rows"),
        (
            '<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
            f'xmlns:e="{EX}"><rdf:Description rdf:about="{EX}a"><e:p rdf:resource="{EX}b"/>'
            "</rdf:Description></rdf:RDF>",
            "RDF/XML",
        ),
    ],
)
def test_a_file_without_extension_is_known_by_its_contents(
    engine: DuckDBEngine, tmp_path: Path, text: str, kind: str
) -> None:
    tables, _ = staged(engine, tmp_path, graph=(text_graph(tmp_path, "graph", text),))
    assert tables["facts"] == [(EX + "a", EX + "p", EX + "b")], kind


def test_yago3_mini(engine: DuckDBEngine, tmp_path: Path, data: DataFile) -> None:
    folder = data("yago3-mini")
    names = ("yagoTypes", "yagoTaxonomy", "wordnetBackbone", "yagoFacts")
    files = [str(folder / f"{name}.tsv.gz") for name in names]
    rejects = Rejects()
    whole, found = staged(engine, tmp_path, rejects, graph=tuple(files))
    assert found.tables == {"types": 25_869, "taxonomy": 31_578 + 241, "facts": 56_112, "labels": 0}
    assert [file.rows for file in found.files] == [25_869, 31_578, 241, 56_112]
    assert len({role for _, role, _ in whole["facts"]}) == 36
    assert not found.unused
    assert not rejects.total
    apart, _ = staged(
        engine, tmp_path, types=(files[0],), taxonomy=tuple(files[1:3]), facts=(files[3],)
    )
    assert apart == whole


def test_codex_m(engine: DuckDBEngine, tmp_path: Path, data: DataFile) -> None:
    folder = data("codex-m")
    tables, found = staged(
        engine,
        tmp_path,
        types=(str(folder / "types.tsv.gz"),),
        facts=(str(folder / "facts.tsv.gz"),),
        labels=(str(folder / "labels.tsv.gz"),),
        concept_from=("P106",),
    )
    assert [file.rows for file in found.files] == [21_336, 206_205, 1_556]
    assert found.tables["types"] == 21_336 + 71_596
    assert found.tables["facts"] == 206_205 - 71_596
    assert ("Q5", "human") in tables["labels"]
    assert ("P106", "occupation") in tables["labels"]
