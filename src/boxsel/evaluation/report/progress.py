"""Studies of something that grows: the number of members, and the epochs of training."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from boxsel.evaluation.published import kin_of, published_quality
from boxsel.evaluation.records import Study, Truth
from boxsel.evaluation.report.aggregate import Line, Spread, Summary, point
from boxsel.evaluation.report.comparison import Extra, comparison
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.judging import WORDS, Judged, truths_of
from boxsel.evaluation.report.names import TRUTHS, method_label, slug
from boxsel.evaluation.report.section import LeftOut, Section
from boxsel.evaluation.report.table import Column
from boxsel.pictures.chart import Chart, Panel, Point, Series

PAPER_MEMBERS: Final = 60
_INFERENCE: Final[tuple[Judged, ...]] = ("error", "gap")


def members_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """AG against the number of members."""
    lines = _numbered(summary, "members")
    if not lines:
        return LeftOut("Number of members", "the study of members was not run")
    charts = []
    for variant in dict.fromkeys(line.variant for line in lines):
        chosen = [line for line in lines if line.variant == variant]
        truths = truths_of(summary, chosen)
        panels = tuple(_members_panel(summary, chosen, truth) for truth in truths)
        if panels:
            charts.append(
                Chart(
                    f"members-{slug(variant)}",
                    f"AG against the number of members, variant {variant}",
                    "More members find values closer to the ends of the true interval. Shades are"
                    " standard deviations over seeds; where lines are many they are left out.",
                    panels,
                )
            )
    table = comparison(
        summary, "members", "Quality by the number of members", lines, varied="members"
    )
    return Section("members", "Number of members", (*charts, table))


def epochs_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """The error of the embedding beside that of the inference, as training goes on."""
    lines = _numbered(summary, "epochs")
    if not lines:
        return LeftOut("Embedding and inference error", "the study of epochs was not run")
    charts = tuple(
        _epochs_chart(summary, variant, [line for line in lines if line.variant == variant])
        for variant in dict.fromkeys(line.variant for line in lines)
    )
    mae = Extra(
        Column("mae", "MAE", "number", "of the embedding", "embedding", spread=True),
        lambda line: summary.cost(line, "mae"),
    )
    table = comparison(
        summary, "epochs", "Quality by the epochs of training", lines, (mae,), varied="epochs"
    )
    return Section("epochs", "Embedding and inference error", (*charts, table))


def _numbered(summary: Summary, study: Study) -> list[Line]:
    """The lines of a study whose settings are numbers."""
    return [line for line in summary.lines(study) if _number(line.setting) is not None]


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _series(
    lines: Sequence[Line], value: Callable[[Line], Spread | None], dashed: bool = False
) -> tuple[Series, ...]:
    """A line for each ontology, or for each method on it if there are several."""
    several = len({line.method for line in lines}) > 1
    found: dict[str, list[Point]] = {}
    for line in lines:
        name = f"{line.ontology}, {method_label(line.method)}" if several else line.ontology
        known, place = value(line), _number(line.setting)
        if known is not None and place is not None:
            found.setdefault(name, []).append(point(place, known))
    return tuple(
        Series(name, tuple(sorted(points, key=lambda point: point.x)), dashed)
        for name, points in found.items()
    )


def _ticks(lines: Sequence[Line]) -> tuple[tuple[float, str], ...]:
    known = {line.setting: _number(line.setting) for line in lines}
    return tuple(sorted((place, text) for text, place in known.items() if place is not None))


def _members_panel(summary: Summary, lines: list[Line], truth: Truth) -> Panel:
    series = _series(lines, lambda line: summary.quality(line, truth, "gap"))
    kinds = dict.fromkeys(kin_of(line.ontology) for line in lines)
    known = [published_quality("main", kin, "boxsel") for kin in kinds]
    published = tuple(
        Series(f"the paper, {row.kin}", (Point(PAPER_MEMBERS, row.gap),), hollow=True)
        for row in known
        if row and truth == "pmp" and lines[0].variant == "paper"
    )
    return Panel(
        f"against {TRUTHS[truth]} intervals", "members", "AG", (*series, *published), _ticks(lines)
    )


def _epochs_chart(summary: Summary, variant: str, lines: list[Line]) -> Chart:
    truths = truths_of(summary, lines)
    places = [place for place, _ in _ticks(lines)]
    frame = Panel(
        "",
        "epochs",
        "",
        (),
        _ticks(lines),
        logarithmic=places[0] > 0 and places[-1] >= 8 * places[0],
    )
    panels = [
        replace(
            frame,
            title="Embedding: MAE",
            y="mean absolute error",
            series=_series(lines, lambda line: summary.cost(line, "mae")),
        )
    ]
    panels += [
        replace(
            frame,
            title=f"Inference: {WORDS[measure][0]}",
            y=WORDS[measure][0],
            series=tuple(
                one
                for truth in reversed(truths)
                for one in _series(
                    lines,
                    partial(summary.quality, truth=truth, measure=measure),
                    dashed=truth == "pmp" and len(truths) > 1,
                )
            ),
        )
        for measure in _INFERENCE
    ]
    against = f"SE and AG are against {TRUTHS[truths[-1]]} intervals" if truths else ""
    also = ", dashed against those of PMP" if len(truths) > 1 else ""
    return Chart(
        f"epochs-{slug(variant)}",
        f"Embedding error and inference error over epochs, variant {variant}",
        f"{against}{also}. The error of an embedding is known to whoever trained it, that of the"
        " inference is not.",
        tuple(panels),
        shared=False,
        dashes="against PMP",
    )
