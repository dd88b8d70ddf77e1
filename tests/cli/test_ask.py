"""`boxsel ask`: estimates in words and in JSON, and what cannot be asked."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from boxsel.logic.statements import Query
from boxsel.models.files import load, save
from boxsel.models.model import Model
from boxsel.models.settings import Settings
from boxsel.schemas import schema
from boxsel.syntax.parser import parse_kb
from tests.cli.inside import Inside
from tests.models.test_files import untrained

TEXT = "(B | A)[0.5]\nC SubClassOf A\nD SubClassOf owl:Nothing\n(E | A and B)[0.1, 0.9]\n"


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that keeps all its members, however wrong they are."""
    folder = tmp_path / "kb.model"
    save(untrained(parse_kb(TEXT), Settings(members=3, dim=2, tolerance=1)), folder)
    return folder


def test_an_estimate_in_json_and_in_words(inside: Inside, model: Path) -> None:
    found = inside.answer("ask", model, "(B | A)")
    expected = load(model).ask("(B | A)")
    assert found["query"] == "(B | A)"
    assert found["status"] == "bounded"
    assert found["outer"] == {"lower": 0, "upper": 1, "exact": False}
    assert found["inner"] is None
    assert found["estimate"]["lower"] == expected.lower
    assert found["estimate"]["upper"] == expected.upper
    assert found["estimate"]["kept"] == 3
    assert found["estimate"]["directed"] is False
    assert inside("ask", model, "(B | A)") == (0, expected.text, "")


def test_many_queries(inside: Inside, model: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.csv"
    file.write_text("head,body\nB,A\nA and B,C\n")
    done = inside("ask", model, "(E | owl:Thing)", "--queries", file, "--json")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [one["query"] for one in found] == ["(E | owl:Thing)", "(B | A)", "(A and B | C)"]
    for one in found:
        jsonschema.validate(one, schema("ask"))


def test_vacuous_is_an_answer(inside: Inside, model: Path) -> None:
    found = inside.answer("ask", model, "(A | D)")
    assert found["status"] == "vacuous"
    assert found["outer"]["lower"] is None
    assert found["estimate"] is None
    assert "vacuous, since D is empty" in inside("ask", model, "(A | D)").out


def test_without_members_there_is_no_number(inside: Inside, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    kb = parse_kb(TEXT + 'Dropped: 2 "ObjectUnionOf" "not in SEL"\n')
    save(untrained(kb, Settings(members=3, dim=2, tolerance=0)), folder)
    assert inside.answer("ask", folder, "(B | A)")["estimate"] is None
    done = inside("ask", folder, "(B | A)")
    assert "no estimate, since none of 3 members" in done.out
    assert "ignores 2 axioms" in done.said


def test_bad_input(inside: Inside, model: Path, tmp_path: Path) -> None:
    kb = model / "kb.sel"
    assert "did you mean" in inside.complaint("ask", model, "(Bb | A)")
    assert "there is nothing to answer" in inside.complaint("ask", model)
    assert "expected" in inside.complaint("ask", model, "(B | A")
    said = inside.complaint("ask", kb, "(B | A)")
    assert f"boxsel fit {kb} -o MODEL" in said
    assert "boxsel bounds" in said
    assert "no such model" in inside.complaint("ask", tmp_path / "no", "(B | A)")
    assert "holds no model" in inside.complaint("ask", tmp_path, "(B | A)")
    kb.write_text(TEXT + "A SubClassOf B\n")
    assert "not the one that was trained" in inside.complaint("ask", model, "(B | A)")


def test_directed_members_are_asked_for(
    inside: Inside, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refined: list[str] = []

    def refine(self: Model, query: Query) -> Model:
        refined.append(str(query))
        return self

    monkeypatch.setattr(Model, "refine", refine)
    inside.answer("ask", model, "(B | A)")
    assert refined == []
    inside.answer("ask", model, "(B | A)", "--directed")
    assert refined == ["(B | A)"]
