"""Nothing that was typed is lost: not by a click, a reload, or a server that is gone."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from boxsel import examples
from boxsel.serve.page.state import State, fragment, start
from tests.serve.page.conftest import OpenPage, free_port, served
from tests.serve.page.visitor import (
    CONTRADICTION,
    PATIENCE,
    answer,
    ask,
    badge,
    editor,
    holds,
    kept,
    open_example,
    press,
    question,
    says,
)
from tests.serve.page.wire import wired
from tests.serve.test_command import children, started

pytestmark = pytest.mark.deep

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

MINE = "(Mine | Applicant)[0.4]\n"
YOURS = "(Yours | Applicant)[0.3]\n"


def write(page: Page, text: str) -> None:
    """Type, and wait until the server has it."""
    editor(page).fill(text)
    says(badge(page), "Coherent")


def undo(page: Page) -> None:
    editor(page).focus()
    page.keyboard.press("Control+z")


def test_undo_brings_back_what_a_click_replaced(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    write(page, MINE)
    open_example(page, "berkeley")
    says(answer(page), "exactly 0.81")
    undo(page)
    holds(editor(page), MINE)
    says(page.locator(".summary"), "1 statement")
    page.keyboard.press("Control+y")
    holds(editor(page), examples.text("berkeley"))
    undo(page)
    holds(editor(page), MINE)

    # So it does after a repair, ...
    editor(page).fill(CONTRADICTION)
    says(badge(page), "Incoherent")
    press(page, "Repair …")
    press(page, "Apply")
    holds(editor(page), "[0.2, 0.8]")
    says(badge(page), "Coherent")
    undo(page)
    holds(editor(page), CONTRADICTION)
    says(badge(page), "Incoherent")

    # ... and after sliders were kept.
    write(page, examples.text("applicant"))
    ask(page, "(Admitted | Applicant)")
    says(answer(page), "between 0.16 and 0.96")
    page.get_by_role("slider", name="(Admitted | DeptA)").press("ArrowLeft")
    press(page, "Keep in the text")
    holds(editor(page), "(Admitted | DeptA)[0.79]")
    undo(page)
    holds(editor(page), "(Admitted | DeptA)[80%]")


def test_what_was_not_saved_is_marked_and_asked_about(open_page: OpenPage) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("dialog", lambda dialog: asked.append(dialog.type))
    says(badge(page), "Coherent")
    mark = page.get_by_role("img", name="Not saved")
    mark.wait_for(state="hidden")
    page.reload()
    says(badge(page), "Coherent")
    editor(page).click()
    page.keyboard.type("# mine\n")
    mark.wait_for()
    page.reload()
    mark.wait_for()
    holds(editor(page), "# mine")
    assert asked == ["beforeunload"]
    press(page, "Save")
    with page.expect_download():
        page.get_by_text("SEL text").click()
    mark.wait_for(state="hidden")


LATE = """() => {
  const draft = JSON.parse(sessionStorage.getItem('boxsel-draft') || 'null');
  if (!draft) return;
  draft.link = '#s=later';
  sessionStorage.setItem('boxsel-draft', JSON.stringify(draft));
}"""


def test_a_reload_keeps_what_its_link_does_not_say_yet(open_page: OpenPage) -> None:
    """The address may change while the page is being loaded anew from the one before."""
    page = open_page()
    says(badge(page), "Coherent")
    write(page, MINE)
    says(page.locator(".summary"), "1 statement")
    page.add_init_script(f"({LATE})()")
    page.reload()
    says(page.locator(".summary"), "1 statement")
    holds(editor(page), MINE)
    page.get_by_role("img", name="Not saved").wait_for()


FILL = """() => {
  for (const storage of [localStorage, sessionStorage])
    for (let [piece, place] = ['x'.repeat(1 << 20), 0]; piece; place++)
      try {
        storage.setItem(`full-${place}`, piece);
      } catch {
        piece = piece.slice(0, piece.length >> 1);
      }
}"""


def test_a_browser_without_room_has_the_text_in_its_address(open_page: OpenPage) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    kept(page, "name", "applicant.sel")
    page.evaluate(FILL)
    before = page.evaluate("location.hash")
    write(page, MINE)
    page.get_by_text("There is no room for a draft of this in the browser").wait_for()
    page.wait_for_function("(before) => location.hash !== before", arg=before)
    page.reload()
    says(page.locator(".summary"), "1 statement")
    holds(editor(page), MINE)


def test_a_text_that_was_not_read_is_not_called_wrong(open_page: OpenPage) -> None:
    """The server has no time for anything, so that it may be read another time."""
    with served(free_port(), "--seconds", "0.1", workers=1) as address:
        page = open_page(at=address)
        holds(editor(page), "DeptA")
        paste(page, "".join(f"(A{n} | B)[0.{n}]\n" for n in range(1, 20_000)))
        says(page.locator(".messages"), "no answer within 0.1 seconds")
        says(badge(page), "Not read")
        says(page.locator(".answer"), "waits until it is")
        press(page, "Try again")
        says(badge(page), "Not read")
        page.close()


def test_a_link_in_the_address_of_an_open_tab_is_followed(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    write(page, MINE)
    page.get_by_role("img", name="Not saved").wait_for()
    page.evaluate("link => { location.hash = link; }", fragment(start("berkeley")))
    says(page.locator(".file-name"), "berkeley.sel")
    says(answer(page), "exactly 0.81")
    # What was there is not lost.
    says(page.locator(".notice"), "There is a draft of applicant.sel that was not saved.")
    press(page, "Open the draft")
    holds(editor(page), MINE)
    page.reload()
    says(page.locator(".summary"), "1 statement")
    holds(editor(page), MINE)


def paste(page: Page, text: str) -> None:
    page.evaluate(
        "(text) => { const area = document.querySelector('.editor-area'); area.value = text;"
        " area.dispatchEvent(new Event('input')); }",
        text,
    )


def test_a_text_too_large_for_a_link_stays_as_a_draft(open_page: OpenPage) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    names = (f"A{sha256(b'%d' % n).hexdigest()}" for n in range(2000))  # nothing packs them
    large = "".join(f"({name} | B)[0.5]\n" for name in names)
    large += "# a text that is too large for the socket, too\n" * 25_000
    paste(page, large)
    says(page.locator(".summary"), "2,000 statements")
    says(page.locator(".file-note"), "too large for a link")
    page.wait_for_function("location.hash === ''")
    page.reload()
    says(page.locator(".summary"), "2,000 statements")
    assert editor(page).input_value() == large


def test_a_short_text_does_not_overtake_a_large_one(open_page: OpenPage) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    held: list[Route] = []
    page.route("**/page/files/*", lambda route: held.append(route))
    with page.expect_request("**/page/files/*"):
        paste(page, "# a long comment\n" * 10_000 + MINE)
    paste(page, MINE + YOURS)
    kept(page, "text", MINE + YOURS)  # now it waits for the one before it
    says(page.locator(".summary"), "4 statements")
    with page.expect_response("**/page/files/*"):
        held[0].continue_()
    says(page.locator(".summary"), "2 statements")


def test_a_text_too_large_for_the_server_is_told(open_page: OpenPage) -> None:
    with served(free_port(), "--size", "0.2", workers=1) as address:
        page = open_page(at=address)
        says(badge(page), "Coherent")
        paste(page, "# a long comment\n" * 20_000)
        says(page.locator(".messages"), "too large for the server")
        says(badge(page), "Cannot be read")
        paste(page, MINE)
        says(badge(page), "Coherent")
        page.close()


def test_what_is_typed_while_the_server_is_gone_survives(open_page: OpenPage) -> None:
    port = free_port()
    with served(port, workers=1) as address:
        page = open_page(at=address)
        says(answer(page), "between 0.16 and 0.96")
    # Requests that fail are complaints of the browser, and are meant here.
    editor(page).fill(MINE)
    question(page).fill("(Mine | Applicant)")
    editor(page).focus()
    kept(page, "text", MINE)
    with served(port, workers=1):
        says(answer(page), "exactly 0.4")
        holds(editor(page), MINE)
        page.get_by_role("img", name="Not saved").wait_for()
        page.close()


DEAF = """() => {
  if (sessionStorage.getItem('deaf')) return;
  const watch = setInterval(() => {
    if (!document.querySelector('.editor-area')?.value) return;
    clearInterval(watch);
    sessionStorage.setItem('deaf', 'once');
    window.socket.off();
  }, 5);
}"""
"""The first time, the page hears nothing more from the server once its text is there."""


def test_what_is_typed_at_the_very_first_survives(open_page: OpenPage) -> None:
    page = open_page()
    page.context.add_init_script(f"({DEAF})()")
    page.reload()
    page.wait_for_function("sessionStorage.getItem('deaf')")
    editor(page).fill(MINE)
    question(page).fill("(Mine | Applicant)")
    page.reload()
    says(answer(page), "exactly 0.4")
    holds(editor(page), MINE)


def test_a_lost_connection_comes_back_with_what_was_done_meanwhile(
    open_page: OpenPage, address: str
) -> None:
    with wired(urlsplit(address).port or 0) as wire:
        page = open_page(at=f"http://127.0.0.1:{wire.port}/")
        says(answer(page), "between 0.16 and 0.96")
        wire.cut()
        page.get_by_text("Connection lost").wait_for()
        editor(page).fill(MINE)
        ask(page, "(Mine | Applicant)")
        wire.mend()
        says(answer(page), "exactly 0.4")
        page.get_by_text("Connection lost").wait_for(state="hidden")
        # A slider that is moved meanwhile moves the answer later.
        slider = page.get_by_role("slider", name="(Mine | Applicant)")
        slider.wait_for()
        wire.cut()
        slider.press("ArrowRight")
        wire.mend()
        says(answer(page), "exactly 0.41")
        holds(editor(page), MINE)


def test_trying_again_reads_the_text_once_there_is_time(open_page: OpenPage) -> None:
    """A worker that is stopped lets any time pass; the one that comes after it does not."""
    with started("--seconds", "10") as (server, address):
        page = open_page(at=address, link=f"#{fragment(State(text=YOURS))}")
        says(badge(page), "Coherent")
        stopped = children(server.pid)
        for pid in stopped:
            os.kill(pid, signal.SIGSTOP)
        editor(page).fill(MINE)
        says(badge(page), "Not read")
        says(page.locator(".messages"), "no answer within 10 seconds")
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
        press(page, "Try again")
        says(badge(page), "Coherent")
        says(page.locator(".summary"), "1 statement")
        page.close()


def another(page: Page, address: str) -> Page:
    """One more tab of the same browser."""
    tab = page.context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.goto(address)
    says(answer(tab), "between 0.16 and 0.96")
    return tab


def test_drafts_of_closed_tabs_are_offered(open_page: OpenPage, address: str) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    write(page, MINE)
    page.get_by_role("img", name="Not saved").wait_for()
    kept(page, "text", MINE, "localStorage")

    # That of a tab that is open is no business of another, whose own is kept beside it.
    other = another(page, address)
    offer = other.locator(".notice")
    offer.wait_for(state="hidden")
    write(other, YOURS)
    kept(other, "text", YOURS, "localStorage")
    kept(other, "text", MINE, "localStorage")

    page.close()
    other.close()
    again = another(page, address)
    says(again.locator(".notice"), "There are 2 drafts that were not saved.")
    press(again, "Discard it")
    says(again.locator(".notice"), "There is a draft of applicant.sel")
    press(again, "Open the draft")
    holds(editor(again), MINE)
    again.get_by_role("img", name="Not saved").wait_for()
    kept(again, "text", MINE, "localStorage")

    # What is in a file is no draft any more.
    press(again, "Save")
    with again.expect_download():
        again.get_by_text("SEL text").click()
    again.wait_for_function(
        "() => !Object.keys(localStorage).some((key) => key.startsWith('boxsel-draft'))"
    )
