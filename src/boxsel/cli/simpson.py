"""`boxsel simpson`: comparisons of groups that turn round by stratum."""

from __future__ import annotations

import re
from functools import partial
from typing import Annotated, Final

import typer

from boxsel.cli.exits import ANSWERED, NO, OUT_OF_BUDGET
from boxsel.cli.interrupts import stopped_by_interrupt
from boxsel.cli.options import (
    ConfidenceOption,
    FromOption,
    IntervalOption,
    JsonOption,
    Sampling,
    SimultaneousOption,
    read_concept,
    read_kb,
)
from boxsel.cli.output import emit, emit_json, report_reading
from boxsel.errors import BoxselError

EXITS: Final = {
    "answered": ANSWERED,
    "vacuous": ANSWERED,
    "inconsistent": NO,
    "budget": OUT_OF_BUDGET,
}
MAX_VALUES: Final = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(
        epilog="Example: boxsel simpson berkeley.sel --outcome Admitted --groups Woman,Man"
        " --strata DeptA,DeptB"
    )(simpson)


def simpson(
    source: Annotated[
        str,
        typer.Argument(
            metavar="KB|TABLE", help="A knowledge base, or a table of data: CSV, TSV, Parquet."
        ),
    ],
    outcome: Annotated[
        str | None, typer.Option(metavar="O", help="Whose rate is compared: a concept, a value.")
    ] = None,
    groups: Annotated[
        list[str] | None, typer.Option(metavar="G1,G2", help="The groups that are compared.")
    ] = None,
    strata: Annotated[
        list[str] | None,
        typer.Option(metavar="S1,S2,...", help="What parts them; in a table also a column."),
    ] = None,
    standard: Annotated[
        str | None,
        typer.Option(
            metavar="T",
            help="Whose mixture standardises rates.",
            show_default="both groups together",
        ),
    ] = None,
    budget: Annotated[
        str, typer.Option(metavar="TIME", help="Time for the answer, such as 5s.")
    ] = "10s",
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the rates: .png, .svg or .pdf.")
    ] = None,
    as_table: Annotated[
        bool, typer.Option("--table", help="The input is a table of data, whatever its name.")
    ] = False,
    count: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="Table: how many individuals a row stands for.",
            show_default="a column such as Freq, if its cells look like counts",
        ),
    ] = None,
    individuals: Annotated[
        bool, typer.Option("--individuals", help="Table: each row is one individual.")
    ] = False,
    missing: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="Table: what a cell without a value says, such as NA."),
    ] = None,
    max_values: Annotated[
        int, typer.Option(min=2, help="Table: leave out columns with more values than this.")
    ] = MAX_VALUES,
    from_format: FromOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find comparisons of two groups that turn round when they are made by stratum."""
    from boxsel.machine.budget import Budget
    from boxsel.reversals.layout import check_picture
    from boxsel.reversals.simpson import simpson as simpson_of
    from boxsel.reversals.tabulation import TableOptions, is_data

    if plot is not None:
        check_picture(plot)
    limit = Budget.of(budget)
    options = TableOptions(count, individuals, tuple(missing or ()), max_values)
    sampling = Sampling(confidence, interval, simultaneous)
    compared, parts = _several(groups), _several(strata)
    if from_format is None and (as_table or is_data(source)):
        if sampling != Sampling(None, None, False):
            raise BoxselError("--confidence is for knowledge bases: a table is taken as it is")
        with stopped_by_interrupt(limit.stop):
            found = simpson_of(
                source, outcome, compared, parts, standard=standard, budget=limit, table=options
            )
    else:
        if options != TableOptions(max_values=MAX_VALUES):
            raise BoxselError(
                "--count, --individuals, --missing and --max-values are for tables: if this is one,"
                " say --table"
            )
        kb, coverage = read_kb(source, from_format, sampling)
        if not as_json:
            report_reading(kb, coverage, source)
        read = partial(read_concept, kb, source)
        rate, weights = (text and read(text) for text in (outcome, standard))
        told = [texts and [read(text) for text in texts] for texts in (compared, parts)]
        limit.renew()
        with stopped_by_interrupt(limit.stop):
            found = simpson_of(kb, rate, *told, standard=weights, budget=limit)
    if plot is not None:
        found.plot(plot)
    if as_json:
        emit_json(found.to_json())
    else:
        emit(found.text)
    raise typer.Exit(EXITS[found.status])


def _several(texts: list[str] | None) -> tuple[str, ...] | None:
    """What an option lists: between commas outside quotes, or each time that it is given."""
    if texts is None:
        return None
    if len(texts) > 1:
        return tuple(texts)
    parts = re.findall(r"(?:[^,'\\]|\\.|'(?:[^'\\]|\\.)*'|')+", texts[0])
    return tuple(part.strip() for part in parts if part.strip())
