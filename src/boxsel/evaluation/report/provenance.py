"""What a run was: its ontologies, settings, versions and failures, and what the words mean."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, get_args

from boxsel.evaluation.records import Study
from boxsel.evaluation.report.aggregate import Summary
from boxsel.evaluation.report.info import RunInfo
from boxsel.evaluation.report.names import method_label
from boxsel.evaluation.report.section import Block, LeftOut, Points, Section, Terms
from boxsel.evaluation.report.table import Column, Table

DEEP: Final = 2
"""Settings below so many others are not printed."""


def legend_section(_summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """How to read the tables."""
    return Section(
        "legend",
        "How to read the tables",
        (
            Terms(
                (
                    (
                        "SA",
                        "soundness accuracy: the share of predicted intervals that lie within the"
                        " true ones, up to 1e-6. More is better.",
                    ),
                    (
                        "SE",
                        "soundness error: how far predicted intervals reach beyond the true ones,"
                        " both ends added, on average. Less is better.",
                    ),
                    (
                        "AG",
                        "approximation gap: how far predicted ends are from true ends, both ends"
                        " added, on average. Less is better.",
                    ),
                    ("width", "upper end less lower end, on average."),
                    (
                        "MAE",
                        "mean absolute error of the embedding: learned shares against those of the"
                        " members. A conditional whose body is empty in a member does not count"
                        " there.",
                    ),
                    (
                        "PMP",
                        "probabilistic modus ponens: the interval that two premises alone give."
                        " There is one for each pair of premises of a query.",
                    ),
                    (
                        "exact",
                        "the interval that all that was learned gives, one for each query that was"
                        " drawn for it, some of each kind. Where"
                        " the reasoner ran out of time it is an outer one: the share of proved ones"
                        " is stated.",
                    ),
                    (
                        "failed",
                        "a run that failed counts as having predicted [0, 1] everywhere. It is in"
                        " every mean.",
                    ),
                    ("±", "the sample standard deviation over seeds: each seed is a split."),
                    ("–", "no number."),
                )
            ),
            "Always 2 SE − AG = predicted width − true width, on the same items.",
        ),
    )


def failures_section(summary: Summary, _info: RunInfo) -> Section | LeftOut:
    """Every run that failed, with its reason."""
    lines = [line for study in get_args(Study) for line in summary.lines(study)]
    failed = [one for line in lines for one in summary.efforts.get(line, ()) if one.reason]
    cells = len({one.cell for one in summary.results.efforts})
    if not failed:
        text = f"No run of the {cells:,} cells failed." if cells else "No run was recorded."
        return Section("failures", "Failures", (text,))
    rows = tuple(
        (
            one.cell.study,
            one.cell.ontology,
            one.cell.variant,
            one.cell.seed,
            method_label(one.cell.method),
            one.cell.setting,
            one.reason,
        )
        for one in failed
    )
    names = ("study", "ontology", "variant", "seed", "method", "setting", "reason")
    return Section(
        "failures",
        "Failures",
        (
            Table(
                "failures",
                "Runs that failed",
                tuple(Column(name, name, "count" if name == "seed" else "text") for name in names),
                rows,
                f"{len(failed):,} of {cells:,} cells; against either truth they count as [0, 1].",
            ),
        ),
    )


def provenance_section(_summary: Summary, info: RunInfo) -> Section | LeftOut:
    """What one needs to repeat the run."""
    blocks: list[Block] = []
    if info.notes:
        blocks.append(Points(info.notes))
    if info.ontologies:
        blocks.append(_ontologies(info))
    blocks += _settings(info)
    return Section("provenance", "Ontologies, settings and versions", tuple(blocks))


def _ontologies(info: RunInfo) -> Table:
    return Table(
        "ontologies",
        "Ontologies",
        (
            Column("name", "name"),
            Column("origin", "origin"),
            Column("sizes", "sizes"),
            Column("digest", "digest", "digest", "a hash of all that was counted"),
        ),
        tuple(
            (
                str(one.get("name", "")),
                str(one.get("origin", "")),
                _sizes(one.get("sizes")),
                str(one.get("digest", "")),
            )
            for one in info.ontologies
        ),
        "Equal digests mean equal ontologies. No truth and no seed is involved.",
    )


def _settings(info: RunInfo) -> Iterator[Table]:
    """What was chosen; what is nested deeply is in a file alone."""
    rows = [
        ("date", info.date),
        ("device", info.device),
        ("seeds", ", ".join(map(str, info.seeds))),
        ("quick", "yes" if info.quick else "no"),
        *((f"version of {name}", version) for name, version in sorted(info.versions.items())),
        *_flat("", info.settings),
    ]
    columns = (Column("what", "what"), Column("value", "value"))
    basis = "No truth is involved."
    brief = tuple(row for row in rows if row[0].count(".") < DEEP)
    yield Table("settings", "Settings and versions", columns, brief, basis)
    if len(brief) < len(rows):
        title = "All settings, with those of every method on every ontology"
        yield Table("all-settings", title, columns, tuple(rows), basis, long=True)


def _flat(prefix: str, settings: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Nested settings as one level, with dots."""
    for name, value in settings.items():
        if isinstance(value, Mapping):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield f"{prefix}{name}", value if isinstance(value, str) else json.dumps(value)


def _sizes(sizes: object) -> str:
    if isinstance(sizes, Mapping):
        return ", ".join(f"{name} {_sizes(one)}" for name, one in sizes.items())
    return f"{sizes:,}" if isinstance(sizes, int) else str(sizes or "")
