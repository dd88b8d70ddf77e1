"""What the page asks of workers: the same as the library says."""

from __future__ import annotations

import pytest

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.pictures.boxes import draw_boxes
from boxsel.serve.library import Library
from boxsel.serve.page.comparisons import DataTable, rates_picture
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
    svg = draw_boxes(found["names"], best["boxes"])
    assert svg.count('class="box ') == 3


def test_rates_are_drawn() -> None:
    found = TASKS["simpson"](DESK, {**BERKELEY, **CHOICE})
    assert "DeptA: Woman 0.8, Man 0.75" in rates_picture(found["comparison"])


def test_a_table_says_what_can_be_chosen() -> None:
    table = DataTable.of("stones.csv", examples.path("kidney_stones.csv").read_bytes())
    asked = {"table": table.text, "format": table.format}
    values = TASKS["table_values"](DESK, asked)
    found = values["columns"]
    assert found["StoneSize"] == ["Large", "Small"]
    assert (values["count"], values["named"]) == ("Freq", [*found, "Freq"])
    other = TASKS["table_values"](DESK, {**asked, "individuals": True})
    assert (other["count"], "Freq" in other["columns"]) == (None, True)
    named = {
        "outcome": "Outcome=Success",
        "groups": [f"Treatment={one}" for one in found["Treatment"]],
        "strata": ["StoneSize"],
    }
    (one,) = TASKS["simpson_table"](DESK, {**asked, **named})["comparisons"]
    assert one["verdict"] == "full"


def test_columns_are_parted_by_commas_or_tabs() -> None:
    assert DataTable.of("x", "\ufeffa,b\n1,2".encode()) == DataTable("x", "a,b\n1,2", "csv")
    assert DataTable.of("x", b"a\tb,c\n").format == "tsv"
    with pytest.raises(BoxselError, match="x:1:5: the byte 0xff is not valid UTF-8"):
        DataTable.of("x", b"PAR1\xff")


@pytest.mark.parametrize("text", ["", "a,b\n1\n", "a,Freq\nx,0.5\n"])
def test_what_is_no_table_is_said_without_a_path(text: str) -> None:
    with pytest.raises(BoxselError) as raised:
        TASKS["table_values"](DESK, {"table": text, "format": "csv"})
    assert "/tmp" not in str(raised.value)
