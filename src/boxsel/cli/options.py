"""The arguments and options that commands share, and reading a knowledge base by them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from boxsel.errors import BoxselError
from boxsel.formats.files import read
from boxsel.formats.registry import FORMATS
from boxsel.formats.source import load
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query

if TYPE_CHECKING:
    from boxsel.sampling import Coverage, Reading

_FORMAT_NAMES = ", ".join(entry.name for entry in FORMATS)

KBArgument = Annotated[
    str, typer.Argument(metavar="KB", help="A knowledge base in any format; - reads stdin.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, one object per line.")]
FromOption = Annotated[
    str | None,
    typer.Option("--from", metavar="FORMAT", help="The input's format, if it is not recognised."),
]
ToOption = Annotated[
    str | None, typer.Option("--to", metavar="FORMAT", help=f"The output's: {_FORMAT_NAMES}.")
]
OutputOption = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="FILE", help="Write here instead of to stdout."),
]
ConfidenceOption = Annotated[
    str | None,
    typer.Option(metavar="LEVEL", help="Read sample counts as confidence intervals, such as 0.95."),
]
IntervalOption = Annotated[
    Literal["clopper-pearson", "wilson"] | None,
    typer.Option(help="Which intervals.", show_default="clopper-pearson"),
]
SimultaneousOption = Annotated[
    bool,
    typer.Option("--simultaneous", help="Correct for the number of counts: all hold together."),
]
QueriesArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUERY...", help='What is asked, such as "(D | C)".'),
]
QueriesOption = Annotated[
    str | None,
    typer.Option(
        "--queries",
        metavar="FILE",
        help="Queries, one a line, or CSV with columns head and body, or query.",
    ),
]
BudgetOption = Annotated[
    str | None,
    typer.Option(metavar="TIME", help="Time for each query, such as 5s; then the best interval."),
]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How the command line wants sample counts to be read."""

    confidence: str | None
    interval: Literal["clopper-pearson", "wilson"] | None
    simultaneous: bool

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


def read_kb(path: str, format_name: str | None, sampling: Sampling) -> tuple[KB, Coverage | None]:
    """The knowledge base that a command is about."""
    return sampling.apply(read(path, format_name))


def read_queries(
    kb: KB, source: str, texts: list[str] | None, path: str | None
) -> tuple[Query, ...]:
    """The queries that a command is about, in the names of the knowledge base from a source."""
    from boxsel.syntax.many_queries import queries_in_text
    from boxsel.syntax.queries import Reader

    reader = Reader(kb, kb_file(source))
    asked = tuple(map(reader.query, texts or ()))
    if path is not None:
        asked += queries_in_text(reader, load(path).text, path)
    if not asked:
        raise BoxselError('there is nothing to answer: give a query, such as "(D | C)"')
    return asked


def read_concept(kb: KB, source: str, text: str) -> Concept:
    """A concept that a command is about, in the names of the knowledge base from a source."""
    from boxsel.syntax.queries import Reader

    return Reader(kb, kb_file(source)).concept(text)


def read_name(kb: KB, source: str, text: str) -> Name:
    """A name that a command is about."""
    from boxsel.syntax.queries import Reader

    return Reader(kb, kb_file(source)).name(text)


def kb_file(source: str) -> str | None:
    """The file that can be read again as the knowledge base of a command; stdin cannot."""
    if source == "-":
        return None
    return str(Path(source) / "kb.sel") if Path(source).is_dir() else source
