"""`boxsel repair`: the least change of bounds that makes a knowledge base coherent."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import typer

from boxsel.cli.command import command, option
from boxsel.cli.exits import ANSWERED, NO, OUT_OF_BUDGET, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, KB_FILES, Input, Output, Texts, reader
from boxsel.cli.output import MORE_TIME, emit, emit_json, report, report_reading
from boxsel.cli.writing import Target
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable
from boxsel.machine.progress import during


@command("boxsel repair survey.sel -o repaired.sel")
def repair(
    *,
    kb: list[str] = KB_FILES,
    output: Output,
    concept: Texts = option("Only these names must be able to be non-empty.", metavar="NAME"),
    trust: Texts = option(
        "How much a source weighs: the less, the sooner its numbers move.", metavar="SOURCE=WEIGHT"
    ),
    relax: Literal["counts"] | None = option(
        "What gives way first: counts are read as intervals, where they are in conflicts."
    ),
    budget: str | None = option("Time, such as 10s; then the best so far.", metavar="TIME"),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
) -> None:
    """Relax bounds as little as possible, so that every name can be non-empty."""
    path, target = output.output, None
    if output.to_format is not None and path is None:
        raise BoxselError("--to names the format of the output file: give one with -o")
    if path is not None:
        target = Target.of(output, default="sel", as_json=as_json)
        check_writable(path)
    base, coverage = reading.read(kb)

    from boxsel.exact.diagnosis.repair import repair as repair_kb
    from boxsel.machine.budget import Budget
    from boxsel.sampling import Reading

    names = None if concept is None else list(map(reader(base, kb).name, concept))
    limit = Budget.of(budget)
    with stopped_by_interrupt(limit.stop):
        result = during(
            lambda: repair_kb(
                base,
                names=names,
                trust=dict(map(_trusted, trust or ())),
                reading=None if relax is None else Reading(),
                budget=limit,
            ),
            "repairing",
        )
    written = result.possible and result.finished
    if written and target is not None:
        target.write(result.kb)
    if as_json:
        emit_json({**result.to_json(), "output": path if written else None})
    else:
        report_reading(base, coverage, *kb)
        emit(replace(result, names=base.prefixes if iris else base.labelled).text)
        if written and path is not None:
            report(f"{path}: {len(result.kb):,} statements")
    if result.possible and not result.finished:
        report(f"nothing was written: {MORE_TIME}" if path else MORE_TIME)
    if not result.possible:
        raise typer.Exit(NO)
    raise typer.Exit(OUT_OF_BUDGET if limit.spent and not result.optimal else ANSWERED)


def _trusted(said: str) -> tuple[str, str]:
    """A source and its weight."""
    source, equals, weight = said.rpartition("=")
    if not equals or not source:
        raise BoxselError(f"{said!r} is no trust: write SOURCE=WEIGHT, such as pilot=0.5")
    return source, weight
