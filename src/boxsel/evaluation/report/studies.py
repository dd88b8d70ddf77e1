"""Studies that vary one choice: concepts, roles, regularisers, presets."""

from __future__ import annotations

from typing import Final

from boxsel.evaluation.records import Study
from boxsel.evaluation.report.aggregate import Summary
from boxsel.evaluation.report.comparison import Extra, comparison
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.section import LeftOut, Section
from boxsel.evaluation.report.table import Column

VARIED: Final[dict[Study, str]] = {
    "concepts": "concepts",
    "roles": "roles",
    "regularisers": "regulariser",
    "presets": "preset",
}


def concepts_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """Boxes and balls."""
    return _study(summary, "concepts", "Representation of concepts", ())


def roles_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """Translations, affine maps and dual boxes, with their parameters."""
    parameters = Extra(
        Column("parameters", "parameters", "count", "of one member, in all", spread=True),
        lambda line: summary.cost(line, "parameters"),
    )
    return _study(summary, "roles", "Representation of roles", (parameters,))


def regularisers_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """Location and volume, and how fast training settles with them."""
    settled = Extra(
        Column(
            "settled",
            "epochs to settle",
            "count",
            "the epoch from which the mean loss stays within a twentieth of its last value",
            spread=True,
        ),
        lambda line: summary.cost(line, "settled"),
    )
    epochs = Extra(
        Column("epochs", "of", "count", "all epochs of training", spread=True),
        lambda line: summary.cost(line, "epochs"),
    )
    return _study(summary, "regularisers", "Regularisers", (settled, epochs))


def presets_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """The paper's training and ours; random members, and members pushed by the query."""
    seconds = Extra(
        Column("seconds", "seconds", "amount", "of one run, in all", spread=True),
        lambda line: summary.cost(line, "seconds"),
    )
    return _study(summary, "presets", "Presets and directed members", (seconds,))


def _study(
    summary: Summary, study: Study, title: str, extras: tuple[Extra, ...]
) -> Section | LeftOut:
    lines = summary.lines(study)
    if not lines:
        return LeftOut(title, f"the study of {study} was not run")
    mae = Extra(
        Column("mae", "MAE", "number", "of the embedding", spread=True),
        lambda line: summary.cost(line, "mae"),
    )
    table = comparison(summary, study, title, lines, (mae, *extras), varied=VARIED[study])
    return Section(study, title, (table,))
