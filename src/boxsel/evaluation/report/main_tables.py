"""The main tables: methods on each variant of each ontology."""

from __future__ import annotations

from typing import Final

from boxsel.evaluation.published import kin_of
from boxsel.evaluation.report.aggregate import Line, Summary, point, spread
from boxsel.evaluation.report.comparison import Extra, comparison
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.judging import truths_of
from boxsel.evaluation.report.names import BASELINES, TRUTHS, method_label, slug
from boxsel.evaluation.report.section import Block, LeftOut, Points, Section
from boxsel.evaluation.report.table import Column, Value
from boxsel.evaluation.report.verdicts import verdicts
from boxsel.pictures.chart import Chart, Panel, Point, Series

VARIANTS: Final = {
    "paper": "The paper's protocol: query concepts never occur as bodies. There the exact interval"
    " often depends little on the query, so that this variant hardly ranks methods.",
    "strict": "Only the queries are removed. The other conditionals then determine nearly every"
    " query to a point.",
    "thin": "A random part of the conditionals is kept. Exact intervals have varied widths: this is"
    " the variant that ranks methods.",
}


def main_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """A table for each variant, and one figure over all of them."""
    lines = summary.lines("main")
    if not lines:
        return LeftOut("Main results", "there are no records of the main comparison")
    blocks: list[Block] = []
    said = verdicts(summary)
    if said:
        blocks.append(Points(said))
        blocks.append(
            "The paper's numbers are those of its own ontologies. Ours follow its recipes on other"
            " graphs, or are drawn with its sizes: the protocol is the same, the data are not."
        )
    elif any(kin_of(line.ontology) for line in lines):
        blocks.append("The paper's protocol was not run, so that no number is beside the paper's.")
    variants = tuple(dict.fromkeys(line.variant for line in lines))
    if len(variants) > 1:
        blocks.append(_chart(summary, lines, variants))
    extras = _extras(summary, lines)
    for variant in variants:
        chosen = [line for line in lines if line.variant == variant]
        about = next((text for key, text in VARIANTS.items() if variant.startswith(key)), "")
        blocks.append(
            comparison(
                summary,
                f"main-{slug(variant)}",
                f"Approximation quality, variant {variant}",
                chosen,
                extras,
                (about,) if about else (),
            )
        )
    return Section("main", "Main results", tuple(blocks))


def _extras(summary: Summary, lines: tuple[Line, ...]) -> tuple[Extra, ...]:
    trained = any(summary.cost(line, "mae") for line in lines)

    def kept(line: Line) -> Value:
        efforts = summary.efforts.get(line, ())
        return spread(one.kept / one.members for one in efforts if one.members and not one.reason)

    return (
        Extra(
            Column(
                "mae",
                "MAE",
                "number",
                "mean absolute error of members over the learning set",
                "embedding",
                spread=True,
                shown=trained,
            ),
            lambda line: summary.cost(line, "mae"),
        ),
        Extra(
            Column(
                "counted",
                "counted",
                "share",
                "the share of the learning set whose bodies are not empty: MAE is over these",
                "embedding",
                spread=True,
                shown=False,
            ),
            lambda line: summary.cost(line, "counted"),
        ),
        Extra(
            Column(
                "kept",
                "kept",
                "share",
                "the share of members that satisfy the learning set up to the tolerance",
                "embedding",
                spread=True,
                shown=trained,
            ),
            kept,
        ),
    )


def _chart(summary: Summary, lines: tuple[Line, ...], variants: tuple[str, ...]) -> Chart:
    """AG over variants, one panel for each ontology."""
    truth = truths_of(summary, lines)[-1:] or ("pmp",)
    panels = []
    for ontology in dict.fromkeys(line.ontology for line in lines):
        points: dict[tuple[str, str], list[Point]] = {}
        for line in (one for one in lines if one.ontology == ontology):
            found = summary.quality(line, truth[0], "gap")
            if found is not None:
                place = variants.index(line.variant)
                points.setdefault((line.method, line.setting), []).append(point(place, found))
        series = tuple(
            Series(_name(method, setting), tuple(known), quiet=method in BASELINES)
            for (method, setting), known in reversed(points.items())
        )
        ticks = tuple((float(place), _short(name)) for place, name in enumerate(variants))
        panels.append(Panel(ontology, "", "AG", series, ticks))
    words = TRUTHS[truth[0]]
    return Chart(
        "main-gap",
        f"AG against {words} intervals on all variants",
        "Lower is better; shades are standard deviations over seeds. The number of a thin"
        " variant is how many per cent of the conditionals are kept.",
        tuple(panels),
    )


def _name(method: str, setting: str) -> str:
    return f"{method_label(method)}: {setting}" if setting else method_label(method)


def _short(variant: str) -> str:
    return variant.replace("thin-", "thin\n") if variant.startswith("thin-") else variant
