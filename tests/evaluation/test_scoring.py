"""Records from cells and truths, against a slow reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from boxsel.evaluation.cells import Cells, Prediction, Reading, Splits, Work
from boxsel.evaluation.methods import Method
from boxsel.evaluation.metrics import EDGES
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.records import Cell, Results
from boxsel.evaluation.scoring import scored
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.studies import Planned
from boxsel.evaluation.truths.exact import asked_places
from boxsel.evaluation.truths.store import Truth, append, opened, path_of
from boxsel.logic.proportions import Interval
from boxsel.models.settings import Settings
from tests.evaluation.tiny import random_prediction, small

MEMBERS = 12
VARIANTS = ("paper", "thin-10")


class Item(NamedTuple):
    """A true interval beside a predicted one, both ends of each."""

    truth: str
    shape: str
    lower: float
    upper: float
    proved: bool
    least: float
    most: float
    missing: bool


class Stage:
    """Fake truths and fake cells in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ontology: Ontology = small()
        self.cells = Cells(folder)
        self.truths = folder / "truths"
        self.truths.mkdir()
        self.known: dict[tuple[str, str], dict[int, tuple[str, Fraction, Fraction]]] = {}
        random = np.random.default_rng(0)
        for variant in VARIANTS:
            for split in self.splits(variant):
                self.known[variant, split.part] = self._drawn(split, random)

    def splits(self, variant: str) -> tuple[Split, ...]:
        return splits_of(self.ontology, variant, 0)

    def _drawn(
        self, split: Split, random: np.random.Generator
    ) -> dict[int, tuple[str, Fraction, Fraction]]:
        opened(split, self.truths, None, print)
        found = {}
        for place in random.permutation(len(split.queries))[:9].tolist():
            status = ("exact", "outer", "vacuous")[random.choice(3, p=[0.6, 0.2, 0.2])]
            lower, upper = sorted(Fraction(int(number), 10) for number in random.integers(0, 11, 2))
            if status == "vacuous":
                lower, upper = Fraction(0), Fraction(1)
            outer = Interval(lower, upper)
            inner = outer if status == "exact" else None
            truth = Truth(place, status, "reasoner", outer, inner)  # type: ignore[arg-type]
            append(path_of(split, self.truths), truth)
            if status != "vacuous":
                found[place] = (status, lower, upper)
        return found

    def planned(
        self, variant: str, reading: Reading = MEMBERS, sample: int | None = None, name: str = "x"
    ) -> Planned:
        method = Method(name, Settings(members=MEMBERS))
        return Planned(
            Cell("main", "small", variant, 0, name, str(reading)),
            Work("small", self.ontology.digest(), variant, 0, method),
            reading,
            sample,
        )

    def save(self, planned: Planned, missing: float = 0.2) -> list[Prediction]:
        parts = [
            random_prediction(len(split.queries), MEMBERS, place, missing)
            for place, split in enumerate(self.splits(planned.work.variant))
        ]
        self.cells.save(planned.work, parts, "cpu")
        return parts

    def scored(self, *planned: Planned) -> tuple[Results, list[Work]]:
        return scored(planned, self.cells, Splits({"small": self.ontology}), self.truths)

    def items(self, planned: Planned, parts: list[Prediction]) -> Iterator[Item]:
        """All that a cell is compared with, one by one."""
        variant, reading = planned.work.variant, planned.reading
        for split, part in zip(self.splits(variant), parts, strict=True):
            asked = {place for place in range(len(split.queries)) if part.asked[place]}
            if planned.sample is not None:
                asked &= {*asked_places(split, planned.sample).tolist()}
            table = part.kept_ends if reading == "kept" else part.ends[part.counts.index(reading)]

            def ends(place: int, table: object = table) -> tuple[float, float, bool]:
                low, high = np.asarray(table)[place]
                return (0.0, 1.0, True) if np.isnan(low) else (low, high, False)

            pairs = split.pairs
            for number, place in enumerate(pairs.query.tolist()):
                if place in asked:
                    one, two = pairs.first.share[number], pairs.second.share[number]
                    lower, upper = (0, 1) if np.isnan(two) else (one * two, one * two + 1 - one)
                    shape = f"PNF{pairs.second.shape[number]}"
                    yield Item("pmp", shape, lower, min(1, upper), True, *ends(place))
            of_root = split.queries.has_body(self.ontology.root_row)
            for place, (status, least, most) in self.known[variant, split.part].items():
                if place in asked:
                    number = split.queries.shape[place] if of_root[place] else 2
                    found = float(least), float(most), status == "exact"
                    yield Item("exact", f"PNF{number}", *found, *ends(place))


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


