"""What the build commands share: options, and how a knowledge base and its report go out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from boxsel.build.built import Built, Report
from boxsel.cli.options import Sampling
from boxsel.cli.output import emit_json, reading_json, report, report_coverage
from boxsel.cli.writing import Target
from boxsel.formats.source import check_writable

StrictOption = Annotated[
    bool, typer.Option("--strict", help="Stop at the first row that cannot be used.")
]


@dataclass(frozen=True, slots=True)
class Delivery:
    """Where a built knowledge base goes: decided, and checked, before any work is done.

    Without a `sampling` counts stay as the builder has read them.
    """

    kind: str
    target: Target
    sampling: Sampling | None
    as_json: bool

    @classmethod
    def of(
        cls,
        kind: str,
        output: str | None,
        to: str | None,
        sampling: Sampling | None,
        *,
        as_json: bool,
    ) -> Delivery:
        """The delivery that the options of `boxsel build KIND` name."""
        target = Target.of(output, to, default="sel", as_json=as_json)
        if target.path is not None:
            check_writable(target.path)
        return cls(kind, target, sampling, as_json)

    def deliver(self, built: Built[Report]) -> None:
        """Write the knowledge base, and say how it came about."""
        found, coverage = built.kb, built.coverage
        if self.sampling is not None:
            found, coverage = self.sampling.apply(found)
        written = self.target.reduce(found)
        self.target.write(written)
        if self.as_json:
            emit_json(
                {
                    "build": self.kind,
                    "output": self.target.path,
                    "format": self.target.format.name,
                    "statements": len(written),
                    **built.report.to_json(),
                    **reading_json(found, coverage),
                }
            )
            return
        report(built.report.text.rstrip("\n"))
        report_coverage(coverage)
        if self.target.path is not None:
            report(f"{self.target.path}: {len(written):,} statements as {self.target.format.title}")
