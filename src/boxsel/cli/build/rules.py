"""`boxsel build rules`: mined rules as conditionals, where Statistical EL can say them."""

from __future__ import annotations

from typing import Annotated, Literal

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
from boxsel.formats.source import check_writable, write_atomically


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel build rules rules-100.txt --min-support 10 -o rules.sel")(
        rules
    )


def rules(
    file: Annotated[
        str, typer.Argument(metavar="RULES", help="Rules of AMIE or AnyBURL; - reads stdin.")
    ],
    kind: Annotated[
        Literal["auto", "amie", "anyburl"], typer.Option(help="Which program wrote them.")
    ] = "auto",
    type_: Annotated[
        list[str] | None,
        typer.Option(
            "--type",
            metavar="RELATION",
            help="A relation whose object is a class.",
            show_default="rdf:type, type",
        ),
    ] = None,
    no_values: Annotated[
        bool,
        typer.Option("--no-values", help="No concepts 'r=c' for relations with a constant."),
    ] = False,
    min_confidence: Annotated[
        str | None, typer.Option(metavar="SHARE", help="Leave out rules below this.")
    ] = None,
    min_support: Annotated[
        int | None, typer.Option(min=0, help="Leave out rules with fewer hits.")
    ] = None,
    unused: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Write every unused rule here, with the reason."),
    ] = None,
    output: OutputOption = None,
    to_format: ToOption = None,
    confidence: ConfidenceOption = None,
    interval: IntervalOption = None,
    simultaneous: SimultaneousOption = False,
    strict: StrictOption = False,
    as_json: JsonOption = False,
) -> None:
    """Read mined rules that are conditionals; say why the others are none."""
    sampling = Sampling(confidence, interval, simultaneous)
    delivery = Delivery.of("rules", output, to_format, sampling, as_json=as_json)
    if unused is not None:
        check_writable(unused)

    from boxsel.build.rules.building import TYPES, build_rules

    built = build_rules(
        file,
        kind=kind,
        types=type_ or TYPES,
        values=not no_values,
        min_confidence=min_confidence,
        min_support=min_support,
        strict=strict,
    )
    delivery.deliver(built)
    if unused is not None:
        write_atomically(unused, built.report.unused_table().encode())
