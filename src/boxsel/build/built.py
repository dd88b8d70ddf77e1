"""What a builder gives: a knowledge base, and a report of how it came about."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from boxsel.logic.kb import KB

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

    def to_json(self) -> dict[str, object]:
        """As a JSON object."""
        return asdict(self)


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
