"""Records brought together: mean and standard deviation over seeds, and what failed."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal

from boxsel.evaluation.records import (
    TOTAL,
    Band,
    Cell,
    Effort,
    Quality,
    Results,
    Study,
    Truth,
)
from boxsel.evaluation.report.names import (
    TRUTHS,
    method_order,
    ontology_order,
    setting_order,
    variant_order,
)
from boxsel.pictures.chart import Point

SHAPES: Final = ("PNF1", "PNF2", "PNF3", "PNF4")

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
    def qualities(self) -> Mapping[tuple[Line, str, Truth], tuple[Quality, ...]]:
        """For each line, shape and truth, the records by seed."""
        by_cell: dict[tuple[Cell, str, Truth], list[Quality]] = defaultdict(list)
        for one in self.results.qualities:
            by_cell[one.cell, _shape(one.shape), one.truth].append(one)
        found: dict[tuple[Line, str, Truth], list[Quality]] = defaultdict(list)
        for (cell, shape, truth), parts in sorted(by_cell.items(), key=lambda item: _seed(item[0])):
            found[Line.of(cell), shape, truth].append(merged(parts))
        return {key: tuple(records) for key, records in found.items()}

    @cached_property
    def efforts(self) -> Mapping[Line, tuple[Effort, ...]]:
        """For each line, what the run of each seed took."""
        by_cell: dict[Cell, list[Effort]] = defaultdict(list)
        for one in self.results.efforts:
            by_cell[one.cell].append(one)
        found: dict[Line, list[Effort]] = defaultdict(list)
        for cell, parts in sorted(by_cell.items(), key=lambda item: item[0].seed):
            found[Line.of(cell)].append(combined(parts))
        return {line: tuple(records) for line, records in found.items()}

    @cached_property
    def bands(self) -> Mapping[Line, tuple[Band, ...]]:
        """For each line, its bands of widths."""
        found: dict[Line, list[Band]] = defaultdict(list)
        for one in self.results.bands:
            found[Line.of(one.cell)].append(one)
        return {line: tuple(records) for line, records in found.items()}

    def lines(self, study: Study) -> tuple[Line, ...]:
        """The lines of a study in the order of rows."""
        known = {line for line, _, _ in self.qualities} | set(self.efforts) | set(self.bands)
        return tuple(sorted((line for line in known if line.study == study), key=_order))

    def quality(
        self, line: Line, truth: Truth, measure: Measure, shape: str = TOTAL
    ) -> Spread | None:
        """A measure over the seeds of a line."""
        records = self.qualities.get((line, shape, truth), ())
        return spread(getattr(one, measure) for one in records if one.items)

    def items(self, line: Line, truth: Truth, shape: str = TOTAL) -> tuple[Quality, ...]:
        """The records of a line by seed, for what is counted in them."""
        return self.qualities.get((line, shape, truth), ())

    def cost(self, line: Line, cost: Cost) -> Spread | None:
        """What the runs of a line took that did not fail."""
        done = (one for one in self.efforts.get(line, ()) if not one.reason)
        return spread(getattr(one, cost) for one in done)

    def runs(self, line: Line) -> Runs:
        """Which seeds were run for a line, and which failed."""
        efforts = self.efforts.get(line, ())
        measured = (one.cell.seed for truth in TRUTHS for one in self.items(line, truth))
        seeds = sorted({*measured, *(one.cell.seed for one in efforts)})
        return Runs(tuple(seeds), {one.cell.seed: one.reason for one in efforts if one.reason})

    def seeds(self, lines: Iterable[Line]) -> tuple[int, ...]:
        """All seeds that some lines were run with."""
        return tuple(sorted({seed for line in lines for seed in self.runs(line).seeds}))


def merged(parts: Sequence[Quality]) -> Quality:
    """The records of the parts of one split as one: means weighted by their items."""
    if len(parts) == 1:
        return parts[0]
    items = sum(one.items for one in parts)

    def mean(measure: Measure) -> float:
        if not items:
            return math.nan
        return math.fsum(getattr(one, measure) * one.items for one in parts if one.items) / items

    return replace(
        parts[0],
        items=items,
        missing=sum(one.missing for one in parts),
        proved=sum(one.proved for one in parts),
        soundness=mean("soundness"),
        error=mean("error"),
        gap=mean("gap"),
        width=mean("width"),
        guessed=mean("guessed"),
    )


def combined(parts: Sequence[Effort]) -> Effort:
    """What the parts of one split took as one: seconds add up, rates are averaged."""
    if len(parts) == 1:
        return parts[0]
    errors = [one.mae for one in parts if one.mae is not None]
    counted = [one.counted for one in parts if one.counted is not None]
    settled = [one.settled for one in parts if one.settled is not None]
    return replace(
        parts[0],
        mae=statistics.fmean(errors) if len(errors) == len(parts) else None,
        counted=statistics.fmean(counted) if len(counted) == len(parts) else None,
        members=min(one.members for one in parts),
        kept=min(one.kept for one in parts),
        epochs=max(one.epochs for one in parts),
        settled=max(settled) if len(settled) == len(parts) else None,
        parameters=max(one.parameters for one in parts),
        seconds=math.fsum(one.seconds for one in parts),
        seconds_per_epoch=statistics.fmean(one.seconds_per_epoch for one in parts),
        milliseconds_per_query=statistics.fmean(one.milliseconds_per_query for one in parts),
        reason="; ".join(dict.fromkeys(one.reason for one in parts if one.reason)),
    )


def _shape(shape: str) -> str:
    return TOTAL if shape in ("", "all") else shape


def _seed(key: tuple[Cell, str, Truth]) -> int:
    return key[0].seed


def _order(line: Line) -> tuple[object, ...]:
    return (
        variant_order(line.variant),
        ontology_order(line.ontology),
        method_order(line.method),
        setting_order(line.setting),
    )
