"""The page speaks like a page: what is wrong stands where it is wrong, with a way on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boxsel import examples
from tests.serve.page.conftest import OpenPage
from tests.serve.page.visitor import (
    Shoot,
    answer,
    are,
    ask,
    badge,
    choose_file,
    editor,
    holds,
    kept,
    open_example,
    press,
    question,
    says,
    tells,
    turn,
)

pytestmark = pytest.mark.deep

CHOSEN = "field => field.value.slice(field.selectionStart, field.selectionEnd)"

if TYPE_CHECKING:
    from playwright.sync_api import Page


def speaks_like_a_page(page: Page) -> None:
    """There are no words of the command line, and no traces of the inside."""
    said = page.locator("body").inner_text()
    assert not re.search(r"(?<!\w)--[a-z]|boxsel [a-z]+ |Traceback|\n\s*\^", said), said


def test_what_cannot_be_asked_is_said_at_the_field(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    ask(page, "(Admited | Applicant)")
    problem = page.locator(".question-problem").first
    says(problem, "does not mention Admited. Did you mean Admitted?")
    assert question(page).evaluate(CHOSEN) == "Admited"  # ready to be typed over
    tells(question(page), "aria-invalid", "true")
    are(page.locator(".answered.stale"), 1)  # it answers what was asked before
    question(page).fill("(Zebra | Applicant)")
    press(page, "Ask")
    says(problem, "does not mention Zebra.")
    speaks_like_a_page(page)
    ask(page, "(Admitted | DeptA)")
    says(answer(page), "exactly 0.8")
    problem.filter(has_text=re.compile("^$")).wait_for(state="attached")
    are(page.locator(".answered.stale"), 0)
    question(page).fill("")
    page.locator("button:disabled", has_text="Ask").wait_for()


def test_a_problem_that_statements_bring_does_not_move_what_is_chosen(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    editor(page).fill("(B | A)[0.2]")
    question(page).select_text()
    says(page.locator(".question-problem").first, "does not mention Admitted")
    assert question(page).evaluate(CHOSEN) == "(Admitted | Applicant)"
    # It is gone with them: what is not read says nothing about the question.
    editor(page).fill("(B | A")
    says(page.locator(".answer"), "The text has mistakes")
    page.locator(".question-problem", has_text="does not").wait_for(state="detached")
    are(page.locator(".answered.stale"), 0)


def test_names_and_words_are_told_to_people(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    # Words of the trade are explained where they stand, also to who has no mouse.
    word = page.locator(".answer-note abbr")
    tells(word, "title", "obey every statement")
    word.focus()
    shown = "getComputedStyle(document.activeElement, '::after').content"
    assert "obey every statement" in page.evaluate(shown)
    tells(badge(page), "title", "every name can have members")
    # Names of an ontology are shown by their labels, with their identifiers behind them.
    choose_file(page, examples.path("phenotypes.obo"))
    says(page.locator(".file-name"), "phenotypes.obo")
    ask(page, "(EX:0100 | EX:0111)")
    says(page.locator(".question-words").first, "What share of Focal seizure is Abnormality of the")
    says(page.locator(".answer-query"), "(Abnormality of the nervous system | Focal seizure)")
    tells(page.locator(".answer-query span").last, "title", "EX:0111")
    says(page.locator(".evidence .premise-text").first, "Seizure SubClassOf Abnormality")
    # So they are where groups are chosen; the link has the identifiers.
    turn(page, "Simpson")
    page.get_by_role("combobox", name="Outcome").fill("focal")
    page.get_by_role("option", name="Focal seizure").click()
    kept(page, "outcome", "EX:0111")


@pytest.mark.parametrize("width", [1280, 390])
def test_long_lines_wrap_where_they_are_typed_and_drawn(open_page: OpenPage, width: int) -> None:
    page = open_page(width)
    says(answer(page), "between 0.16 and 0.96")
    page.get_by_role("heading", name="Statements").wait_for()
    long = "# " + "a comment that goes on and on, " * 20
    editor(page).fill(f"{long}\n(B | A)[0.2]\n'{'x' * 300}' SubClassOf A\n" * 20)
    says(badge(page), "Coherent")
    question(page).focus()
    are(page.locator(".editor-line"), 61)
    sizes = page.evaluate(
        "() => { const area = document.querySelector('.editor-area');"
        " const sheet = document.querySelector('.editor-sheet');"
        " return [area.scrollWidth - area.clientWidth, area.scrollHeight,"
        " sheet.getBoundingClientRect().height]; }"
    )
    assert sizes[0] == 0
    # What is drawn is as high as what is edited, apart from the room around it.
    assert 0 < sizes[1] - sizes[2] < 60


def test_buttons_work_or_say_what_is_missing(open_page: OpenPage) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    turn(page, "Simpson")
    compare = page.get_by_role("button", name="Compare groups")
    page.get_by_text("Choose an outcome, two groups").wait_for()
    assert compare.is_disabled()
    open_example(page, "berkeley")
    says(answer(page), "exactly 0.81")
    turn(page, "Simpson")
    compare.click()
    says(page.locator(".verdict").first, "entailed")
    page.get_by_text("Choose an outcome, two groups").wait_for(state="hidden")
    # What a format cannot hold is said, with a way on.
    open_example(page, "clinic")
    says(page.locator(".file-name"), "clinic.sel")
    press(page, "Save")
    page.get_by_text("(.csv)").click()
    says(page.locator(".notice"), "this would be lost: 1 role inclusion")
    speaks_like_a_page(page)
    with page.expect_download() as saving:
        press(page, "Save without them")
    assert saving.value.suggested_filename == "clinic.csv"
    page.locator(".notice").wait_for(state="hidden")


def test_a_table_of_data_is_recognised(open_page: OpenPage, shoot: Shoot) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    choose_file(page, examples.path("kidney_stones.csv"))
    says(page.locator(".notice"), "kidney_stones.csv is a table of data.")
    shoot(page, "9-table-opened")
    press(page, "Open in Simpson")
    says(page.locator(".verdict").first, "Full reversal")
    speaks_like_a_page(page)
    choose_file(page, examples.path("kidney_stones.csv"))
    press(page, "Make a knowledge base of it")
    says(page.locator(".file-name"), "kidney_stones.sel")
    says(badge(page), "Coherent")
    holds(editor(page), "'Outcome=Success'")
    page.get_by_role("img", name="Not saved").wait_for()


def test_a_file_that_cannot_be_read_is_told_in_a_line(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    broken = tmp_path / "broken.txt"
    broken.write_text("this is no\nknowledge base at all\n" * 20)
    choose_file(page, broken)
    notice = page.locator(".notice")
    says(notice, "broken.txt cannot be read: Line 1:")
    box = notice.bounding_box()
    assert box is not None
    assert box["height"] < 100
    details = page.locator(".notice-text")
    assert not details.is_visible()
    notice.get_by_text("Details").click()
    says(details, "Line 3:")
    speaks_like_a_page(page)
    notice.get_by_role("button", name="Close").click()
    notice.wait_for(state="hidden")
    holds(editor(page), "Applicant")
