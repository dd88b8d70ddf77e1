"""`boxsel build table`: the knowledge base of a contingency table, or of a table of individuals."""

from __future__ import annotations

from boxsel.cli.command import argument, command, flag, option
from boxsel.cli.options import (
    BINS,
    COUNTS_SHOWN,
    JSON,
    MISSING,
    SHEET,
    Output,
    Sampling,
    Texts,
    sheet_number,
)
from boxsel.cli.writing import NO_DATA, STRICT, Delivery


@command("boxsel build table admissions.csv -o admissions.sel")
def table(
    *,
    file: str = argument(
        "CSV, TSV, Parquet or a workbook, with named columns; - reads stdin.", "TABLE"
    ),
    count: str | None = option(
        "How many individuals a row stands for.", metavar="COLUMN", show_default=COUNTS_SHOWN
    ),
    individuals: bool = flag("--individuals", "Each row is one individual."),
    column: Texts = option("Use only these columns.", metavar="COLUMN"),
    of: Texts = option("Whose values are heads: all.", metavar="COLUMN"),
    given: Texts = option("Whose values are bodies: all.", metavar="COLUMN"),
    depth: int = option("The most columns in a body.", default=2, min=0),
    bins: Texts = BINS,
    missing: Texts = MISSING,
    drop_incomplete: bool = flag("--drop-incomplete", "Use only rows with a value in each column."),
    max_values: int = option("Leave out columns with more values than this.", default=50, min=1),
    sheet: str | None = SHEET,
    output: Output,
    sampling: Sampling,
    strict: bool = STRICT,
    no_data: bool = NO_DATA,
    as_json: bool = JSON,
) -> None:
    """Count a table into conditionals between the values of its columns."""
    delivery = Delivery.of("table", output, sampling, as_json=as_json)

    from boxsel.build.tables.building import build_table

    delivery.deliver(
        build_table(
            file,
            count=count,
            individuals=individuals,
            columns=column,
            of=of,
            given=given,
            depth=depth,
            bins=bins or (),
            missing=missing,
            drop_incomplete=drop_incomplete,
            max_values=max_values,
            strict=strict,
            data=not no_data,
            sheet=sheet_number(sheet),
        )
    )
