"""Writing a knowledge base where a command was told to."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from boxsel.build.built import Built, Report
from boxsel.cli.command import flag
from boxsel.cli.options import Output, Sampling
from boxsel.cli.output import emit, emit_json, reading_json, report, report_coverage
from boxsel.errors import BoxselError
from boxsel.formats.registry import Format, output_format
from boxsel.formats.source import STDIN, check_writable, write_atomically
from boxsel.logic.kb import KB

LOSSY = flag("--lossy", "Leave out what the format cannot hold (tables).")
NO_DATA = flag("--no-data", "Leave out the patterns of the data.")
STRICT = flag("--strict", "Stop at the first row that cannot be used.")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a knowledge base goes, and in which format: decided before any work is done."""

    path: str | None
    format: Format

    @classmethod
    def of(cls, output: Output, *, default: str | None, as_json: bool) -> Target:
        """The target that the options name; `default` is the format for standard output."""
        path = None if output.output == STDIN else output.output
        if path is None and as_json:
            raise BoxselError("--json prints a report: say with -o where the result should go")
        chosen = output_format(path, output.to_format or (default if path is None else None))
        if path is None and chosen.binary and sys.stdout.isatty():
            raise BoxselError(
                f"{chosen.title} is not text, and a terminal shows text: give a file with -o"
            )
        return cls(path, chosen)

    def reduce(self, kb: KB) -> KB:
        """The part of the knowledge base that the format can hold; says what is left out."""
        if not self.format.table:
            return kb
        from boxsel.formats.csv_table import tabular

        kept, losses = tabular(kb)
        for loss in losses:
            report(f"left out: {loss}")
        return kept

    def write(self, kb: KB) -> None:
        """Write the knowledge base."""
        if self.path is not None:
            write_atomically(self.path, self.format.encode(kb))
        else:
            emit(self.format.encode(kb) if self.format.binary else self.format.write(kb))

    def report_written(self, kb: KB) -> None:
        """Say what was written, if it is in a file."""
        if self.path is not None:
            report(f"{self.path}: {len(kb):,} statements as {self.format.title}")


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where a built knowledge base goes: decided, and checked, before any work is done.

    Without a `target` only the report goes out; without a `sampling` counts stay as the builder
    has read them.
    """

    kind: str
    target: Target | None
    sampling: Sampling | None
    as_json: bool

    @classmethod
    def of(
        cls, kind: str, output: Output | None, sampling: Sampling | None, *, as_json: bool
    ) -> Delivery:
        """The delivery that the options of `boxsel build KIND` name."""
        target = None if output is None else Target.of(output, default="sel", as_json=as_json)
        if target is not None and target.path is not None:
            check_writable(target.path)
        return cls(kind, target, sampling, as_json)

    def deliver(self, built: Built[Report]) -> None:
        """Write the knowledge base, and say how it came about."""
        kb, coverage, target = built.kb, built.coverage, self.target
        if self.sampling is not None:
            kb, coverage = self.sampling.apply(kb)
        written = kb
        if target is not None:
            written = target.reduce(kb)
            target.write(written)
        if self.as_json:
            emit_json(
                {
                    "build": self.kind,
                    "output": None if target is None else target.path,
                    "format": None if target is None else target.format.name,
                    "statements": len(written),
                    **built.report.to_json(),
                    **reading_json(kb, coverage),
                }
            )
            return
        if target is None:
            emit(built.report.text)
        else:
            report(built.report.text.rstrip("\n"))
        report_coverage(coverage)
        if target is not None:
            target.report_written(written)
