"""Runs of cells: what is finished stays, what is missing is computed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from functools import lru_cache
from pathlib import Path

from boxsel.evaluation.baselines import BASELINES
from boxsel.evaluation.cells import Cells, Prediction, Work
from boxsel.evaluation.ontologies.folder import load_ontology, path_of
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.truths.exact import asked_places
from boxsel.machine.processes import side_by_side
from boxsel.machine.progress import track


class Splits:
    """The splits of ontologies; the last few are kept."""

    def __init__(self, ontologies: Mapping[str, Ontology]) -> None:
        self._of = lru_cache(maxsize=4)(
            lambda name, variant, seed: splits_of(ontologies[name], variant, seed)
        )

    def of(self, work: Work) -> tuple[Split, ...]:
        """The splits that a cell is about."""
        return self._of(work.ontology, work.variant, work.seed)


def run_missing(works: Sequence[Work], folder: Path, device: str, at_once: int = 1) -> int:
    """Compute the cells of a folder that are not finished; gives how many there were.

    They run one after the other; or `at_once` in processes of their own, which is faster where a
    GPU waits for programs to be compiled. Interrupted, it keeps what is finished; the next run goes
    on from there.
    """
    cells = Cells(folder)
    missing = [work for work in dict.fromkeys(works) if not cells.has(work)]
    groups: dict[tuple[object, ...], list[Work]] = {}
    for work in missing:
        groups.setdefault(_kin(work) if at_once > 1 else (), []).append(work)
    tasks = [(folder, device, tuple(group)) for group in groups.values()]
    with closing(side_by_side(_work, tasks, at_once)) as done:
        return sum(1 for _ in track(done, "runs", len(missing)))


def _kin(work: Work) -> tuple[object, ...]:
    """What runs must have in common to share compiled programs."""
    settings = work.method.settings
    return work.ontology, work.variant, work.method.name, settings and settings.dim


def _work(folder: Path, device: str, works: Sequence[Work]) -> Iterator[str]:
    """Compute cells one after the other, and tell of each that is finished."""
    # Several processes may share a GPU: none of them takes all of its memory.
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    cells = Cells(folder)
    ontologies = {
        name: load_ontology(path_of(folder, name)) for name in {work.ontology for work in works}
    }
    splits = Splits(ontologies)
    trained = any(work.method.settings is not None for work in works)
    with _device(device) if trained else nullcontext("cpu") as name:
        for work in works:
            cells.save(work, [_predicted(work, split) for split in splits.of(work)], name)
            yield work.key


def _device(device: str) -> AbstractContextManager[str]:
    # JAX takes a while to load, and baselines do not need it.
    from boxsel.models.devices import on_device

    return on_device(device)


def _predicted(work: Work, split: Split) -> Prediction:
    method = work.method
    if method.settings is None:
        return Prediction.of(BASELINES[method.name](split, work.seed))
    from boxsel.evaluation.ensembles import predicted

    sample = None if work.sample is None else asked_places(split, work.sample)
    return predicted(split, method.settings, method.directed, sample)
