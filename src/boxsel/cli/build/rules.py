"""`boxsel build rules`: mined rules as conditionals, where Statistical EL can say them."""

from __future__ import annotations

from typing import Literal

from boxsel.cli.command import argument, command, flag, option
from boxsel.cli.options import JSON, Output, Sampling, Texts
from boxsel.cli.writing import STRICT, Delivery
from boxsel.formats.source import check_writable, write_atomically


@command("boxsel build rules rules-100.txt --min-support 10 -o rules.sel")
def rules(
    *,
    file: str = argument("Rules of AMIE or AnyBURL; - reads stdin.", "RULES"),
    kind: Literal["auto", "amie", "anyburl"] = option("Which program wrote them.", default="auto"),
    type_: Texts = option(
        "A relation whose object is a class.",
        "--type",
        metavar="RELATION",
        show_default="rdf:type, type",
    ),
    no_values: bool = flag("--no-values", "No concepts 'r=c' for relations with a constant."),
    min_confidence: str | None = option("Leave out rules below this.", metavar="SHARE"),
    min_support: int | None = option("Leave out rules with fewer hits.", min=0),
    unused: str | None = option("Write every unused rule here, with the reason.", metavar="FILE"),
    output: Output,
    sampling: Sampling,
    strict: bool = STRICT,
    as_json: bool = JSON,
) -> None:
    """Read mined rules that are conditionals; say why the others are none."""
    delivery = Delivery.of("rules", output, sampling, as_json=as_json)
    if unused is not None:
        check_writable(unused)

    from boxsel.build.mined_rules.building import TYPES, build_rules

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
