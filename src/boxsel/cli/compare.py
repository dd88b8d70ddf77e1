"""`boxsel compare`: how two shares differ, in all models."""

from __future__ import annotations

import json
from dataclasses import replace

import typer

from boxsel.cli.command import command, option
from boxsel.cli.exits import EXITS, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, PERCENT, PLOT, Asked, Input, check_percent
from boxsel.cli.output import emit_answer, report, report_reading
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable, write_atomically


@command('boxsel compare berkeley.sel "(Admitted | Woman)" "(Admitted | Man)"')
def compare(
    *,
    asked: Asked,
    budget: str | None = option(
        "Time for the comparison, such as 30s; 10s unless said.", metavar="TIME"
    ),
    certificate: str | None = option("Write the certificate here, for verify.", metavar="FILE"),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
    percent: bool = PERCENT,
    plot: str | None = PLOT,
) -> None:
    """Say by how much one share is above or below another: difference, ratio, odds ratio."""
    check_percent(percent, as_json)
    if certificate is not None:
        check_writable(certificate)
    if plot is not None:
        from boxsel.answer.figure import expect_picture

        expect_picture(plot)
    kb, coverage = reading.read(asked.sources)
    queries = asked.read(kb)
    if len(queries) != 2:
        raise BoxselError(f'two shares are compared, not {len(queries)}: "(D | C1)" "(D | C2)"')

    from boxsel.comparison.compare import DEFAULT_SECONDS
    from boxsel.comparison.compare import compare as compare_shares
    from boxsel.machine.budget import Budget

    limit = Budget(DEFAULT_SECONDS) if budget is None else Budget.of(budget)
    if not as_json:
        report_reading(kb, coverage, *asked.sources)
    with stopped_by_interrupt(limit.stop):
        answer = compare_shares(kb, *queries, budget=limit)
    if certificate is not None and answer.certificate:
        line = json.dumps(dict(answer.certificate), ensure_ascii=False) + "\n"
        write_atomically(certificate, line.encode())
    elif certificate is not None and answer.status != "budget":
        raise BoxselError("there is no certificate: nothing was proved that it could hold")
    names = kb.prefixes if iris or as_json else kb.labelled
    emit_answer(replace(answer, prefixes=names, percent=percent), as_json=as_json)
    if plot is not None and answer.ranges:
        drawn = replace(answer, prefixes=kb.prefixes if iris else kb.labelled)
        replace(drawn, percent=percent).plot(plot, percent=percent)
        report(f"{plot}: the comparison")
    elif plot is not None:
        report(f"{plot} was not written: there are no numbers to draw")
    if certificate is not None and not answer.certificate:
        report(f"{certificate} was not written: the time was over before a proof was checked")
    raise typer.Exit(EXITS[answer.status])
