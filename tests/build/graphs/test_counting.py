from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.build.graphs import counting
from boxsel.build.graphs.choice import Chosen, Counts
from boxsel.build.graphs.counting import count_graph
from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.patterns import (
    add_triples,
    linked,
    mirrored,
    packed,
    pairs,
    totals,
    unpacked,
)
from boxsel.build.graphs.sql import words_for
from boxsel.errors import BoxselError
from boxsel.machine.progress import watched_by
from tests.build.graphs.reference import Graph, assert_same, load_graph, reference_counts
from tests.conftest import DataFile
from tests.depth import cases

ENTITIES = [f"e{k}" for k in range(9)]
ROLES = ["r", "s", "it's"]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[Graph, Chosen]:
    """A small graph and a choice of concepts, over one word, two or three."""
    size = draw(st.sampled_from([1, 5, 64, 130]))
    # The places where words begin and end, and some in between.
    places = sorted({k for k in (0, 1, 2, 3, 61, 62, 63, 64, 125, 126, 127, 129) if k < size})
    classes = st.sampled_from([f"C{k}" for k in places] + ["other", "other'"])
    entities, roles = st.sampled_from(ENTITIES), st.sampled_from(ROLES)
    graph = Graph(
        tuple(draw(st.lists(st.tuples(entities, classes), max_size=25))),
        tuple(draw(st.lists(st.tuples(classes, classes), max_size=8))),
        tuple(draw(st.lists(st.tuples(entities, roles, entities), max_size=25))),
    )
    concepts = tuple(f"C{k}" for k in range(size))
    chosen = Chosen(
        concepts,
        tuple(draw(st.lists(st.sampled_from([*ROLES, "none"]), unique=True))),
        tuple(draw(st.lists(st.sampled_from(places), unique=True, max_size=5))),
        draw(st.booleans()),
    )
    return graph, chosen


def counted(graph: Graph, chosen: Chosen, chunk: int | None = None) -> Counts:
    engine = DuckDBEngine(threads=1)
    try:
        load_graph(engine, graph)
        return count_graph(engine, chosen, graph.above(chosen.concepts), chunk=chunk)
    finally:
        engine.close()


@settings(max_examples=cases(50))
@given(graphs(), st.sampled_from([None, 1, 2, 3, 7]))
def test_counts_are_those_of_the_slow_algorithm(
    case: tuple[Graph, Chosen], chunk: int | None
) -> None:
    graph, chosen = case
    assert_same(counted(graph, chosen, chunk), reference_counts(graph, chosen))


@settings(max_examples=cases(25))
@given(graphs())
def test_tallies_are_those_of_sets(case: tuple[Graph, Chosen]) -> None:
    graph, _ = case
    names = {c for _, c in graph.types} | {c for row in graph.taxonomy for c in row}
    above = {name: graph.superclasses(name) for name in names}
    expected = {name: len(found) for name, found in graph.instances().items()}
    engine = DuckDBEngine(threads=1)
    try:
        load_graph(engine, graph)
        instances = counting.instances(engine, above)
        assert {name: n for name, n in instances.items() if n} == expected
        assert set(instances) == names
        assert counting.entities(engine) == len(graph.entities())
        assert counting.facts_by_role(engine) == Counter(r for _, r, _ in graph.facts)
        given_classes = {"C0", "C2", "other'"}
        having = {e for e, c in graph.types if c in given_classes}
        assert counting.facts_by_role(engine, subjects=given_classes) == Counter(
            r for s, r, _ in graph.facts if s in having
        )
        assert counting.facts_by_role(engine, objects=given_classes, subjects=names) == Counter(
            r for s, r, o in graph.facts if o in having and s in {e for e, _ in graph.types}
        )
        ends = {end for s, r, o in graph.facts if r in ("r", "it's") for end in (s, o)}
        assert counting.classes_at_ends(engine, ["r", "it's"]) == {
            c for e, c in graph.types if e in ends
        }
    finally:
        engine.close()


def test_a_class_without_superclasses_counts_for_itself() -> None:
    engine = DuckDBEngine()
    load_graph(engine, Graph(types=(("a", "Cat"), ("a", "Cat"), ("b", "Cat"))))
    assert counting.instances(engine, {}) == {"Cat": 2}
    engine.close()


def test_many_classes_are_counted_in_several_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "WORDS", 1)
    types = tuple((f"e{k % 50}", f"C{k}") for k in range(200))
    taxonomy = tuple((f"C{k}", f"C{k // 2}") for k in range(1, 200))
    graph = Graph(types, taxonomy)
    engine = DuckDBEngine()
    load_graph(engine, graph)
    above = {f"C{k}": graph.superclasses(f"C{k}") for k in range(200)}
    expected = {name: len(found) for name, found in graph.instances().items()}
    assert counting.instances(engine, above) == expected
    engine.close()


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.just(n), st.sets(st.integers(0, n - 1)))))
def test_unpacking_undoes_packing(case: tuple[int, set[int]]) -> None:
    concepts, places = case
    row = packed(places, words_for(concepts))
    assert all(0 <= word < 1 << 63 for word in row)
    ones = unpacked(np.array([row], np.int64), concepts)
    assert set(np.flatnonzero(ones[0]).tolist()) == places


counts_of_rows = st.lists(
    st.sampled_from([1, 2, 1 << 24, (1 << 24) + 1, 1 << 52, (1 << 53) + 1]), min_size=1, max_size=6
)


