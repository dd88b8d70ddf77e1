"""`boxsel normalize`: the normal form of a knowledge base."""

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
)
from boxsel.cli.output import emit, emit_json, report, report_dropped
from boxsel.cli.writing import Target, dropped_json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel normalize clinic.sel -o clinic-normal.sel")(normalize)


def normalize(
    kb: KBArgument,
    output: OutputOption = None,
    to_format: ToOption = None,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a knowledge base in normal form, with the same answers over its names."""
    from boxsel.normal.normalize import normalize as to_normal_form
    from boxsel.normal.safety import unsafe
    from boxsel.normal.saturation import saturate

    target = Target.of(output, to_format, default="sel", as_json=as_json)
    found, coverage = read_kb(kb, from_format, Sampling(confidence, interval, simultaneous))
    normal = to_normal_form(found)
    target.write(normal.kb)
