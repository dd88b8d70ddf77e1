"""A real browser goes through what users do with the workbench."""

from __future__ import annotations

import re
import urllib.request
from typing import TYPE_CHECKING

import pytest

from boxsel import examples
from boxsel.serve.page.state import Comparison, State, fragment
from tests.serve.page.conftest import OpenPage
from tests.serve.page.visitor import (
    CONTRADICTION,
    WATCH,
    Shoot,
    answer,
    are,
    ask,
    badge,
    drag,
    drag_on,
    editor,
    holds,
    kept,
    open_example,
    press,
    question,
    says,
    selects,
    settle,
    turn,
)

pytestmark = pytest.mark.deep

if TYPE_CHECKING:
    pass


@pytest.mark.parametrize("width", [1280, 390])
def test_the_whole_story(open_page: OpenPage, shoot: Shoot, width: int) -> None:
    page = open_page(width)
    # An example is open, with a question and its answer.
    says(answer(page), "between 0.16 and 0.96")
    says(badge(page), "Coherent")
    # It shows what is proved, possible and typical, and who attains each end.
    says(page.locator(".legend"), "typical")
    page.get_by_role("heading", name="Typically 0.575").wait_for()
    says(page.locator(".kinds li").first, "Admitted and DeptA 16 %")
    are(page.locator(".kinds svg"), 3)
    open_example(page, "berkeley")
    says(answer(page), "exactly 0.81")
    shoot(page, "1-answer")

    # It is broken: the mistake is shown with its place, and the way there.
    text = examples.text("berkeley")
    editor(page).fill(text.replace("(DeptA | Woman)[0.90]", "(DeptA | Woman)[0.90"))
    says(badge(page), "Cannot be read")
    line = text.split("\n").index("(DeptA | Woman)[0.90]") + 1
    place = page.get_by_role("button", name=f"line {line}, column 21")
    place.click()
    selects(page, line, 21)
    are(page.locator(".editor-line.line-error .mark"), 1)
    are(page.locator(".sliders.stale"), 1)  # they are about what was there before
    shoot(page, "2-mistake")

    # It is mended, and asked something else.
    editor(page).fill(text)
    says(badge(page), "Coherent")
    question(page).fill("(Admitted | Man)")
    press(page, "Ask")
    says(answer(page), "exactly 0.84")

    # A slider moves the answer while it is dragged, and goes into the link.
    slider = page.get_by_role("slider", name="(Admitted | DeptB and Man)")
    drag(page, slider, [0.85, 0.8, 0.7, 0.6, 0.5])
    says(answer(page), "exactly 0.525")
    page.mouse.up()
    says(page.locator(".evidence"), "(Admitted | DeptB and Man)[0.5]")
    says(page.locator(".answer-was"), "was exactly 0.84")
    # A step that is not possible is not promised.
    together = page.get_by_role("checkbox", name="Parts of a whole move together")
    hints = page.locator(".slider-row", has_text="(DeptB | Man)").locator(".slider-hint")
    says(hints.first, "+0.01: exactly 0.5225")
    together.click()
    says(hints.first, "+0.01: no number")
    together.click()
    says(hints.first, "+0.01: exactly 0.5225")
    page.locator(".share-range").first.wait_for()
    shoot(page, "3-what-if")

    # Parts of a whole move together: all men apply somewhere.
    page.get_by_role("slider", name="(DeptB | Man)").press("ArrowLeft")
    says(page.locator(".slider-row", has_text="(DeptA | Man)").locator(".slider-value"), "0.11")
    says(answer(page), "exactly 0.5275")
    page.get_by_role("slider", name="(DeptA | Man)").press("ArrowLeft")
    says(answer(page), "exactly 0.525")

    # A premise leads to its line.
    page.get_by_role("button", name="(DeptB | Man)[0.9]").first.click()
    selects(page, text.split("\n").index("(DeptB | Man)[0.90]") + 1, 1)

    # The share is compared with another one.
    other = page.get_by_role("combobox", name="Compare with")
    other.fill("(Admitted | Woman)")
    other.press("Enter")
    says(page.locator(".comparing-verdict"), "lower than the second in every model")
    says(page.locator(".comparing .numbers"), "exactly -0.285")

    # The paradox.
    turn(page, "Simpson")
    press(page, "Compare groups")
    says(page.locator(".verdict").first, "entailed")
    shoot(page, "4-simpson")

    # The link restores all of it in another tab.
    press(page, "Copy link")
    page.get_by_text("The link is copied").wait_for()
    link: str = page.evaluate("navigator.clipboard.readText()")
    again = open_page(width, link=link[link.index("#") :])
    says(badge(again), "Coherent")
    holds(editor(again), text)
    says(again.get_by_role("tab", selected=True), "Simpson")
    are(again.locator(".q-chip"), 4)
    assert again.locator(".q-chip").all_inner_texts() == page.locator(".q-chip").all_inner_texts()
    turn(again, "Question")
    holds(question(again), "(Admitted | Man)")
    holds(again.get_by_role("combobox", name="Compare with"), "(Admitted | Woman)")
    says(answer(again), "exactly 0.525")
    # And so does a reload.
    kept(again, "view", "question")
    again.reload()
    says(answer(again), "exactly 0.525")


