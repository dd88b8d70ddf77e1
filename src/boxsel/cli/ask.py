"""`boxsel ask`: what is certain, what is possible, and what an ensemble estimates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from boxsel.cli.command import argument, command, flag, option
from boxsel.cli.exits import ANSWERED, EXITS, OUT_OF_BUDGET, Interrupted, stopped_by_interrupt
from boxsel.cli.options import JSON, Asked, Input, Texts, kb_file
from boxsel.cli.output import emit, emit_answer, report, report_reading
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.machine.progress import track

if TYPE_CHECKING:
    from boxsel.answer.answer import Answer
    from boxsel.models.model import Model


@command('boxsel ask applicant.sel "(Admitted | Applicant)"')
def ask(
    *,
    source: str = argument(
        "A knowledge base in any format (- reads stdin), or a folder of `boxsel fit`.", "KB|MODEL"
    ),
    asked: Asked,
    budget: str = option(
        "Time for each query, for proofs and models alike.", default="10s", metavar="TIME"
    ),
    assume: Texts = option(
        "What if: add a statement, or put it in the place of that about the same share.",
        metavar="STATEMENT",
    ),
    sensitivity: bool = flag("--sensitivity", "Say which stated numbers move the ends, and how."),
    estimate: Literal["auto", "always", "never"] = option(
        "Train an ensemble: if the proof does not close, always, or never.", default="auto"
    ),
    directed: bool = flag("--directed", "Push a MODEL's members to both ends, if there is time."),
    jobs: int = option("So many queries at once, in as many processes.", default=1, metavar="N"),
    reading: Input,
    as_json: bool = JSON,
    as_csv: bool = flag("--csv", "Print CSV, a line for each query."),
) -> None:
    """Say what the share of D in C must be, what it can be, and why."""
    if as_json and as_csv:
        raise BoxselError("--json and --csv exclude each other: choose one")
    if Path(source).is_dir():
        model = _model(source, reading)
        opened: KB | Model = model
        kb, coverage = model.kb, None
    else:
        if directed:
            raise BoxselError("--directed is for a MODEL: members that are trained now are anyway")
        kb, coverage = reading.read(source)
        opened = kb

    from boxsel.machine.budget import Budget

    seconds = Budget.of(budget).seconds
    if not as_json:
        report_reading(kb, coverage, source)
    queries = asked.read(kb, source)
    options: dict[str, Any] = {"assume": _assumptions(kb, source, assume), "estimate": estimate}
    if jobs == 1 or (jobs > 1 and len(queries) == 1):
        answers = _one_by_one(opened, queries, seconds, sensitivity, directed=directed, **options)
    else:
        from boxsel.answer.many import ask_many

        options |= {"jobs": jobs, "budget": seconds, "sensitivity": sensitivity}
        answers = ask_many(opened, queries, **options)
    code, done = ANSWERED, 0
    if as_csv:
        emit(_row())
    try:
        for answer in track(answers, "asking", len(queries)) if len(queries) > 1 else answers:
            code, done = max(code, EXITS[answer.status]), done + 1
            if as_csv:
                emit(_row(answer))
            else:
                emit_answer(answer, as_json=as_json)
    except Interrupted:
        if not done:
            raise
        report(f"interrupted: {done:,} of {len(queries):,} questions are answered")
        code = max(code, OUT_OF_BUDGET)
    raise typer.Exit(code)


def _model(folder: str, reading: Input) -> Model:
    """The ensemble in a folder; how its knowledge base is read was decided when it was trained."""
    if reading.from_format is not None or reading.sampling.reading() is not None:
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
    queries: Sequence[Query],
    budget: float | None,
    sensitivity: bool,
    **options: Any,
) -> Iterator[Answer]:
    """The answers in this process: Ctrl-C ends the question, and those after it, with intervals."""
    from boxsel.answer.ask import Asker

    with Asker(source, **options) as asker, stopped_by_interrupt(asker.stop):
        for query in queries:
            yield asker.ask(query, budget=budget, sensitivity=sensitivity)


def _row(answer: Answer | None = None) -> str:
    """A line of CSV; without an answer, the first one."""
    from boxsel.answer.many import COLUMNS, flat

    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow(COLUMNS if answer is None else flat(answer).values())
    return line.getvalue()
