"""Several files are one knowledge base, whatever their formats."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import boxsel
from boxsel.errors import BoxselError
from tests.cli.inside import Inside

TABLE = "head,body,lower,upper,count,total,source\nGrandfather,Man,0.2,0.3,,,PMID:1\n"
TABLE += "Happy,Grandfather,,,7,12,\n"
TURTLE = """
@prefix prefix1: <http://example.org/family#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
prefix1:Grandfather a owl:Class ; rdfs:subClassOf prefix1:Man .
prefix1:Man a owl:Class ; rdfs:subClassOf prefix1:Person .
prefix1:Person a owl:Class .
"""
QUERY = "(Happy | Person)"


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str, str]:
    monkeypatch.chdir(tmp_path)
    Path("prev.csv").write_text(TABLE)
    Path("family.ttl").write_text(TURTLE)
    Path("happy.sel").write_text("Happy SubClassOf Man\n")
    return "prev.csv", "family.ttl", "happy.sel"


def test_an_answer_rests_on_all_files_and_says_which(
    files: tuple[str, ...], inside: Inside
) -> None:
    for command in ("ask", "bounds", "explain"):
        done = inside(command, *files, QUERY, "--match", "local")
        assert done.code == 0
        for source in ("PMID:1", "prev.csv", "family.ttl", "happy.sel"):
            assert f"## source: {source}" in done.out


def test_twins_are_told_unless_somebody_has_decided(files: tuple[str, ...], inside: Inside) -> None:
    assert "--match local" in inside("check", *files).said
    assert "alike" not in inside("check", *files, "--match", "none").said
    assert "2 names matched" in inside("check", *files, "--match", "local").said


def test_in_python_too(files: tuple[str, ...]) -> None:
    with pytest.warns(UserWarning, match="match='local'"):
        apart = boxsel.read(*files)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        kb = boxsel.read(*files, match="local")
        assert boxsel.read(*files, match="none") == apart
    assert len(kb.signature) == len(apart.signature) - 2
    upper = kb.bounds(QUERY).upper
    assert upper is not None
    assert upper < 1
    with pytest.raises(BoxselError, match="give a file"):
        boxsel.read()
    with pytest.raises(BoxselError, match="choose one of local, label, none"):
        boxsel.read(*files, match="all")  # type: ignore[arg-type]


def test_what_is_merged_answers_as_the_files_do(files: tuple[str, ...], inside: Inside) -> None:
    kb = boxsel.read(*files, match="local")
    for target in ("all.sel", "all.owl", "all.json"):
        content = inside.answer("merge", *files, "--match", "local", "-o", target)
        assert {one["called"] for one in content["matched"]} == {"Grandfather", "Man"}
        assert not content["apart"]
        assert boxsel.read(target) == kb
    Path("role.sel").write_text("r SubPropertyOf s\n")
    more = (*files, "role.sel", "--match", "local", "-o", "all.csv")
    assert "--lossy" in inside.complaint("merge", *more)
    assert inside("merge", *more, "--lossy").code == 0
    assert set(boxsel.read("all.csv")) == set(kb)


def test_every_command_takes_several(files: tuple[str, ...], inside: Inside) -> None:
    local = ("--match", "local")
    assert inside.answer("show", *files, *local)["statements"] == 5
    assert inside.answer("check", *files, *local)["coherent"]
    assert inside("show", "--names", files[0]).code == 0
    assert "Happy" in inside("show", *files, "--names", "hap").out
    assert inside.answer("repair", *files, *local)["changes"] == []
    assert inside("normalize", *files, *local, "-o", "normal.sel").code == 0
    assert inside("sample", *files, *local, "-n", "120").code == 0
    assert inside("bounds", *files, QUERY, *local, "--certificate", "proof.json").code == 0
    assert inside("verify", *files, "proof.json", *local).code == 0
    compared = ("--outcome", "Happy", "--groups", "Man,Person", "--strata", "Grandfather,Man")
    assert inside("simpson", *files, *local, *compared).code in (0, 3)


def test_the_page_opens_several(files: tuple[str, ...]) -> None:
    from boxsel.cli.options import Naming
    from boxsel.cli.serve import _text
    from boxsel.serve.limits import Limits

    opened = _text(
        files, Naming(from_format=None, sheet=None, columns=None, match="local"), Limits()
    )
    assert boxsel.parse(opened) == boxsel.read(*files, match="local")
    commented = "# as it is\nHappy SubClassOf\n"
    Path("mine.sel").write_text(commented)
    assert (
        _text(
            ["mine.sel"], Naming(from_format=None, sheet=None, columns=None, match=None), Limits()
        )
        == commented
    )


def test_words_are_files_or_queries(files: tuple[str, ...], inside: Inside) -> None:
    assert "no knowledge base" in inside.complaint("ask", QUERY)
    for word in ("Happy", "", " "):
        assert "neither a file nor a query" in inside.complaint("ask", files[0], word)
    Path("(odd).sel").write_text("A SubClassOf B\n")
    assert inside("ask", "./(odd).sel", "(B | A)").code == 0
    assert "looked at alone" in inside.complaint("simpson", "example:admissions", files[2])


def test_files_with_the_same_name_are_told_apart(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "kb.sel").write_text(f"(B{folder} | A)[0.5]\n")
    paths = [str(tmp_path / folder / "kb.sel") for folder in ("a", "b")]
    assert [statement.note.source for statement in boxsel.read(*paths)] == paths


def test_the_format_is_of_files_whose_name_tells_none(files: tuple[str, ...]) -> None:
    Path("table").write_text(",head,body,lower,upper\n,B,A,0.5,0.5\n")
    kb = boxsel.read("table", files[2], format="csv")
    assert len(kb) == 2
