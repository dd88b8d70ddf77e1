"""The main results by the width of the exact interval, and by the shape of the conditionals."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from boxsel.evaluation.metrics import TOLERANCE
from boxsel.evaluation.published import SHAPES as PUBLISHED
from boxsel.evaluation.published import kin_of
from boxsel.evaluation.records import INFORMATIVE, TOTAL, Band, Truth
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
    GUESSED,
    WORDS,
    Judged,
    basis,
    better,
    judged_column,
    over_seeds,
    truths_of,
)
from boxsel.evaluation.report.names import BASELINES, TRUTHS, method_label, slug
from boxsel.evaluation.report.parts import Block, Column, Compared, RunInfo, Table
from boxsel.evaluation.report.spelling import plain
from boxsel.pictures.chart import Chart, Panel, Reference, Series

_POINT = Reference("one value within", (0, 0), (1, 1))
_ALL = Reference("always [0, 1]", (0, 1), (1, 0))

PRINTED: Final = 2
"""How many digits the paper's table by shape has."""

FORMS: Final = {
    TOTAL: "all shapes",
    INFORMATIVE: "those of all shapes whose true interval is not [0, 1]",
    "PNF1": "(B | A)",
    "PNF2": "(B | A ⊓ C)",
    "PNF3": "(B | ∃r.A)",
    "PNF4": "(∃r.A | B)",
}

Banded = dict[tuple[float, float], list[Band]]
"""The bands that hold queries, with one record for each seed."""


def widths_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """A figure for each variant in which widths vary, and one table."""
    banded = {
        line: _banded(summary.bands[line])
        for line in summary.lines("main")
        if line in summary.bands
    }
    if not banded:
        return
    yield (
        "Two lines help to read the figures. Whoever predicts one value within the exact interval"
        " is off by its width; whoever predicts [0, 1] is off by 1 less the width. A method that"
        " knows something is below both. Only intervals that were proved exact are here."
    )
    for variant, chosen in by_variant(banded).items():
        panels = _panels({line: banded[line] for line in chosen})
        if panels:
            yield Chart(
                f"widths-{slug(variant)}",
                f"AG against the width of the exact interval, variant {variant}",
                "Each point is the mean over the queries whose exact width is in a band, drawn"
                " at the middle of the band; the shade is the standard deviation over seeds.",
                panels,
            )
        else:
            yield f"Variant {variant}: all exact widths are in one band, so there is no figure."
    against = f"Against exact intervals; {over_seeds(summary.seeds(banded))}"
    yield _widths_table(banded, against)
    yield _bands_table(banded, against)


def _banded(bands: Sequence[Band]) -> Banded:
    ordered = sorted(bands, key=lambda band: (band.least, band.most, band.cell.seed))
    return grouped((band for band in ordered if band.items), lambda band: (band.least, band.most))


def _gap(records: Sequence[Band]) -> Spread | None:
    return spread(record.gap for record in records)


def _panels(banded: dict[Line, Banded]) -> tuple[Panel, ...]:
    panels = []
    fixed = any(line.method == "fixed" for line in banded)
    for ontology, lines in grouped(banded, lambda line: line.ontology).items():
        series = []
        for line in reversed(lines):
            gaps = ((ends, _gap(records)) for ends, records in banded[line].items())
            points = tuple(point(sum(ends) / 2, mean) for ends, mean in gaps if mean is not None)
            quiet = line.method in BASELINES
            series.append(Series(method_label(line.method), points, quiet=quiet))
        if any(len(one.points) > 1 for one in series):
            references = (_POINT,) if fixed else (_POINT, _ALL)
            panels.append(
                Panel(
                    ontology, "exact width", "AG", tuple(series), references=references, unit=True
                )
            )
    return tuple(panels)


