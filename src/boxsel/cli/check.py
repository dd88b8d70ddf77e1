"""`boxsel check`: is there a model, and can every name be non-empty?"""

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
    Sampling,
    SimultaneousOption,
    read_concept,
    read_kb,
)
from boxsel.cli.output import emit, emit_json, report, report_reading, shortened


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel check clinic.sel")(check)


def check(
    kb: KBArgument,
    concept: Annotated[
        str | None, typer.Option(metavar="C", help="Whose emptiness the conflict is about.")
    ] = None,
    conflicts: Annotated[
        int, typer.Option(min=1, help="How many different minimal conflicts to look for.")
    ] = 1,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say whether there is a model and every name can be non-empty, else why not."""
    found, coverage = read_kb(kb, from_format, Sampling(confidence, interval, simultaneous))

    from boxsel.exact.diagnosis.check import check as check_kb

    asked = None if concept is None else read_concept(found, kb, concept)
    result = check_kb(found, concept=asked, limit=conflicts)
    if as_json:
        emit_json(result.to_json())
    else:
        report_reading(found, coverage, kb)
        emit(f"{'' if result.consistent else 'in'}consistent\n")
        if result.consistent:
            emit(f"{'' if result.coherent else 'in'}coherent\n")
        if result.consistent and result.empty:
            names = shortened(map(found.label, result.empty), len(result.empty), ", ")
            emit(f"empty in every model: {names}\n")
        emit("".join(one.text for one in result.conflicts))
        if result.more:
            emit("There may be more conflicts: --conflicts asks for them.\n")
    if concept is not None and not result.conflicts:
        report(f"{concept} can be non-empty: there is no conflict about it")
    raise typer.Exit(ANSWERED if result.coherent else NO)
