"""`boxsel build hpo`: disease annotations of the Human Phenotype Ontology."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import typer

from boxsel.cli.command import command, flag, option, required
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON, Output, Sampling, Texts
from boxsel.cli.output import report
from boxsel.cli.writing import STRICT, Delivery
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable, load, write_atomically

if TYPE_CHECKING:
    from boxsel.build.phenotypes.report import HpoReport


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which diseases."""

    disease: Texts = option("A disease, by identifier or name; may be repeated.", metavar="ID")
    diseases: str | None = option("Diseases, one a line; # starts a comment.", metavar="FILE")
    everything: bool = flag("--all", "All diseases.")

    def identified(self) -> list[str] | None:
        """The diseases that the options name; `None` for all."""
        if self.everything:
            if self.disease or self.diseases is not None:
                raise BoxselError("--all takes every disease: leave out --disease and --diseases")
            return None
        chosen = list(self.disease or ())
        if self.diseases is not None:
            lines = load(self.diseases).text.splitlines()
            names = (line.partition("#")[0].strip() for line in lines)
            chosen.extend(name for name in names if name)
        if not chosen:
            raise BoxselError("which diseases? Give --disease ID, --diseases FILE or --all")
        return chosen


@dataclass(frozen=True, slots=True)
class Rows:
    """How rows are read, and what of the ontology is kept."""

    close_gaps: bool = flag("--close-gaps", "Let the intervals of frequency terms touch.")
    pool: bool = option("Add up several counts of one phenotype in one disease.", default=True)
    ignore_sex: bool = flag("--ignore-sex", "Read rows about one sex as about everybody.")
    whole_ontology: bool = flag("--whole-ontology", "Keep the terms that no disease needs, too.")


@dataclass(frozen=True, slots=True)
class Curation:
    """What is done about contradictions, and the tables of that."""

    check: bool = flag("--check", "Look for contradictions; exit code 1 if there are any.")
    table: str | None = option(
        "Write the contradictions as .csv or .html (--check).", metavar="FILE"
    )
    repair: bool = flag("--repair", "Relax bounds as little as possible.")
    changes: str | None = option("Write the changes as .csv or .html (--repair).", metavar="FILE")

    def verify(self) -> None:
        """Refuse tables that cannot be written, before any work is done."""
        from boxsel.build.phenotypes.curation import sheet_writer

        if self.table is not None and not self.check:
            raise BoxselError("--table is the table of contradictions: it needs --check")
        if self.changes is not None and not self.repair:
            raise BoxselError("--changes is the table of what was relaxed: it needs --repair")
        for path in (self.table, self.changes):
            if path is not None:
                sheet_writer(path)
                check_writable(path)

    def write(self, found: HpoReport) -> None:
        """Write the tables."""
        from boxsel.build.phenotypes.curation import change_sheet, contradiction_sheet, sheet_writer

        sheets = [(self.table, contradiction_sheet(found.findings), "contradictions")]
        if found.relaxed is not None:
            changes = change_sheet(found.relaxed.changes, found.labels)
            sheets.append((self.changes, changes, "changes"))
        for path, sheet, what in sheets:
            if path is not None:
                write_atomically(path, sheet_writer(path)(sheet).encode())
                report(f"{path}: {len(sheet.rows):,} {what}")


@command(
    "boxsel build hpo --ontology hp.obo --annotations phenotype.hpoa"
    " --disease OMIM:154700 -o marfan.sel"
)
def hpo(
    *,
    ontology: str = required("hp.obo, or a table of terms and their parents.", metavar="FILE"),
    annotations: list[str] = required("phenotype.hpoa, or a table of its columns.", metavar="FILE"),
    negated: str | None = option("A table of NOT rows.", "--not", metavar="FILE"),
    labels: str | None = option("A table of terms and their labels.", metavar="FILE"),
    chosen: Chosen,
    rows: Rows,
    curation: Curation,
    output: Output,
    strict: bool = STRICT,
    sampling: Sampling,
    as_json: bool = JSON,
) -> None:
    """Disease annotations as conditionals over the phenotype hierarchy; and what contradicts what.

    With --check alone nothing is written but the tables: name the knowledge base with -o.
    """
    diseases = chosen.identified()
    curation.verify()
    reading = sampling.reading()
    # The builder reads counts itself: contradictions depend on how.
    written = None if curation.check and output == Output(None, None) else output
    delivery = Delivery.of("hpo", written, None, as_json=as_json)

    from boxsel.build.phenotypes.building import build_hpo

    built = build_hpo(
        ontology,
        annotations,
        negated=negated,
        labels=labels,
        diseases=diseases,
        **asdict(rows),
        check=curation.check,
        repair=curation.repair,
        reading=reading,
        strict=strict,
    )
    curation.write(built.report)
    delivery.deliver(built)
    checked = built.report.checked
    raise typer.Exit(NO if curation.check and checked and checked.contradictions else ANSWERED)
