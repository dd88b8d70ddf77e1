"""What the page asks of workers: the same as the library says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from boxsel import examples, parse
from boxsel.answer.ask import ask
from boxsel.errors import BoxselError
from boxsel.formats.registry import format_named
from boxsel.logic.kb import KB
from boxsel.pictures.boxes import draw_boxes
from boxsel.serve.library import Library
from boxsel.serve.page import answer_view
from boxsel.serve.page.comparisons import DataTable, rates_picture
from boxsel.serve.tasks import TASKS, Desk
from boxsel.union import Part, unite
from tests.strategies import kbs

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


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("applicant", "(Admitted | Applicant)"),
        ("applicant", "(not DeptA | Admitted or DeptA)"),
        ("berkeley", "(Admitted | Woman)"),
        ("clinic", "(TakesInsulin | DiabeticPatient)"),
    ],
)
def test_who_attains_an_end_has_the_share_of_it(name: str, query: str) -> None:
    asked = {"kb": examples.text(name), "query": query, "estimate": "never"}
    answer = TASKS["ask"](DESK, asked)
    stated = [axiom for side in answer["evidence"].values() for axiom in side["axioms"]]
    who = TASKS["who"](DESK, {**asked, "statements": stated})
    for side in ("lower", "upper"):
        counted = sum(one["share"] for one in who[side] if one["counted"])
        assert counted == pytest.approx(answer["outer"][side], abs=1e-6)
        assert sum(one["share"] for one in who[side]) == pytest.approx(1)
        names = [(*one["names"], one["counted"]) for one in who[side]]
        assert len({*names}) == len(names)
        assert len(answer_view.kinds_html(side, who[side])) > 100
    if "typical" in who:
        typical = sum(one["share"] for one in who["typical"] if one["counted"])
        assert typical == pytest.approx(answer["typical"]["value"], abs=1e-6)


def test_who_has_links_is_told_by_them() -> None:
    """Diseases are no kinds of patients, whatever statements say about both."""
    query = "(TakesInsulin | DiabeticPatient)"
    asked = {"kb": examples.text("clinic"), "query": query, "estimate": "never"}
    evidence = TASKS["ask"](DESK, asked)["evidence"]
    stated = [axiom for side in evidence.values() for axiom in side["axioms"]]
    found = TASKS["who"](DESK, {**asked, "statements": stated})["lower"]
    told = {name for kind in found for name in kind["names"]}
    assert told == {"TakesInsulin", "hasDisease some 'Type 2 diabetes'"}


def test_who_are_next_to_none_are_not_shown() -> None:
    kinds = [
        {"names": ["B"], "counted": True, "share": 1 - 1e-9},
        {"names": ["C"], "counted": False, "share": 1e-9},
    ]
    assert "B <b>100 %" in answer_view.kinds_html("A", kinds)
    assert "C <b>" not in answer_view.kinds_html("A", kinds)


def test_who_are_all_alike_are_told_by_what_they_are() -> None:
    asked = {"kb": "A SubClassOf B\n(C | A)[0.5]", "query": "(B | A)", "statements": []}
    assert {tuple(one["names"]) for one in TASKS["who"](DESK, asked)["lower"]} == {("A", "B")}


def test_who_they_are_is_told_without_quotes() -> None:
    asked = {"kb": "('Type 2' | A)[0.5]\n('B\\'s' | A)[1]", "query": "('Type 2' | A)"}
    found = TASKS["who"](DESK, {**asked, "statements": ["('B\\'s' | A)[1]"]})["lower"]
    assert {name for kind in found for name in kind["names"]} == {"Type 2"}


def test_a_hint_is_that_of_the_answer() -> None:
    text = examples.text("berkeley").replace("DisjointClasses: DeptA, DeptB", "")
    content = ask(parse(text), "(Admitted | Woman)", estimate="never").to_json()
    asked = {"kb": text, "query": "(Admitted | Woman)"}
    assert TASKS["hint"](DESK, asked)["hint"] == content["hint"]
    assert TASKS["hint"](DESK, {**BERKELEY, "query": "(Admitted | Woman)"})["hint"] is None


def united(*texts: str, match: str | None = None) -> dict[str, Any]:
    parts = [{"name": f"{place}.sel", "kb": text} for place, text in enumerate(texts)]
    return TASKS["unite"](Desk(Library(1000), 30), {"parts": parts, "match": match})


@given(kbs(), kbs())
def test_a_union_says_what_both_say(one: KB, other: KB) -> None:
    texts = [format_named("sel").write(kb) for kb in (one, other)]
    try:
        expected = unite([Part(f"{place}.sel", kb) for place, kb in enumerate((one, other))]).kb
    except BoxselError:
        return  # a name is a concept here and a role there
    found = parse(united(*texts)["kb"])
    assert {*found.axioms} == {*expected.axioms}
    assert found.labels == expected.labels


def test_comments_survive_when_a_file_is_added() -> None:
    text = "# mine\nPrefix: : <http://example.org/>\nA SubClassOf B  # so\n"
    content = united(text, "Prefix: : <http://example.org/>\n(B | C)[0.2]\n")
    assert content["kb"].startswith(text.rstrip())
    assert "(B | C)[0.2]  ## source: 1.sel" in content["kb"]
    assert content["alike"] == []
    # Names that look the same are told, and made one if that is wanted.
    content = united(text, "(B | C)[0.2]\n")
    assert (content["alike"], content["match"]) == (["B"], "local")
    joined = parse(united(text, "(B | C)[0.2]\n", match="local")["kb"])
    assert len(joined.signature.concepts) == 3


def test_members_are_drawn_with_their_names() -> None:
    content = TASKS["boxes"](DESK, {"kb": examples.text("applicant"), "format": "sel"})
    assert {*content["names"]} == {"Admitted", "Applicant", "DeptA"}
    best = min(content["members"], key=lambda member: float(member["violation"]))
    assert best["kept"]
    boxes = dict(zip(content["names"], best["boxes"], strict=True))

    def area(left: float, low: float, right: float, high: float) -> float:
        return max(0.0, right - left) * max(0.0, high - low)

    def meet(one: list[float], two: list[float]) -> float:
        low, high = map(max, one[:2], two[:2]), map(min, one[2:], two[2:])
        return area(*low, *high)

    both = meet(boxes["DeptA"], boxes["Applicant"]) / area(*boxes["Applicant"])
    assert 0.19 <= both <= 0.26  # areas are shares
    svg = draw_boxes(content["names"], best["boxes"])
    assert svg.count('class="box ') == 3


def test_rates_are_drawn() -> None:
    content = TASKS["simpson"](DESK, {**BERKELEY, **CHOICE})
    assert "DeptA: Woman 0.8, Man 0.75" in rates_picture(content["comparison"])


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
    assert DataTable.of("x", "Größe,b\n1,2".encode("cp1252")).text == "Größe,b\n1,2"
    with pytest.raises(BoxselError, match="x: this seems to be a Parquet file"):
        DataTable.of("x", b"PAR1\x15\xff")


@pytest.mark.parametrize("text", ["", "a,b\n1\n", "a,Freq\nx,0.5\n"])
def test_what_is_no_table_is_said_without_a_path(text: str) -> None:
    with pytest.raises(BoxselError) as raised:
        TASKS["table_values"](DESK, {"table": text, "format": "csv"})
    assert "/tmp" not in str(raised.value)
