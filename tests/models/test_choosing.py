"""What members are, if nobody says: the rule, what wins over it, and that a run keeps to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import boxsel
from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.models.choosing import (
    AUTO,
    EACH_ITS_OWN,
    MOST_ROWS,
    ONLY_BOXES,
    PER_INCLUSION,
    choose_representation,
    settings_for,
)
from boxsel.models.fit import fit
from boxsel.models.loading import load
from boxsel.models.resumable import StoppedError, fit_into
from boxsel.models.settings import Settings

BERKELEY = examples.load("berkeley")
POINTS = "".join(f"(B{place} | A)[0.5]\n" for place in range(PER_INCLUSION))
WHY = "8 of 8 proportions are points, and there is"

SHAPES = {
    "A SubClassOf B\n": ("boxes", "there are no proportions"),
    POINTS: ("populations", f"{WHY} no inclusion"),
    f"{POINTS}A SubClassOf C\n": ("populations", f"{WHY} only 1 inclusion"),
    f"{POINTS}A SubClassOf C\nC SubClassOf D\n": (
        "boxes",
        "2 inclusions are many beside 8 proportions",
    ),
    f"{POINTS}A EquivalentTo C and D\nC EquivalentTo E\n": (
        "boxes",
        "2 inclusions are many beside 8 proportions",
    ),
    f"{POINTS}DisjointClasses: A, C\nA(a)\nr Domain: A\n": ("populations", f"{WHY} no inclusion"),
    f"{POINTS}r(a, b)\n": ("boxes", "1 role assertion would be ignored by populations"),
    "(B | A)[0.5]\n(C | A)[0.2, 0.3]\n": (
        "populations",
        "1 of 2 proportions are points, and there is no inclusion",
    ),
    "(B | A)[0.2, 0.3]\n(C | A)[3 of 10]\n(D | A)[0.2, 0.3]\n": (
        "boxes",
        "2 of 3 proportions are intervals",
    ),
}


@pytest.mark.parametrize("text", SHAPES)
def test_shapes(text: str) -> None:
    choice = choose_representation(boxsel.parse(text))
    assert (choice.name, choice.why) == SHAPES[text]


def test_too_many_rows_are_for_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    kb = boxsel.parse(f"{POINTS}(r some A | A)[0.5]\n")
    assert choose_representation(kb).name == "populations"
    assert MOST_ROWS > 2 * 9
    monkeypatch.setattr("boxsel.models.choosing.MOST_ROWS", 2 * 9 - 1)
    assert choose_representation(kb).why == "populations would have 18 rows"


def test_what_is_left_open_is_chosen() -> None:
    for given in ({}, {"members": 3, "seed": 1, "tolerance": 0.1, "polish": "never"}):
        settings, choice = settings_for(BERKELEY, given)
        assert choice == choose_representation(BERKELEY)
        assert settings == Settings.from_json({**given, "representation": "populations"})


VALUES: dict[str, Any] = {
    "roles": "translation",
    "regularisers": "none",
    "weighting": "step",
    **dict.fromkeys(("dim", "epochs", "batch", "rate", "side", "margin"), 1),
}


@pytest.mark.parametrize("name", [*ONLY_BOXES, *EACH_ITS_OWN])
def test_who_sets_something_of_boxes_gets_them(name: str) -> None:
    given = {name: VALUES[name]}
    assert settings_for(BERKELEY, given) == (Settings.from_json(given), None)


def test_explicit_wins() -> None:
    for kind in ("boxes", "balls", "populations"):
        settings, choice = settings_for(BERKELEY, {"representation": kind})
        assert (settings.representation, choice) == (kind, None)
    assert settings_for(BERKELEY, {"preset": "paper"}) == (Settings(preset="paper"), None)


def test_auto_chooses_as_far_as_it_can() -> None:
    settings, choice = settings_for(BERKELEY, {"representation": AUTO, "dim": 7})
    assert (settings.representation, settings.dim) == ("populations", 7)
    assert choice == choose_representation(BERKELEY)
    for given in ({"preset": "paper"}, {"roles": "translation"}):
        settings, choice = settings_for(BERKELEY, {"representation": AUTO, **given})
        assert settings == Settings.from_json(given)
        assert choice is not None
        assert choice.why == f"only boxes have the {next(iter(given))} that was set"


def test_wrong_settings_are_refused() -> None:
    with pytest.raises(BoxselError, match="members must be at least 1"):
        settings_for(BERKELEY, {"members": 0})
    with pytest.raises(BoxselError, match="there is no representation 'boxs'"):
        settings_for(BERKELEY, {"representation": "boxs"})


def test_settings_as_one_value_are_taken_as_they_are() -> None:
    model = fit(BERKELEY, Settings(members=1, epochs=0))
    assert model.settings.representation == "boxes"
    assert model.provenance == {}


def test_a_run_goes_on_with_what_was_chosen(tmp_path: Path) -> None:
    folder = tmp_path / "berkeley.model"
    given: dict[str, Any] = {"members": 2, "dim": 4, "epochs": 300, "polish": "never"}
    given["representation"] = AUTO
    with pytest.raises(StoppedError):
        fit_into(folder, BERKELEY, given, stopped=lambda: True)
    with pytest.raises(BoxselError, match="representation was populations, now boxes"):
        fit_into(folder, BERKELEY, {**given, "representation": "boxes"})
    model = fit_into(folder, BERKELEY, given)
    assert model.provenance["resumed"] > 0
    assert model.settings.representation == "populations"
    again = load(folder)
    assert again.settings == model.settings
    assert again.provenance["chosen"] == choose_representation(BERKELEY).why
