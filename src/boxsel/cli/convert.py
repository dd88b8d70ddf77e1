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
from boxsel.cli.output import emit_json, reading_json, report, report_reading
from boxsel.cli.writing import Target
from boxsel.errors import BoxselError
from boxsel.formats.files import input_format
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
    origin = input_format(source, from_format)
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
                **reading_json(found, coverage),
            }
        )
        return
    report_reading(found, coverage, kb)
    if destination.path is not None:
        report(f"{destination.path}: {len(written):,} statements as {destination.format.title}")