def test_a_conflict_is_shown_and_repaired(open_page: OpenPage, shoot: Shoot) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    editor(page).fill(CONTRADICTION)
    ask(page, "(B | A)")
    says(badge(page), "Incoherent")
    says(answer(page), "no number")
    are(page.locator(".editor-line.line-conflict"), 2)
    # The same lines stand on both sides, and each has a slider of its own.
    for place in (".messages", ".evidence"):
        are(page.locator(f"{place} .premise-text"), 2)
        for nth, line in enumerate(("(B | A)[0.2]", "(B | A)[0.8]")):
            says(page.locator(f"{place} .premise-text").nth(nth), line)
    says(page.locator(".slider-hint").first, "Another line about the same share says 0.8")
    shoot(page, "5-conflict")
    page.get_by_role("slider", name="(B | A), line 2").fill("0.2")
    says(answer(page), "exactly 0.2")
    press(page, "Reset")
    says(answer(page), "no number")
    press(page, "Repair …")
    page.locator(".change-new").wait_for()
    shoot(page, "6-repair")
    page.keyboard.press("Escape")
    assert editor(page).input_value() == CONTRADICTION
    press(page, "Repair …")
    page.locator(".change-new").wait_for()
    press(page, "Apply")
    holds(editor(page), "[0.2, 0.8]")
    says(badge(page), "Coherent")
    text = editor(page).input_value()
    assert "# first" in text and "# second" in text
    says(answer(page), "exactly")


