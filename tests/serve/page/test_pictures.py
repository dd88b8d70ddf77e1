"""Pictures are well-formed whatever the names are, and say what the numbers say."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as Xml

from hypothesis import given
from hypothesis import strategies as st

from boxsel.answer.picture import drawn
from boxsel.pictures.boxes import MARGIN, SIDE, draw_boxes
from boxsel.pictures.shares import fitting_ticks
from boxsel.serve.page.comparisons import rates_picture
from boxsel.serve.page.words import headline, note, standing

names = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=20)
shares = st.floats(0, 1)
corners = st.tuples(shares, shares, shares, shares).map(
    lambda one: [min(one[0], one[2]), min(one[1], one[3]), max(one[0], one[2]), max(one[1], one[3])]
)


@st.composite
def rates(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"lower": None, "upper": None, "status": "vacuous", "count": None}
    lower, upper = sorted((draw(shares), draw(shares)))
    return {"lower": lower, "upper": upper, "status": "bounded", "count": None}


@given(names, rates(), st.none() | rates())
def test_answers_are_drawn(query: str, outer: dict[str, Any], inner: dict[str, Any] | None) -> None:
    if outer["lower"] is None or (inner is not None and inner["lower"] is None):
        inner = None
    content = {
        "query": query,
        "status": outer["status"],
        "outer": {**outer, "exact": False},
        "inner": inner,
        "estimate": inner,
    }
    drawing = Xml.fromstring(drawn(content))
    assert query in drawing.attrib["aria-label"]
    kinds = [element.get("class") for element in drawing.iter() if element.get("class")]
    assert ("outer" in kinds) == (outer["lower"] is not None)
    assert ("estimate" in kinds) == (inner is not None)
    assert headline(content) and note(content)
    assert (standing(content) == "vacuous") == (outer["lower"] is None)


@given(
    st.tuples(names, names),
    st.tuples(rates(), rates()),
    st.lists(st.tuples(names, rates(), rates(), rates(), rates()), max_size=4),
)
def test_rates_are_drawn(
    groups: tuple[str, str],
    total: tuple[dict[str, Any], ...],
    strata: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], dict[str, Any]]],
) -> None:
    rows = [
        {"stratum": name, "rates": [one, two], "mixture": [part, other]}
        for name, one, two, part, other in strata
    ]
    found = {"groups": groups, "total": total, "strata": rows}
    drawing = Xml.fromstring(rates_picture(found))
    known = [content for content in total if content["lower"] is not None]
    known += [content for row in strata for content in row[1:3] if content["lower"] is not None]
    marks = [
        element for element in drawing.iter() if (element.get("class") or "").startswith("group-")
    ]
    assert len(marks) == len(known)


@given(st.lists(st.tuples(names, corners), min_size=1, max_size=12))
def test_boxes_stay_in_their_frame(boxes: list[tuple[str, list[float]]]) -> None:
    svg = draw_boxes([name for name, _ in boxes], [box for _, box in boxes])
    drawing = Xml.fromstring(svg)
    rectangles = [
        element
        for element in drawing.iter()
        if (element.get("class") or "").startswith("box colour")
    ]
    assert len(rectangles) == len(boxes)
    for rectangle in rectangles:
        x, width = float(rectangle.attrib["x"]), float(rectangle.attrib["width"])
        assert x >= MARGIN and x + width <= SIDE + MARGIN + 0.11
    labels = [
        element.text
        for element in drawing.iter()
        if (element.get("class") or "").startswith("box-label")
    ]
    assert {*labels} <= {name for name, _ in boxes}


@given(st.lists(shares, max_size=6))
def test_an_axis_shows_all_rates_and_hardly_more(values: list[float]) -> None:
    ticks = fitting_ticks(values)
    assert 2 <= len(ticks) <= 6
    assert 0 <= ticks[0] < ticks[-1] <= 1
    for value in values:
        assert ticks[0] - 1e-6 <= value <= ticks[-1] + 1e-6


def test_a_line_joins_the_rates_of_a_row() -> None:
    def rate(share: float) -> dict[str, Any]:
        return {"lower": share, "upper": share, "count": None}

    content = {"groups": ["Woman", "Man"], "total": [rate(0.81), rate(0.84)], "strata": []}
    drawn = Xml.fromstring(rates_picture(content))
    line = next(element for element in drawn.iter() if element.get("class") == "rate-slope")
    assert float(line.attrib["x1"].rstrip("%")) < float(line.attrib["x2"].rstrip("%"))
