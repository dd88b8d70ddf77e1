"""`boxsel sample`: people who satisfy every statement, in a file."""

from __future__ import annotations

from dataclasses import replace

import typer

from boxsel.cli.command import command, option
from boxsel.cli.exits import ANSWERED, OUT_OF_BUDGET, stopped_by_interrupt
from boxsel.cli.options import IRIS, JSON, KB_FILES, Input, reader
from boxsel.cli.output import emit, emit_json, report, report_reading
from boxsel.errors import BoxselError
from boxsel.formats.source import check_writable
from boxsel.people.ends import End


@command("boxsel sample berkeley.sel -n 10000 -o people.csv")
def sample(
    *,
    kb: list[str] = KB_FILES,
    size: int = option("How many people.", "--size", "-n", default=10_000, min=1),
    query: str | None = option("From the population at an end of this.", metavar="QUERY"),
    end: End | None = option("Which end of the query's share.", show_default="typical"),
    output: str | None = option(
        "Where to write: .csv, .parquet, .nt or .ttl.", "--output", "-o", metavar="FILE"
    ),
    budget: str | None = option("Time for the population, such as 60s.", metavar="TIME"),
    reading: Input,
    iris: bool = IRIS,
    as_json: bool = JSON,
) -> None:
    """Write people, with concepts and links, of whom every statement is true."""
    from boxsel.people.writing import check_people_file

    if output is not None:
        check_people_file(output)
        check_writable(output)
    base, coverage = reading.read(kb)
    asked = None if query is None else reader(base, kb).query(query)

    from boxsel.machine.budget import Budget
    from boxsel.people.sample import sample as take

    limit = Budget.of(budget)
    with stopped_by_interrupt(limit.stop):
        try:
            people = take(base, size, query=asked, end=end or "typical", budget=limit)
        except BoxselError as error:
            if not limit.spent:
                raise
            report(f"error: {error}")
            raise typer.Exit(OUT_OF_BUDGET) from None
    people = replace(people, names=base.prefixes if iris else base.labelled)
    if output is not None:
        people.write(output)
    if as_json:
        emit_json({**people.to_json(), "output": output})
    else:
        report_reading(base, coverage, *kb)
        emit(people.text)
        if output is not None:
            report(f"{output}: {len(people):,} people")
    raise typer.Exit(ANSWERED)
