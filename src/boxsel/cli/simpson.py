"""`boxsel simpson`: comparisons of groups that turn round by stratum."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

import typer

from boxsel.cli.command import argument, command, flag, option
from boxsel.cli.exits import EXITS, stopped_by_interrupt
from boxsel.cli.options import (
    BINS,
    COUNTS_SHOWN,
    IRIS,
    JSON,
    MISSING,
    Input,
    Sampling,
    Texts,
    reader,
    sheet_number,
)
from boxsel.cli.output import emit_answer, report_reading
from boxsel.errors import BoxselError

MAX_VALUES: Final = 20


@command("boxsel simpson berkeley.sel --outcome Admitted --groups Woman,Man --strata DeptA,DeptB")
def simpson(
    *,
    sources: list[str] = argument(
        "A knowledge base, in one file or several, or a table of data: CSV, TSV, Parquet.",
        "KB...|TABLE",
    ),
    outcome: str | None = option("Whose rate is compared: a concept, a value.", metavar="O"),
    groups: Texts = option("The groups that are compared.", metavar="G1,G2"),
    strata: Texts = option("What parts them; in a table also a column.", metavar="S1,S2,..."),
    standard: str | None = option(
        "Whose mixture standardises rates.", metavar="T", show_default="both groups together"
    ),
    budget: str = option("Time for the answer, such as 5s.", default="10s", metavar="TIME"),
    plot: str | None = option("Draw the rates: .png, .svg or .pdf.", metavar="FILE"),
    as_table: bool = flag("--table", "The input is a table of data, whatever its name."),
    count: str | None = option(
        "Table: how many individuals a row stands for.", metavar="COLUMN", show_default=COUNTS_SHOWN
    ),
    individuals: bool = flag("--individuals", "Table: each row is one individual."),
    bins: Texts = BINS,
    missing: Texts = MISSING,
    max_values: int = option(
        "Table: leave out columns with more values than this.", default=MAX_VALUES, min=2
    ),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
) -> None:
    """Find Simpson's paradox: comparisons of two groups that turn round by stratum."""
    from boxsel.machine.budget import Budget
    from boxsel.reversals.simpson import simpson as simpson_of
    from boxsel.reversals.tabulation import TableOptions, is_data

    if plot is not None:
        from boxsel.answer.figure import expect_picture

        expect_picture(plot)
    limit = Budget.of(budget)
    marks = None if missing is None else tuple(missing)
    options = TableOptions(
        count,
        individuals,
        marks,
        max_values,
        bins=tuple(bins or ()),
        sheet=sheet_number(reading.sheet),
    )
    compared, parts = _several(groups), _several(strata)
    is_table = reading.from_format is None and (as_table or any(map(is_data, sources)))
    if is_table and len(sources) > 1:
        raise BoxselError("a table of data is looked at alone: give one, or knowledge bases")
    if is_table:
        if reading.sampling != Sampling(None, None, False) or reading.rounded is not None:
            raise BoxselError(
                "--confidence and --rounded are for knowledge bases: a table is taken as it is"
            )
        with stopped_by_interrupt(limit.stop):
            reversals = simpson_of(
                sources[0], outcome, compared, parts, standard=standard, budget=limit, table=options
            )
        drawn = reversals
    else:
        if replace(options, sheet=None) != TableOptions(max_values=MAX_VALUES):
            raise BoxselError(
                "--count, --individuals, --bin, --missing and --max-values are for tables: if this"
                " is one, say --table"
            )
        kb, coverage = reading.read(sources)
        if not as_json:
            report_reading(kb, coverage, *sources)
        read = reader(kb, sources).concept
        rate, weights = (text and read(text) for text in (outcome, standard))
        told = [texts and [read(text) for text in texts] for texts in (compared, parts)]
        limit.renew()
        with stopped_by_interrupt(limit.stop):
            reversals = simpson_of(kb, rate, *told, standard=weights, budget=limit)
        drawn = replace(reversals, prefixes=kb.prefixes if iris else kb.labelled)
    if plot is not None:
        drawn.plot(plot)
    emit_answer(reversals if as_json else drawn, as_json=as_json)
    raise typer.Exit(EXITS[reversals.status])


def _several(texts: list[str] | None) -> tuple[str, ...] | None:
    """What an option lists: between commas outside quotes, or each time that it is given."""
    if texts is None:
        return None
    if len(texts) > 1:
        return tuple(texts)
    parts = re.findall(r"(?:[^,'\\]|\\.|'(?:[^'\\]|\\.)*'|')+", texts[0])
    return tuple(part.strip() for part in parts if part.strip())