def _widths_table(banded: dict[Line, Banded], against: str) -> Table:
    """Methods in rows, bands in columns."""
    bands = sorted({band for found in banded.values() for band in found})
    about = {}
    for line, found in banded.items():
        numbers = (spread(one.items for one in found.get(band, ())) for band in bands)
        about[line.split] = f"queries: {', '.join(plain(number, 'count') for number in numbers)}"

    def column(band: tuple[float, float]) -> Column:
        least, most = band
        return Column(
            f"ag_{least:g}_{most:g}",
            "points" if most <= TOLERANCE else f"{least:g} to {most:g}",
            "number",
            "AG of the queries whose exact width is in this band",
            "AG by exact width",
            spread=True,
            read=lambda line: _gap(banded[line].get(band, ())),
        )

    return Table.of(
        "widths",
        "AG by the width of the exact interval",
        (
            Column("split", "split"),
            Column("method", "method", read=lambda line: method_label(line.method)),
            *map(column, bands),
        ),
        banded,
        against,
        grouped=True,
        about_groups=about,
    )


def _bands_table(banded: dict[Line, Banded], against: str) -> Table:
    """All that is known about bands, one row for each."""
    rows = tuple(
        (
            line.ontology,
            line.variant,
            line.method,
            *ends,
            spread(record.items for record in records),
            _gap(records),
            spread(record.guessed for record in records),
        )
        for line, found in banded.items()
        for ends, records in found.items()
    )
    return Table(
        "widths-bands",
        "Bands of widths with their numbers of queries and predicted widths",
        (
            Column("ontology", "ontology"),
            Column("variant", "variant"),
            Column("method", "method"),
            Column("least", "from", "number"),
            Column("most", "to", "number"),
            Column("queries", "queries", "count", spread=True),
            Column("ag", "AG", "number", spread=True),
            Column("predicted_width", "predicted width", "number", GUESSED, spread=True),
        ),
        rows,
        against,
        long=True,
    )


def shapes_blocks(summary: Summary, _info: RunInfo) -> Iterator[Block]:
    """A table for each variant and measure: methods in rows, shapes in columns."""
    shaped = {line for line, shape, _ in summary.qualities if shape != TOTAL}
    variants = by_variant(line for line in summary.lines("main") if line in shaped)
    if variants:
        yield (
            "A pair of premises belongs to the shape of its second premise, a query to its own."
            " Shapes that a split does not ask for are empty. What is informative is not true of"
            " everything: its interval is not [0, 1]."
        )
    for measure in reversed(WORDS):
        for variant, lines in variants.items():
            yield _shapes_table(summary, variant, measure, lines)


def _shapes_table(summary: Summary, variant: str, measure: Judged, lines: list[Line]) -> Table:
    """One measure for each shape; AG is printed, the others are files."""
    truths = truths_of(summary, lines)
    known = {shape for line, shape, _ in summary.qualities if line in lines}
    word, key, _ = WORDS[measure]
    columns = [
        Column("ontology", "ontology"),
        Column("method", "method", read=lambda line: method_label(line.method)),
    ]
    for truth in TRUTHS:
        for shape, form in FORMS.items():
            group = f"{word} against {TRUTHS[truth]}"
            column = judged_column(measure, shape, truth, group, form, shape.lower())
            read = partial(_shaped, summary, truth, measure, shape)
            columns.append(replace(column, shown=truth in truths and shape in known, read=read))
    return Table.of(
        f"shapes-{key}-{slug(variant)}",
        f"{word} by shape, variant {variant}",
        columns,
        lines,
        basis(summary, lines, truths),
        grouped=True,
        long=measure != "gap",
    )


def _shaped(summary: Summary, truth: Truth, measure: Judged, shape: str, line: Line) -> Compared:
    """A measure for a shape, beside the paper's AG under its own protocol."""
    ours = summary.quality(line, truth, measure, shape)
    kin = kin_of(line.ontology)
    comparable = truth == "pmp" and measure == "gap" and line.variant == "paper"
    if kin is None or ours is None or not comparable or line.method in BASELINES:
        return Compared(ours)
    published = PUBLISHED[kin].get(shape)
    if published is None:
        return Compared(ours)
    return Compared(ours, published, better(measure, ours.mean, published, PRINTED))
