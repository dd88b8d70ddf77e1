"""The report from results: which sections there are, in which order, and its files."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from boxsel.errors import WriteError
from boxsel.evaluation.records import Results
from boxsel.evaluation.report.aggregate import Summary
from boxsel.evaluation.report.breakdown import shapes_blocks, widths_blocks
from boxsel.evaluation.report.html import page
from boxsel.evaluation.report.main import main_blocks
from boxsel.evaluation.report.names import listed
from boxsel.evaluation.report.paper import paper_blocks
from boxsel.evaluation.report.parts import Block, Points, Report, RunInfo, Section
from boxsel.evaluation.report.provenance import (
    failures_blocks,
    legend_blocks,
    provenance_blocks,
    runtime_blocks,
    splits_blocks,
)
from boxsel.evaluation.report.spelling import csv_text, markdown
from boxsel.evaluation.report.studies import CHOICES, choice_blocks, epochs_blocks, members_blocks
from boxsel.evaluation.report.telling import telling_blocks
from boxsel.evaluation.report.tuning import tuning_blocks
from boxsel.formats.source import write_atomically
from boxsel.machine.extras import needing
from boxsel.pictures.chart import Chart
from boxsel.wording import several


class Maker(NamedTuple):
    """What makes a section: it is left out, with a reason, if there are no blocks for it."""

    key: str
    title: str
    reason: str
    blocks: Callable[[Summary, RunInfo], Iterator[Block]]


MAKERS: Final = (
    Maker("main", "Main results", "there are no records of the main comparison", main_blocks),
    Maker(
        "telling",
        "Where soundness tells methods apart",
        "there are no records against PMP intervals",
        telling_blocks,
    ),
    Maker("failures", "Failures", "", failures_blocks),
    Maker("legend", "How to read the tables", "", legend_blocks),
    Maker("widths", "AG against exact width", "there are no records by width", widths_blocks),
    Maker("shapes", "Results by shape", "there are no records for single shapes", shapes_blocks),
    Maker("members", "Number of members", "the study of members was not run", members_blocks),
    Maker(
        "epochs", "Embedding and inference error", "the study of epochs was not run", epochs_blocks
    ),
    *(
        Maker(study, title, f"the study of {study} was not run", partial(choice_blocks, study))
        for study, (title, *_) in CHOICES.items()
    ),
    Maker("tuning", "Tuning", "the search for hyperparameters was not run", tuning_blocks),
    Maker("runtime", "Runtime", "no run of the main comparison has told its time", runtime_blocks),
    Maker("splits", "Splits", "the sizes of the splits were not given", splits_blocks),
    Maker("provenance", "Ontologies, settings and versions", "", provenance_blocks),
    Maker("paper", "The paper's numbers, and slips in them", "", paper_blocks),
)
FOLDERS: Final = ("tables", "figures")
QUICK: Final = (
    "This is a quick run: few ontologies, seeds, members and epochs. Its numbers show that all"
    " works, not how good a method is."
)
_LINKS: Final = re.compile(r"\]\(((?:tables|figures)/[\w.-]+)\)")


def composed(results: Results, info: RunInfo) -> Report:
    """The report as a value; what there are no records for is named as left out."""
    summary = Summary(results)
    sections, absent = [], []
    for key, title, reason, maker in MAKERS:
        blocks = tuple(maker(summary, info))
        if blocks:
            sections.append(Section(key, title, blocks))
        else:
            absent.append(f"{title}: {reason}.")
    if absent:
        sections.append(Section("left-out", "Left out", (Points(tuple(absent)),)))
    failed = len({effort.cell for effort in results.efforts if effort.reason})
    warnings = [QUICK] if info.quick else []
    if failed:
        cells = len({effort.cell for effort in results.efforts})
        warnings.append(f"{failed:,} of {cells:,} cells come from runs that failed; see Failures.")
    return Report(info.title, _subtitle(info), " ".join(warnings), tuple(sections))


def write_report(
    results: Results, info: RunInfo, folder: str | os.PathLike[str]
) -> tuple[Path, ...]:
    """Write `report.md`, `report.html`, `tables/*.csv` and `figures/*.svg`, `*.png`.

    Each file is written whole or not at all, and the same results give the same bytes. An earlier
    report in the folder is replaced: what it linked to and this one does not is removed. Gives the
    paths of what was written.

    Raises:
        WriteError: The folder cannot be written.
        BoxselError: matplotlib is not installed.
    """
    contents = report_files(results, info)
    target = Path(folder)
    try:
        for name in FOLDERS:
            (target / name).mkdir(parents=True, exist_ok=True)
        old = _linked(target / "report.md")
    except OSError as error:
        raise WriteError(f"{target}: cannot be written: {error.strerror or error}") from None
    for name, data in contents.items():
        write_atomically(target / name, data)
    for name in old - contents.keys():
        (target / name).unlink(missing_ok=True)
    return tuple(target / name for name in contents)


def report_files(results: Results, info: RunInfo) -> dict[str, bytes]:
    """The files of a report by their names, relative to its folder; the report itself comes last.

    Raises:
        BoxselError: matplotlib is not installed.
    """
    report = composed(results, info)
    found: dict[str, bytes] = {}
    drawings: dict[str, str] = {}
    for chart in report.charts:
        vector, pixels = _drawn(chart)
        drawings[chart.key] = vector.decode()
        found[f"figures/{chart.key}.svg"] = vector
        found[f"figures/{chart.key}.png"] = pixels
    for table in report.tables:
        found[f"tables/{table.key}.csv"] = csv_text(table).encode()
    found["report.html"] = page(report, drawings).encode()
    found["report.md"] = markdown(report).encode()
    return found


def required_matplotlib() -> None:
    """See that charts can be drawn.

    Raises:
        BoxselError: matplotlib is not installed.
    """
    with needing("matplotlib", "plots", "the figures of a report"):
        import boxsel.pictures.panels  # noqa: F401


def _drawn(chart: Chart) -> tuple[bytes, bytes]:
    required_matplotlib()
    from boxsel.pictures.panels import draw_chart

    return draw_chart(chart)


def _linked(report: Path) -> set[str]:
    """The files that an earlier report belongs to."""
    if not report.is_file():
        return set()
    return set(_LINKS.findall(report.read_text("utf-8", errors="replace")))


def _subtitle(info: RunInfo) -> str:
    parts = [info.date, info.device]
    if "boxsel" in info.versions:
        parts.append(f"boxsel {info.versions['boxsel']}")
    if info.ontologies:
        parts.append(several(len(info.ontologies), "ontology", "ontologies"))
    if info.seeds:
        parts.append(
            f"{'seed' if len(info.seeds) == 1 else 'seeds'} "
            + listed([str(seed) for seed in info.seeds])
        )
    return " · ".join(part for part in parts if part)
