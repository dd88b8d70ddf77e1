"""`boxsel simpson`: reversals in words, in JSON and in pictures, and what cannot be asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from boxsel import examples
from boxsel.reversals.simpson import simpson
from tests.cli.inside import Inside

ASKED = ("--outcome", "Admitted", "--groups", "Woman,Man", "--strata", "DeptA,DeptB")
NAMED = ("--outcome", "Admitted", "--groups", "Female,Male", "--strata", "Dept")


@pytest.fixture
def inside(capsys: pytest.CaptureFixture[str]) -> Inside:
    return Inside(capsys)


@pytest.fixture
def berkeley(tmp_path: Path) -> Path:
    path = tmp_path / "berkeley.sel"
    path.write_text(examples.text("berkeley"), "utf-8")
    return path


def test_a_knowledge_base(inside: Inside, berkeley: Path) -> None:
    content = inside.answer("simpson", berkeley, *ASKED)
    assert content["source"] == "kb"
    assert (content["full"]["verdict"], content["partial"]["verdict"]) == ("entailed", "entailed")
    assert [one["lower_exact"] for one in content["comparison"]["total"]] == ["81/100", "21/25"]
    assert [stratum["stratum"] for stratum in content["comparison"]["strata"]] == ["DeptA", "DeptB"]
    done = inside("simpson", berkeley, *ASKED)
    assert done.code == 0
    assert "full reversal: entailed" in done.out
    assert "Woman is below Man in total, and above in each stratum" in done.out


def test_groups_may_be_given_one_by_one_and_may_be_any_concepts(
    inside: Inside, berkeley: Path
) -> None:
    strata = ("--strata", "DeptA", "--strata", "DeptB and owl:Thing")
    asked = ("--outcome", "Admitted", "--groups", "Woman", "--groups", "'Man'", *strata)
    content = inside.answer("simpson", berkeley, *asked)
    assert content["full"]["verdict"] == "entailed"


def test_models_are_in_the_json(inside: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    kb.write_text("(O | G and S)[0.2, 0.4]\n(O | H and S)[0.3, 0.5]\nr(a, b)\n(S | G)[0.5]\n")
    asked = ("--outcome", "O", "--groups", "G,H", "--strata", "S")
    content = inside.answer("simpson", kb, *asked)
    assert content["full"]["verdict"] == "possible"
    assert content["full"]["reversing"]["model"]["elements"]
    assert content["full"]["not_reversing"]["shares"]


def test_a_table_with_everything_named(inside: Inside, tmp_path: Path) -> None:
    table = examples.path("admissions.csv")
    content = inside.answer("simpson", table, *NAMED)
    (one,) = content["comparisons"]
    assert (content["source"], content["searched"], one["verdict"]) == ("table", False, "partial")
    assert one["total"][0]["count"] == [557, 1835]
    done = inside("simpson", table, *NAMED, "--count", "Freq")
    assert "partial reversal" in done.out
    assert "counts are taken from" not in done.out
    assert "counts are taken from" in inside("simpson", table, *NAMED).out
    # Each row for one: no department then has a rate other than one half.
    alone = inside.answer("simpson", table, *NAMED, "--individuals")
    assert alone["comparisons"][0]["verdict"] == "none"


def test_a_table_with_nothing_named(inside: Inside) -> None:
    done = inside("simpson", examples.path("kidney_stones.csv"))
    assert done.code == 0
    assert "looked at 6 comparisons: 2 reversals (2 full)" in done.out


def test_a_table_of_conditionals_is_a_knowledge_base(inside: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.csv"
    kb.write_text("head,body,lower,upper\nO,G and S,0.2,0.2\nO,H and S,0.3,0.3\n")
    asked = ("--outcome", "O", "--groups", "G,H", "--strata", "S")
    assert inside.answer("simpson", kb, *asked)["source"] == "kb"


def test_a_picture(inside: Inside, berkeley: Path, tmp_path: Path) -> None:
    picture = tmp_path / "rates.svg"
    assert inside("simpson", berkeley, *ASKED, "--plot", picture).code == 0
    assert "<svg" in picture.read_text("utf-8")
    simpson(examples.path("kidney_stones.csv")).plot(tmp_path / "rates.png")
    assert (tmp_path / "rates.png").read_bytes().startswith(b"\x89PNG")


def test_no_model_and_no_group(inside: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    asked = ("--outcome", "O", "--groups", "G,H", "--strata", "S")
    kb.write_text("owl:Thing SubClassOf owl:Nothing\n(O | G and S)[0.5]\n(O | H)[0.5]\n")
    assert inside.answer("simpson", kb, *asked, code=1)["status"] == "inconsistent"
    assert "no model at all" in inside("simpson", kb, *asked).out
    kb.write_text("(O | G)[0.2]\n(O | G)[0.8]\n(O | H and S)[0.5]\n")
    content = inside.answer("simpson", kb, *asked)
    assert (content["status"], content["empty"]) == ("vacuous", ["G"])
    assert "G is empty in every model" in inside("simpson", kb, *asked).out


def test_too_little_time_is_said(inside: Inside, tmp_path: Path) -> None:
    kb = tmp_path / "kb.sel"
    kb.write_text("(O | G)[0.2, 0.9]\n(G | H)[0.9]\n(H | G)[0.9]\n(S | G)[0.9]\n(S | H)[1]\n")
    asked = ("--outcome", "O", "--groups", "G,H", "--strata", "S", "--budget", "1ms")
    content = inside.answer("simpson", kb, *asked, code=3)
    assert content["status"] == "budget"
    assert "undecided; the time was over" in inside("simpson", kb, *asked).out


def _with(asked: tuple[str, ...], changed: tuple[str, ...]) -> list[str]:
    """The options with one in place of that of the same name."""
    pairs = [asked[place : place + 2] for place in range(0, len(asked), 2)]
    return [word for pair in pairs if pair[0] != changed[0] for word in pair] + [*changed]


def test_bad_input(inside: Inside, berkeley: Path, tmp_path: Path) -> None:
    table = examples.path("admissions.csv")
    changed: tuple[str, ...]
    assert "have to be named" in inside.complaint("simpson", berkeley)
    for changed, said in (
        (("--groups", "Woman"), "two different groups"),
        (("--groups", "Woman,Woman"), "two different groups"),
        (("--strata", ","), "no strata"),
        (("--strata", "DeptA,DeptA"), "named twice"),
        (("--outcome", "Admited"), "did you mean Admitted"),
        (("--outcome", "Admitted and"), "expected"),
        (("--outcome", "owl:Nothing"), "owl:Nothing"),
        (("--plot", "rates.jpg"), ".png, .svg or .pdf"),
        (("--budget", "soon"), "not a budget"),
        (("--count", "Freq"), "--table"),
    ):
        assert said in inside.complaint("simpson", berkeley, *_with(ASKED, changed)), changed
    for changed, said in (
        (("--outcome", "Admittd"), "did you mean 'Admitted'"),
        (("--groups", "Female,A"), "different columns"),
        (("--groups", "Female"), "two different groups"),
        (("--strata", "A,A"), "named twice"),
        (("--strata", "Gender"), "nothing to compare"),
        (("--count", "Frq"), "did you mean 'Freq'"),
        (("--count", "Freq", "--individuals"), "choose"),
        (("--confidence", "0.9"), "for knowledge bases"),
    ):
        assert said in inside.complaint("simpson", table, *_with(NAMED, changed)), changed
    assert "no such file" in inside.complaint("simpson", tmp_path / "no.csv")
    assert "no such file" in inside.complaint("simpson", tmp_path / "no.sel", *ASKED)
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    assert "empty" in inside.complaint("simpson", empty)
