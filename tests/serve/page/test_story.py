"""A real browser goes through what users do with the workbench."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from boxsel import examples
from tests.serve.page.conftest import OpenPage

pytestmark = pytest.mark.deep

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

Shoot = Callable[["Page", str], None]
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


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Statements")


def question(page: Page) -> Locator:
    return page.get_by_role("combobox", name="Question")


def answer(page: Page) -> Locator:
    return page.locator(".answer-said strong")


def badge(page: Page) -> Locator:
    return page.locator(".badge")


def says(place: Locator, text: str) -> None:
    from playwright.sync_api import expect

    expect(place).to_have_text(re.compile(re.escape(text)), timeout=20_000)


def holds(field: Locator, text: str) -> None:
    """Wait until a field has a text in it."""
    from playwright.sync_api import expect

    expect(field).to_have_value(re.compile(re.escape(text)), timeout=20_000)


def choose_file(page: Page, file: Path) -> None:
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open", exact=True).click()
    choosing.value.set_files(file)


def drag(page: Page, slider: Locator, shares: list[float]) -> None:
    """Press on a slider and move it; it is not let go."""
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    track, height = box["width"] - THUMB, box["y"] + box["height"] / 2
    for place, share in enumerate(shares):
        page.mouse.move(box["x"] + THUMB / 2 + share * track, height)
        if not place:
            page.mouse.down()
        page.wait_for_timeout(30)


@pytest.mark.parametrize("width", [1280, 390])
def test_the_whole_story(open_page: OpenPage, shoot: Shoot, width: int) -> None:
    page = open_page(width)
    # An example is open, with a question and its answer.
    says(answer(page), "between 0.16 and 0.96")
    says(badge(page), "Coherent")
    # It shows what is proved, possible and typical, and who attains each end.
    says(page.locator(".legend"), "typical")
    says(page.locator(".evidence .side-title").last, "Typically 0.575")
    says(page.locator(".kinds li").first, "Admitted and DeptA 16 %")
    assert page.locator(".kinds svg").count() == 3
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("berkeley", exact=True).click()
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
    assert page.locator(".editor-line.line-error .mark").count() == 1
    shoot(page, "2-mistake")

    # It is mended, and asked something else.
    editor(page).fill(text)
    says(badge(page), "Coherent")
    question(page).fill("(Admitted | Man)")
    page.get_by_role("button", name="Ask").click()
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
    assert page.locator(".share-range").count() > 0
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
    page.get_by_role("tab", name="Simpson").click()
    page.get_by_role("button", name="Compare groups").click()
    says(page.locator(".verdict").first, "entailed")
    shoot(page, "4-simpson")

    # The link restores all of it in another tab.
    page.get_by_role("button", name="Copy link").click()
    page.get_by_text("The link is copied").wait_for()
    link: str = page.evaluate("navigator.clipboard.readText()")
    again = open_page(width, link=link[link.index("#") :])
    says(badge(again), "Coherent")
    holds(editor(again), text)
    says(again.get_by_role("tab", selected=True), "Simpson")
    assert again.locator(".q-chip").all_inner_texts() == page.locator(".q-chip").all_inner_texts()
    again.get_by_role("tab", name="Question").click()
    holds(question(again), "(Admitted | Man)")
    holds(again.get_by_role("combobox", name="Compare with"), "(Admitted | Woman)")
    says(answer(again), "exactly 0.525")
    # And so does a reload.
    again.wait_for_timeout(400)
    again.reload()
    says(answer(again), "exactly 0.525")


def selects(page: Page, line: int, column: int) -> None:
    """The cursor of the editor comes to a place."""
    page.wait_for_function(
        "([line, column]) => { const area = document.querySelector('.editor-area');"
        " const before = area.value.slice(0, area.selectionStart).split('\\n');"
        " return before.length === line && before.at(-1).length + 1 === column; }",
        arg=[line, column],
    )


def test_a_conflict_is_shown_and_repaired(open_page: OpenPage, shoot: Shoot) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    editor(page).fill(CONTRADICTION)
    question(page).fill("(B | A)")
    question(page).press("Enter")
    says(badge(page), "Incoherent")
    says(answer(page), "no number")
    assert page.locator(".editor-line.line-conflict").count() == 2
    # The same lines stand on both sides, and each has a slider of its own.
    both = [page.locator(f"{place} .premise-text") for place in (".messages", ".evidence")]
    assert (
        both[0].all_inner_texts() == both[1].all_inner_texts() == ["(B | A)[0.2]", "(B | A)[0.8]"]
    )
    says(page.locator(".slider-hint").first, "Another line about the same share says 0.8")
    shoot(page, "5-conflict")
    page.get_by_role("slider", name="(B | A), line 2").fill("0.2")
    says(answer(page), "exactly 0.2")
    page.get_by_role("button", name="Reset").click()
    says(answer(page), "no number")
    page.get_by_role("button", name="Repair").click()
    page.locator(".change-new").wait_for()
    shoot(page, "6-repair")
    page.keyboard.press("Escape")
    assert editor(page).input_value() == CONTRADICTION
    page.get_by_role("button", name="Repair").click()
    page.locator(".change-new").wait_for()
    page.get_by_role("button", name="Apply").click()
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
    assert not page.get_by_role("option").first.is_visible()
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
    question(page).fill(f"({nasty} | A)")
    question(page).press("Enter")
    says(page.locator(".answer-query"), nasty)
    says(badge(page), "Incoherent")
    page.get_by_role("tab", name="Simpson").click()
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
    page.get_by_role("button", name="Reset").click()
    says(answer(page), "between 0.16 and 0.96")
    slider.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    says(answer(page), "between 0.14 and 0.94")
    page.get_by_role("button", name="Keep in the text").click()
    page.locator(".chip-if").wait_for(state="detached")
    holds(editor(page), "(Admitted | DeptA)[0.7]\n")
    says(badge(page), "Coherent")
    says(answer(page), "between 0.14 and 0.94")


def test_the_answer_follows_a_slider(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.evaluate(WATCH)
    slider = page.get_by_role("slider", name="(Admitted | DeptA)")
    for place in range(12):
        drag(page, slider, [0.8 - place / 50])
        page.wait_for_timeout(120)
    page.mouse.up()
    times: list[float] = page.evaluate("window.times")
    assert len(times) >= 4  # it follows while it is dragged, not only at the end


def test_files_are_opened_and_saved(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page()
    says(badge(page), "Coherent")
    page.get_by_role("button", name="Save").click()
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


def test_what_may_be_missing_is_told_and_added(open_page: OpenPage, shoot: Shoot) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    editor(page).fill(examples.text("berkeley").replace("DisjointClasses: DeptA, DeptB", ""))
    says(badge(page), "Coherent")
    question(page).fill("(Admitted | Woman)")
    question(page).press("Enter")
    hint = page.locator(".hint-side")
    says(hint, "If it is true as well, the answer is exactly 0.81.")
    shoot(page, "11-hint")
    hint.get_by_role("button", name="Add it to the text").click()
    holds(editor(page), "DisjointClasses: DeptA, DeptB")
    says(answer(page), "exactly 0.81")


def test_several_files_are_one(open_page: OpenPage, tmp_path: Path, shoot: Shoot) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    more, other = tmp_path / "more.sel", tmp_path / "other.csv"
    more.write_text("(Admitted | Applicant)[0.2, 0.5]\n")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Add a file").click()
    choosing.value.set_files(more)
    says(answer(page), "between 0.2 and 0.5")
    holds(editor(page), "# University admissions in four statements.")
    holds(editor(page), "## source: more.sel")
    page.get_by_role("img", name="Not saved").wait_for()
    # Several that are chosen at once are opened as one; names that look the same are told.
    other.write_text("head,body,lower,upper\nAdmitted,Applicant,0.3,0.4\n")
    more.write_text("Prefix: : <http://example.org/>\n(Woman | Applicant)[0.5]\n")
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name="Open", exact=True).click()
    choosing.value.set_files([more, other])
    says(page.locator(".notice"), "In more.sel and other.csv names look the same")
    page.get_by_role("button", name="Make them one").click()
    says(page.locator(".summary"), "2 statements, 3 concepts")


def test_people_are_taken_away(open_page: OpenPage, tmp_path: Path, shoot: Shoot) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.get_by_role("button", name="Save").click()
    page.get_by_text("People …").click()
    page.get_by_label("How many").fill("50")
    page.get_by_label("Which").click()
    page.get_by_role("option", name="those at the lower end").click()
    with page.expect_download() as saving:
        page.get_by_role("button", name="Download").click()
    says(page.get_by_role("dialog"), "50 people; every statement holds exactly.")
    shoot(page, "10-people")
    assert saving.value.suggested_filename == "applicant-people.csv"
    saving.value.save_as(tmp_path / "people.csv")
    rows = (tmp_path / "people.csv").read_text().splitlines()
    admitted = rows[0].split(",").index("Admitted")
    assert sum(row.split(",")[admitted] == "yes" for row in rows[1:]) == 8
    # What cannot be is said in the dialog.
    page.get_by_label("How many").fill("7")
    page.get_by_role("button", name="Download").click()
    says(page.get_by_role("dialog"), "With 25 people none is.")


def test_a_table_is_searched_for_reversals(open_page: OpenPage, shoot: Shoot) -> None:
    page = open_page(390)
    says(badge(page), "Coherent")
    page.get_by_role("tab", name="Simpson").click()
    page.get_by_role("button", name="Use a table").click()
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


def test_boxes_are_trained_and_the_page_answers_meanwhile(
    open_page: OpenPage, shoot: Shoot
) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.get_by_role("tab", name="Boxes").click()
    page.get_by_role("button", name="Train").click()
    page.get_by_role("tab", name="Question").click()
    question(page).fill("(DeptA | Admitted)")
    question(page).press("Enter")
    says(page.locator(".answer-query"), "(DeptA | Admitted)")
    page.get_by_role("tab", name="Boxes").click()
    page.locator("rect.box").first.wait_for(timeout=60_000)
    assert {*page.locator(".boxes-names li").all_inner_texts()} == {
        "Admitted",
        "Applicant",
        "DeptA",
    }
    says(page.locator(".boxes-which"), "world 1 of 8")
    page.get_by_role("button", name="Next world").click()
    says(page.locator(".boxes-which"), "world 2 of 8")
    shoot(page, "8-boxes")


def test_work_can_be_cancelled(open_page: OpenPage) -> None:
    page = open_page()
    says(answer(page), "between 0.16 and 0.96")
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("clinic", exact=True).click()
    says(answer(page), "between 0.19125 and 0.29125")
    page.get_by_role("tab", name="Boxes").click()
    page.get_by_role("button", name="Train").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("nothing is trained yet").wait_for()
    page.get_by_role("tab", name="Question").click()
    question(page).fill("(Smoker | Patient)")
    question(page).press("Enter")
    says(answer(page), "between 0.2 and 0.3")


def test_a_damaged_link_is_said(open_page: OpenPage) -> None:
    page = open_page(link="#s=eNpzcg")
    page.get_by_text("this link is damaged").wait_for()
    says(answer(page), "between 0.16 and 0.96")


def test_colours_are_switched_and_remembered(open_page: OpenPage) -> None:
    page = open_page(scheme="dark")
    says(badge(page), "Coherent")
    assert page.locator("body.body--dark").count() == 1
    page.get_by_role("button", name="Light or dark").click()
    page.locator("body.body--light").wait_for()
    page.reload()
    says(badge(page), "Coherent")
    page.locator("body.body--light").wait_for()


@pytest.mark.parametrize("width", [1280, 390])
def test_nothing_is_wider_than_the_page(open_page: OpenPage, width: int) -> None:
    page = open_page(width)
    says(answer(page), "between 0.16 and 0.96")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    before = page.locator(".slider-rows").bounding_box()
    question(page).fill("(Nobody | Applicant)")
    question(page).press("Enter")
    says(page.locator(".question-problem").first, "Nobody")
    assert page.locator(".slider-rows").bounding_box() == before  # nothing jumped


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
