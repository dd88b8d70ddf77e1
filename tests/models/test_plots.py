"""Pictures show what the numbers say; labels do not hide each other; no screen is needed."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import combinations
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Patch, Rectangle
from matplotlib.text import Text

from boxsel import examples
from boxsel.errors import BoxselError
from boxsel.logic.axioms import disjoint
from boxsel.logic.concepts import Name, names
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.models import plots
from boxsel.models.estimate import Estimate
from boxsel.models.model import Model
from boxsel.models.representations.representation import Sizes
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from tests.depth import cases

ADMITTED, APPLICANT, DEPT_A = names("Admitted Applicant DeptA")
QUERY = Query(ADMITTED, APPLICANT)


def untrained(kb: KB, *, members: int = 5, history: int = 3, **choices: Any) -> Model:
    """Members as they start: nothing is compiled."""
    chosen, task = Settings(members=members, **choices), Task.of(kb)
    numbering = task.numbering
    sizes = Sizes(
        len(numbering.names) + 1, len(numbering.roles) + 1, len(numbering.individuals), members
    )
    random = np.random.default_rng(0)
    parameters = chosen.chosen_representation().initial(random, sizes)
    return Model(task, chosen, parameters, random.uniform(0, 1, (history, members)))


@cache
def applicant(**choices: Any) -> Model:
    return untrained(examples.load("applicant"), **{"dim": 2, **choices})


def axes_of(figure: Figure) -> Axes:
    (axes,) = figure.axes
    return axes


def shadows(figure: Figure) -> list[Patch]:
    """What is drawn of names: all patches but the universe."""
    return list(axes_of(figure).patches)[1:]


def words(figure: Figure) -> str:
    axes = axes_of(figure)
    said = [axes.get_title(loc="left"), *(text.get_text() for text in axes.texts)]
    return "\n".join([*said, *(label.get_text() for label in axes.get_yticklabels())])


def test_rectangles_are_the_boxes_of_the_member() -> None:
    model = applicant(dim=3)
    drawn = shadows(plots.boxes(model, 2, (2, 0), ["DeptA", ADMITTED]))
    assert len(drawn) == 2
    for patch, name in zip(drawn, (DEPT_A, ADMITTED), strict=True):
        assert isinstance(patch, Rectangle)
        row = model.task.numbering.name(name)
        lower, upper = model.representation.names(model.parameters, row)
        np.testing.assert_allclose(patch.get_bbox().min, lower[2, [2, 0]])
        np.testing.assert_allclose(patch.get_bbox().max, upper[2, [2, 0]])


def test_circles_are_the_balls_of_the_member() -> None:
    model = applicant(representation="balls", dim=3)
    figure = plots.boxes(model, 1, (0, 2), ["Applicant"])
    universe, patch = axes_of(figure).patches
    assert isinstance(universe, Circle)
    assert isinstance(patch, Circle)
    assert universe.radius == 1
    ((centre, radius),) = model.representation.names(model.parameters, 2)
    np.testing.assert_allclose(patch.center, centre[1, [0, 2]])
    assert patch.radius == pytest.approx(radius[1])


def test_the_areas_of_a_flat_member_are_its_shares() -> None:
    model = applicant()
    figure = plots.boxes(model, 4, names=[APPLICANT])
    universe, patch = axes_of(figure).patches
    assert isinstance(universe, Rectangle)
    assert isinstance(patch, Rectangle)
    area = patch.get_width() * patch.get_height()
    share = model.ask("(Applicant | owl:Thing)").values[4]
    assert area == pytest.approx(share * universe.get_width() * universe.get_height())


def test_hidden_dimensions_are_told() -> None:
    assert "hidden" not in words(plots.boxes(applicant()))
    assert "dimensions 1 and 4 of 5" in words(plots.boxes(applicant(dim=5), 0, (1, 4)))
    assert "hidden" in words(plots.boxes(applicant(dim=5), 0, (1, 4)))
    assert "not kept" in words(plots.boxes(applicant()))


def test_the_paper_has_no_box_for_everything() -> None:
    model = untrained(examples.load("applicant"), dim=2, preset="paper", side=10.0)
    figure = plots.boxes(model)
    universe = axes_of(figure).patches[0]
    assert isinstance(universe, Rectangle)
    assert universe.get_width() == 10
    assert "which is everything" not in words(figure)


@pytest.mark.parametrize("kind", ["boxes", "balls"])
@given(seed=st.integers(0, 10**6), count=st.integers(1, 9))
@settings(max_examples=cases(15), deadline=None)
def test_labels_neither_hide_each_other_nor_leave_the_picture(
    kind: str, seed: int, count: int
) -> None:
    things = [Name(f"urn:boxsel:Concept{'X' * (place % 4 * 3)}{place}") for place in range(count)]
    model = untrained(KB.of(*(name <= things[0] for name in things)), dim=2, representation=kind)
    random = np.random.default_rng(seed)
    for table in model.parameters["names"].values():
        table[1:] = random.normal(0, 2, table[1:].shape)
    figure = plots.boxes(model, names=things)
    figure.draw_without_rendering()
    texts = [text for text in axes_of(figure).texts if text.get_text().startswith("Concept")]
    assert sorted(text.get_text() for text in texts) == sorted(map(str, things))
    places = [Text.get_window_extent(text).padded(-1) for text in texts]  # without their lines
    assert not any(one.overlaps(other) for one, other in combinations(places, 2))
    assert all(figure.bbox.x0 <= place.x0 and place.x1 <= figure.bbox.x1 for place in places)
    assert all(figure.bbox.y0 <= place.y0 and place.y1 <= figure.bbox.y1 for place in places)


def test_of_many_names_the_rest_is_counted() -> None:
    things = [Name(f"urn:boxsel:A{place}") for place in range(30)]
    model = untrained(KB.of(*(name <= things[0] for name in things[1:])), dim=2)
    figure = plots.boxes(model)
    assert len(shadows(figure)) == 12
    assert "18 more" in words(figure)
    assert len(shadows(plots.boxes(model, names=things))) == 30


def test_labels_are_those_of_the_knowledge_base() -> None:
    kb = replace(examples.load("applicant"), labels={ADMITTED.iri: "was admitted"})
    figure = plots.boxes(untrained(kb, dim=2), names=["was admitted"])
    assert "was admitted" in words(figure)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"member": 5}, "there is no member 5: there are 0 to 4"),
        ({"member": -1}, "no member -1"),
        ({"dimensions": (0, 2)}, "from 0 to 1"),
        ({"dimensions": (1, 1)}, "two different dimensions"),
        ({"names": ["Admited"]}, "does not mention Admited"),
        ({"names": ["Admitted and DeptA"]}, "complex concept"),
        ({"names": [Name("urn:boxsel:Other")]}, "does not mention Other"),
    ],
)
def test_what_cannot_be_drawn_is_said(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(BoxselError, match=re.escape(message)):
        plots.boxes(applicant(), **arguments)


def test_one_dimension_and_empty_names_cannot_be_drawn() -> None:
    with pytest.raises(BoxselError, match="--dim 2"):
        plots.boxes(applicant(dim=1))
    kb = KB.of(disjoint(ADMITTED, DEPT_A), APPLICANT <= ADMITTED, APPLICANT <= DEPT_A)
    with pytest.raises(BoxselError, match="Applicant must be empty"):
        plots.boxes(untrained(kb, dim=2), names=[APPLICANT])


def test_every_member_has_its_curve() -> None:
    model = applicant()
    lines = axes_of(plots.loss_curves(model)).get_lines()
    assert len(lines) == 6
    found = {tuple(np.asarray(line.get_ydata())) for line in lines}
    assert {tuple(column) for column in model.history.T} <= found
    assert tuple(np.median(model.history, axis=1)) in found


@pytest.mark.parametrize("history", [np.zeros((3, 5)), np.zeros((0, 5)), np.ones((1, 5))])
def test_odd_histories_can_be_drawn(history: np.ndarray[Any, np.dtype[np.float64]]) -> None:
    figure = plots.loss_curves(replace(applicant(), history=history))
    figure.draw_without_rendering()
    assert ("nothing was recorded" in words(figure)) == (len(history) == 0)


def estimate(values: list[float], kept: list[bool], **more: Any) -> Estimate:
    violation = 0.001 if any(kept) else None
    return Estimate(QUERY, np.array(values), np.array(kept), violation, **more)


def spans(figure: Figure, row: int) -> set[tuple[float, float]]:
    """The ends of what is drawn along a row."""
    return {
        (float(x[0]), float(x[1]))
        for x, y in (np.asarray(line.get_data()) for line in axes_of(figure).get_lines())
        if len(x) == 2 and set(y) == {row}
    }


def test_bars_show_the_estimate_all_members_and_exact_bounds() -> None:
    one = estimate([0.2, 0.5, 0.9, np.nan], [True, True, False, True])
    other = estimate([0.1, 0.3], [False, False])
    exact = examples.load("applicant").bounds(QUERY)
    figure = plots.interval_bars([one, other], [exact, None])
    assert spans(figure, 0) == {(0.2, 0.5), (0.2, 0.9), (0.16, 0.96)}
    assert spans(figure, 1) == {(0.1, 0.3)}
    assert "no estimate" in words(figure)
    dots = np.concatenate([np.asarray(some.get_offsets()) for some in axes_of(figure).collections])
    shown = np.ma.filled(dots[:, 0], np.nan)
    assert sorted(shown[~np.isnan(shown)]) == [0.1, 0.2, 0.3, 0.5, 0.9]
    assert words(figure).count("(Admitted | Applicant)") == 2
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert "exact bounds" in said


def test_one_estimate_is_a_bar_too() -> None:
    figure = plots.interval_bars(estimate([0.2, 0.4], [True, True]))
    assert spans(figure, 0) == {(0.2, 0.4)}
    said = [text.get_text() for text in figure.legends[0].get_texts()]
    assert said == ["estimate", "member kept"]


def test_bars_without_a_value_say_why() -> None:
    nothing = estimate([np.nan, np.nan], [True, True], empty=True)
    figure = plots.interval_bars([nothing])
    figure.draw_without_rendering()
    assert "vacuous" in words(figure)


def test_bars_need_estimates_and_one_bound_for_each() -> None:
    with pytest.raises(BoxselError, match="no estimates"):
        plots.interval_bars([])
    one = estimate([0.2], [True])
    with pytest.raises(BoxselError, match="2 estimates and 1 bounds"):
        plots.interval_bars([one, one], [None])
    with pytest.raises(BoxselError, match="plot_answers draws answers"):
        plots.interval_bars("(B | A)")  # type: ignore[arg-type]


def test_figures_are_shown_by_notebooks_and_need_no_screen() -> None:
    code = """
