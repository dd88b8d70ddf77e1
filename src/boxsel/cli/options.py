"""The arguments and options that commands share, and reading a knowledge base by them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from boxsel.cli.command import argument, flag, option
from boxsel.cli.output import report
from boxsel.errors import BoxselError
from boxsel.examples import locate
from boxsel.formats.registry import FORMATS, read_sources
from boxsel.formats.source import STDIN, Source, load
from boxsel.formats.table_columns import Choice
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.union import Match, Union
from boxsel.wording import several

if TYPE_CHECKING:
    from boxsel.sampling import Coverage, Reading
    from boxsel.syntax.queries import Reader

_FORMAT_NAMES = ", ".join(entry.name for entry in FORMATS if entry.written)

Texts = list[str] | None
"""What an option gives that may be repeated."""

Device = Literal["auto", "cpu", "gpu"]

KB_FILE: str = argument(
    "A knowledge base in any format; - reads stdin, example:NAME is a bundled one.", "KB"
)
KB_FILES: list[str] = argument(
    "A knowledge base, in one file or in several, of any format; - reads stdin, example:NAME is"
    " a bundled one.",
    "KB...",
)
JSON = flag("--json", "Print JSON, one object per line.")
ROUNDED = option("Read shares as rounded to whole multiples of this, such as 1%.", metavar="UNIT")
IRIS = flag("--iris", "Show names as the files write them, not by their labels.")
PERCENT = flag("--percent", "Say shares in percent.")
PLOT = option("Draw it: .svg, .png or .pdf.", metavar="FILE")
FROM = option("The input's format, if it is not recognised.", "--from", metavar="FORMAT")
BINS: Texts = option(
    "Part a column of numbers or dates: at edges (age=0,18,65), into parts of about the same size"
    " (age=5 parts), or by year, quarter or month.",
    "--bin",
    metavar="COLUMN=HOW",
)
MISSING: Texts = option(
    "What a cell without a value says.",
    metavar="TEXT",
    show_default="NA, k.A. and the like, which is said",
)
SHEET = option("The sheet of a workbook: its name or number.", metavar="SHEET")
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
class Files:
    """What the files of a command are taken for; of tables, which column holds what."""

    from_format: str | None = FROM
    sheet: str | None = SHEET
    columns: Texts = option(
        "Tables: which column holds what, such as head=Disease,body=Group,percent=2020.",
        metavar="NAME=COLUMN,...",
        show_default="by their names",
    )

    def read_sources(self, sources: Sequence[Source], match: Match | None = None) -> Union:
        """The knowledge base as it is written; says how its tables were read."""
        choice = Choice.of(sheet_number(self.sheet), self.columns or ())
        united = read_sources(sources, self.from_format, match, choice)
        for remark in united.remarks:
            report(f"note: {remark}")
        return united


@dataclass(frozen=True, slots=True, kw_only=True)
class Naming(Files):
    """What the files of a command are taken for, and their names for one another."""

    match: Match | None = option(
        "Names that are alike in several files: the same if alike after the namespace, or in"
        " label; or never.",
        show_default="never, and says so",
    )

    def unite(self, sources: Sequence[Source]) -> Union:
        """The knowledge base as it is written; says which names of several files are alike."""
        united = self.read_sources(sources, self.match)
        for notice in united.notices("--match {}"):
            report(notice)
        return united


@dataclass(frozen=True, slots=True, kw_only=True)
class Input(Naming):
    """How the knowledge base of a command is read."""

    sampling: Sampling
    rounded: str | None = ROUNDED

    def read(self, paths: Sequence[str]) -> tuple[KB, Coverage | None]:
        """The knowledge base that a command is about."""
        return self.of([load(path) for path in paths])

    def of(self, sources: Sequence[Source]) -> tuple[KB, Coverage | None]:
        """The same from sources that are loaded."""
        return self.apply(self.unite(sources).kb)

    def apply(self, kb: KB) -> tuple[KB, Coverage | None]:
        """The knowledge base with its numbers read as asked, and what that promises."""
        return self.sampling.apply(kb if self.rounded is None else round_shares(kb, self.rounded))


@dataclass(frozen=True, slots=True)
class Asked:
    """The files and the queries that a command is about; a query begins with a parenthesis."""

    words: list[str] = argument(
        "A knowledge base, in one file or in several, of any format (- reads stdin, example:NAME"
        ' is a bundled one); then what is asked, such as "(D | C)".',
        "KB... [QUERY]...",
    )
    file: str | None = option(
        "Queries, one a line, or CSV with columns head and body, or query.",
        "--queries",
        metavar="FILE",
    )

    @property
    def sources(self) -> list[str]:
        """The files of the knowledge base."""
        found = [word for word in self.words if not _is_query(word)]
        if not found:
            raise BoxselError("there is no knowledge base: give its file before the query")
        for word in found[1:]:
            if not word.strip() or (word != STDIN and not Path(locate(word)).exists()):
                said = word if word.strip() else repr(word)
                raise BoxselError(
                    f"{said} is neither a file nor a query: there is no file of this name, and a"
                    " query is written as (D | C)"
                )
        return found

    def read(self, kb: KB) -> tuple[Query, ...]:
        """The queries in the names of the knowledge base."""
        from boxsel.syntax.many_queries import queries_in_text

        names = reader(kb, self.sources)
        asked = tuple(map(names.query, filter(_is_query, self.words)))
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


def round_shares(kb: KB, unit: str) -> KB:
    """The knowledge base with its shares read as rounded numbers; says how many those are."""
    from boxsel.precision import read_rounded

    read, changed = read_rounded(kb, unit)
    verb = "is" if changed == 1 else "are"
    report(f"note: {several(changed, 'share')} {verb} read as rounded to {unit}")
    return read


def sheet_number(sheet: str | None) -> str | int | None:
    """A sheet by its name, or by its number."""
    return int(sheet) if sheet and sheet.isdecimal() else sheet


def check_percent(percent: bool, as_json: bool) -> None:
    """Refuse percentages where numbers are for machines."""
    if percent and as_json:
        raise BoxselError("--percent is for people: shares in JSON are always from 0 to 1")


def only_cpu(device: Device) -> None:
    """Keep JAX from other devices if none is wanted: it would take hold of them when loaded."""
    if device == "cpu":
        os.environ["JAX_PLATFORMS"] = "cpu"


def _is_query(word: str) -> bool:
    """Whether a word is a query; one without parentheses is one with a mistake."""
    return word.lstrip().startswith("(") or ("|" in word and not Path(word).exists())


def reader(kb: KB, sources: Sequence[str]) -> Reader:
    """Reads what a command is about, in the names of the knowledge base from some sources."""
    from boxsel.syntax.queries import Reader

    return Reader(kb, kb_file(sources))


def kb_file(sources: Sequence[str]) -> str | None:
    """The file that can be read again as the knowledge base of a command, if it is one.

    Standard input cannot.
    """
    if len(sources) > 1 or STDIN in sources:
        return None
    (source,) = sources
    return str(Path(source) / "kb.sel") if Path(source).is_dir() else source
