"""`boxsel explain`: what each end of an answer rests on."""

from __future__ import annotations

import typer

from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import (
    ConfidenceOption,
    FromOption,
    IntervalOption,
    JsonOption,
    KBArgument,
    QueriesArgument,
    QueriesOption,
    Sampling,
    SimultaneousOption,
    read_kb,
    read_queries,
)
from boxsel.cli.output import emit, emit_json, report_reading


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog='Example: boxsel explain applicant.sel "(Admitted | Applicant)"')(explain)


def explain(
    kb: KBArgument,
    queries: QueriesArgument = None,
    queries_file: QueriesOption = None,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say which statements each end of an answer rests on, and how it follows from them."""
    found, coverage = read_kb(kb, from_format, Sampling(confidence, interval, simultaneous))
    asked = read_queries(found, kb, queries, queries_file)

    from boxsel.exact.diagnosis.explanation import explain as explain_query
    from boxsel.exact.reasoner import Reasoner

    reasoner = Reasoner(found)
    if not as_json:
        report_reading(found, coverage, kb)
    code = ANSWERED
    for query in asked:
        explanation = explain_query(reasoner, query)
        if explanation.status == "inconsistent":
            code = NO
        if as_json:
            emit_json(explanation.to_json())
        else:
            emit(explanation.text)
    raise typer.Exit(code)
