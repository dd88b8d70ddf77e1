"""Ontologies from data: two ways to count agree, and real data gives its published sizes."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from boxsel.build.graphs.choice import EVERYTHING, Choice
from boxsel.build.graphs.inputs import Inputs
from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies import codex
from boxsel.evaluation.ontologies.folder import prepared
from boxsel.evaluation.ontologies.population import Population, counted
from boxsel.evaluation.ontologies.recipe import Sources, hashes
from boxsel.evaluation.ontologies.registry import ONTOLOGIES
from tests.conftest import DataFile
from tests.depth import cases
from tests.evaluation.populations import Counting, countings


@settings(max_examples=cases(12))
@given(countings())
def test_the_graph_builder_and_a_population_count_the_same(counting: Counting) -> None:
    population, ontology = counting.population, counting.ontology
    sizes = population.members.sum(axis=0).tolist()
    kept = [name for name, size in zip(ontology.concepts, sizes, strict=True) if size]
    roles = [role for role, places in population.links.items() if places.size]
    if not kept:
        return
    rows = [f"e{entity}\trdf:type\tRoot" for entity in range(len(population.members))]
    for entity, concept in zip(*np.nonzero(population.members), strict=True):
        rows.append(f"e{entity}\trdf:type\t{ontology.concepts[concept]}")
    for role in roles:
        rows += [f"e{one}\t{role}\te{two}" for one, two in population.links[role].T.tolist()]
    choice = Choice(
        concepts=tuple(kept),
        root=EVERYTHING if ontology.root is None else "Root",
        roles=tuple(roles),
        top_roles=None if roles else 0,
        conjoined=len(ontology.conjoined),
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "graph.tsv")
        file.write_text("\n".join(rows))
        found = counted("random", Inputs(graph=(str(file),)), choice, "random")
    columns = [ontology.concepts.index(name) for name in kept]
    expected = Population(
        tuple(kept),
        population.members[:, columns],
        {role: population.links[role] for role in roles},
    ).counted("random", root=ontology.root, conjoined=len(ontology.conjoined))
    assert found.digest() == expected.digest()


def test_a_graph_needs_a_root(tmp_path: Path) -> None:
    with pytest.raises(BoxselError, match="no root"):
        counted("x", Inputs(graph=("x",)), Choice(), "x")


def test_codex_counts_only_the_entities_of_the_type(tmp_path: Path) -> None:
    facts = [
        ("a", "P106", "writer"), ("b", "P106", "writer"), ("robot", "P106", "writer"),
        ("robot", "P27", "Q30"), ("r2", "P27", "Q30"), ("r3", "P27", "Q30"),
        ("b", "P27", "Q30"), ("a", "P26", "b"), ("b", "P26", "robot"), ("b", "P40", "a"),
        ("a", "P40", "b"), ("a", "P737", "a"),
    ]  # fmt: skip
    files = {
        "facts.tsv": "\n".join("\t".join(row) for row in facts),
        "types.tsv": "a\tQ5\nb\tQ5\nc\tQ5\nrobot\tQ7\n",
        "labels.tsv": "P106\trelation\toccupation\nQ5\ttype\thuman\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    recipe = ONTOLOGIES["codex-person"]
    assert recipe.sources is not None
    ontology = recipe.build(recipe.sources.find(tmp_path))
    assert ontology.concepts == ("P106_writer", "P27_Q30")
    assert ontology.pairs.tolist() == [[2, 1, 2], [1, 1, 1], [2, 1, 3]]
    assert ontology.roles == ("P40", "P26", "P737")
    assert ontology.reached.tolist() == [[2, 1], [1, 1], [1, 0]]
    assert ontology.labels == {
        "P106_writer": "occupation: writer", "P27_Q30": "P27: Q30", "Q5": "human"
    }  # fmt: skip
    (tmp_path / "types.tsv").write_text("a\tQ5\nb\n")
    with pytest.raises(BoxselError, match=r"types\.tsv:2: there are 1 columns, expected 2"):
        recipe.build(recipe.sources.find(tmp_path))
    (tmp_path / "types.tsv").write_text("a\tQ7\n")
    with pytest.raises(BoxselError, match="no entity has the type Q5"):
        recipe.build(recipe.sources.find(tmp_path))


def test_a_data_set_of_its_own_goes_before_a_part(tmp_path: Path) -> None:
    sources = Sources("a graph", ("whole", "part"), ("facts.tsv",))
    for name, text in (("part", "1"), ("whole", "2")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "facts.tsv").write_text(text)
        found = sources.find(tmp_path)
        assert found == {"facts.tsv": tmp_path / name / "facts.tsv"}
    assert sources.find(tmp_path / "part") == {"facts.tsv": tmp_path / "part" / "facts.tsv"}
    one, other = (hashes(sources.find(tmp_path / name)) for name in ("part", "whole"))
    assert one["facts.tsv"] != other["facts.tsv"]


@pytest.mark.parametrize(
    ("name", "file", "sizes"),
    [
        ("yago-person", "yago3-mini", (127, 6, 50, 6_413)),
        ("yago-country", "yago3-mini", (19, 1, 19, 288)),
        ("yago-hybrid", "yago3-mini", (13, 18, 13, 29_364)),
        ("codex-person", "codex-m", (48, 5, 30, 13_223)),
        ("codex-country", "codex-m", (30, 1, 30, 203)),
        ("hpo", "hpo", (36, 0, 24, 10_003)),
    ],
)
def test_real_data(
    data: DataFile, tmp_path: Path, name: str, file: str, sizes: tuple[int, int, int, int]
) -> None:
    ontology = prepared(tmp_path, [name], data(file).parent)[name]
    population = int(ontology.pairs[-1, -1])
    assert (ontology.size, len(ontology.roles), len(ontology.conjoined), population) == sizes
    np.testing.assert_array_equal(ontology.pairs, ontology.pairs.T)
    # Every concept lies within the root, and every link's subject too.
    np.testing.assert_array_equal(ontology.pairs[-1], np.diagonal(ontology.pairs))
    if ontology.root is None or not name.startswith("yago"):
        np.testing.assert_array_equal(ontology.linked[:, :, -1], ontology.reached)


def test_codex_choices_stay_within_what_conjunctions_allow() -> None:
    for choice in codex.CHOICES.values():
        assert choice.conjoined <= sum(choice.values.values())
