"""What a host of the repository reads: how to cite it, and what it is to run."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

import boxsel

ROOT = Path(__file__).resolve().parents[1]


def read(name: str) -> Any:
    return yaml.safe_load((ROOT / name).read_text("utf-8"))


def commands(workflow: dict[str, Any]) -> list[str]:
    """What the jobs of a workflow run, for every combination of their matrices."""
    found = []
    for job in workflow["jobs"].values():
        matrix = job.get("strategy", {}).get("matrix", {})
        for values in product(*matrix.values()):
            for step in (one for one in job["steps"] if "run" in one):
                command = step["run"]
                for name, value in zip(matrix, values, strict=True):
                    command = command.replace(f"${{{{ matrix.{name} }}}}", value)
                found.append(command)
    return found


def test_the_citation_is_of_this_version() -> None:
    citation = read("CITATION.cff")
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "license"} <= citation.keys()
    assert str(citation["version"]) == boxsel.__version__
    (paper,) = citation["references"]
    assert all({"family-names", "given-names"} == author.keys() for author in paper["authors"])


def test_the_workflow_only_calls_targets_that_there_are() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = {*re.findall(r"^([a-z-]+):", makefile, re.MULTILINE)}
    ran = commands(read(".github/workflows/ci.yml"))
    assert {"make test", "make lint", "make docs"} <= {*ran}
    for command in ran:
        make, *called = command.split()
        assert make == "make"
        assert {*called} <= targets, command
