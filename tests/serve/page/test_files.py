"""What comes into the page and what leaves it: files, tables, links, people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.serve.page.conftest import OpenPage
from tests.serve.page.visitor import (
    Shoot,
    answer,
    badge,
    choose_file,
    editor,
    holds,
    press,
    says,
    turn,
)

pytestmark = pytest.mark.deep

if TYPE_CHECKING:
    pass


def test_files_are_opened_and_saved(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    press(page, "Save")
    with page.expect_download() as saving:
        page.get_by_text("OWL 2 in functional syntax").click()
    file = tmp_path / saving.value.suggested_filename
    saving.value.save_as(file)
    assert file.name == "applicant.ofn"
    choose_file(page, file)
    says(page.locator(".file-name"), "applicant.ofn")
    says(badge(page), "Coherent")
    holds(editor(page), "(Admitted | DeptA)[0.8]")
    broken = tmp_path / "broken.owl"
    broken.write_text("<rdf:RDF")
    choose_file(page, broken)
    says(page.locator(".notice"), "broken.owl cannot be read: ")


def test_several_files_are_one(open_page: OpenPage, tmp_path: Path, shoot: Shoot) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    more, other = tmp_path / "more.sel", tmp_path / "other.csv"
    more.write_text("(Admitted | Applicant)[0.2, 0.5]\n")
    with page.expect_file_chooser() as choosing:
        press(page, "Add a file …")
    choosing.value.set_files(more)
    says(answer(page), "between 0.2 and 0.5")
    holds(editor(page), "# University admissions in four statements.")
    holds(editor(page), "## source: more.sel")
    page.get_by_role("img", name="Not saved").wait_for()
    # Several that are chosen at once are opened as one; names that look the same are told.
    other.write_text("head,body,lower,upper\nAdmitted,Applicant,0.3,0.4\n")
    more.write_text("Prefix: : <http://example.org/>\n(Woman | Applicant)[0.5]\n")
    choose_file(page, more, other)
    says(page.locator(".notice"), "In more.sel and other.csv names look the same")
    press(page, "Make them one")
    says(page.locator(".summary"), "2 statements, 3 concepts")


def test_people_are_taken_away(open_page: OpenPage, tmp_path: Path, shoot: Shoot) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    press(page, "Save")
    page.get_by_text("People …").click()
    page.get_by_label("How many").fill("50")
    page.get_by_label("Which").click()
    page.get_by_role("option", name="those at the lower end").click()
    with page.expect_download() as saving:
        press(page, "Download")
    says(page.get_by_role("dialog"), "50 people; every statement holds exactly.")
    shoot(page, "10-people")
    assert saving.value.suggested_filename == "applicant-people.csv"
    saving.value.save_as(tmp_path / "people.csv")
    rows = (tmp_path / "people.csv").read_text().splitlines()
    admitted = rows[0].split(",").index("Admitted")
    assert sum(row.split(",")[admitted] == "yes" for row in rows[1:]) == 8
    # What cannot be is said in the dialog.
    page.get_by_label("How many").fill("7")
    press(page, "Download")
    says(page.get_by_role("dialog"), "With 25 people none is.")


def test_a_table_is_searched_for_reversals(open_page: OpenPage, shoot: Shoot) -> None:
    page = open_page(390)
    says(badge(page), "Coherent")
    turn(page, "Simpson")
    press(page, "Use a table")
    page.get_by_text("kidney_stones.csv").click()
    says(page.locator(".verdict").first, "Full reversal")
    shoot(page, "7-table")
    # Whose counts they are is shown, and can be changed.
    counts = page.get_by_role("combobox", name="Counts in")
    holds(counts, "Freq")
    counts.click()
    page.get_by_role("option", name="a row is one individual").click()
    page.locator(".verdict").first.wait_for(state="detached")
    says(page.locator(".rates .message-text"), "no reversal")


def test_a_damaged_link_is_said(open_page: OpenPage) -> None:
    page = open_page(link="#s=eNpzcg")
    page.get_by_text("this link is damaged").wait_for()
    says(answer(page), "between 0.16 and 0.96")
