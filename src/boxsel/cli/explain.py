"""`boxsel explain`: what each end of an answer rests on."""

from __future__ import annotations

from dataclasses import replace

import typer

from boxsel.cli.command import command, option
from boxsel.cli.exits import ANSWERED, EXITS, OUT_OF_BUDGET, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, Asked, Input
from boxsel.cli.output import MORE_TIME, emit_answer, report, report_reading


@command('boxsel explain applicant.sel "(Admitted | Applicant)"')
def explain(
    *,
    asked: Asked,
    budget: str | None = option(
        "Time for each query, such as 10s; then what is known by then.", metavar="TIME"
    ),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
) -> None:
    """Say which statements each end of an answer rests on, and how it follows from them."""
    kb, coverage = reading.read(asked.sources)
    queries = asked.read(kb)

    from boxsel.exact.diagnosis.explanation import explain as explain_query
    from boxsel.exact.reasoner import Reasoner
    from boxsel.machine.budget import Budget

    limit = Budget.of(budget)
    reasoner = Reasoner(kb, budget=limit)
    if not as_json:
        report_reading(kb, coverage, *asked.sources)
    names = kb.prefixes if iris or as_json else kb.labelled
    code = ANSWERED
    with stopped_by_interrupt(limit.stop):
        for query in queries:
            limit.renew()
            explanation = explain_query(reasoner, query, budget=limit)
            code = max(code, EXITS[explanation.status])
            if not explanation.finished:
                code = max(code, OUT_OF_BUDGET)
            emit_answer(replace(explanation, prefixes=names), as_json=as_json)
    if code == OUT_OF_BUDGET:
        report(MORE_TIME)
    raise typer.Exit(code)
