"""Studies: of something that grows (members, epochs), and of one choice that varies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from boxsel.evaluation.published import kin_of, published_quality
from boxsel.evaluation.records import Study, Truth
from boxsel.evaluation.report.aggregate import Cost, Line, Spread, Summary, by_variant, point
from boxsel.evaluation.report.comparison import WORDS, Judged, comparison, cost_column, truths_of
from boxsel.evaluation.report.names import TRUTHS, method_label, slug
from boxsel.evaluation.report.parts import Block, Kind, RunInfo
from boxsel.pictures.chart import Chart, Panel, Point, Series

PAPER_MEMBERS: Final = 60
_INFERENCE: Final[tuple[Judged, ...]] = ("error", "gap")

CHOICES: Final[Mapping[Study, tuple[str, str, tuple[tuple[Cost, str, Kind, str], ...]]]] = {
    "answers": ("What users get", "method", ()),
    "concepts": ("Representation of concepts", "concepts", ()),
    "roles": (
        "Representation of roles",
        "roles",
        (("parameters", "parameters", "count", "of one member, in all"),),
    ),
    "regularisers": (
        "Regularisers",
        "regulariser",
        (
            (
                "settled",
                "epochs to settle",
                "count",
                "the epoch from which the mean loss stays within a twentieth of its last value",
            ),
            ("epochs", "of", "count", "all epochs of training"),
        ),
    ),
    "presets": (
        "Presets and directed members",
        "preset",
        (("seconds", "seconds", "amount", "of one run, in all"),),
    ),
}
"""Studies that vary one choice: their titles, what they vary, and what else is told of runs."""


def choice_blocks(study: Study, summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """The table of a study that varies one choice."""
    title, varied, costs = CHOICES[study]
    mae = cost_column(summary, "mae", "MAE", "number", "of the embedding")
    extras = (mae, *(cost_column(summary, *cost) for cost in costs))
    lines = summary.lines(study)
    if lines:
        yield comparison(summary, study, title, lines, extras, varied=varied)


def members_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """AG against the number of members."""
    lines = _numbered(summary, "members")
    for variant, chosen in by_variant(lines).items():
        truths = truths_of(summary, chosen)
        panels = tuple(_members_panel(summary, chosen, truth) for truth in truths)
        if panels:
            yield Chart(
                f"members-{slug(variant)}",
                f"AG against the number of members, variant {variant}",
                "More members find values closer to the ends of the true interval. Shades are"
                " standard deviations over seeds; where lines are many they are left out.",
                panels,
            )
    if lines:
        title = "Quality by the number of members"
        yield comparison(summary, "members", title, lines, varied="members")


def epochs_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """The error of the embedding beside that of the inference, as training goes on."""
    lines = _numbered(summary, "epochs")
    for variant, chosen in by_variant(lines).items():
        yield _epochs_chart(summary, variant, chosen)
    if lines:
        mae = cost_column(summary, "mae", "MAE", "number", "of the embedding", "embedding")
        title = "Quality by the epochs of training"
        yield comparison(summary, "epochs", title, lines, (mae,), varied="epochs")


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
        mean = value(line)
        if mean is not None:
            found.setdefault(name, []).append(point(float(line.setting), mean))
    return tuple(
        Series(name, tuple(sorted(points, key=lambda one: one.x)), dashed)
        for name, points in found.items()
    )


def _ticks(lines: Sequence[Line]) -> tuple[tuple[float, str], ...]:
    return tuple(sorted((float(text), text) for text in {line.setting for line in lines}))


def _members_panel(summary: Summary, lines: list[Line], truth: Truth) -> Panel:
    series = _series(lines, partial(summary.quality, truth=truth, measure="gap"))
    kinds = dict.fromkeys(kin_of(line.ontology) for line in lines)
    known = [published_quality("main", kin, "boxsel") for kin in kinds]
    published = tuple(
        Series(f"the paper, {row.kin}", (Point(PAPER_MEMBERS, row.gap),), hollow=True)
        for row in known
        if row and truth == "pmp" and lines[0].variant == "paper"
    )
    title = f"against {TRUTHS[truth]} intervals"
    return Panel(title, "members", "AG", (*series, *published), _ticks(lines))


def _epochs_chart(summary: Summary, variant: str, lines: list[Line]) -> Chart:
    truths, ticks = truths_of(summary, lines), _ticks(lines)
    first, last = ticks[0][0], ticks[-1][0]

    def panel(title: str, y: str, series: Sequence[Series]) -> Panel:
        steep = first > 0 and last >= 8 * first
        return Panel(title, "epochs", y, tuple(series), ticks, logarithmic=steep)

    embedding = _series(lines, lambda line: summary.cost(line, "mae"))
    panels = [panel("Embedding: MAE", "mean absolute error", embedding)]
    for measure in _INFERENCE:
        series: list[Series] = []
        for truth in reversed(truths):
            quality = partial(summary.quality, truth=truth, measure=measure)
            series += _series(lines, quality, dashed=truth == "pmp" and len(truths) > 1)
        panels.append(panel(f"Inference: {WORDS[measure][0]}", WORDS[measure][0], series))
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
