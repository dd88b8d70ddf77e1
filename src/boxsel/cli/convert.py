"""`boxsel convert`: the same knowledge base in another format."""

from __future__ import annotations

from dataclasses import replace

from boxsel.cli.command import argument, command
from boxsel.cli.options import JSON, KB_FILE, ROUNDED, Files, Output, Sampling, round_shares
from boxsel.cli.output import emit_json, reading_json, report_reading
from boxsel.cli.writing import LOSSY, NO_DATA, Target
from boxsel.errors import BoxselError
from boxsel.formats.registry import input_format
from boxsel.formats.source import load


@command("boxsel convert galen.owl -o galen.sel")
def convert(
    *,
    kb: str = KB_FILE,
    target: str | None = argument("Where to write; the same as -o.", "[FILE]", None),
    output: Output,
    reading: Files,
    lossy: bool = LOSSY,
    no_data: bool = NO_DATA,
    sampling: Sampling,
    rounded: str | None = ROUNDED,
    as_json: bool = JSON,
) -> None:
    """Write a knowledge base in another format; the file is written whole or not at all."""
    if target is not None and output.output is not None:
        raise BoxselError("give the output once: as the second argument or with -o")
    output = replace(output, output=output.output or target)
    destination = Target.of(output, default=None, as_json=as_json)
    source = load(kb)
    origin = input_format(source, reading.from_format)
    base = reading.read_sources([source]).kb
    if rounded is not None:
        base = round_shares(base, rounded)
    base, coverage = sampling.apply(base)
    if no_data:
        base = replace(base, data=None)
    written = destination.reduce(base) if lossy else base
    destination.write(written)
    if as_json:
        emit_json(
            {
                "from": origin.name,
                "to": destination.format.name,
                "output": destination.path,
                "statements": len(written),
                **reading_json(base, coverage),
            }
        )
        return
    report_reading(base, coverage, kb)
    destination.report_written(written)
