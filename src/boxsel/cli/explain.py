"""`boxsel explain`: what each end of an answer rests on."""

from __future__ import annotations

import typer

from boxsel.cli.command import command
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON, KB_FILE, Asked, Input
from boxsel.cli.output import emit_answer, report_reading


@command('boxsel explain applicant.sel "(Admitted | Applicant)"')
def explain(*, kb: str = KB_FILE, asked: Asked, reading: Input, as_json: bool = JSON) -> None:
    """Say which statements each end of an answer rests on, and how it follows from them."""
    found, coverage = reading.read(kb)
    queries = asked.read(found, kb)

    from boxsel.exact.diagnosis.explanation import explain as explain_query
    from boxsel.exact.reasoner import Reasoner

    reasoner = Reasoner(found)
    if not as_json:
        report_reading(found, coverage, kb)
    code = ANSWERED
    for query in queries:
        explanation = explain_query(reasoner, query)
        if explanation.status == "inconsistent":
            code = NO
        emit_answer(explanation, as_json=as_json)
    raise typer.Exit(code)