def check(results: Results, planned: Planned, items: list[Item]) -> None:
    """Every quality and band of a cell is that of its items."""
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in items:
        names = ["total", item.shape]
        names += ["informative"] if item.lower > 0 or item.upper < 1 else []
        for name in names:
            groups.setdefault((item.truth, name), []).append(item)
    mine = [one for one in results.qualities if one.cell == planned.cell]
    assert {(one.truth, one.shape) for one in mine} == set(groups)
    assert len(mine) == len(groups)
    for quality in mine:
        some = groups[quality.truth, quality.shape]
        assert quality.items == len(some)
        assert quality.missing == sum(item.missing for item in some)
        assert quality.proved == sum(item.proved for item in some)
        within = [
            item.least >= item.lower - 1e-6 and item.most <= item.upper + 1e-6 for item in some
        ]
        beyond = [max(item.lower - item.least, 0) + max(item.most - item.upper, 0) for item in some]
        gap = [abs(item.lower - item.least) + abs(item.upper - item.most) for item in some]
        assert quality.soundness == pytest.approx(mean([float(inside) for inside in within]))
        assert quality.error == pytest.approx(mean(beyond))
        assert quality.gap == pytest.approx(mean(gap))
        assert quality.width == pytest.approx(mean([item.upper - item.lower for item in some]))
        assert quality.guessed == pytest.approx(mean([item.most - item.least for item in some]))
    proved = [item for item in items if item.truth == "exact" and item.proved]
    bands = [band for band in results.bands if band.cell == planned.cell]
    assert sum(band.items for band in bands) == len(proved)
    assert {band.most for band in bands} <= set(EDGES)
    if proved:
        gaps = [abs(one.lower - one.least) + abs(one.upper - one.most) for one in proved]
        assert sum(band.items * band.gap for band in bands) == pytest.approx(sum(gaps))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("reading", [10, MEMBERS, "kept"])
@pytest.mark.parametrize("sample", [None, 2])
def test_against_a_slow_reference(
    stage: Stage, variant: str, reading: Reading, sample: int | None
) -> None:
    planned = stage.planned(variant, reading, sample)
    parts = stage.save(planned)
    results, missing = stage.scored(planned)
    assert missing == []
    items = list(stage.items(planned, parts))
    assert any(item.missing for item in items) or sample
    check(results, planned, items)


def test_several_cells_do_not_mix(stage: Stage) -> None:
    readings: dict[str, Reading] = {"x": 10, "y": "kept"}
    cells = [
        stage.planned(variant, reading, name=name)
        for name, reading in readings.items()
        for variant in VARIANTS
    ]
    parts = [stage.save(plan) for plan in cells]
    results, _ = stage.scored(*reversed(cells))
    for cell, given in zip(cells, parts, strict=True):
        check(results, cell, list(stage.items(cell, given)))
    assert len(results.efforts) == len(cells)


def test_what_a_run_took_is_that_of_its_parts(stage: Stage) -> None:
    planned = stage.planned("paper")
    one, two = (part.effort for part in stage.save(planned))
    (effort,) = stage.scored(planned)[0].efforts
    assert effort.mae == pytest.approx((one["mae"] + two["mae"]) / 2)
    assert effort.kept == min(one["kept"], two["kept"])
    assert effort.counted == pytest.approx((one["counted"] + two["counted"]) / 2)
    epochs = one["seconds"] + two["seconds"]
    last = one["last_seconds"] + two["last_seconds"]
    assert effort.seconds == pytest.approx(epochs + last)
    per_epoch = epochs / (one["epochs"] + two["epochs"])
    assert effort.seconds_per_epoch == pytest.approx(per_epoch)
    settled = [one["settled"], two["settled"]]
    assert effort.settled == (None if None in settled else max(settled))
    assert (effort.device, effort.reason) == ("cpu", "")


def test_a_failure_counts_as_everything_possible(stage: Stage) -> None:
    planned, fixed = stage.planned("paper", name="failed"), stage.planned("paper", name="fixed")
    splits = stage.splits("paper")
    lost = [Prediction.failed(len(split.queries), (10, MEMBERS), "no memory") for split in splits]
    stage.cells.save(planned.work, lost, "cpu")
    everything = [Prediction.of(np.tile([0.0, 1.0], (len(split.queries), 1))) for split in splits]
    stage.cells.save(fixed.work, everything, "cpu")
    results, missing = stage.scored(planned, replace(fixed, reading=0))
    assert missing == []
    (effort,) = results.efforts
    assert (effort.cell, effort.mae, effort.reason) == (planned.cell, None, "no memory")
    failed, whole = (
        [quality for quality in results.qualities if quality.cell.method == name]
        for name in ("failed", "fixed")
    )
    assert failed
    for one, other in zip(failed, whole, strict=True):
        assert one.missing == one.items
        assert replace(one, cell=other.cell, missing=0) == other


def test_half_a_failure_is_one(stage: Stage) -> None:
    planned = stage.planned("paper")
    parts = stage.save(planned)
    queries = len(stage.splits("paper")[1].queries)
    parts[1] = Prediction.failed(queries, parts[0].counts, "no memory")
    stage.cells.save(planned.work, parts, "cpu")
    results, _ = stage.scored(planned)
    check(results, planned, list(stage.items(planned, parts)))
    (effort,) = results.efforts
    assert (effort.reason, effort.mae) == ("no memory", None)


def test_what_is_not_finished_is_said(stage: Stage) -> None:
    here, gone, damaged = (stage.planned("paper", name=name) for name in "abc")
    stage.save(here)
    stage.save(damaged)
    stage.cells.path(damaged.work).write_bytes(b"")
    results, missing = stage.scored(gone, here, damaged)
    assert {*missing} == {gone.work, damaged.work}
    assert {quality.cell for quality in results.qualities} == {here.cell}


def test_without_truths_there_is_still_modus_ponens(stage: Stage) -> None:
    planned = stage.planned("thin-10")
    stage.save(planned)
    for path in stage.truths.iterdir():
        path.unlink()
    results, _ = stage.scored(planned)
    assert {quality.truth for quality in results.qualities} == {"pmp"}
    assert results.bands == ()