@given(counts_of_rows, st.integers(0, 1 << 18))
def test_products_are_exact_for_large_counts(counts: list[int], bits: int) -> None:
    rows = np.array([[bits >> (3 * k + j) & 1 for j in range(3)] for k in range(len(counts))])
    weights = np.array(counts, np.int64)
    ones = rows.astype(np.uint8)
    expected = np.einsum("n,na,nb->ab", weights, rows, rows)
    assert (pairs(ones, weights, ones) == expected).all()

    triples = np.zeros((3, 3, 3), np.int64)
    add_triples(triples, ones, weights)
    assert (mirrored(triples) == np.einsum("n,na,nb,nc->abc", weights, rows, rows, rows)).all()

    words = rows @ np.array([1, 2, 4])
    table = np.stack([words, words[::-1], weights], axis=1)
    assert (totals(table[:, [0, 2]], 3) == weights @ rows).all()
    everyone = np.ones((len(rows), 1), np.int64)
    own, reached = np.hstack([rows, everyone]), np.hstack([rows[::-1], everyone])
    assert (linked(table, 3) == np.einsum("n,na,nb->ab", weights, reached, own)).all()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine(tmp_path)
    yield engine
    engine.close()


SMALL = Graph(
    types=(("a", "A"), ("b", "B"), ("c", "A"), ("c", "B")),
    facts=(("a", "r", "b"), ("x", "r", "c"), ("b", "s", "b")),
)


def test_an_interrupted_run_goes_on_where_it_was(engine: DuckDBEngine) -> None:
    load_graph(engine, SMALL)
    chosen = Chosen(("A", "B"), ("r", "s"))
    above = SMALL.above(chosen.concepts)

    class StoppedError(Exception):
        pass

    def stop_after_two(items: Iterator[object], task: str, total: int) -> Iterator[object]:
        for number, item in enumerate(items):
            if number == 2:
                raise StoppedError
            yield item

    with watched_by(stop_after_two), pytest.raises(StoppedError):  # type: ignore[arg-type]
        count_graph(engine, chosen, above)
    engine.execute("DELETE FROM types")  # what has been counted is not counted again
    assert_same(count_graph(engine, chosen, above), reference_counts(SMALL, chosen))


def test_another_choice_in_the_same_folder_is_counted_afresh(engine: DuckDBEngine) -> None:
    load_graph(engine, SMALL)
    for chosen in (
        Chosen(("A", "B"), ("r", "s"), (0,)),
        Chosen(("B", "A"), ("s",), (0, 1)),
        Chosen(("B",), ("s", "r")),
        Chosen((), ("r",), everything=True),
        Chosen(("A",)),
    ):
        counts = count_graph(engine, chosen, SMALL.above(chosen.concepts))
        assert_same(counts, reference_counts(SMALL, chosen))


def test_entities_may_be_integers(engine: DuckDBEngine) -> None:
    engine.load("types", {"entity": "BIGINT", "class": "VARCHAR"}, [[1, 2], ["A", "B"]])
    columns = {"subject": "BIGINT", "role": "VARCHAR", "object": "BIGINT"}
    engine.load("facts", columns, [[1, 3], ["r", "r"], [2, 2]])  # type: ignore[arg-type]
    counts = count_graph(engine, Chosen(("A", "B"), ("r",)), {"A": [0], "B": [1]})
    assert counts.reached.tolist() == [[0, 2]]
    assert counts.linked.tolist() == [[[0, 0], [1, 0]]]


def test_more_counts_than_fit_are_refused_before_any_work(engine: DuckDBEngine) -> None:
    chosen = Chosen(tuple(f"C{k}" for k in range(20_000)))
    with pytest.raises(BoxselError, match="choose fewer"):
        count_graph(engine, chosen, {})


def test_patterns_are_told(engine: DuckDBEngine) -> None:
    load_graph(engine, SMALL)
    chosen = Chosen(("A", "B"), ("r", "none"))
    assert count_graph(engine, chosen, SMALL.above(chosen.concepts)).patterns == (3, 2, 0)


def rows_of(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def most_frequent(graph: Graph, concepts: int, roles: int) -> Chosen:
    sizes = Counter({name: len(found) for name, found in graph.instances().items()})
    names = tuple(name for name, _ in sizes.most_common(concepts))
    facts = Counter(role for _, role, _ in graph.facts)
    return Chosen(names, tuple(r for r, _ in facts.most_common(roles)), tuple(range(8)), True)


def test_yago3_mini_is_counted_as_the_slow_algorithm_does(data: DataFile) -> None:
    def triples(name: str) -> list[tuple[str, str, str]]:
        rows = rows_of(data(f"yago3-mini/{name}.tsv.gz"))
        return [(row[1], row[2], row[3]) for row in rows]

    types = tuple((s, o) for s, _, o in triples("yagoTypes"))
    links = [(s, o) for s, _, o in triples("yagoTaxonomy") + triples("wordnetBackbone")]
    graph = Graph(types, tuple(links), tuple(triples("yagoFacts")))
    chosen = most_frequent(graph, 70, 4)
    assert_same(counted(graph, chosen), reference_counts(graph, chosen))


def test_codex_m_is_counted_as_the_slow_algorithm_does(data: DataFile) -> None:
    types = tuple((row[0], row[1]) for row in rows_of(data("codex-m/types.tsv.gz")))
    facts = tuple((row[0], row[1], row[2]) for row in rows_of(data("codex-m/facts.tsv.gz")))
    graph = Graph(types, (), facts)
    chosen = most_frequent(graph, 40, 3)
    assert_same(counted(graph, chosen), reference_counts(graph, chosen))
