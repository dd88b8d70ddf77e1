from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.build.graphs import sql
from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.patterns import load_class_bits
from tests.build.graphs.reference import Graph, load_graph


@given(st.integers(0, 10_000))
def test_words_hold_all_concepts_and_no_word_is_idle(concepts: int) -> None:
    words = sql.words_for(concepts)
    assert words * sql.BITS >= concepts
    assert words == 1 or (words - 1) * sql.BITS < concepts


@pytest.fixture
def engine() -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine()
    graph = Graph(types=(("a", "A"), ("a", "A"), ("b", "B")), facts=(("a", "r", "b"),) * 2)
    load_graph(engine, graph)
    load_class_bits(engine, {"A": [0], "B": [0, 64]}, 2)
    engine.load(sql.ROLE_PLACES, {"role": "VARCHAR", "place": "BIGINT"}, [["r"], [0]])
    for table in (sql.GIVEN, sql.given_at("subject"), sql.given_at("object")):
        engine.load(table, {"name": "VARCHAR"}, [["A", "r"]])
    engine.materialize("entities", sql.entity_bits(2))
    engine.materialize("reach_r", sql.reach(2, "entities", 0))
    yield engine
    engine.close()


@pytest.mark.parametrize(
    ("query", "columns", "rows"),
    [
        (sql.entity_bits(2), "entity w0 w1", [("a", 1, 0), ("b", 1, 2)]),
        (sql.concept_patterns(2, "entities"), "w0 w1 n", [(1, 0, 1), (1, 2, 1)]),
        (sql.reach(2, "entities", 0), "subject o0 o1", [("a", 1, 2)]),
        (sql.reach(2, "entities", 1), "subject o0 o1", []),
        (sql.role_patterns(2, "entities", "reach_r"), "s0 s1 o0 o1 n", [(1, 0, 1, 2, 1)]),
        (sql.DIRECT_INSTANCES, "class n", [("A", 1), ("B", 1)]),
        (sql.facts_by_role(), "role n", [("r", 2)]),
        (sql.facts_by_role(at_subjects=True), "role n", [("r", 2)]),
        (sql.facts_by_role(at_subjects=True, at_objects=True), "role n", []),
        (sql.classes_at_ends(), "class", [("A",), ("B",)]),
        (sql.ENTITIES, "n", [(2,)]),
    ],
)
def test_statements_give_what_they_say(
    engine: DuckDBEngine, query: str, columns: str, rows: list[tuple[object, ...]]
) -> None:
    named = [row[0] for row in engine.rows(f"DESCRIBE {query}")]
    assert named == columns.split()
    assert sorted(engine.rows(query), key=str) == rows
