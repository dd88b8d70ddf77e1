"""Everybody can use the page: axe finds nothing serious in any state, and keys work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe

from boxsel import examples
from tests.serve.page.conftest import OpenPage, Scheme
from tests.serve.page.test_story import (
    CONTRADICTION,
    answer,
    badge,
    choose_file,
    editor,
    question,
    says,
)

pytestmark = pytest.mark.deep

if TYPE_CHECKING:
    from playwright.sync_api import Page


def looks_good(page: Page, state: str, within: str = "body") -> None:
    """Nothing that axe calls critical or serious; what fades in has come."""
    page.wait_for_timeout(500)
    found = Axe().run(page, context=within).response["violations"]
    serious = [one for one in found if one["impact"] in ("critical", "serious")]
    told = [(one["id"], one["nodes"][0]["html"][:200]) for one in serious]
    assert told == [], state


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_nothing_keeps_anybody_out(open_page: OpenPage, width: int, scheme: Scheme) -> None:
    page = open_page(width, scheme)
    says(answer(page), "between 0.16 and 0.96")
    looks_good(page, "an answer")
    for name in ("Examples", "Save", "Help"):
        page.get_by_role("button", name=name).click()
        page.get_by_role("menuitem").first.wait_for()
        looks_good(page, name)
        page.keyboard.press("Escape")
        page.get_by_role("menu").wait_for(state="detached")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("menuitem", name="People").click()
    page.get_by_role("heading", name="People").wait_for()
    looks_good(page, "people", "[role=dialog]")
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="People").wait_for(state="hidden")
    page.get_by_role("button", name="Examples").click()
    page.get_by_role("menuitem", name="berkeley").click()
    says(answer(page), "exactly 0.81")
    page.get_by_role("checkbox", name="Parts of a whole").wait_for()
    page.locator(".kinds svg").first.wait_for()
    looks_good(page, "who, and what if")
    question(page).fill("(Dep")
    page.get_by_role("option", name="DeptA").wait_for()
    looks_good(page, "completion")
    question(page).fill("(Nobody | Woman)")
    question(page).press("Enter")
    says(page.locator(".question-problem").first, "Nobody")
    looks_good(page, "a problem with the question")
    page.get_by_role("tab", name="Simpson").click()
    page.get_by_role("button", name="Compare groups").click()
    says(page.locator(".verdict").first, "entailed")
    looks_good(page, "a comparison")
    page.get_by_role("tab", name="Boxes").click()
    looks_good(page, "boxes")
    choose_file(page, examples.path("kidney_stones.csv"))
    says(page.locator(".notice"), "is a table of data")
    looks_good(page, "a notice")
    editor(page).fill(CONTRADICTION)
    says(badge(page), "Incoherent")
    looks_good(page, "a conflict")
    page.get_by_role("button", name="Repair").click()
    page.locator(".change-new").wait_for()
    looks_good(page, "a repair", "[role=dialog]")
    page.keyboard.press("Escape")
    page.locator(".change-new").wait_for(state="hidden")
    editor(page).fill("(B | A)[0.2")
    says(badge(page), "Cannot be read")
    looks_good(page, "a mistake")
    editor(page).fill("")
    says(badge(page), "Empty")
    looks_good(page, "nothing")


def test_menus_are_walked_with_arrow_keys(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.get_by_role("button", name="Examples").focus()
    page.keyboard.press("Enter")
    page.get_by_role("menuitem").first.wait_for()
    page.wait_for_timeout(300)
    for key in ("ArrowUp", "ArrowUp", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    says(page.locator(".file-name"), f"{examples.names()[-2]}.sel")


def test_what_is_not_there_is_told_on_a_page_of_ours(open_page: OpenPage, address: str) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    reply = page.request.get(f"{address}nothing", headers={"Accept": "text/html"})
    assert reply.status == 404
    assert "To the workbench" in reply.text()


def test_a_link_that_was_not_copied_is_not_called_copied(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Copy link").click()
    says(page.locator(".notice"), "take the link from its address")
