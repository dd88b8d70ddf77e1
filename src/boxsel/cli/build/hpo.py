"""`boxsel build hpo`: disease annotations of the Human Phenotype Ontology."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from boxsel.cli.build.delivery import Delivery, StrictOption
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import (
    ConfidenceOption,
    IntervalOption,
    JsonOption,
    OutputOption,
    Sampling,
    SimultaneousOption,
    ToOption,
)
from boxsel.cli.output import emit, emit_json, reading_json, report, report_coverage
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable, load, write_atomically

if TYPE_CHECKING:
    from boxsel.build.built import Built
    from boxsel.build.hpo.report import HpoReport

_EXAMPLE = (
    "Example: boxsel build hpo --ontology hp.obo --annotations phenotype.hpoa"
    " --disease OMIM:154700 -o marfan.sel"
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("hpo", epilog=_EXAMPLE)(hpo)


def hpo(
    ontology: Annotated[
        str, typer.Option(metavar="FILE", help="hp.obo, or a table of terms and their parents.")
    ],
    annotations: Annotated[
        list[str], typer.Option(metavar="FILE", help="phenotype.hpoa, or a table of its columns.")
    ],
    negated: Annotated[
        str | None, typer.Option("--not", metavar="FILE", help="A table of NOT rows.")
    ] = None,
    labels: Annotated[
        str | None, typer.Option(metavar="FILE", help="A table of terms and their labels.")
    ] = None,
    disease: Annotated[
        list[str] | None,
        typer.Option(metavar="ID", help="A disease, by identifier or name; may be repeated."),
    ] = None,
    diseases: Annotated[
        str | None, typer.Option(metavar="FILE", help="Diseases, one a line; # starts a comment.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All diseases.")] = False,
    close_gaps: Annotated[
        bool, typer.Option("--close-gaps", help="Let the intervals of frequency terms touch.")
    ] = False,
    pool: Annotated[
        bool, typer.Option(help="Add up several counts of one phenotype in one disease.")
    ] = True,
    ignore_sex: Annotated[
        bool, typer.Option("--ignore-sex", help="Read rows about one sex as about everybody.")
    ] = False,
    whole_ontology: Annotated[
        bool, typer.Option("--whole-ontology", help="Keep the terms that no disease needs, too.")
    ] = False,
    check: Annotated[
        bool, typer.Option("--check", help="Look for contradictions; exit code 1 if there are any.")
    ] = False,
    table: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the contradictions as .csv or .html (--check)."),
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Relax bounds as little as possible.")
    ] = False,
    changes: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the changes as .csv or .html (--repair)."),
    ] = None,
    output: OutputOption = None,
    to_format: ToOption = None,
    strict: StrictOption = False,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Disease annotations as conditionals over the phenotype hierarchy; and what contradicts what.

    With --check alone nothing is written but the tables: name the knowledge base with -o.
    """
    chosen = _chosen(disease, diseases, everything)
    tables = _Tables.of(check, table, repair, changes)
    reading = Sampling(confidence, interval, simultaneous).reading()
    delivery = None
    if not check or output is not None or to_format is not None:
        # The builder reads counts itself: contradictions depend on how.
        delivery = Delivery.of("hpo", output, to_format, None, as_json=as_json)

    from boxsel.build.hpo.building import build_hpo

    built = build_hpo(
        ontology,
        annotations,
        negated=negated,
        labels=labels,
        diseases=chosen,
        close_gaps=close_gaps,
        pool=pool,
        ignore_sex=ignore_sex,
        whole_ontology=whole_ontology,
        check=check,
        repair=repair,
        reading=reading,
        strict=strict,
    )
    tables.write(built.report)
    if delivery is not None:
        delivery.deliver(built)
    else:
        _tell(built, as_json=as_json)
    checked = built.report.checked
    raise typer.Exit(NO if check and checked and checked.contradictions else ANSWERED)


@dataclass(frozen=True, slots=True)
class _Tables:
    """The tables to write; where they go is checked before any work is done."""

    contradictions: str | None
    changes: str | None

    @classmethod
    def of(cls, check: bool, table: str | None, repair: bool, changes: str | None) -> _Tables:
        from boxsel.build.hpo.curation import table_writer

        if table is not None and not check:
            raise BoxselError("--table is the table of contradictions: it needs --check")
        if changes is not None and not repair:
            raise BoxselError("--changes is the table of what was relaxed: it needs --repair")
        for path in (table, changes):
            if path is not None:
                table_writer(path)
                check_writable(path)
        return cls(table, changes)

    def write(self, found: HpoReport) -> None:
        from boxsel.build.hpo import curation

        if self.contradictions is not None:
            rows = curation.contradiction_rows(found.findings)
            columns, title = curation.CONTRADICTION_COLUMNS, "Contradictions"
            path = self.contradictions
            write_atomically(path, curation.table(path, columns, rows, title))
            report(f"{path}: {len(rows):,} contradictions")
        if self.changes is not None and found.relaxed is not None:
            rows = curation.change_rows(found.relaxed.changes, found.labels)
            columns, title = curation.CHANGE_COLUMNS, "Relaxed statements"
            write_atomically(self.changes, curation.table(self.changes, columns, rows, title))
            report(f"{self.changes}: {len(rows):,} changes")


def _chosen(disease: list[str] | None, file: str | None, everything: bool) -> list[str] | None:
    """The diseases that the options name; `None` for all."""
    if everything:
        if disease or file is not None:
            raise BoxselError("--all takes every disease: leave out --disease and --diseases")
        return None
    chosen = list(disease or ())
    if file is not None:
        lines = (line.partition("#")[0].strip() for line in load(file).text.splitlines())
        chosen.extend(line for line in lines if line)
    if not chosen:
        raise BoxselError("which diseases? Give --disease ID, --diseases FILE or --all")
    return chosen


def _tell(built: Built[HpoReport], *, as_json: bool) -> None:
    """What was found, where no knowledge base is written."""
    found = built.report
    if not as_json:
        emit(found.text)
        report_coverage(built.coverage)
        return
    emit_json(
        {
            "build": "hpo",
            "output": None,
            "format": None,
            "statements": len(built.kb),
            **found.to_json(),
            **reading_json(built.kb, built.coverage),
        }
    )
