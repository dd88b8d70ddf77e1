"""Writing a knowledge base where a command was told to."""

from __future__ import annotations

from dataclasses import dataclass

from boxsel.cli.output import emit, report
from boxsel.errors import BoxselError
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
        return cls(path, output_format(path, to or (default if path is None else None)))

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
        text = self.format.codec.write(kb)
        if self.path is None:
            emit(text)
        else:
            write_atomically(self.path, text.encode())
