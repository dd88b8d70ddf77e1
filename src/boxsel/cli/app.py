"""The `boxsel` command: its subcommands, and what happens when something goes wrong."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from types import FrameType
from typing import Annotated, Final, NoReturn

import typer
from typer.exceptions import TyperException

from boxsel._version import __version__
from boxsel.cli.command import command_in
from boxsel.cli.exits import (
    ANSWERED,
    BAD_INPUT,
    INTERNAL,
    INTERRUPTED,
    Interrupted,
    NobodyReads,
    interrupts_kept,
)
from boxsel.cli.output import complain
from boxsel.cli.progressbar import on_standard_error
from boxsel.errors import BoxselError

# A command is in a module of its name; adding one is one new file, one word here.
COMMANDS: Final = (
    *("ask", "bounds", "compare", "next", "explain", "verify", "check", "repair", "fit", "build"),
    *("simpson", "evaluate", "serve", "sample", "show", "convert", "merge", "annotate"),
    *("normalize", "diff"),
    *("new", "template", "doctor"),
)

FIRST_STEPS: Final = (
    'boxsel ask example:berkeley "(Admitted | Woman)"',
    "boxsel simpson example:admissions",
    "boxsel serve example:clinic",
)
"""What to try first: it works from anywhere, since the examples come along."""


def application(words: Sequence[str] = ()) -> typer.Typer:
    """The command line; if its words begin with a command, with that command only.

    Typer reads the options of every command that it has before it runs one: that, and to import
    their modules, takes longer than many a command itself.
    """
    app = typer.Typer(
        name="boxsel",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        help="Reason with proportions over hierarchies: Statistical EL.",
        epilog="\n\n".join(("Three things to try:", *FIRST_STEPS, "Your own: boxsel new mine.sel")),
    )
    app.callback()(_options)
    for name in words[:1] if words and words[0] in COMMANDS else COMMANDS:
        command_in("boxsel.cli", name).register(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"boxsel {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    pass


def main() -> NoReturn:
    """Run the command line; every error is one message on standard error and an exit code."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        with interrupts_kept(), on_standard_error():
            code = application(sys.argv[1:])(prog_name="boxsel", standalone_mode=False) or ANSWERED
    except TyperException as error:
        code = _misused(error)
    except BoxselError as error:
        complain(str(error))
        code = BAD_INPUT
    except Interrupted:
        complain("interrupted; nothing was written")
        code = INTERRUPTED
    except NobodyReads:
        # As with `| head`: stop quietly, and let nothing else be flushed to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = ANSWERED
    except MemoryError:
        complain("there is not enough memory for this input")
        code = INTERNAL
    except Exception as error:
        if os.environ.get("BOXSEL_TRACEBACK"):
            raise
        complain(
            f"this is a mistake in boxsel itself: {type(error).__name__}: {error}\n"
            "  help: please report it, with the output of the same command under BOXSEL_TRACEBACK=1"
        )
        code = INTERNAL
    sys.exit(code)


def _misused(error: TyperException) -> int:
    """Say what is wrong with the words of a command; of none, its help has been shown already."""
    message = error.format_message().rstrip(".")
    if not message:
        return ANSWERED
    context: typer.Context | None = getattr(error, "ctx", None)
    path = context.command_path if context else "boxsel"
    complain(f"{message[:1].lower()}{message[1:]}\n  help: {path} --help shows what there is")
    return BAD_INPUT


def _interrupt(_signal: int, _frame: FrameType | None) -> NoReturn:
    raise Interrupted
