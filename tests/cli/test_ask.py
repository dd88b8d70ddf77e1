"""`boxsel ask`: estimates in words and in JSON, and what cannot be asked."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest

from boxsel.answer.answer import Answer
from boxsel.answer.ask import ask
from boxsel.answer.many import SHARES
from boxsel.cli.exits import Interrupted
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.models.files import save
from boxsel.models.loading import load
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


def test_a_model_is_asked_and_its_knowledge_base_proved(inside: Inside, model: Path) -> None:
    content = inside.answer("ask", model, "(B | A)")
    expected = load(model).ask("(B | A)")
    assert content["query"] == "(B | A)"
    assert content["status"] == "bounded"
    assert content["outer"] == {"lower": 0.5, "upper": 0.5, "exact": True, "certified": True}
    assert content["inner"] == {"lower": 0.5, "upper": 0.5, "witnesses": 1}
    assert content["estimate"]["lower"] == expected.lower
    assert content["estimate"]["upper"] == expected.upper
    assert content["estimate"]["kept"] == 3
    assert content["estimate"]["directed"] is False
    assert content["evidence"]["lower"]["axioms"] == ["(B | A)[0.5]"]
    witness = content["evidence"]["lower"]["witness"]
    assert witness["attained"]
    assert witness["body"] == 2 * witness["head"]
    said = inside("ask", model, "(B | A)").out
    assert said.startswith("(B | A) = 0.5 (exact)\n")
    assert f"estimated between {expected.lower:.4g} and {expected.upper:.4g} (approximate" in said


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    file = tmp_path / "kb.sel"
    file.write_text(TEXT)
    return file


def test_a_knowledge_base_needs_no_ensemble_where_the_proof_closes(
    inside: Inside, kb: Path
) -> None:
    content = inside.answer("ask", kb, "(E | A)")
    assert content["outer"] == {"lower": 0.05, "upper": 0.95, "exact": True, "certified": True}
    assert content["inner"] == {"lower": 0.05, "upper": 0.95, "witnesses": 2}
    assert content["estimate"] is None
    assert "unestimated" not in content
    assert content["evidence"]["upper"]["how"] == "proved"
    assert {"(B | A)[0.5]", "(E | A and B)[0.1, 0.9]"} == {*content["evidence"]["upper"]["axioms"]}


def test_the_bounds_are_those_of_bounds(inside: Inside, kb: Path) -> None:
    for query in ("(E | A)", "(C | A)", "(A | C)", "(A | D)", "(E and B | owl:Thing)"):
        asked, bounds = inside.answer("ask", kb, query), inside.answer("bounds", kb, query)
        assert asked["status"] == bounds["status"]
        assert asked["outer"]["lower"] == bounds["lower"]
        assert asked["outer"]["upper"] == bounds["upper"]
        assert asked.get("conflict") == bounds.get("conflict")


def test_what_if(inside: Inside, kb: Path) -> None:
    content = inside.answer("ask", kb, "(E | A)", "--assume", "(B | A)[1]")
    assert (content["outer"]["lower"], content["outer"]["upper"]) == (0.1, 0.9)
    words = ("--assume", "(B | A)[1]", "--assume", "E DisjointWith A and B")
    vacuous = inside.answer("ask", kb, "(E | A)", *words[:2], "--assume", "(A | A)[0]")
    assert vacuous["status"] == "vacuous"
    assert vacuous["conflict"] == ["(A | A)[0]"]
    assert "did you mean" in inside.complaint("ask", kb, "(E | A)", "--assume", "(Bb | A)[1]")
    assert "states nothing" in inside.complaint("ask", kb, "(E | A)", "--assume", "# nothing")
    assert "expected" in inside.complaint("ask", kb, "(E | A)", "--assume", "(B | A)[")


def test_sensitivity_is_told(inside: Inside, kb: Path) -> None:
    found = inside.answer("ask", kb, "(E | A)", "--sensitivity")["sensitivity"]
    slopes = {(one["end"], one["statement"]): one["slope"] for one in found}
    assert slopes == {
        ("lower", "(B | A)[0.5]"): pytest.approx(0.1),
        ("lower", "(E | A and B)[0.1, 0.9]"): pytest.approx(0.5),
        ("upper", "(B | A)[0.5]"): pytest.approx(-0.1),
        ("upper", "(E | A and B)[0.1, 0.9]"): pytest.approx(0.5),
    }
    assert "what moves the ends" in inside("ask", kb, "(E | A)", "--sensitivity").out


def test_csv_has_a_line_for_each_query(inside: Inside, kb: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.csv"
    file.write_text("head,body\nB,A\nA,D\n")
    done = inside("ask", kb, "(E | A)", "--queries", file, "--csv")
    assert done.code == 0
    rows = list(csv.DictReader(done.out.splitlines()))
    assert [row["query"] for row in rows] == ["(E | A)", "(B | A)", "(A | D)"]
    assert [row["lower"] for row in rows] == ["0.05", "0.5", ""]
    assert [row["status"] for row in rows] == ["bounded", "bounded", "vacuous"]


def test_shares_in_percent_are_the_same_shares(inside: Inside, kb: Path) -> None:
    asked = ("ask", kb, "(E | A)", "(B | A)")
    plain, percent = (
        list(csv.DictReader(inside(*asked, "--csv", *more).out.splitlines()))
        for more in ((), ("--percent",))
    )
    for one, other in zip(plain, percent, strict=True):
        for column in SHARES:
            share, said = one[column], other[f"{column}_percent"]
            assert (Fraction(said) / 100 == Fraction(share)) if share else not said
    assert "= 50 % (exact)" in inside("ask", kb, "(B | A)", "--percent").out
    assert "from 0 to 1" in inside.complaint(*asked, "--percent", "--json")


def test_a_knowledge_base_without_a_model_is_a_no(inside: Inside, tmp_path: Path) -> None:
    file = tmp_path / "none.sel"
    file.write_text("owl:Thing SubClassOf A\nA SubClassOf owl:Nothing\n")
    content = inside.answer("ask", file, "(A | A)", code=1)
    assert content["status"] == "inconsistent"
    assert content["outer"]["lower"] is None
    assert len(content["conflict"]) == 2


def test_many_queries(inside: Inside, model: Path, tmp_path: Path) -> None:
    file = tmp_path / "queries.csv"
    file.write_text("head,body\nB,A\nA and B,C\n")
    done = inside("ask", model, "(E | owl:Thing)", "--queries", file, "--json")
    found = [json.loads(line) for line in done.out.splitlines()]
    assert [one["query"] for one in found] == ["(E | owl:Thing)", "(B | A)", "(A and B | C)"]
    for one in found:
        jsonschema.validate(one, schema("ask"))


def test_vacuous_is_an_answer(inside: Inside, model: Path) -> None:
    content = inside.answer("ask", model, "(A | D)")
    assert content["status"] == "vacuous"
    assert content["outer"]["lower"] is None
    assert content["estimate"] is None
    assert "vacuous, since D is empty" in inside("ask", model, "(A | D)").out


def test_without_members_there_is_no_number(inside: Inside, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    kb = parse_kb(TEXT + 'Dropped: 2 "ObjectUnionOf" "not in SEL"\n')
    save(untrained(kb, Settings(members=3, dim=2, tolerance=0)), folder)
    assert inside.answer("ask", folder, "(B | A)")["estimate"] is None
    done = inside("ask", folder, "(B | A)")
    assert "no estimate: none of 3 members" in done.out
    assert "left out 2 axioms" in done.said


def test_bad_input(inside: Inside, model: Path, tmp_path: Path) -> None:
    kb = model / "kb.sel"
    assert "did you mean" in inside.complaint("ask", model, "(Bb | A)")
    assert "there is nothing to answer" in inside.complaint("ask", model)
    assert "expected" in inside.complaint("ask", model, "(B | A")
    assert "no such file" in inside.complaint("ask", tmp_path / "no", "(B | A)")
    assert "holds no model" in inside.complaint("ask", tmp_path, "(B | A)")
    kb.write_text(TEXT + "A SubClassOf B\n")
    assert "not the one that was trained" in inside.complaint("ask", model, "(B | A)")


def test_options_that_do_not_go_together(inside: Inside, model: Path, kb: Path) -> None:
    query = "(B | A)"
    assert "is a model" in inside.complaint("ask", model, query, "--confidence", "0.95")
    assert "what if" in inside.complaint("ask", model, query, "--assume", "(B | A)[0.1]")
    assert "one process" in inside.complaint("ask", model, query, query, "--jobs", "2")
    assert "is for a MODEL" in inside.complaint("ask", kb, query, "--directed")
    assert "exclude each other" in inside.complaint("ask", kb, query, "--json", "--csv")
    assert "not a budget" in inside.complaint("ask", kb, query, "--budget", "soon")
    assert "at least 1" in inside.complaint("ask", kb, query, "--jobs", "0")


def test_directed_members_are_asked_for(inside: Inside, model: Path) -> None:
    assert inside.answer("ask", model, "(B | A)")["estimate"]["directed"] is False
    # One question needs no second job.
    content = inside.answer("ask", model, "(B | A)", "--directed", "--jobs", "2", "--budget", "5m")
    assert content["estimate"]["directed"] is True
    assert "undirected" not in content


@pytest.mark.parametrize("answered", [0, 1])
def test_an_interrupt_among_many_questions(
    inside: Inside, kb: Path, answered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(source: KB, queries: list[Query], **_: object) -> Iterator[Answer]:
        yield from (ask(source, query) for query in queries[:answered])
        raise Interrupted

    monkeypatch.setattr("boxsel.answer.many.ask_many", interrupted)
    done = inside("ask", kb, "(B | A)", "(E | A)", "--jobs", "2", "--csv")
    assert len(done.out.splitlines()) == 1 + answered
    if answered:
        assert (done.code, "interrupted: 1 of 2 questions" in done.said) == (3, True)
    else:
        assert (done.code, "interrupted; nothing" in done.said) == (130, True)
