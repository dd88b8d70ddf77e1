"""Runs of cells: what is missing is computed, what is finished never again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boxsel.errors import BoxselError
from boxsel.evaluation import cells as running
from boxsel.evaluation.cells import Cells, Prediction, Splits, Work, run_missing
from boxsel.evaluation.methods import BASELINES
from boxsel.evaluation.ontologies.folder import prepared
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.machine.progress import watched_by
from tests.evaluation.tiny import small, work

WORKS = [work(name, seed, "thin-10") for seed in range(2) for name in BASELINES]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    prepared(tmp_path, ["small"])
    return tmp_path


def times(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (folder / "cells").rglob("*.npz")}


@pytest.mark.parametrize("at_once", [1, 2])
def test_cells_are_what_the_methods_say(folder: Path, at_once: int) -> None:
    assert run_missing([*WORKS, *WORKS], folder, "cpu", at_once) == len(WORKS)
    cells, splits = Cells(folder), Splits({"small": small()})
    for one in WORKS:
        loaded = cells.load(one)
        assert loaded is not None
        assert loaded[1] == "cpu"
        for part, split in zip(loaded[0], splits.of(one), strict=True):
            wanted = BASELINES[one.method.name](split, one.seed)
            np.testing.assert_allclose(part.interval(0), wanted, atol=1e-7)


def test_what_is_finished_is_not_computed_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_missing(WORKS[:2], folder, "cpu")
    before = times(folder)
    asked = []
    plain = running._predicted

    def counted(one: Work, split: Split) -> Prediction:
        asked.append(one)
        return plain(one, split)

    monkeypatch.setattr(running, "_predicted", counted)
    assert run_missing(WORKS, folder, "cpu") == len(WORKS) - 2
    assert asked == WORKS[2:]
    assert before.items() <= times(folder).items()
    assert run_missing(WORKS, folder, "cpu") == 0
    cells = Cells(folder)
    cells.path(WORKS[0]).write_bytes(cells.path(WORKS[0]).read_bytes()[:-9])
    cells.path(WORKS[3]).unlink()
    asked.clear()
    assert run_missing(WORKS, folder, "cpu") == 2
    assert asked == [WORKS[0], WORKS[3]]


def test_stopped_it_keeps_what_is_finished(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class StoppedError(BaseException):
        pass

    def stopping(one: Work, split: Split) -> Prediction:
        if one == WORKS[2]:
            raise StoppedError
        return plain(one, split)

    plain = running._predicted
    with monkeypatch.context() as patch:
        patch.setattr(running, "_predicted", stopping)
        with pytest.raises(StoppedError):
            run_missing(WORKS, folder, "cpu")
    assert [Cells(folder).has(one) for one in WORKS[:4]] == [True, True, False, False]
    assert len(times(folder)) == 2
    assert run_missing(WORKS, folder, "cpu") == len(WORKS) - 2


def test_progress_is_over_all_that_is_missing(folder: Path) -> None:
    run_missing(WORKS[:1], folder, "cpu")
    seen: list[object] = []

    def watch(items: Iterable[Any], task: str, total: int) -> Iterator[object]:
        seen.append((task, total))
        for item in items:
            seen.append(item)
            yield item

    with watched_by(watch):
        run_missing(WORKS, folder, "cpu")
    assert seen == [("runs", len(WORKS) - 1), *(one.key for one in WORKS[1:])]


def test_an_ontology_that_is_gone_is_an_error(folder: Path) -> None:
    (folder / "ontologies" / "small.npz").unlink()
    with pytest.raises(BoxselError, match=r"small.npz: cannot be read"):
        run_missing(WORKS[:1], folder, "cpu")


def test_splits_are_those_of_the_work() -> None:
    ontology = small()
    splits = Splits({"small": ontology})
    for one in (work(variant="paper", seed=1), work(variant="strict"), work(variant="paper")):
        found = splits.of(one)
        assert splits.of(one) is found, "it is made once"
        for split, again in zip(found, splits_of(ontology, one.variant, one.seed), strict=True):
            np.testing.assert_array_equal(split.queries.keys, again.queries.keys)
            np.testing.assert_array_equal(split.learning.keys, again.learning.keys)
