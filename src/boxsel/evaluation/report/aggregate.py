"""Records brought together: mean and standard deviation over seeds, and what failed."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from boxsel.evaluation.records import TOTAL, Band, Cell, Effort, Quality, Results, Study, Truth
from boxsel.evaluation.report.names import (
    TRUTHS,
    method_order,
    ontology_order,
    setting_order,
    variant_order,
)
from boxsel.pictures.chart import Point

Item = TypeVar("Item")
Key = TypeVar("Key", bound=Hashable)

Measure = Literal["soundness", "error", "gap", "width", "guessed"]
Cost = Literal[
    "mae",
    "counted",
    "members",
    "kept",
    "epochs",
    "settled",
    "parameters",
    "seconds",
    "seconds_per_epoch",
    "milliseconds_per_query",
]


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean over seeds and the sample standard deviation: none if there is one seed."""

    mean: float
    deviation: float | None
    seeds: int


def spread(values: Iterable[float | None]) -> Spread | None:
    """The mean and the sample standard deviation of the values that are numbers.

    Examples:
        >>> spread([1.0, 3.0, None])
        Spread(mean=2.0, deviation=1.4142135623730951, seeds=2)
        >>> spread([float("nan")]) is None
        True
    """
    known = [float(value) for value in values if value is not None and not math.isnan(value)]
    if not known:
        return None
    deviation = statistics.stdev(known) if len(known) > 1 else None
    return Spread(statistics.fmean(known), deviation, len(known))


def grouped(items: Iterable[Item], key: Callable[[Item], Key]) -> dict[Key, list[Item]]:
    """Items that have the same key, together; keys in the order of their first items.

    Examples:
        >>> grouped(["thin-3", "paper", "thin-20"], lambda name: name[:4])
        {'thin': ['thin-3', 'thin-20'], 'pape': ['paper']}
    """
    found: dict[Key, list[Item]] = {}
    for item in items:
        found.setdefault(key(item), []).append(item)
    return found


def by_variant(lines: Iterable[Line]) -> dict[str, list[Line]]:
    """The lines of each variant."""
    return grouped(lines, lambda line: line.variant)


def point(x: float, mean: Spread) -> Point:
    """The point of a chart for a mean over seeds."""
    return Point(x, mean.mean, mean.deviation or 0.0)


@dataclass(frozen=True, slots=True)
class Line:
    """What a row of a table is about: a method and a setting on a variant of an ontology."""

    study: Study
    ontology: str
    variant: str
    method: str
    setting: str

    @classmethod
    def of(cls, cell: Cell) -> Line:
        """The line that a run belongs to."""
        return cls(cell.study, cell.ontology, cell.variant, cell.method, cell.setting)

    @property
    def split(self) -> str:
        """The ontology and the variant."""
        return f"{self.ontology} · {self.variant}"


@dataclass(frozen=True, slots=True)
class Runs:
    """The seeds of a line, and the reasons of those that failed."""

    seeds: tuple[int, ...]
    failures: Mapping[int, str]

    @property
    def text(self) -> str:
        """How many runs there were, and what failed and why."""
        if not self.failures:
            return str(len(self.seeds))
        reasons = "; ".join(dict.fromkeys(self.failures.values()))
        return f"failed {len(self.failures)} of {len(self.seeds)}: {reasons}"


@dataclass(frozen=True)
class Summary:
    """The results by line, with one record for each seed."""

    results: Results

    @cached_property
    def qualities(self) -> Mapping[tuple[Line, str, Truth], Sequence[Quality]]:
        """For each line, shape and truth, the records by seed."""
        ordered = sorted(self.results.qualities, key=_seed)
        return grouped(
            ordered, lambda quality: (Line.of(quality.cell), quality.shape, quality.truth)
        )

    @cached_property
    def efforts(self) -> Mapping[Line, Sequence[Effort]]:
        """For each line, what the run of each seed took."""
        return grouped(sorted(self.results.efforts, key=_seed), _line)

    @cached_property
    def bands(self) -> Mapping[Line, Sequence[Band]]:
        """For each line, its bands of widths."""
        return grouped(self.results.bands, _line)

    def lines(self, study: Study) -> tuple[Line, ...]:
        """The lines of a study in the order of rows."""
        known = {line for line, _, _ in self.qualities} | set(self.efforts) | set(self.bands)
        return tuple(sorted((line for line in known if line.study == study), key=_order))

    def quality(
        self, line: Line, truth: Truth, measure: Measure, shape: str = TOTAL
    ) -> Spread | None:
        """A measure over the seeds of a line."""
        records = self.qualities.get((line, shape, truth), ())
        return spread(getattr(record, measure) for record in records if record.items)

    def items(self, line: Line, truth: Truth, shape: str = TOTAL) -> Sequence[Quality]:
        """The records of a line by seed, for what is counted in them."""
        return self.qualities.get((line, shape, truth), ())

    def cost(self, line: Line, cost: Cost) -> Spread | None:
        """What the runs of a line took that did not fail."""
        done = (effort for effort in self.efforts.get(line, ()) if not effort.reason)
        return spread(getattr(effort, cost) for effort in done)

    def runs(self, line: Line) -> Runs:
        """Which seeds were run for a line, and which failed."""
        efforts = self.efforts.get(line, ())
        measured = (quality.cell.seed for truth in TRUTHS for quality in self.items(line, truth))
        seeds = sorted({*measured, *(effort.cell.seed for effort in efforts)})
        return Runs(
            tuple(seeds), {effort.cell.seed: effort.reason for effort in efforts if effort.reason}
        )

    def seeds(self, lines: Iterable[Line]) -> tuple[int, ...]:
        """All seeds that some lines were run with."""
        return tuple(sorted({seed for line in lines for seed in self.runs(line).seeds}))


def _seed(record: Quality | Effort) -> int:
    return record.cell.seed


def _line(record: Effort | Band) -> Line:
    return Line.of(record.cell)


def _order(line: Line) -> tuple[object, ...]:
    return (
        variant_order(line.variant),
        ontology_order(line.ontology),
        method_order(line.method),
        setting_order(line.setting),
    )
