"""`boxsel bounds`: what a share can be, exactly."""

from __future__ import annotations

import json
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import TYPE_CHECKING, Annotated

import typer

from boxsel.cli.exits import ANSWERED, NO, OUT_OF_BUDGET
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
from boxsel.progress import track

if TYPE_CHECKING:
    from boxsel.exact.budget import Budget

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
    asked = read_queries(found, queries, queries_file)

    from boxsel.exact.bounds import bounds as bounds_of
    from boxsel.exact.budget import Budget
    from boxsel.exact.reasoner import Reasoner

    limit = Budget() if budget is None else Budget.of(budget)
    reasoner = Reasoner(found, budget=limit)
    if not as_json:
        report_reading(found, coverage, kb)
    code, certificates = ANSWERED, []
    with stopped_by_interrupt(limit):
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


@contextmanager
def stopped_by_interrupt(budget: Budget) -> Iterator[None]:
    """Let Ctrl-C end the work with what is known so far.

    Python runs signal handlers between its own instructions only, and a solver may run for long
    without any. So the signal is also written to a socket, on which a thread waits.
    """
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)

    def wait() -> None:
        if ours.recv(1) != b"":
            budget.stop()

    handler = signal.signal(signal.SIGINT, lambda *_: None)
    before = signal.set_wakeup_fd(theirs.fileno())
    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        signal.signal(signal.SIGINT, handler)
        theirs.close()
        waiting.join(timeout=1)
        ours.close()
