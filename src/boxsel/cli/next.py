"""`boxsel next`: which number to measure next."""

from __future__ import annotations

from dataclasses import replace

import typer

from boxsel.cli.command import command, option
from boxsel.cli.exits import ANSWERED, EXITS, OUT_OF_BUDGET, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, PERCENT, Asked, Input, check_percent
from boxsel.cli.output import emit_answer, report_reading


@command('boxsel next applicant.sel "(Admitted | Applicant)"')
def next(  # noqa: A001
    *,
    asked: Asked,
    within: str = option("How far a measurement may be off.", default="1%", metavar="ERROR"),
    budget: str = option("Time for each query.", default="10s", metavar="TIME"),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
    percent: bool = PERCENT,
) -> None:
    """Say which shares, stated or not, would narrow an answer most if they were measured."""
    check_percent(percent, as_json)
    kb, coverage = reading.read(asked.sources)
    queries = asked.read(kb)

    from boxsel.advice.measuring import next_measurements
    from boxsel.machine.budget import Budget

    limit = Budget.of(budget)
    if not as_json:
        report_reading(kb, coverage, *asked.sources)
    names = kb.prefixes if iris or as_json else kb.labelled
    code = ANSWERED
    with stopped_by_interrupt(limit.stop):
        for query in queries:
            limit.renew()
            advice = next_measurements(kb, query, within=within, budget=limit)
            code = max(code, EXITS[advice.status], ANSWERED if advice.complete else OUT_OF_BUDGET)
            emit_answer(replace(advice, prefixes=names, percent=percent), as_json=as_json)
    raise typer.Exit(code)
