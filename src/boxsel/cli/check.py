"""`boxsel check`: is there a model, and can every name be non-empty?"""

from __future__ import annotations

import typer

from boxsel.cli.command import command, option
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON, KB_FILE, Input, reader
from boxsel.cli.output import emit, emit_json, report, report_reading, shortened


@command("boxsel check clinic.sel")
def check(
    *,
    kb: str = KB_FILE,
    concept: str | None = option("Whose emptiness the conflict is about.", metavar="C"),
    conflicts: int = option("How many different minimal conflicts to look for.", default=1, min=1),
    reading: Input,
    as_json: bool = JSON,
) -> None:
    """Say whether there is a model and every name can be non-empty, else why not."""
    found, coverage = reading.read(kb)

    from boxsel.exact.diagnosis.check import check as check_kb

    asked = None if concept is None else reader(found, kb).concept(concept)
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
        emit("".join(conflict.text for conflict in result.conflicts))
        if result.more:
            emit("There may be more conflicts: --conflicts asks for them.\n")
    if concept is not None and not result.conflicts:
        report(f"{concept} can be non-empty: there is no conflict about it")
    raise typer.Exit(ANSWERED if result.coherent else NO)
