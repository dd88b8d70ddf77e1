"""Shares inside an ontology, from the shell."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.inside import Inside
from tests.cli.test_several_files import TURTLE


def test_a_table_goes_into_an_ontology(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("family.ttl").write_text(TURTLE)
    Path("prev.csv").write_text("group,of,percent\nGrandfather,Man,20\nHappy,Grandfather,70\n")
    inside = Inside(capsys)
    words = ("annotate", "family.ttl", "prev.csv", "-o", "out.ttl")
    assert "Happy is not in family.ttl" in inside.complaint(*words)
    assert not Path("out.ttl").exists()
    content = inside.answer(*words, "--new")
    assert (content["added"], content["new"]) == (2, ["urn:boxsel:Happy"])
    assert content["matched"]["urn:boxsel:Man"] == "http://example.org/family#Man"
    assert "2 names matched" in inside(*words, "--new").said
    assert Path("out.ttl").read_text().startswith(TURTLE.rstrip())
    asked = inside("ask", "out.ttl", "(Happy and Grandfather | Man)")
    assert "= 0.14 (exact)" in asked.out
