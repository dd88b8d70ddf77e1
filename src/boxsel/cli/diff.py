"""`boxsel diff`: what changed between two knowledge bases."""

from __future__ import annotations

import typer

from boxsel.cli.command import argument, command
from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JSON
from boxsel.cli.output import emit_answer, report
from boxsel.difference import difference
from boxsel.formats.registry import read


@command("boxsel diff old.sel new.owl")
def diff(
    *,
    old: str = argument("The one before; - reads stdin.", "OLD"),
    new: str = argument("The one after, in any format.", "NEW"),
    as_json: bool = JSON,
) -> None:
    """Compare two knowledge bases by what they state; the exit code is 1 if they differ."""
    changes = difference(read(old), read(new))
    if changes.same and not as_json:
        report("no difference")
    else:
        emit_answer(changes, as_json=as_json)
    raise typer.Exit(ANSWERED if changes.same else NO)