import sys
from boxsel.models import plots
from boxsel.pictures.curves import draw_curves
assert "matplotlib.pyplot" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={"PATH": ""})
    shown = plots.loss_curves(applicant())._repr_png_()  # type: ignore[attr-defined]
    assert shown.startswith(b"\x89PNG")


def test_without_matplotlib_one_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("boxsel.pictures")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.partition(".")[0] == "matplotlib"]:
        monkeypatch.setitem(sys.modules, name, None)
    message = re.escape("pip install 'boxsel[plots]'")
    one = estimate([0.2], [True])
    with pytest.raises(BoxselError, match=message):
        plots.loss_curves(applicant())
    with pytest.raises(BoxselError, match=message):
        plots.boxes(applicant())
    with pytest.raises(BoxselError, match=message):
        plots.interval_bars(one)


class Balanced(HTMLParser):
    """Every element that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def well_formed(text: str) -> bool:
    parser = Balanced()
    parser.feed(text)
    parser.close()
    return not parser.open


def bar_of(text: str) -> list[dict[str, str]]:
    """The lines of the bar in some HTML."""
    found = re.search("<svg.*</svg>", text)
    if found is None:
        return []
    return [dict(line.attrib) for line in ElementTree.fromstring(found.group()).iter("line")]


@given(
    values=st.lists(st.floats(0, 1) | st.just(float("nan")), min_size=1, max_size=6),
    data=st.data(),
)
@settings(max_examples=cases(50), deadline=None)
def test_the_bar_in_html_spans_the_intervals(values: list[float], data: st.DataObject) -> None:
    kept = data.draw(st.lists(st.booleans(), min_size=len(values), max_size=len(values)))
    one = estimate(values, kept)
    text = one._repr_html_()
    assert well_formed(text)
    lines = bar_of(text)
    wanted = [
        span for span in ((one.lower, one.upper), one.all_members) if span and None not in span
    ]
    assert len(lines) == (3 + len(wanted) if one.all_members else 0)
    for line, (low, high) in zip(lines[3:], wanted, strict=True):
        assert low is not None
        assert high is not None
        left, right = float(line["x1"]), float(line["x2"])
        assert left == pytest.approx(6 + 228 * low, abs=0.06)
        assert right == pytest.approx(max(6 + 228 * high, left + 2), abs=0.12)


def test_html_escapes_what_it_shows() -> None:
    odd = Name("http://example.org/b&c")
    query = Query(odd, APPLICANT)
    text = Estimate(query, np.array([0.5]), np.array([True]), 0.0)._repr_html_()
    assert "&lt;http://example.org/b&amp;c&gt;" in text
    assert well_formed(text)


def test_a_model_in_html_says_what_it_is() -> None:
    model = applicant()
    text = model._repr_html_()
    assert well_formed(text)
    for said in ("2 conditional", "5, of which 0 are kept", "boxes of dimension 2", "affine"):
        assert said in text
    assert f"median {np.median(model.scores.largest):.2g}" in text
    assert f"<td style='text-align:left'>{model.scores.errors.mean():.2g}</td>" in text
    assert "pushed by" not in text
    assert "pushed by" in replace(model, directed=QUERY)._repr_html_()
