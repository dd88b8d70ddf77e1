"""The main results: methods on each variant of each ontology, and whether they beat the paper's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from boxsel.evaluation.published import kin_of
from boxsel.evaluation.report.aggregate import (
    Line,
    Spread,
    Summary,
    by_variant,
    grouped,
    point,
    spread,
)
from boxsel.evaluation.report.comparison import (
    WORDS,
    Judged,
    beside,
    better,
    comparison,
    cost_column,
    truths_of,
)
from boxsel.evaluation.report.names import BASELINES, OURS, TRUTHS, listed, method_label, slug
from boxsel.evaluation.report.parts import Block, Column, Points, RunInfo, Value
from boxsel.evaluation.report.spelling import plain
from boxsel.pictures.chart import Chart, Panel, Point, Series

VARIANTS: Final = {
    "paper": "The paper's protocol: query concepts never occur as bodies. There the exact interval"
    " often depends little on the query, so that this variant hardly ranks methods.",
    "strict": "Only the queries are removed. The other conditionals then determine nearly every"
    " query to a point.",
    "published": "A random part of the conditionals is kept, as people publish them: whole per"
    " cents, each half a point off at most; 0 and 1 stay. Then the set of models has an interior.",
    "thin": "A random part of the conditionals is kept. Exact intervals have varied widths: this is"
    " the variant that ranks methods.",
}


def main_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """A table for each variant, and one figure over all of them."""
    lines = summary.lines("main")
    said = verdicts(summary)
    if said:
        yield Points(said)
        yield (
            "The paper's numbers are those of its own ontologies. Ours follow its recipes on other"
            " graphs, or are drawn with its sizes: the protocol is the same, the data are not."
        )
    elif any(kin_of(line.ontology) for line in lines):
        yield "The paper's protocol was not run, so that no number is beside the paper's."
    variants = by_variant(lines)
    if len(variants) > 1:
        yield _chart(summary, lines, list(variants))
    extras = _extras(summary, lines)
    for variant, chosen in variants.items():
        about = tuple(text for key, text in VARIANTS.items() if variant.startswith(key))
        title = f"Approximation quality, variant {variant}"
        yield comparison(summary, f"main-{slug(variant)}", title, chosen, extras, about)


def _extras(summary: Summary, lines: Sequence[Line]) -> tuple[Column, ...]:
    def kept(line: Line) -> Spread | None:
        efforts = summary.efforts.get(line, ())
        return spread(
            effort.kept / effort.members
            for effort in efforts
            if effort.members and not effort.reason
        )

    about_mae = "mean absolute error of members over the learning set"
    about_counted = "the share of the learning set whose bodies are not empty: MAE is over these"
    about_kept = "the share of members that satisfy the learning set up to the tolerance"
    mae = cost_column(summary, "mae", "MAE", "number", about_mae, "embedding")
    counted = cost_column(summary, "counted", "counted", "share", about_counted, "embedding")
    trained = any(summary.cost(line, "mae") for line in lines)
    return (
        replace(mae, shown=trained),
        replace(counted, shown=False),
        Column("kept", "kept", "share", about_kept, "embedding", True, shown=trained, read=kept),
    )


def _chart(summary: Summary, lines: Sequence[Line], variants: list[str]) -> Chart:
    """AG over variants, one panel for each ontology."""
    truth = (truths_of(summary, lines) or ("pmp",))[-1]
    ticks = tuple((float(place), _short(name)) for place, name in enumerate(variants))
    panels = []
    for ontology, members in grouped(lines, lambda line: line.ontology).items():
        points: dict[tuple[str, str], list[Point]] = {}
        for line in members:
            mean = summary.quality(line, truth, "gap")
            if mean is not None:
                place = point(variants.index(line.variant), mean)
                points.setdefault((line.method, line.setting), []).append(place)
        series = tuple(
            Series(_name(*which), tuple(known), quiet=which[0] in BASELINES)
            for which, known in reversed(points.items())
        )
        panels.append(Panel(ontology, "", "AG", series, ticks))
    return Chart(
        "main-gap",
        f"AG against {TRUTHS[truth]} intervals on all variants",
        "Lower is better; shades are standard deviations over seeds. The number of a thin or"
        " published variant is how many per cent of the conditionals are kept.",
        tuple(panels),
    )


def _name(method: str, setting: str) -> str:
    return f"{method_label(method)}: {setting}" if setting else method_label(method)


def _short(variant: str) -> str:
    return variant.replace("published-", "publ.\n").replace("thin-", "thin\n")


def verdicts(summary: Summary) -> tuple[str, ...]:
    """Where our method is better than the paper's, and where not, by ontology of the paper."""
    lines = (line for line in summary.lines("main") if line.method == OURS)
    return tuple(" ".join(_verdict(summary, line)) for line in lines if beside(line))


def _verdict(summary: Summary, line: Line) -> Iterator[str]:
    found: dict[bool | None, list[Judged]] = {True: [], None: [], False: []}
    for measure in WORDS:
        ours, theirs = summary.quality(line, "pmp", measure), getattr(beside(line), measure)
        if ours is not None:
            found[better(measure, ours.mean, theirs)].append(measure)
    yield f"{line.ontology}, {method_label(line.method)}:"
    if not any(found.values()):
        yield "there is no number against PMP intervals to compare."
        return
    words = {True: "better than the paper in", None: "level with it in", False: "not better in"}
    parts = [
        f"{words[kind]} {listed([_against(summary, line, measure) for measure in measures])}"
        for kind, measures in found.items()
        if measures
    ]
    yield f"{'; '.join(parts)}."
    yield from _reasons(summary, line, found[False])


def _against(summary: Summary, line: Line, measure: Judged) -> str:
    def said(value: Value) -> str:
        return plain(value, "share" if measure == "soundness" else "number")

    theirs = said(getattr(beside(line), measure))
    return f"{WORDS[measure][0]} ({said(summary.quality(line, 'pmp', measure))}; paper {theirs})"


def _reasons(summary: Summary, line: Line, behind: list[Judged]) -> Iterator[str]:
    """What the records say about why a number is behind."""
    runs = summary.runs(line)
    if runs.failures:
        yield f"Runs {runs.text}; these count as [0, 1]."
    if "gap" in behind:
        wide = summary.quality(line, "pmp", "width")
        exact = summary.quality(line, "exact", "width")
        close = summary.quality(line, "exact", "gap")
        if wide and exact and close and exact.mean < wide.mean:
            yield (
                f"The exact intervals are narrower than those of PMP ({plain(exact.mean, 'number')}"
                f" against {plain(wide.mean, 'number')} on average), and no sound prediction"
                f" leaves them; against the exact ones AG is {plain(close, 'number')}."
            )
    if "soundness" in behind or "error" in behind:
        error, kept = summary.cost(line, "mae"), summary.cost(line, "kept")
        members = summary.cost(line, "members")
        if error and kept and members:
            yield (
                f"Of {plain(members.mean, 'count')} members {plain(kept.mean, 'count')} satisfy"
                f" what they learned up to the tolerance; MAE is {plain(error, 'number')}."
            )
