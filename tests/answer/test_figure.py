"""Figures of answers: a row for each, in order, with text for those who do not see them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.text import Text

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


def words_of(figure: Figure) -> str:
    """All that stands in a figure."""
    figure.canvas.draw()
    return "\n".join(one.get_text() for one in figure.findobj(Text))


def test_what_moves_the_ends_is_drawn_below() -> None:
    answer = boxsel.ask(examples.load("applicant"), QUERIES[0], sensitivity=True)
    figure = boxsel.plot_answers(answer)
    above, below = figure.axes
    assert [text.get_text() for text in above.get_yticklabels()] == [QUERIES[0]]
    bars = {round(bar.get_width(), 6) for bar in below.patches if isinstance(bar, Rectangle)}
    assert bars == {0.008, -0.002, 0.002}
    assert "lower bound of (DeptA |" in words_of(figure)


def test_checks_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kb = boxsel.parse('(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A\nLabel: A "adult"')
    conflict = words_of(boxsel.plot_check(kb))
    assert "leave A empty" in " ".join(conflict.split())
    assert "(B | A)" in conflict
    coherent = boxsel.plot_check(examples.load("applicant"))
    assert "Coherent" in words_of(coherent)
    assert len(coherent.axes[0].get_yticklabels()) == 2
    many = boxsel.parse("\n".join(f"(A{n} | B)[0.5]" for n in range(40)))
    assert "the first 30 of 40 statements" in words_of(boxsel.plot_check(many))
    with pytest.raises(BoxselError, match="no share is stated"):
        boxsel.plot_check(boxsel.parse("A SubClassOf B"))
    file, picture = tmp_path / "kb.sel", tmp_path / "check.svg"
    boxsel.write(kb, file)
    done = Inside(capsys)("check", file, "--plot", picture)
    assert done.code == 1
    assert f"{picture}: a conflict" in done.said
    assert "(B | adult): 0.2; (B | adult): 0.8" in picture.read_text("utf-8")


def test_comparisons_are_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = ("(Admitted | DeptA)", "(Admitted | Applicant and not DeptA)")
    inside, picture = Inside(capsys), tmp_path / "compare.svg"
    done = inside("compare", "example:applicant", *pair, "--plot", picture, "--percent")
    assert done.code == 0
    assert "is between -20 and 80 points" in done.out
    assert "80 % against 100 %" in done.out
    assert f"{picture}: the comparison" in done.said
    found = boxsel.compare(examples.load("applicant"), *pair)
    drawn = words_of(found.plot())
    for text in (*pair, "least difference", "largest difference", "-0.2", "+0.8"):
        assert text in drawn
    assert "can be higher and can be lower" in drawn
    same = boxsel.compare(examples.load("berkeley"), "(Admitted | Woman)", "(Admitted | Man)")
    assert "in every population" in words_of(same.plot())
    empty = boxsel.compare(boxsel.parse("(B | A)[0.2]\n(B | A)[0.8]"), "(B | A)", "(A | B)")
    with pytest.raises(BoxselError, match="nothing to draw"):
        empty.plot()


def test_percentages_are_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    inside = Inside(capsys)
    asked = ("example:applicant", QUERIES[0])
    assert "is between 16 % and 96 %" in inside("bounds", *asked, "--percent").out
    assert "80 points wide" in inside("next", *asked, "--percent").out
    assert "for people" in inside.complaint("bounds", *asked, "--percent", "--json")


def test_notebooks_show_all_results() -> None:
    kb, query = examples.load("applicant"), QUERIES[0]
    results = [
        kb.check(),
        kb.bounds(query),
        kb,
        boxsel.compare(kb, query, QUERIES[2]),
        boxsel.next_measurements(kb, query),
        boxsel.sensitivity(kb, query),
        boxsel.sample(kb, 100),
        boxsel.simpson(examples.load("berkeley"), "Admitted", ["Woman", "Man"], ["DeptA", "DeptB"]),
    ]
    for result in results:
        shown = getattr(result, "_repr_html_", str)()
        assert re.match(r"<(strong|table|p|b|code)\b", shown), type(result)
