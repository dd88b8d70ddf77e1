"""`boxsel convert`: the same knowledge base in another format."""

from __future__ import annotations

from typing import Annotated

import typer

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
)
from boxsel.cli.output import emit_json, report, report_dropped
from boxsel.cli.writing import Target, dropped_json
from boxsel.errors import BoxselError
from boxsel.formats.registry import format_named, recognise
from boxsel.formats.source import load


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel convert galen.owl -o galen.sel")(convert)


def convert(
    kb: KBArgument,
    target: Annotated[
        str | None, typer.Argument(metavar="[FILE]", help="Where to write; the same as -o.")
    ] = None,
    output: OutputOption = None,
    to_format: ToOption = None,
    from_format: FromOption = None,
    lossy: Annotated[
        bool, typer.Option("--lossy", help="Leave out what the format cannot hold (tables).")
    ] = False,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a knowledge base in another format; the file is written whole or not at all."""
    if target is not None and output is not None:
        raise BoxselError("give the output once: as the second argument or with -o")
    destination = Target.of(output or target, to_format, default=None, as_json=as_json)
    source = load(kb)
    origin = format_named(from_format) if from_format else recognise(source)
    sampling = Sampling(confidence, interval, simultaneous)
    found, coverage = sampling.apply(origin.codec.read(source))
    written = destination.reduce(found) if lossy else found
    destination.write(written)
    if as_json:
        emit_json(
            {
                "from": origin.name,
                "to": destination.format.name,
                "output": destination.path,
                "statements": len(written),
                "dropped": dropped_json(found),
                "coverage": None if coverage is None else coverage.to_json(),
            }
        )
        return
    report_dropped(found, kb)
    if coverage is not None:
        report(coverage.text)
    if destination.path is not None:
        report(f"{destination.path}: {len(written):,} statements as {destination.format.title}")
