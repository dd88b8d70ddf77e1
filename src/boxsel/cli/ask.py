"""`boxsel ask`: what is certain, what is possible, and what an ensemble estimates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from boxsel.cli.exits import ANSWERED, NO, OUT_OF_BUDGET
from boxsel.cli.interrupts import Interrupted, stopped_by_interrupt
from boxsel.cli.options import (
    ConfidenceOption,
    FromOption,
    IntervalOption,
    JsonOption,
    QueriesArgument,
    QueriesOption,
    Sampling,
    SimultaneousOption,
    kb_file,
    read_kb,
    read_queries,
)
from boxsel.cli.output import emit, emit_json, report, report_reading
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.machine.progress import track

if TYPE_CHECKING:
    from boxsel.answer.answer import Answer
    from boxsel.models.model import Model

EXITS = {"bounded": ANSWERED, "vacuous": ANSWERED, "inconsistent": NO, "budget": OUT_OF_BUDGET}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog='Example: boxsel ask applicant.sel "(Admitted | Applicant)"')(ask)


def ask(
    source: Annotated[
        str,
        typer.Argument(
            metavar="KB|MODEL",
            help="A knowledge base in any format (- reads stdin), or a folder of `boxsel fit`.",
        ),
    ],
    queries: QueriesArgument = None,
    queries_file: QueriesOption = None,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="Time for each query, for proofs and models alike.")
    ] = "10s",
    assume: Annotated[
        list[str] | None,
        typer.Option(
            metavar="STATEMENT",
            help="What if: add a statement, or put it in the place of that about the same share.",
        ),
    ] = None,
    sensitivity: Annotated[
        bool, typer.Option("--sensitivity", help="Say which stated numbers move the ends, and how.")
    ] = False,
    estimate: Annotated[
        Literal["auto", "always", "never"],
        typer.Option(help="Train an ensemble: if the proof does not close, always, or never."),
    ] = "auto",
    directed: Annotated[
        bool,
        typer.Option("--directed", help="Push a MODEL's members to both ends, if there is time."),
    ] = False,
    jobs: Annotated[
        int, typer.Option(metavar="N", help="So many queries at once, in as many processes.")
    ] = 1,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV, a line for each query.")
    ] = False,
) -> None:
    """Say what the share of D in C must be, what it can be, and why."""
    if as_json and as_csv:
        raise BoxselError("--json and --csv exclude each other: choose one")
    sampling = Sampling(confidence, interval, simultaneous)
    if Path(source).is_dir():
        model = _model(source, from_format, sampling)
        opened: KB | Model = model
        kb, coverage = model.kb, None
    else:
        if directed:
            raise BoxselError("--directed is for a MODEL: members that are trained now are anyway")
        kb, coverage = read_kb(source, from_format, sampling)
        opened = kb

    from boxsel.machine.budget import Budget

    seconds = Budget.of(budget).seconds
    if not as_json:
        report_reading(kb, coverage, source)
    asked = read_queries(kb, source, queries, queries_file)
    options: dict[str, Any] = {"assume": _assumptions(kb, source, assume), "estimate": estimate}
    if jobs == 1 or (jobs > 1 and len(asked) == 1):
        answers = _one_by_one(opened, asked, seconds, sensitivity, directed=directed, **options)
    else:
        from boxsel.answer.many import ask_many

        options |= {"jobs": jobs, "budget": seconds, "sensitivity": sensitivity}
        answers = ask_many(opened, asked, **options)
    code, done = ANSWERED, 0
    if as_csv:
        emit(_row())
    try:
        for answer in track(answers, "asking", len(asked)) if len(asked) > 1 else answers:
            code, done = max(code, EXITS[answer.status]), done + 1
            if as_json:
                emit_json(answer.to_json())
            else:
                emit(_row(answer) if as_csv else answer.text)
    except Interrupted:
        if not done:
            raise
        report(f"interrupted: {done:,} of {len(asked):,} questions are answered")
        code = max(code, OUT_OF_BUDGET)
    raise typer.Exit(code)


def _model(folder: str, from_format: str | None, sampling: Sampling) -> Model:
    """The ensemble in a folder; how its knowledge base is read was decided when it was trained."""
    if from_format is not None or sampling.reading() is not None:
        raise BoxselError(f"{folder} is a model: --from and --confidence are for a knowledge base")
    from boxsel.models.loading import load

    return load(folder)


def _assumptions(kb: KB, source: str, texts: list[str] | None) -> tuple[Statement, ...]:
    if not texts:
        return ()
    from boxsel.answer.assumptions import read_assumptions

    return read_assumptions(kb, texts, kb_file(source))


def _one_by_one(
    source: KB | Model,
    asked: Sequence[Query],
    budget: float | None,
    sensitivity: bool,
    **options: Any,
) -> Iterator[Answer]:
    """The answers in this process: Ctrl-C ends the question, and those after it, with intervals."""
    from boxsel.answer.ask import Asker

    with Asker(source, **options) as asker, stopped_by_interrupt(asker.stop):
        for query in asked:
            yield asker.ask(query, budget=budget, sensitivity=sensitivity)


def _row(answer: Answer | None = None) -> str:
    """A line of CSV; without an answer, the first one."""
    from boxsel.answer.flat import COLUMNS, flat

    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow(COLUMNS if answer is None else flat(answer).values())
    return line.getvalue()
