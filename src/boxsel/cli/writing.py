"""Writing a knowledge base where a command was told to."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from boxsel.cli.output import emit, report
from boxsel.errors import BoxselError, WriteError
from boxsel.formats.files import output_format
from boxsel.formats.registry import Format
from boxsel.formats.source import STDIN, write_atomically
from boxsel.logic.kb import KB


@dataclass(frozen=True, slots=True)
class Target:
    """Where a knowledge base goes, and in which format: decided before any work is done."""

    path: str | None
    format: Format

    @classmethod
    def of(cls, path: str | None, to: str | None, *, default: str | None, as_json: bool) -> Target:
        """The target that the options name; `default` is the format for standard output."""
        path = None if path == STDIN else path
        if path is None and as_json:
            raise BoxselError("--json prints a report: say with -o where the result should go")
        chosen = output_format(path, to or (default if path is None else None))
        if path is None and chosen.binary and sys.stdout.isatty():
            raise BoxselError(
                f"{chosen.title} is not text, and a terminal shows text: give a file with -o"
            )
        return cls(path, chosen)

    def reduce(self, kb: KB) -> KB:
        """The part of the knowledge base that the format can hold; says what is left out."""
        if not self.format.table:
            return kb
        from boxsel.formats.csv_table import conditionals_only

        kept, losses = conditionals_only(kb)
        for loss in losses:
            report(f"left out: {loss}")
        return kept

    def write(self, kb: KB) -> None:
        """Write the knowledge base."""
        if self.path is not None:
            write_atomically(self.path, self.format.encode(kb))
        elif self.format.binary:
            _emit_bytes(self.format.encode(kb))
        else:
            emit(self.format.write(kb))


def _emit_bytes(data: bytes) -> None:
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise WriteError(f"standard output cannot be written: {error.strerror or error}") from None
