"""`boxsel build table`: the knowledge base of a contingency table, or of a table of individuals."""

from __future__ import annotations

from typing import Annotated

import typer

from boxsel.cli.build.delivery import Delivery, StrictOption
from boxsel.cli.options import (
    ConfidenceOption,
    IntervalOption,
    JsonOption,
    OutputOption,
    Sampling,
    SimultaneousOption,
    ToOption,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel build table admissions.csv -o admissions.sel")(table)


def table(
    file: Annotated[
        str,
        typer.Argument(
            metavar="TABLE", help="CSV, TSV or Parquet, with named columns; - reads stdin."
        ),
    ],
    count: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN",
            help="How many individuals a row stands for.",
            show_default="a column such as Freq, if its cells look like counts",
        ),
    ] = None,
    individuals: Annotated[
        bool, typer.Option("--individuals", help="Each row is one individual.")
    ] = False,
    column: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Use only these columns.")
    ] = None,
    of: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Whose values are heads: all.")
    ] = None,
    given: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="Whose values are bodies: all.")
    ] = None,
    depth: Annotated[int, typer.Option(min=0, help="The most columns in a body.")] = 2,
    missing: Annotated[
        list[str] | None,
        typer.Option(metavar="TEXT", help="What a cell without a value says, such as NA."),
    ] = None,
    drop_incomplete: Annotated[
        bool,
        typer.Option("--drop-incomplete", help="Use only rows with a value in each column."),
    ] = False,
    max_values: Annotated[
        int, typer.Option(min=1, help="Refuse columns with more values than this.")
    ] = 50,
    output: OutputOption = None,
    to_format: ToOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Count a table into conditionals between the values of its columns."""
    sampling = Sampling(confidence, interval, simultaneous)
    delivery = Delivery.of("table", output, to_format, sampling, as_json=as_json)

    from boxsel.build.table.building import build_table

    delivery.deliver(
        build_table(
            file,
            count=count,
            individuals=individuals,
            columns=column,
            of=of,
            given=given,
            depth=depth,
            missing=missing or (),
            drop_incomplete=drop_incomplete,
            max_values=max_values,
            strict=strict,
        )
    )
