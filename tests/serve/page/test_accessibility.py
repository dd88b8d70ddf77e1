"""Everybody can use the page: axe finds nothing serious in any state, and keys work."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT

from boxsel import examples
from tests.serve.page.conftest import OpenPage, Scheme
from tests.serve.page.visitor import (
    CONTRADICTION,
    answer,
    ask,
    badge,
    choose_file,
    editor,
    open_example,
    press,
    question,
    says,
    settle,
    turn,
)

pytestmark = pytest.mark.deep

if TYPE_CHECKING:
    from playwright.sync_api import Page


def violations(page: Page, within: str, rules: list[str]) -> list[dict[str, Any]]:
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = rules
    contents: list[dict[str, Any]] = page.evaluate(
        "([within, options]) => axe.run(within, options).then((found) => found.violations)",
        [within, options],
    )
    return contents


def looks_good(page: Page, state: str, within: str = "body") -> None:
    """Nothing that axe calls critical or serious; in the dark, colours are others."""
    schemes: dict[Scheme, list[str]] = {"dark": ["color-contrast"], "light": []}
    if page.evaluate("innerWidth < 500"):  # the colours are those of a wide page
        del schemes["dark"]
    for scheme, rules in schemes.items():
        page.emulate_media(color_scheme=scheme)
        page.locator(f"body.body--{scheme}").wait_for(state="attached")
        settle(page)
        serious = [
            (violation["id"], violation["nodes"][0]["html"][:200])
            for violation in violations(page, within, rules)
            if violation["impact"] in ("critical", "serious")
        ]
        assert serious == [], (state, scheme)


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_keeps_anybody_out(open_page: OpenPage, width: int) -> None:
    page = open_page(width)
    says(answer(page), "between 0.16 and 0.96")
    looks_good(page, "an answer")
    for name in ("Examples", "Save", "Help"):
        press(page, name)
        page.get_by_role("menuitem").first.wait_for()
        looks_good(page, name)
        page.keyboard.press("Escape")
        page.get_by_role("menu").wait_for(state="detached")
    press(page, "Help")
    page.get_by_role("menuitem", name="How to state and ask").click()
    page.get_by_role("heading", name="What you state").wait_for()
    looks_good(page, "help", "[role=dialog]")
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="What you state").wait_for(state="hidden")
    press(page, "Save")
    page.get_by_role("menuitem", name="People").click()
    page.get_by_role("heading", name="People").wait_for()
    looks_good(page, "people", "[role=dialog]")
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="People").wait_for(state="hidden")
    open_example(page, "berkeley")
    says(answer(page), "exactly 0.81")
    page.get_by_role("checkbox", name="Parts of a whole").wait_for()
    page.locator(".kinds svg").first.wait_for()
    other = page.get_by_role("combobox", name="Compare with")
    other.fill("(Admitted | Man)")
    other.press("Enter")
    page.locator(".comparing-verdict").wait_for()
    looks_good(page, "who, what if, and a comparison")
    question(page).fill("(Dep")
    page.get_by_role("option", name="DeptA").wait_for()
    looks_good(page, "completion")
    ask(page, "(Nobody | Woman)")
    says(page.locator(".question-problem").first, "Nobody")
    looks_good(page, "a problem with the question")
    turn(page, "Simpson")
    press(page, "Compare groups")
    says(page.locator(".verdict").first, "entailed")
    looks_good(page, "two groups")
    turn(page, "Boxes")
    looks_good(page, "boxes")
    choose_file(page, examples.path("kidney_stones.csv"))
    says(page.locator(".notice"), "is a table of data")
    looks_good(page, "a notice")
    editor(page).fill(CONTRADICTION)
    says(badge(page), "Incoherent")
    looks_good(page, "a conflict")
    press(page, "Repair …")
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
    settle(page)
    page.wait_for_function("document.activeElement.closest('[role=menu]') !== null")
    for key in ("ArrowUp", "ArrowUp", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    says(page.locator(".file-name"), f"{examples.names()[-2]}.sel")


FOCUSED = """() => {
  const one = document.activeElement;
  const style = getComputedStyle(one);
  // The editor and sliders show it around them and on their thumbs.
  const seen = one.matches('.editor-area, [type=range]') || style.boxShadow !== 'none'
    || (style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0);
  return [one.ariaLabel || one.innerText || one.tagName, seen, !!one.closest('[role=dialog]')];
}"""


def test_where_the_focus_is_can_be_seen(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    met = set()
    for _ in range(25):
        page.keyboard.press("Tab")
        name, seen, _ = page.evaluate(FOCUSED)
        met.add(name)
        assert seen or name == "BODY", name
    assert {"Examples", "Statements", "Question", "Ask", "Compare with"} <= met


def test_the_focus_stays_in_a_dialog(open_page: OpenPage) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    editor(page).fill(CONTRADICTION)
    says(badge(page), "Incoherent")
    page.get_by_role("button", name="Repair …").focus()
    page.keyboard.press("Enter")
    page.locator(".change-new").wait_for()
    settle(page)
    for key, names in (("Tab", ["Close", "Apply", "Close"]), ("Shift+Tab", ["Apply", "Close"])):
        for name in names:
            page.keyboard.press(key)
            assert page.evaluate(FOCUSED) == [name, True, True]
    page.keyboard.press("Escape")
    page.locator(".change-new").wait_for(state="hidden")
    page.wait_for_function("document.activeElement.innerText === 'Repair …'")


def test_a_link_that_was_not_copied_is_not_called_copied(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    press(page, "Copy link")
    says(page.locator(".notice"), "take the link from its address")