def test_names_are_completed_by_keyboard(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    field = question(page)
    field.fill("")
    field.press_sequentially("(dep")
    page.get_by_role("option", name="DeptA").wait_for()
    field.press("Escape")
    page.get_by_role("option").first.wait_for(state="hidden")
    field.press_sequentially("t")
    page.get_by_role("option", name="DeptA").wait_for()
    field.press("ArrowDown")
    field.press("Enter")
    holds(field, "(DeptA")
    # Names are offered before a letter is typed, and Tab takes one.
    field.press_sequentially(" | ")
    page.get_by_role("option", name="Applicant").wait_for()
    field.press_sequentially("Adm")
    page.get_by_role("option", name="Admitted").wait_for()
    field.press("Tab")
    holds(field, "(DeptA | Admitted")
    field.press_sequentially(")")
    says(page.locator(".question-words").first, "What share of Admitted is DeptA?")
    field.press("Enter")
    says(page.locator(".answer-query"), "(DeptA | Admitted)")


def test_names_are_never_taken_for_markup(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    nasty = "'<img src=x onerror=alert(1)>\"&'"
    editor(page).fill(f"({nasty} | A)[0.2]\n({nasty} | A)[0.8]\n")
    ask(page, f"({nasty} | A)")
    says(page.locator(".answer-query"), nasty)
    says(badge(page), "Incoherent")
    turn(page, "Simpson")
    page.get_by_text("Choose an outcome, two groups").wait_for()
    assert page.locator("img").count() == 0


def test_two_tabs_have_states_of_their_own(open_page: OpenPage) -> None:
    one, two = open_page(), open_page()
    says(answer(one), "between 0.16 and 0.96")
    says(answer(two), "between 0.16 and 0.96")
    editor(one).fill(examples.text("applicant").replace("80%", "50%"))
    says(answer(one), "between 0.1 and 0.9")
    says(answer(two), "between 0.16 and 0.96")
    assert "80%" in editor(two).input_value()


def test_sliders_are_reset_and_kept(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    slider = page.get_by_role("slider", name="(Admitted | DeptA)")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    says(answer(page), "between 0.14 and 0.94")
    press(page, "Reset")
    says(answer(page), "between 0.16 and 0.96")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    says(answer(page), "between 0.14 and 0.94")
    press(page, "Keep in the text")
    page.locator(".chip-if").wait_for(state="detached")
    holds(editor(page), "(Admitted | DeptA)[0.7]\n")
    says(badge(page), "Coherent")
    says(answer(page), "between 0.14 and 0.94")


def test_the_answer_follows_a_slider(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.evaluate(WATCH)
    slider = page.get_by_role("slider", name="(Admitted | DeptA)")
    drag(page, slider, [0.8])
    for place in range(1, 6):  # it follows while it is dragged, not only at the end
        drag_on(page, slider, 0.8 - place / 50)
        page.wait_for_function("(drawn) => window.times.length >= drawn", arg=place)
    page.mouse.up()


def test_what_may_be_missing_is_told_and_added(open_page: OpenPage, shoot: Shoot) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    editor(page).fill(examples.text("berkeley").replace("DisjointClasses: DeptA, DeptB", ""))
    says(badge(page), "Coherent")
    ask(page, "(Admitted | Woman)")
    hint = page.locator(".hint-side")
    says(hint, "If it is true as well, the answer is exactly 0.81.")
    shoot(page, "11-hint")
    # The same answer again takes nothing away from under the mouse.
    hint.evaluate("element => element.dataset.seen = 'before'")
    question(page).press("Enter")
    page.locator(".slider-hint").first.wait_for()
    assert hint.get_attribute("data-seen") == "before"
    hint.get_by_role("button", name="Add it to the text").click()
    holds(editor(page), "DisjointClasses: DeptA, DeptB")
    says(answer(page), "exactly 0.81")


def test_boxes_are_trained_and_the_page_answers_meanwhile(
    open_page: OpenPage, shoot: Shoot
) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    turn(page, "Boxes")
    press(page, "Train")
    turn(page, "Question")
    ask(page, "(DeptA | Admitted)")
    says(page.locator(".answer-query"), "(DeptA | Admitted)")
    turn(page, "Boxes")
    page.locator("rect.box").first.wait_for(timeout=60_000)
    assert {*page.locator(".boxes-names li").all_inner_texts()} == {
        "Admitted",
        "Applicant",
        "DeptA",
    }
    says(page.locator(".boxes-which"), "world 1 of 8")
    press(page, "Next world")
    says(page.locator(".boxes-which"), "world 2 of 8")
    shoot(page, "8-boxes")


def test_work_can_be_cancelled(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    open_example(page, "clinic")
    says(answer(page), "between 0.19125 and 0.29125")
    turn(page, "Boxes")
    press(page, "Train")
    press(page, "Cancel")
    page.get_by_text("nothing is trained yet").wait_for()
    turn(page, "Question")
    ask(page, "(Smoker | Patient)")
    says(answer(page), "between 0.2 and 0.3")


def test_colours_are_switched_and_remembered(open_page: OpenPage) -> None:
    page = open_page(scheme="dark")
    says(badge(page), "Coherent")
    page.locator("body.body--dark").wait_for()
    press(page, "Light or dark")
    page.locator("body.body--light").wait_for()
    page.reload()
    says(badge(page), "Coherent")
    page.locator("body.body--light").wait_for()


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_page(open_page: OpenPage, width: int) -> None:
    page = open_page(width)
    says(answer(page), "between 0.16 and 0.96")
    are(page.locator(".slider-hint", has_text="0.01"), 2)  # all that comes later is there
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    before = page.locator(".slider-rows").bounding_box()
    ask(page, "(Nobody | Applicant)")
    says(page.locator(".question-problem").first, "Nobody")
    assert page.locator(".slider-rows").bounding_box() == before  # nothing jumped


@pytest.mark.parametrize("width", [1280, 390])
def test_names_of_any_length_fit_in_the_page(open_page: OpenPage, shoot: Shoot, width: int) -> None:
    first, second, third = ("A" * 300, "B" * 300, "C" * 300)
    text = f"({first} | {second})[0.5]\n({first} | {third})[0.25, 0.3]\n"
    state = State(
        text=text,
        name=f"{'words ' * 60}.sel",
        query=f"({first} | {second} and {third})",
        comparison=Comparison(first, (second, third), (first,)),
    )
    page = open_page(width, link=f"#{fragment(state)}")

    def fits() -> bool:
        settle(page)
        return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    says(answer(page), "anything between 0 and 1")
    page.locator(".kinds svg").first.wait_for()
    shoot(page, "12-long-names")
    assert fits()
    ask(page, f"({first} | {second}x)")
    says(page.locator(".question-problem").first, "does not mention")
    assert fits()
    turn(page, "Simpson")
    press(page, "Compare groups")
    page.locator(".verdict, .rates .problem").first.wait_for()
    shoot(page, "13-long-names-compared")
    assert fits()
    editor(page).fill(f"({first} | {second})[0.2]\n({first} | {second})[0.8]\n")
    says(badge(page), "Incoherent")
    assert fits()
    press(page, "Repair …")
    page.locator(".change-new").wait_for()
    shoot(page, "14-long-names-repaired")
    assert fits()
    wide = page.locator("[role=dialog] *").evaluate_all(
        "(all) => all.filter((one) => one.getBoundingClientRect().right > innerWidth).length"
    )
    assert wide == 0


def test_everything_comes_from_the_server(open_page: OpenPage, address: str) -> None:
    page = open_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.reload()
    says(answer(page), "between 0.16 and 0.96")
    loaded = [url for url in requests if not url.startswith(("data:", "blob:"))]
    assert len(loaded) > 5
    assert [
        url for url in loaded if not url.startswith((address, address.replace("http", "ws")))
    ] == []
    with urllib.request.urlopen(address, timeout=20) as response:
        policy = response.headers["Content-Security-Policy"]
        named = {*re.findall(r"https?://([\w.:-]+)", response.read().decode())}
    assert "default-src 'self'" in policy
    assert named <= {"www.w3.org"}  # the name of SVG, which nobody fetches
    # What is not there is told on a page of ours.
    lost = page.request.get(f"{address}nothing", headers={"Accept": "text/html"})
    assert lost.status == 404
    assert "No page of boxsel has the address /nothing." in lost.text()
    assert "To the workbench" in lost.text()
