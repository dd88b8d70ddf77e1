"""The random ontologies: of the paper's sizes, about as hard, and the same everywhere."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from boxsel.evaluation.ontologies.synthetic import DRAWINGS, drawn
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.variants import splits_of


@pytest.fixture(scope="module")
def ontologies() -> dict[str, Ontology]:
    return {name: drawn(name, drawing) for name, drawing in DRAWINGS.items()}


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("synthetic-person", 325_626),
        ("synthetic-country", 26_970),
        ("synthetic-hybrid", 7_488),
    ],
)
def test_the_papers_number_of_conditionals(
    ontologies: dict[str, Ontology], name: str, listed: int
) -> None:
    assert len(ontologies[name].listed()) == listed


@pytest.mark.parametrize(
    ("name", "gap", "trivial"),
    [
        ("synthetic-person", 0.301, 0.045),
        ("synthetic-country", 0.105, 0.291),
        ("synthetic-hybrid", 0.734, 0.015),
    ],
)
def test_intervals_are_about_as_wide_as_the_papers(
    ontologies: dict[str, Ontology], name: str, gap: float, trivial: float
) -> None:
    shares = np.concatenate(
        [split.pairs.first.share for split in splits_of(ontologies[name], "paper", 0)]
    )
    # The interval is [q1 q2, q1 q2 + 1 - q1]: its distance from [0, 1] is q1.
    assert shares.mean() == pytest.approx(gap, abs=0.02)
    assert (shares == 0).mean() == pytest.approx(trivial, abs=0.02)


def test_they_are_the_same_on_every_machine(ontologies: dict[str, Ontology]) -> None:
    found = {name: ontology.digest()[:16] for name, ontology in ontologies.items()}
    assert found == PINNED


def test_they_have_structure(ontologies: dict[str, Ontology]) -> None:
    for ontology in ontologies.values():
        sizes = np.diagonal(ontology.pairs)
        assert (sizes > 0).all()
        assert (sizes[:-1][:-1] >= sizes[:-1][1:]).all(), "the most frequent come first"
        every = ontology.listed()
        plain = every.take((every.shape == 1) & every.defined)
        assert (plain.count == plain.total).any(), "no inclusion"
        assert ((plain.count > 0) & (plain.count < plain.total)).mean() > 0.3


def test_drawing_and_loading_need_no_database_parser_or_solver() -> None:
    absent = ("duckdb", "lark", "ortools", "highspy", "matplotlib", "optuna")
    code = (
        "import sys\n"
        f"for name in {absent}: sys.modules[name] = None\n"
        "import tempfile, pathlib\n"
        "from boxsel.evaluation.ontologies.folder import prepared\n"
        "folder = pathlib.Path(tempfile.mkdtemp())\n"
        "first = prepared(folder, ['small'])['small'].digest()\n"
        "assert prepared(folder, ['small'])['small'].digest() == first\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


PINNED = {
    "synthetic-person": "e5493b1f1d67c5fc",
    "synthetic-country": "90d4c18b100d959c",
    "synthetic-hybrid": "7f3a72c5d3576596",
    "small": "ad2ecdcc05a1a081",
}
