"""Where output goes: answers to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boxsel.cli.exits import NobodyReads
from boxsel.errors import WriteError
from boxsel.logic.kb import KB
from boxsel.wording import listed, several

if TYPE_CHECKING:
    from boxsel.build.built import Report
    from boxsel.sampling import Coverage

LISTED: Final = 10
"""How many of many things a message to people lists."""


def emit(answer: str | bytes) -> None:
    """Print an answer as it is."""
    try:
        if isinstance(answer, bytes):
            sys.stdout.flush()
            sys.stdout.buffer.write(answer)
            sys.stdout.buffer.flush()
        else:
            sys.stdout.write(answer)
            sys.stdout.flush()
    except BrokenPipeError:
        raise NobodyReads from None
    except OSError as error:
        raise WriteError(f"standard output cannot be written: {error.strerror or error}") from None


def emit_json(answer: Mapping[str, object]) -> None:
    """Print one answer as one line of JSON."""
    emit(json.dumps(answer, ensure_ascii=False) + "\n")


def emit_answer(answer: Report, *, as_json: bool) -> None:
    """Print an answer in the form that is asked for."""
    if as_json:
        emit_json(answer.to_json())
    else:
        emit(answer.text)


def emit_table(rows: Iterable[tuple[str, str]], title: str) -> None:
    """Print a table of two columns: styled on a terminal, plain elsewhere."""
    if not sys.stdout.isatty():
        cells = list(rows)
        width = max((len(name) for name, _ in cells), default=0)
        lines = [title, *(f"{name:<{width}}  {value}".rstrip() for name, value in cells)]
        emit("".join(f"{line}\n" for line in lines))
        return

    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", show_header=False, box=None, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(Text(name, style="" if name.startswith(" ") else "bold"), Text(value))
    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(table)
    emit(capture.get())


MORE_TIME: Final = "the time was over first: a larger --budget, or none, decides more"
"""What to do where not all could be said."""


def report(message: str) -> None:
    """Tell the user something that is not part of the answer."""
    sys.stderr.write(f"{message}\n")


def complain(message: str) -> None:
    """Tell the user what went wrong."""
    sys.stderr.write(f"error: {message}\n")


def shortened(items: Iterable[str], total: int, separator: str) -> str:
    """A list for people: the first few, and how many more there are."""
    shown = list(islice(items, LISTED))
    more = [f"and {total - LISTED:,} more (--json lists all)"] if total > LISTED else []
    return separator.join(shown + more)


def reading_json(kb: KB, coverage: Coverage | None) -> dict[str, object]:
    """What a reading left out, and what its counts promise, for a report in JSON."""
    return {
        "dropped": [asdict(drop) for drop in kb.dropped],
        "coverage": None if coverage is None else coverage.to_json(),
    }


def report_reading(kb: KB, coverage: Coverage | None, *files: str) -> None:
    """Say what a reading left out, by kind and count, and what its counts promise."""
    for logical, effect in ((True, "answers ignore them"), (False, "no answer depends on them")):
        drops = [drop for drop in kb.dropped if drop.logical is logical]
        if drops:
            total = sum(drop.count for drop in drops)
            what = several(total, "axiom or annotation", "axioms or annotations")
            report(f"{listed(files)}: left out {what} ({effect}):")
            for drop in drops:
                reason = f": {drop.reason}" if drop.reason else ""
                report(f"  {drop.count:,} {drop.kind}{reason}")
    report_coverage(coverage)


def report_coverage(coverage: Coverage | None) -> None:
    """Say what the confidence intervals of counts promise, if there are any."""
    if coverage is not None:
        report(coverage.text)


def start_file(file: str, extension: str, content: bytes, unfit: str) -> None:
    """Write a file to start from: one that was not there, with an extension; else say why not."""
    from boxsel.formats.source import write_atomically  # what only prints needs no files

    path = Path(file)
    if path.suffix != extension:
        raise WriteError(f"{file}: {unfit.format(path.with_suffix(extension))}")
    if path.exists():
        raise WriteError(f"{file}: this file is there already: choose another name")
    write_atomically(path, content)
