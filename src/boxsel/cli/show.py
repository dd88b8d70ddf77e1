"""`boxsel show`: a knowledge base in a few numbers."""

from __future__ import annotations

import typer

from boxsel.cli.options import (
    ConfidenceOption,
    FromOption,
    IntervalOption,
    JsonOption,
    KBArgument,
    Sampling,
    SimultaneousOption,
    read_kb,
)
from boxsel.cli.output import emit_json, emit_table, reading_json, report_coverage
from boxsel.summary import summarize


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel show berkeley.sel")(show)


def show(
    kb: KBArgument,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Summarise a knowledge base: its names, its statements by kind, and what was left out."""
    found, coverage = read_kb(kb, from_format, Sampling(confidence, interval, simultaneous))
    summary = summarize(found)
    report_coverage(coverage)
    if as_json:
        emit_json({**summary.to_json(), **reading_json(found, coverage)})
    else:
        emit_table(summary.rows(), title=kb)
