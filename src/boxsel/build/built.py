"""What a builder gives: a knowledge base, a report of how it came about, and rejected rows."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

from boxsel.errors import Diagnostic, ReadError
from boxsel.logic.kb import KB
from boxsel.logic.population import Population
from boxsel.wording import several

if TYPE_CHECKING:
    from boxsel.sampling import Coverage


class Report(Protocol):
    """What has a form for people and one for programs, as what a builder has to say."""

    @property
    def text(self) -> str:
        """The report for people, in lines."""
        ...

    def to_json(self) -> dict[str, object]:
        """The report as a JSON object."""
        ...


AnyReport = TypeVar("AnyReport", bound=Report, covariant=True)


@dataclass(frozen=True)
class Built(Generic[AnyReport]):
    """A knowledge base from data, and the report of its making.

    `coverage` is what the intervals promise where the builder has read counts as such.
    """

    kb: KB
    report: AnyReport
    coverage: Coverage | None = None


@dataclass
class Effort:
    """What some work took: seconds, and the largest memory that the process has held so far."""

    seconds: float = 0.0
    peak_bytes: int | None = None

    @property
    def text(self) -> str:
        """For people: `4.2 s, at most 310 MB of memory`."""
        seconds = f"{self.seconds:.1f} s"
        if self.peak_bytes is None:
            return seconds
        return f"{seconds}, at most {self.peak_bytes / 1e6:,.0f} MB of memory"


@contextmanager
def measured_effort() -> Iterator[Effort]:
    """Measure the work inside the block; the values are there at its end.

    Examples:
        >>> with measured_effort() as effort:
        ...     total = sum(range(1000))
        >>> effort.seconds > 0
        True
    """
    effort = Effort()
    start = time.perf_counter()
    try:
        yield effort
    finally:
        effort.seconds = time.perf_counter() - start
        effort.peak_bytes = peak_memory()


def peak_memory() -> int | None:
    """The largest memory that this process has held, in bytes; `None` where nothing tells."""
    if sys.platform == "win32":
        return None
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


MOST_PATTERNS: Final = 20_000
"""Data with more patterns are not kept: the file would be mostly data, and slow to read."""


@dataclass(frozen=True)
class Keeping:
    """Whether the data are kept beside what was counted; `unkept` says why not, if asked for."""

    data: Population | None = None
    unkept: str = ""

    @property
    def text(self) -> list[str]:
        """For people, in lines; nothing if nobody asked for the data."""
        if self.data is None:
            return [f"the data are not kept: {self.unkept}"] if self.unkept else []
        return [f"the data are kept: {self.data.text} (--no-data leaves them out)"]

    def to_json(self) -> dict[str, object]:
        """As members of a JSON object."""
        return {"data": self.data and self.data.sizes, "unkept": self.unkept or None}


EXAMPLES: Final = 3
"""How many rows are shown for each reason."""

SHOWN: Final = 120
"""How many characters of a row are shown."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reason, how many rows were rejected for it, and the first few as `file:line: text`."""

    reason: str
    count: int
    examples: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """As a JSON object."""
        return {**asdict(self), "examples": list(self.examples)}


@dataclass
class Rejects:
    """Collects rejected rows; with `strict` the first one is an error.

    Examples:
        >>> rejects = Rejects()
        >>> rejects.add("there are 2 columns, expected 3", "facts.tsv", 7, "alice,knows")
        >>> for line in rejected_text(rejects.listed()):
        ...     print(line)
        left out 1 row:
          1: there are 2 columns, expected 3
            facts.tsv:7: alice,knows
    """

    strict: bool = False
    _counts: dict[str, int] = field(default_factory=dict)
    _examples: dict[str, list[str]] = field(default_factory=dict)

    def add(
        self,
        reason: str,
        file: str | None = None,
        line: int | None = None,
        row: str = "",
        *,
        count: int = 1,
    ) -> None:
        """Count a row that cannot be used, or several of which this is the first."""
        if self.strict:
            raise ReadError(
                Diagnostic(
                    f"{reason}: {_cut(row)}" if row else reason,
                    file=file,
                    line=line,
                    help="without --strict such rows are counted and left out",
                )
            )
        self._counts[reason] = self._counts.get(reason, 0) + count
        shown = self._examples.setdefault(reason, [])
        if len(shown) < EXAMPLES and (file or row):
            place = ":".join(str(part) for part in (file, line) if part)
            shown.append(f"{place}: {_cut(row)}" if row else place)

    @property
    def total(self) -> int:
        """How many rows were rejected."""
        return sum(self._counts.values())

    def listed(self) -> tuple[Rejected, ...]:
        """Every reason, the most frequent first."""
        return tuple(
            Rejected(reason, count, tuple(self._examples[reason]))
            for reason, count in sorted(self._counts.items(), key=lambda pair: -pair[1])
        )


def rejected_text(rejected: Iterable[Rejected]) -> list[str]:
    """The rejected rows for people, in lines; nothing if there are none."""
    reasons = list(rejected)
    if not reasons:
        return []
    lines = [f"left out {several(sum(rejection.count for rejection in reasons), 'row')}:"]
    for reason in reasons:
        lines.append(f"  {reason.count:,}: {reason.reason}")
        lines.extend(f"    {example}" for example in reason.examples)
    return lines


def _cut(row: str) -> str:
    shown = row[:SHOWN] + ("…" if len(row) > SHOWN else "")
    return "".join(
        ch if ch.isprintable() or ch == "\t" else "\N{REPLACEMENT CHARACTER}" for ch in shown
    )
