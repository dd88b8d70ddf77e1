"""`boxsel diff`: what changed between two knowledge bases."""

from __future__ import annotations

from typing import Annotated

import typer

from boxsel.cli.exits import ANSWERED, NO
from boxsel.cli.options import JsonOption
from boxsel.cli.output import emit, emit_json, report
from boxsel.difference import difference
from boxsel.formats.files import read


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog="Example: boxsel diff old.sel new.owl")(diff)


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The one before; - reads stdin.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The one after, in any format.")],
    as_json: JsonOption = False,
) -> None:
    """Compare two knowledge bases by what they state; the exit code is 1 if they differ."""
    found = difference(read(old), read(new))
    if as_json:
        emit_json(found.to_json())
    elif found.same:
        report("no difference")
    else:
        emit(found.text)
    raise typer.Exit(ANSWERED if found.same else NO)
