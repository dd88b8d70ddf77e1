"""AG against the width of the exact interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from boxsel.evaluation.metrics import TOLERANCE
from boxsel.evaluation.records import Band
from boxsel.evaluation.report.aggregate import Line, Spread, Summary, point, spread
from boxsel.evaluation.report.comparison import GUESSED
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.judging import over_seeds
from boxsel.evaluation.report.names import BASELINES, method_label, slug
from boxsel.evaluation.report.section import Block, LeftOut, Section
from boxsel.evaluation.report.table import Column, Table, Value, plain
from boxsel.pictures.chart import Chart, Panel, Reference, Series

_POINT = Reference("one value within", (0, 0), (1, 1))
_ALL = Reference("always [0, 1]", (0, 1), (1, 0))


def widths_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """A figure for each variant in which widths vary, and one table."""
    lines = [line for line in summary.lines("main") if line in summary.bands]
    if not lines:
        return LeftOut("AG against exact width", "there are no records by width")
    blocks: list[Block] = [
        "Two lines help to read the figures. Whoever predicts one value within the exact interval"
        " is off by its width; whoever predicts [0, 1] is off by 1 less the width. A method that"
        " knows something is below both. Only intervals that were proved exact are here."
    ]
    for variant in dict.fromkeys(line.variant for line in lines):
        chosen = [line for line in lines if line.variant == variant]
        panels = _panels(summary, chosen)
        if panels:
            blocks.append(
                Chart(
                    f"widths-{slug(variant)}",
                    f"AG against the width of the exact interval, variant {variant}",
                    "Each point is the mean over the queries whose exact width is in a band, drawn"
                    " at the middle of the band; the shade is the standard deviation over seeds.",
                    panels,
                )
            )
        else:
            blocks.append(
                f"Variant {variant}: all exact widths are in one band, so there is no figure."
            )
    return Section(
        "widths",
        "AG against exact width",
        (*blocks, _table(summary, lines), _records(summary, lines)),
    )


def _banded(bands: Sequence[Band]) -> dict[tuple[float, float], list[Band]]:
    """The bands that hold queries, with one record for each seed."""
    found: dict[tuple[float, float], list[Band]] = defaultdict(list)
    for one in sorted(bands, key=lambda band: (band.least, band.most, band.cell.seed)):
        if one.items:
            found[one.least, one.most].append(one)
    return found


def _gap(records: Sequence[Band]) -> Spread | None:
    return spread(one.gap for one in records)


def _panels(summary: Summary, lines: Sequence[Line]) -> tuple[Panel, ...]:
    panels = []
    fixed = any(line.method == "fixed" for line in lines)
    for ontology in dict.fromkeys(line.ontology for line in lines):
        series = []
        for line in reversed([one for one in lines if one.ontology == ontology]):
            points = [
                point((least + most) / 2, found)
                for (least, most), records in _banded(summary.bands[line]).items()
                if (found := _gap(records)) is not None
            ]
            quiet = line.method in BASELINES
            series.append(Series(method_label(line.method), tuple(points), quiet=quiet))
        if any(len(one.points) > 1 for one in series):
            panels.append(
                Panel(
                    ontology,
                    "exact width",
                    "AG",
                    tuple(series),
                    references=(_POINT,) if fixed else (_POINT, _ALL),
                    unit=True,
                )
            )
    return tuple(panels)


def _table(summary: Summary, lines: Sequence[Line]) -> Table:
    """Methods in rows, bands in columns."""
    banded = {line: _banded(summary.bands[line]) for line in lines}
    bands = sorted({band for found in banded.values() for band in found})
    rows: list[tuple[Value, ...]] = []
    about = {}
    for line, found in banded.items():
        group = f"{line.ontology} · {line.variant}"
        numbers = [
            plain(spread(one.items for one in found.get(band, ())), "count") for band in bands
        ]
        about[group] = f"queries: {', '.join(numbers)}"
        gaps = (_gap(found.get(band, ())) for band in bands)
        rows.append((group, method_label(line.method), *gaps))
    return Table(
        "widths",
        "AG by the width of the exact interval",
        (
            Column("split", "split"),
            Column("method", "method"),
            *(
                Column(
                    f"ag_{least:g}_{most:g}",
                    "points" if most <= TOLERANCE else f"{least:g} to {most:g}",
                    "number",
                    "AG of the queries whose exact width is in this band",
                    "AG by exact width",
                    spread=True,
                )
                for least, most in bands
            ),
        ),
        tuple(rows),
        f"Against exact intervals; {over_seeds(summary.seeds(lines))}",
        grouped=True,
        about_groups=about,
    )


def _records(summary: Summary, lines: Sequence[Line]) -> Table:
    """All that is known about bands, one row for each."""
    rows: list[tuple[Value, ...]] = []
    for line in lines:
        for (least, most), records in _banded(summary.bands[line]).items():
            rows.append(
                (
                    line.ontology,
                    line.variant,
                    line.method,
                    least,
                    most,
                    spread(one.items for one in records),
                    _gap(records),
                    spread(one.guessed for one in records),
                )
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
        tuple(rows),
        f"Against exact intervals; {over_seeds(summary.seeds(lines))}",
        long=True,
    )
