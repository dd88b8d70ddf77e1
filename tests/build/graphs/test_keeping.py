"""The data of a graph are kept as patterns, of which everything that was counted is true."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boxsel.build.graphs import building, keeping
from boxsel.build.graphs.building import Content, build_graph
from boxsel.build.graphs.choice import EVERYTHING, Choice, Chosen
from boxsel.build.graphs.counting import count_graph
from boxsel.build.graphs.engine import DuckDBEngine
from boxsel.build.graphs.inputs import Inputs
from boxsel.formats.registry import format_named
from boxsel.formats.source import Source
from boxsel.logic.concepts import TOP, Concept
from boxsel.logic.kb import KB
from tests.build.graphs.reference import Graph, load_graph
from tests.build.graphs.test_building import extension, write
from tests.build.graphs.test_selection import graphs
from tests.conftest import DataFile
from tests.depth import cases

NO_FIXTURE = [HealthCheck.function_scoped_fixture]


@settings(max_examples=cases(40), suppress_health_check=NO_FIXTURE)
@given(graph=graphs, root=st.sampled_from([None, EVERYTHING]), data=st.data())
def test_data_are_a_model_and_have_the_shares_of_the_graph(
    graph: Graph, root: str | None, data: st.DataObject, tmp_path: Path
) -> None:
    deterministic = data.draw(st.booleans())
    built = build_graph(
        write(graph, tmp_path / "g.tsv"), Choice(root=root), Content(deterministic=deterministic)
    )
    kb = built.kb
    assert kb.witness is not None
    assert kb.witness.size == len(graph.entities())
    names: list[Concept] = [TOP, *kb.signature.concepts]
    fillers = [*names, *(one & other for one in names[1:3] for other in names[2:4])]
    basics = [*names, *(role.some(filler) for role in kb.signature.roles for filler in fillers)]
    for _ in range(5):
        head, one, other = (data.draw(st.sampled_from(basics)) for _ in range(3))
        members = extension(graph, one) & extension(graph, other)
        assert kb.witness.count(one & other) == len(members)
        if members:
            share = kb.witness.share(head, one & other)
            assert share is not None
            assert share * len(members) == len(members & extension(graph, head))


def small(tmp_path: Path, content: Content = Content()) -> KB:  # noqa: B008 - frozen
    rows = [("a", "A"), ("b", "A"), ("b", "B"), ("c", "B")]
    facts = [("a", "r", "b"), ("a", "r", "c"), ("b", "r", "d")]
    graph = Graph(tuple(rows), (), tuple(facts))
    return build_graph(write(graph, tmp_path / "g.tsv"), content=content).kb


def test_patterns_are_told_with_what_they_are_linked_to(tmp_path: Path) -> None:
    data = small(tmp_path).data
    assert data is not None
    linked = {
        frozenset(map(str, data.interpretation.names[n])): {
            frozenset(map(str, data.interpretation.names[m]))
            for objects in pattern.objects
            for m in objects
        }
        for n, pattern in enumerate(data.patterns)
    }
    assert linked == {
        frozenset("A"): {frozenset("AB"), frozenset("B")},
        frozenset("AB"): {frozenset()},
        frozenset("B"): set(),
        frozenset(): set(),
    }


def test_data_can_be_left_out_and_are_when_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert small(tmp_path, Content(data=False)).data is None
    kept = keeping.keep_data
    monkeypatch.setattr(building, "keep_data", partial(kept, most=3))
    report = build_graph(tmp_path / "g.tsv").report
    assert report.to_json()["data"] is None
    assert "the data are not kept: they make more than 3 patterns" in report.text
    monkeypatch.setattr(keeping, "MOST_KINDS", 2)
    assert "make 4 patterns, too many" in build_graph(tmp_path / "g.tsv").report.text


@pytest.mark.parametrize("name", ["sel", "json", "ofn", "ttl", "owl", "owx", "obo"])
def test_data_survive_every_format(tmp_path: Path, name: str) -> None:
    kb = small(tmp_path)
    codec = format_named(name).codec
    again = codec.read(Source("kb", codec.write(kb).encode()))
    assert again.data == kb.data
    assert again.witness is not None


def test_a_kept_folder_gives_the_same_data_again() -> None:
    graph = Graph((("a", "A"), ("b", "B")), (), (("a", "r", "b"),))
    chosen = Chosen(("A", "B"), ("r",))
    engine = DuckDBEngine()
    load_graph(engine, graph)
    above = graph.above(chosen.concepts)
    count_graph(engine, chosen, above)
    first, second = (keeping.keep_data(engine, chosen, above) for _ in range(2))
    engine.close()
    assert first == second
    assert first.data is not None
    assert first.data.size == 2


def test_data_of_codex_m_are_few_and_fit(data: DataFile) -> None:
    facts, types = (str(data(f"codex-m/{name}.tsv.gz")) for name in ("facts", "types"))
    kb = build_graph(Inputs(facts=(facts,), types=(types,))).kb
    assert kb.witness is not None
    assert kb.witness.size == 17_050
    assert len(kb.witness.patterns) < 3_000
    changed = replace(kb, statements=kb.statements[1:])
    assert changed.witness is not None, "fewer statements are true, too"
