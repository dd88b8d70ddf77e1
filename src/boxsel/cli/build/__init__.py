"""`boxsel build`: knowledge bases from data, one subcommand for each kind of data."""

from __future__ import annotations

import typer

from boxsel.cli.build import graph, hpo, rules, table

# A kind of data is a module with `register(app)`; adding one is one new file and one line here.
COMMANDS = (graph, table, hpo, rules)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    build = typer.Typer(
        name="build",
        no_args_is_help=True,
        help="Make a knowledge base from data.",
        epilog="Example: boxsel build table admissions.csv -o admissions.sel",
    )
    for module in COMMANDS:
        module.register(build)
    app.add_typer(build)
