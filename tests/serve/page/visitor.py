"""What somebody who uses the page does there, and waits for."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Shoot = Callable[["Page", str], None]
PATIENCE = 60_000
"""Milliseconds for whatever is waited for: a machine may have much else to do."""
THUMB = 18
WATCH = """() => {
  window.times = [];
  let moved = null;
  document.addEventListener('input', () => { moved = performance.now(); }, true);
  new MutationObserver(() => {
    if (moved !== null) window.times.push(performance.now() - moved);
    moved = null;
  }).observe(document.querySelector('.answer-picture'), { childList: true, subtree: true });
}"""
CONTRADICTION = "(B | A)[0.2]  # first\n(B | A)[0.8]  # second\nA SubClassOf C\n"
SETTLED = """() => document.querySelector('[class*="-enter-"], [class*="-leave-"]') === null
  && document.getAnimations().every(
  (one) => one.playState !== 'running' || one.effect.getComputedTiming().iterations === Infinity)"""
"""Nothing moves, and nothing is about to: what opens is there before it begins to fade in."""


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Statements", exact=True)


def question(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Question", exact=True)


def answer(page: Page) -> Locator:
    return page.locator(".answer-said strong")


def badge(page: Page) -> Locator:
    return page.locator(".badge")


def says(place: Locator, text: str) -> None:
    """Wait until a text is in a place."""
    from playwright.sync_api import expect

    expect(place).to_have_text(re.compile(re.escape(text)), timeout=PATIENCE)


def holds(field: Locator, text: str) -> None:
    """Wait until a field has a text in it."""
    from playwright.sync_api import expect

    expect(field).to_have_value(re.compile(re.escape(text)), timeout=PATIENCE)


def tells(place: Locator, attribute: str, text: str) -> None:
    """Wait until a text is in an attribute of a place."""
    from playwright.sync_api import expect

    expect(place).to_have_attribute(attribute, re.compile(re.escape(text)), timeout=PATIENCE)


def are(places: Locator, count: int) -> None:
    """Wait until there are so many."""
    from playwright.sync_api import expect

    expect(places).to_have_count(count, timeout=PATIENCE)


def settle(page: Page) -> None:
    """Wait until what fades or slides in is there."""
    page.wait_for_function(SETTLED)


def press(page: Page, name: str) -> None:
    """Press the button with exactly this name."""
    page.get_by_role("button", name=name, exact=True).click()


def turn(page: Page, view: str) -> None:
    page.get_by_role("tab", name=view, exact=True).click()


def ask(page: Page, query: str) -> None:
    question(page).fill(query)
    question(page).press("Enter")


def open_example(page: Page, name: str) -> None:
    press(page, "Examples")
    page.get_by_role("menuitem", name=name).click()
    says(page.locator(".file-name"), f"{name}.sel")


def choose_file(page: Page, *files: Path) -> None:
    with page.expect_file_chooser() as choosing:
        press(page, "Open")
    choosing.value.set_files(files)


def kept(page: Page, field: str, value: str, storage: str = "sessionStorage") -> None:
    """Wait until a draft in the browser says something."""
    page.wait_for_function(
        "([storage, field, value]) => Object.entries(window[storage]).some(([key, draft]) =>"
        " key.startsWith('boxsel-draft') && JSON.parse(draft)[field] === value)",
        arg=[storage, field, value],
    )


def drag(page: Page, slider: Locator, shares: list[float]) -> None:
    """Press on a slider and move it; it is not let go."""
    slider.scroll_into_view_if_needed()
    for place, share in enumerate(shares):
        drag_on(page, slider, share)
        if not place:
            page.mouse.down()


def drag_on(page: Page, slider: Locator, share: float) -> None:
    box = slider.bounding_box()
    assert box is not None
    track, height = box["width"] - THUMB, box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + THUMB / 2 + share * track, height)


def selects(page: Page, line: int, column: int) -> None:
    """The cursor of the editor comes to a place."""
    page.wait_for_function(
        "([line, column]) => { const area = document.querySelector('.editor-area');"
        " const before = area.value.slice(0, area.selectionStart).split('\\n');"
        " return before.length === line && before.at(-1).length + 1 === column; }",
        arg=[line, column],
    )
