"""Figures of answers: a row for each, in order, with text for those who do not see them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import boxsel
from boxsel import examples
from boxsel.errors import BoxselError
from tests.cli.inside import Inside

QUERIES = ("(Admitted | Applicant)", "(DeptA | Applicant)", "(Admitted | DeptA)")


def test_a_figure_of_many_answers_is_ordered_and_told(tmp_path: Path) -> None:
    kb = examples.load("applicant")
    answers = [kb.ask(query) for query in QUERIES]
    file = tmp_path / "answers.svg"
    figure = boxsel.plot_answers(answers, file, title="Admissions")
    written = file.read_text("utf-8")
    assert re.search(r'viewBox="0 0 [0-9.]+ [0-9.]+"', written)
    assert "<dc:title>Admissions</dc:title>" in written
    told = "(Admitted | Applicant): 0.16 to 0.96; (DeptA | Applicant): 0.2 to 0.25"
    assert f"{told}; (Admitted | DeptA): 0.8" in written
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert labels == list(QUERIES)
    kept = boxsel.plot_answers(answers[::-1], ordered=False)
    assert [text.get_text() for text in kept.axes[0].get_yticklabels()] == list(QUERIES)[::-1]
    with pytest.raises(BoxselError, match="there are no answers"):
        boxsel.plot_answers([])


def test_ask_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside = Inside(capsys)
    for name, magic in (("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.pdf", b"%PDF")):
        file = tmp_path / name
        done = inside("ask", "example:applicant", *QUERIES, "--percent", "--plot", file)
        assert done.code == 0
        assert f"{file}: 3 answers" in done.said
        assert file.read_bytes().startswith(magic)
    assert "16 % to 96 %" in (tmp_path / "a.svg").read_text("utf-8")
    bad = inside.complaint("ask", "example:applicant", QUERIES[0], "--plot", "a.bmp")
    assert "a picture ends in .png, .svg or .pdf" in bad
