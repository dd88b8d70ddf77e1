"""`boxsel build`: knowledge bases from data, one subcommand for each kind of data."""

from __future__ import annotations

from boxsel.cli.command import Commands

# A kind of data is a module with a command; adding one is one new file and one word here.
build = Commands(
    "boxsel.cli.build",
    "Make a knowledge base from data.",
    "boxsel build table admissions.csv -o admissions.sel",
    ("graph", "table", "hpo", "rules"),
)
