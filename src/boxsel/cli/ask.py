"""`boxsel ask`: what is certain, what is possible, and what an ensemble estimates."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from boxsel.cli.command import command, flag, option
from boxsel.cli.exits import ANSWERED, EXITS, OUT_OF_BUDGET, Interrupted, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, Asked, Input, Texts, check_percent, kb_file
from boxsel.cli.output import emit, emit_answer, report, report_reading
from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.machine.progress import track
from boxsel.wording import several

if TYPE_CHECKING:
    from boxsel.answer.answer import Answer
    from boxsel.models.model import Model


@command('boxsel ask applicant.sel "(Admitted | Applicant)"')
def ask(
    *,
    asked: Asked,
    budget: str = option(
        "Time for each query, for proofs and models alike.", default="10s", metavar="TIME"
    ),
    assume: Texts = option(
        "What if: add a statement, or put it in the place of that about the same share.",
        metavar="STATEMENT",
    ),
    sensitivity: bool = flag("--sensitivity", "Say which stated numbers move the ends, and how."),
    population: bool = flag("--population", "Show a population that attains each end, as a table."),
    estimate: Literal["auto", "always", "never"] = option(
        "Train an ensemble: if the proof does not close, always, or never.", default="auto"
    ),
    directed: bool = flag("--directed", "Push a MODEL's members to both ends, if there is time."),
    jobs: int = option("So many queries at once, in as many processes.", default=1, metavar="N"),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
    as_csv: bool = flag("--csv", "Print CSV, a line for each query."),
    percent: bool = flag("--percent", "Say shares in percent, in text, CSV and pictures."),
    plot: str | None = option("Draw the answers: .svg, .png or .pdf.", metavar="FILE"),
    no_hints: bool = flag("--no-hints", "Do not look for a statement that may be missing."),
    no_typical: bool = flag("--no-typical", "Do not look for a typical share."),
) -> None:
    """Say what the share of D in C must be, what it can be, and why.

    In the place of a knowledge base may stand a model: a folder of `boxsel fit`.
    """
    if as_json and as_csv:
        raise BoxselError("--json and --csv exclude each other: choose one")
    check_percent(percent, as_json)
    if plot is not None:
        from boxsel.answer.figure import expect_picture

        expect_picture(plot)
    sources = asked.sources
    if any(Path(source).is_dir() for source in sources):
        model = _model(sources, reading)
        opened: KB | Model = model
        kb, coverage = model.kb, None
    else:
        if directed:
            raise BoxselError("--directed is for a MODEL: members that are trained now are anyway")
        kb, coverage = reading.read(sources)
        opened = kb

    from boxsel.machine.budget import Budget

    seconds = Budget.of(budget).seconds
    if not as_json:
        report_reading(kb, coverage, *sources)
    queries = asked.read(kb)
    options: dict[str, Any] = {"assume": _assumptions(kb, sources, assume), "estimate": estimate}
    if jobs == 1 or (jobs > 1 and len(queries) == 1):
        hints = not no_hints and not as_csv
        shown = {"sensitivity": sensitivity, "population": population, "hints": hints}
        shown["typical"] = not no_typical
        answers = _one_by_one(opened, queries, seconds, shown, directed=directed, **options)
    else:
        from boxsel.answer.many import ask_many

        if population:
            raise BoxselError("--population is for one process: leave --jobs out")
        options |= {"jobs": jobs, "budget": seconds, "sensitivity": sensitivity}
        options |= {"typical": not no_typical}
        answers = ask_many(opened, queries, **options)
    names = kb.prefixes if iris else kb.labelled
    code, done = ANSWERED, 0
    drawn: list[Answer] = []
    if as_csv:
        emit(_row(percent=percent))
    try:
        for answer in track(answers, "asking", len(queries)) if len(queries) > 1 else answers:
            code, done = max(code, EXITS[answer.status]), done + 1
            if plot is not None:
                drawn.append(replace(answer, prefixes=names))
            if as_csv:
                emit(_row(answer, percent=percent))
            else:
                spelt = answer.prefixes if as_json else names
                emit_answer(replace(answer, percent=percent, prefixes=spelt), as_json=as_json)
    except Interrupted:
        if not done:
            raise
        report(f"interrupted: {done:,} of {len(queries):,} questions are answered")
        code = max(code, OUT_OF_BUDGET)
    if plot is not None:
        from boxsel.answer.figure import plot_answers

        plot_answers(drawn, plot, percent=percent)
        report(f"{plot}: {several(len(drawn), 'answer')}")
    raise typer.Exit(code)


def _model(sources: Sequence[str], reading: Input) -> Model:
    """The ensemble in a folder; how its knowledge base is read was decided when it was trained."""
    folder, *others = sources
    if others:
        raise BoxselError("a model has its knowledge base in it: ask it alone")
    asked = reading.from_format, reading.sampling.reading(), reading.rounded
    if any(one is not None for one in asked):
        raise BoxselError(
            f"{folder} is a model: --from, --confidence and --rounded are for a knowledge base"
        )
    from boxsel.models.loading import load

    return load(folder)


def _assumptions(kb: KB, sources: Sequence[str], texts: list[str] | None) -> tuple[Statement, ...]:
    if not texts:
        return ()
    from boxsel.answer.assumptions import read_assumptions

    return read_assumptions(kb, texts, kb_file(sources))


def _one_by_one(
    source: KB | Model,
    queries: Sequence[Query],
    budget: float | None,
    shown: Mapping[str, bool],
    **options: Any,
) -> Iterator[Answer]:
    """The answers in this process: Ctrl-C ends the question, and those after it, with intervals."""
    from boxsel.answer.ask import Asker

    with Asker(source, **options) as asker, stopped_by_interrupt(asker.stop):
        for query in queries:
            yield asker.ask(query, budget=budget, **shown)


def _row(answer: Answer | None = None, *, percent: bool) -> str:
    """A line of CSV; without an answer, the first one."""
    from boxsel.answer.many import COLUMNS, SHARES, flat
    from boxsel.logic.rounding import hundredfold

    cells: dict[str, Any] = dict(zip(COLUMNS, COLUMNS, strict=True))
    if answer is not None:
        cells = flat(answer)
    for column in SHARES if percent else ():
        if answer is None:
            cells[column] = f"{column}_percent"
        elif cells[column] is not None:
            cells[column] = hundredfold(repr(cells[column]))

    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    writer.writerow(cells.values())
    return line.getvalue()
