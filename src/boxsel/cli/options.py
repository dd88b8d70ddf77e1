"""The arguments and options that commands share, and reading a knowledge base by them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from boxsel.cli.command import argument, flag, option
from boxsel.errors import BoxselError
from boxsel.formats.registry import FORMATS, read
from boxsel.formats.source import load
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query

if TYPE_CHECKING:
    from boxsel.sampling import Coverage, Reading
    from boxsel.syntax.queries import Reader

_FORMAT_NAMES = ", ".join(entry.name for entry in FORMATS)

Texts = list[str] | None
"""What an option gives that may be repeated."""

Device = Literal["auto", "cpu", "gpu"]

KB_FILE: str = argument("A knowledge base in any format; - reads stdin.", "KB")
JSON = flag("--json", "Print JSON, one object per line.")
FROM = option("The input's format, if it is not recognised.", "--from", metavar="FORMAT")
DEVICE: Device = option("Where to train.", default="auto")
COUNTS_SHOWN = "a column such as Freq, if its cells look like counts"


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the command line wants sample counts to be read."""

    confidence: str | None = option(
        "Read sample counts as confidence intervals, such as 0.95.", metavar="LEVEL"
    )
    interval: Literal["clopper-pearson", "wilson"] | None = option(
        "Which intervals.", show_default="clopper-pearson"
    )
    simultaneous: bool = flag(
        "--simultaneous", "Correct for the number of counts: all hold together."
    )

    def reading(self) -> Reading | None:
        """How counts are to be read; `None` as points."""
        if self.confidence is None:
            if self.interval is not None or self.simultaneous:
                raise BoxselError("--interval and --simultaneous need --confidence, such as 0.95")
            return None
        from boxsel.sampling import Reading

        return Reading(self.confidence, self.interval or "clopper-pearson", self.simultaneous)

    def apply(self, kb: KB) -> tuple[KB, Coverage | None]:
        """The knowledge base with its counts read as asked, and what that promises."""
        reading = self.reading()
        if reading is None:
            return kb, None
        from boxsel.sampling import read_counts

        return read_counts(kb, reading)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """How the knowledge base of a command is read."""

    from_format: str | None = FROM
    sampling: Sampling

    def read(self, path: str) -> tuple[KB, Coverage | None]:
        """The knowledge base that a command is about."""
        return self.sampling.apply(read(path, self.from_format))


@dataclass(frozen=True, slots=True)
class Asked:
    """The queries that a command is about."""

    queries: Texts = argument('What is asked, such as "(D | C)".', "QUERY...", None)
    file: str | None = option(
        "Queries, one a line, or CSV with columns head and body, or query.",
        "--queries",
        metavar="FILE",
    )

    def read(self, kb: KB, source: str) -> tuple[Query, ...]:
        """The queries in the names of the knowledge base from a source."""
        from boxsel.syntax.many_queries import queries_in_text

        names = reader(kb, source)
        asked = tuple(map(names.query, self.queries or ()))
        if self.file is not None:
            asked += queries_in_text(names, load(self.file).text, self.file)
        if not asked:
            raise BoxselError('there is nothing to answer: give a query, such as "(D | C)"')
        return asked


@dataclass(frozen=True, slots=True)
class Output:
    """Where a knowledge base is to go, and in which format."""

    output: str | None = option(
        "Write here instead of to stdout.", "--output", "-o", metavar="FILE"
    )
    to_format: str | None = option(f"The output's: {_FORMAT_NAMES}.", "--to", metavar="FORMAT")


def only_cpu(device: Device) -> None:
    """Keep JAX from other devices if none is wanted: it would take hold of them when loaded."""
    if device == "cpu":
        os.environ["JAX_PLATFORMS"] = "cpu"


def reader(kb: KB, source: str) -> Reader:
    """Reads what a command is about, in the names of the knowledge base from a source."""
    from boxsel.syntax.queries import Reader

    return Reader(kb, kb_file(source))


def kb_file(source: str) -> str | None:
    """The file that can be read again as the knowledge base of a command; stdin cannot."""
    if source == "-":
        return None
    return str(Path(source) / "kb.sel") if Path(source).is_dir() else source
