"""`boxsel bounds`: what a share can be, exactly."""

from __future__ import annotations

import json
from dataclasses import replace

import typer

from boxsel.cli.command import command, flag, option
from boxsel.cli.exits import ANSWERED, EXITS, OUT_OF_BUDGET, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, PERCENT, Asked, Input, check_percent
from boxsel.cli.output import MORE_TIME, emit, emit_json, report, report_reading
from boxsel.formats.source import check_writable, write_atomically
from boxsel.machine.progress import track


@command('boxsel bounds applicant.sel "(Admitted | Applicant)"')
def bounds(
    *,
    asked: Asked,
    budget: str | None = option(
        "Time for each query, such as 5s; then the best interval.", metavar="TIME"
    ),
    certificate: str | None = option(
        "Write the certificates here, one JSON object a line.", metavar="FILE"
    ),
    verbose: bool = flag(
        "--verbose", "Say which way of reasoning answered, and why those before it did not."
    ),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
    percent: bool = PERCENT,
) -> None:
    """Say between which numbers the share of D in C must lie, with a proof for both ends."""
    check_percent(percent, as_json)
    if certificate is not None:
        check_writable(certificate)
    kb, coverage = reading.read(asked.sources)
    queries = asked.read(kb)

    from boxsel.exact.bounds import bounds as bounds_of
    from boxsel.exact.reasoner import Reasoner
    from boxsel.machine.budget import Budget

    limit = Budget.of(budget)
    reasoner = Reasoner(kb, budget=limit)
    if not as_json:
        report_reading(kb, coverage, *asked.sources)
    names = kb.prefixes if iris else kb.labelled
    code, certificates = ANSWERED, []
    with stopped_by_interrupt(limit.stop):
        for query in track(queries, "bounds", len(queries)) if len(queries) > 1 else queries:
            limit.renew()
            answer = bounds_of(kb, query, reasoner=reasoner)
            code = max(code, EXITS[answer.status])
            certificates.append(answer.certificate)
            if as_json:
                ways = {"ways": answer.routes_json} if verbose else {}
                emit_json({**answer.to_json(), **ways})
            else:
                answer = replace(answer, prefixes=names, percent=percent)
                emit(answer.text + (answer.routes_text if verbose else ""))
    if certificate is not None:
        lines = "".join(json.dumps(content, ensure_ascii=False) + "\n" for content in certificates)
        write_atomically(certificate, lines.encode())
    if code == OUT_OF_BUDGET:
        report(MORE_TIME)
    raise typer.Exit(code)
