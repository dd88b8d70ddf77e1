"""From finished cells and truths to records: how good each run is, and what it took."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

import numpy as np

from boxsel.evaluation.cells import Cells, Prediction, Splits, Work
from boxsel.evaluation.conditionals import Floats, Truths
from boxsel.evaluation.metrics import bands, measured
from boxsel.evaluation.records import (
    INFORMATIVE,
    TOTAL,
    Band,
    Cell,
    Effort,
    Quality,
    Results,
    Truth,
)
from boxsel.evaluation.splits.split import Split, pmp_intervals
from boxsel.evaluation.studies import Planned
from boxsel.evaluation.truths.exact import asked_places
from boxsel.evaluation.truths.store import Items, load_truths
from boxsel.machine.progress import track


def scored(
    planned: Iterable[Planned],
    cells: Cells,
    splits: Splits,
    truths: Path,
    per_shape: int | None = None,
) -> tuple[Results, list[Work]]:
    """The records of all finished cells, and the runs that are not finished.

    With `per_shape`, they are compared with no more exact intervals of each kind of query than
    that, even if earlier runs left more.
    """
    order = sorted(planned, key=lambda one: _place(one.work))
    qualities: list[Quality] = []
    efforts: list[Effort] = []
    found_bands: list[Band] = []
    missing: list[Work] = []
    groups = [(place, list(group)) for place, group in groupby(order, lambda one: _place(one.work))]
    for _, group in track(groups, "comparing", len(groups)):
        scales = [Scale(split, truths, per_shape) for split in splits.of(group[0].work)]
        for plan in group:
            loaded = cells.load(plan.work)
            if loaded is None:
                missing.append(plan.work)
                continue
            parts, device = loaded
            scorer = Scorer(plan, list(zip(scales, parts, strict=True)))
            qualities += scorer.qualities()
            found_bands += scorer.bands()
            efforts += _efforts(plan.cell, parts, device)
    return Results(tuple(qualities), tuple(efforts), tuple(found_bands)), missing


def _place(work: Work) -> tuple[str, str, int]:
    return work.ontology, work.variant, work.seed


class Scale:
    """What predictions for a split are compared with."""

    def __init__(self, split: Split, folder: Path, per_shape: int | None = None) -> None:
        self.split, self._folder, self._per_shape = split, folder, per_shape

    @cached_property
    def pmp(self) -> Items:
        """An interval for each pair of premises."""
        pairs = self.split.pairs
        lower, upper = pmp_intervals(pairs, self.split.rounded)
        every = np.ones(len(pairs), bool)
        return Items(pairs.query, pairs.shape, lower, upper, every)

    @cached_property
    def exact(self) -> Items:
        """An interval for each query whose exact one is known, or enclosed."""
        truths = load_truths(self.split, self._folder)
        return truths.take(self.sampled(self._per_shape)[truths.places])

    def sampled(self, per_shape: int | None) -> Truths:
        """Which queries are among the first few of each kind, or all."""
        found: Truths = np.zeros(len(self.split.queries), bool)
        found[asked_places(self.split, per_shape)] = True
        return found

    def items(self, truth: Truth) -> Items:
        """Those of a kind of truth."""
        return self.pmp if truth == "pmp" else self.exact


@dataclass(frozen=True)
class Scorer:
    """The predictions of one cell beside their scales, part by part."""

    planned: Planned
    parts: list[tuple[Scale, Prediction]]

    @property
    def cell(self) -> Cell:
        """What they are predictions of."""
        return self.planned.cell

    def qualities(self) -> Iterator[Quality]:
        """The measures against both truths, in total and for each shape."""
        kinds: tuple[Truth, ...] = ("pmp", "exact")
        for truth in kinds:
            items, predicted = self._joined(truth)
            if not len(items):
                continue
            known = (items.lower > 0) | (items.upper < 1)
            every = np.ones(len(items), bool)
            groups = {TOTAL: every, INFORMATIVE: known}
            groups |= {f"PNF{shape}": items.shape == shape for shape in (1, 2, 3, 4)}
            for name, which in groups.items():
                if which.any():
                    yield self._quality(name, truth, items.take(which), predicted[which])

    def bands(self) -> Iterator[Band]:
        """How close predictions are to exact intervals of different widths."""
        items, predicted = self._joined("exact")
        items, predicted = items.take(items.exact), predicted[items.exact]
        for band in bands(items.lower, items.upper, predicted):
            if band.items:
                yield Band(self.cell, *band)

    def _quality(self, name: str, truth: Truth, items: Items, predicted: Floats) -> Quality:
        number, missing, *means = astuple(measured(items.lower, items.upper, predicted))
        proved = int(items.exact.sum())
        return Quality(self.cell, name, truth, number, missing, proved, *means)

    def _joined(self, truth: Truth) -> tuple[Items, Floats]:
        """The items of all parts that were asked, and the predictions for them."""
        chosen = []
        for scale, prediction in self.parts:
            asked = prediction.asked
            if self.planned.sample is not None:
                asked = asked & scale.sampled(self.planned.sample)
            items = scale.items(truth)
            items = items.take(asked[items.places])
            chosen.append((items, prediction.interval(self.planned.reading)[items.places]))
        joined = Items.joined([items for items, _ in chosen])
        return joined, np.concatenate([predicted for _, predicted in chosen])


def _efforts(cell: Cell, parts: tuple[Prediction, ...], device: str) -> Iterator[Effort]:
    """What the parts of a run took together; nothing is said of baselines."""
    reason = "; ".join(dict.fromkeys(part.reason for part in parts if part.reason))
    told = [part.effort for part in parts if part.effort]
    if reason:  # of half a run nothing is said either
        yield Effort(cell, None, None, 0, 0, 0, None, 0, 0.0, 0.0, 0.0, device, reason)
    if reason or not told:
        return

    def mean(key: str) -> float:
        return float(np.mean([effort[key] for effort in told]))

    settled = [effort["settled"] for effort in told]
    yield Effort(
        cell,
        mean("mae"),
        mean("counted"),
        told[0]["members"],
        min(effort["kept"] for effort in told),
        round(mean("epochs")),
        None if None in settled else max(settled),
        told[0]["parameters"],
        sum(effort["seconds"] + effort["last_seconds"] for effort in told),
        sum(effort["seconds"] for effort in told)
        / max(1, sum(content["epochs"] for content in told)),
        mean("milliseconds_per_query"),
        device,
    )
