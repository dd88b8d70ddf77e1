"""`boxsel repair`: the least change of bounds that makes a knowledge base coherent."""

from __future__ import annotations

import typer

from boxsel.cli.command import command, option
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON, KB_FILE, Input, Output, Texts, reader
from boxsel.cli.output import emit, emit_json, report, report_reading
from boxsel.cli.writing import Target
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable


@command("boxsel repair survey.sel -o repaired.sel")
def repair(
    *,
    kb: str = KB_FILE,
    output: Output,
    concept: Texts = option("Only these names must be able to be non-empty.", metavar="NAME"),
    reading: Input,
    as_json: bool = JSON,
) -> None:
    """Relax bounds as little as possible, so that every name can be non-empty."""
    path, target = output.output, None
    if output.to_format is not None and path is None:
        raise BoxselError("--to names the format of the output file: give one with -o")
    if path is not None:
        target = Target.of(output, default="sel", as_json=as_json)
        check_writable(path)
    found, coverage = reading.read(kb)

    from boxsel.exact.diagnosis.repair import repair as repair_kb

    names = None if concept is None else list(map(reader(found, kb).name, concept))
    result = repair_kb(found, names=names)
    if result.possible and target is not None:
        target.write(result.kb)
    if as_json:
        emit_json({**result.to_json(), "output": path if result.possible else None})
    else:
        report_reading(found, coverage, kb)
        emit(result.text)
        if result.possible and path is not None:
            report(f"{path}: {len(result.kb):,} statements")
    raise typer.Exit(ANSWERED if result.possible else NO)
