"""`boxsel repair`: the least change of bounds that makes a knowledge base coherent."""

from __future__ import annotations

from typing import Annotated

import typer

from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import (
    ConfidenceOption,
    FromOption,
    IntervalOption,
    JsonOption,
    KBArgument,
    OutputOption,
    Sampling,
    SimultaneousOption,
    ToOption,
    read_kb,
    read_name,
)
from boxsel.cli.output import emit, emit_json, report, report_reading
from boxsel.cli.writing import Target
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel repair survey.sel -o repaired.sel")(repair)


def repair(
    kb: KBArgument,
    output: OutputOption = None,
    to_format: ToOption = None,
    concept: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only these names must be able to be non-empty."),
    ] = None,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Relax bounds as little as possible, so that every name can be non-empty."""
    if to_format is not None and output is None:
        raise BoxselError("--to names the format of the output file: give one with -o")
    target = None
    if output is not None:
        target = Target.of(output, to_format, default="sel", as_json=as_json)
        check_writable(output)
    found, coverage = read_kb(kb, from_format, Sampling(confidence, interval, simultaneous))

    from boxsel.exact.diagnosis.repair import repair as repair_kb

    names = None if concept is None else [read_name(found, kb, text) for text in concept]
    result = repair_kb(found, names=names)
    if result.possible and target is not None:
        target.write(result.kb)
    if as_json:
        emit_json({**result.to_json(), "output": output if result.possible else None})
    else:
        report_reading(found, coverage, kb)
        emit(result.text)
        if result.possible and output is not None:
            report(f"{output}: {len(result.kb):,} statements")
    raise typer.Exit(ANSWERED if result.possible else NO)
