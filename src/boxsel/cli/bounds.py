"""`boxsel bounds`: what a share can be, exactly."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from boxsel.cli.exits import ANSWERED, NO, OUT_OF_BUDGET
from boxsel.cli.interrupts import stopped_by_interrupt
from boxsel.cli.options import (
    BudgetOption,
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
from boxsel.formats.source import check_writable, write_atomically
from boxsel.machine.progress import track

EXITS = {"bounded": ANSWERED, "vacuous": ANSWERED, "inconsistent": NO, "budget": OUT_OF_BUDGET}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog='Example: boxsel bounds applicant.sel "(Admitted | Applicant)"')(bounds)


def bounds(
    kb: KBArgument,
    queries: QueriesArgument = None,
    queries_file: QueriesOption = None,
    budget: BudgetOption = None,
    certificate: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write the certificates here, one JSON object a line."),
    ] = None,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Say between which numbers the share of D in C must lie, with a proof for both ends."""
    if certificate is not None:
        check_writable(certificate)
    found, coverage = read_kb(kb, from_format, Sampling(confidence, interval, simultaneous))
    asked = read_queries(found, kb, queries, queries_file)

    from boxsel.exact.bounds import bounds as bounds_of
    from boxsel.exact.reasoner import Reasoner
    from boxsel.machine.budget import Budget

    limit = Budget() if budget is None else Budget.of(budget)
    reasoner = Reasoner(found, budget=limit)
    if not as_json:
        report_reading(found, coverage, kb)
    code, certificates = ANSWERED, []
    with stopped_by_interrupt(limit.stop):
        for query in track(asked, "bounds", len(asked)) if len(asked) > 1 else asked:
            limit.renew()
            answer = bounds_of(found, query, reasoner=reasoner)
            code = max(code, EXITS[answer.status])
            certificates.append(answer.certificate)
            if as_json:
                emit_json(answer.to_json())
            else:
                emit(answer.text)
    if certificate is not None:
        lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in certificates)
        write_atomically(certificate, lines.encode())
    raise typer.Exit(code)
