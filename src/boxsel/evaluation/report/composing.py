"""The report from results: which sections there are, and in which order."""

from __future__ import annotations

from typing import Final

from boxsel.evaluation.records import Results
from boxsel.evaluation.report.aggregate import Summary
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.main_tables import main_section
from boxsel.evaluation.report.names import listed
from boxsel.evaluation.report.paper_section import paper_section
from boxsel.evaluation.report.progress import epochs_section, members_section
from boxsel.evaluation.report.provenance import (
    failures_section,
    legend_section,
    provenance_section,
)
from boxsel.evaluation.report.runtime import runtime_section
from boxsel.evaluation.report.section import LeftOut, Maker, Points, Report, Section
from boxsel.evaluation.report.shapes import shapes_section
from boxsel.evaluation.report.split_sizes import splits_section
from boxsel.evaluation.report.studies import (
    concepts_section,
    presets_section,
    regularisers_section,
    roles_section,
)
from boxsel.evaluation.report.tuning import tuning_section
from boxsel.evaluation.report.widths import widths_section

MAKERS: Final[tuple[Maker, ...]] = (
    main_section,
    failures_section,
    legend_section,
    widths_section,
    shapes_section,
    members_section,
    epochs_section,
    concepts_section,
    roles_section,
    regularisers_section,
    presets_section,
    tuning_section,
    runtime_section,
    splits_section,
    provenance_section,
    paper_section,
)
QUICK: Final = (
    "This is a quick run: few ontologies, seeds, members and epochs. Its numbers show that all"
    " works, not how good a method is."
)


def composed(results: Results, info: RunInfo) -> Report:
    """The report as a value; what there are no records for is named as left out."""
    summary = Summary(results)
    made = [maker(summary, info) for maker in MAKERS]
    sections = [one for one in made if isinstance(one, Section)]
    absent = [one for one in made if isinstance(one, LeftOut)]
    if absent:
        told = Points(tuple(f"{one.title}: {one.reason}." for one in absent))
        sections.append(Section("left-out", "Left out", (told,)))
    failed = len({one.cell for one in results.efforts if one.reason})
    warnings = [QUICK] if info.quick else []
    if failed:
        cells = len({one.cell for one in results.efforts})
        warnings.append(f"{failed:,} of {cells:,} cells come from runs that failed; see Failures.")
    return Report(info.title, _subtitle(info), " ".join(warnings), tuple(sections))


def _subtitle(info: RunInfo) -> str:
    parts = [info.date, info.device]
    if "boxsel" in info.versions:
        parts.append(f"boxsel {info.versions['boxsel']}")
    if info.ontologies:
        parts.append(_number(len(info.ontologies), "ontology", "ontologies"))
    if info.seeds:
        parts.append(
            f"{'seed' if len(info.seeds) == 1 else 'seeds'} "
            + listed([str(seed) for seed in info.seeds])
        )
    return " · ".join(part for part in parts if part)


def _number(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"
