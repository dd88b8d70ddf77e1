"""What the page asks of workers: the same as the library says."""

from __future__ import annotations

import pytest

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.serve.library import Library
from boxsel.serve.page.boxes_picture import boxes_picture
from boxsel.serve.page.rates_picture import rates_picture
from boxsel.serve.tasks import TASKS, Desk

DESK = Desk(Library(1000), 30)
BERKELEY = {"kb": examples.text("berkeley"), "format": "sel"}
CHOICE = {"outcome": "Admitted", "groups": ["Woman", "Man"], "strata": ["DeptA", "DeptB"]}


@pytest.mark.parametrize("assume", [[], ["(DeptA | Woman)[0.4]"], ["(DeptA | Woman)[0.95, 1]"]])
def test_a_glance_sees_what_the_answer_says(assume: list[str]) -> None:
    asked = {**BERKELEY, "query": "(Admitted | Woman)", "assume": assume, "estimate": "never"}
    glance, answer = TASKS["glance"](DESK, asked), TASKS["ask"](DESK, asked)
    assert glance["status"] == answer["status"]
    for part in ("lower", "upper", "exact"):
        assert glance["outer"][part] == answer["outer"][part]
    assert (glance["inner"] is None) == (answer["inner"] is None)


def test_members_are_drawn_with_their_names() -> None:
    found = TASKS["boxes"](DESK, {"kb": examples.text("applicant"), "format": "sel"})
    assert {*found["names"]} == {"Admitted", "Applicant", "DeptA"}
    best = min(found["members"], key=lambda one: float(one["violation"]))
    assert best["kept"]
    boxes = dict(zip(found["names"], best["boxes"], strict=True))

    def area(left: float, low: float, right: float, high: float) -> float:
        return max(0.0, right - left) * max(0.0, high - low)

    def meet(one: list[float], two: list[float]) -> float:
        low, high = map(max, one[:2], two[:2]), map(min, one[2:], two[2:])
        return area(*low, *high)

    both = meet(boxes["DeptA"], boxes["Applicant"]) / area(*boxes["Applicant"])
    assert 0.19 <= both <= 0.26  # areas are shares
    svg = boxes_picture(found["names"], best)
    assert svg.count('class="box ') == 3


def test_reversals_are_found_in_knowledge_bases() -> None:
    found = TASKS["reversal"](DESK, {**BERKELEY, **CHOICE})
    assert found["full"]["verdict"] == found["partial"]["verdict"] == "entailed"
    assert "DeptA: Woman 0.8, Man 0.75" in rates_picture(found["comparison"])


def test_reversals_are_found_in_tables() -> None:
    desk = Desk(DESK.library, 30, examples.path("kidney_stones.csv").read_bytes())
    found = TASKS["table_reversal"](desk, {})
    assert found["searched"]
    assert "full" in [one["verdict"] for one in found["comparisons"]]
    assert found["columns"]["StoneSize"] == ["Large", "Small"]
    named = {
        "outcome": "Outcome=Success",
        "groups": ["Treatment=OpenSurgery", "Treatment=PercutaneousNephrolithotomy"],
        "strata": ["StoneSize"],
    }
    (one,) = TASKS["table_reversal"](desk, named)["comparisons"]
    assert one["verdict"] == "full"


@pytest.mark.parametrize("data", [b"", b"\x00\x01", b"PAR1nonsense", b"a,b\n1\n", b"a,Freq\nx,y\n"])
def test_what_is_no_table_is_said_without_a_path(data: bytes) -> None:
    with pytest.raises(BoxselError) as raised:
        TASKS["table_reversal"](Desk(DESK.library, 30, data), {})
    assert "/tmp" not in str(raised.value)
