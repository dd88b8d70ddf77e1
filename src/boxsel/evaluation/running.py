"""Runs of cells: what is finished stays, what is missing is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from boxsel.evaluation.baselines.registry import BASELINES
from boxsel.evaluation.cells import Cells, Work
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.predictions import Prediction
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.truths.exact import asked_places
from boxsel.progress import track


class Splits:
    """The splits of ontologies; the last few are kept."""

    def __init__(self, ontologies: Mapping[str, Ontology]) -> None:
        self._of = lru_cache(maxsize=4)(
            lambda name, variant, seed: splits_of(ontologies[name], variant, seed)
        )

    def of(self, work: Work) -> tuple[Split, ...]:
        """The splits that a cell is about."""
        return self._of(work.ontology, work.variant, work.seed)


def run_missing(works: Sequence[Work], cells: Cells, splits: Splits, device: str) -> int:
    """Compute the cells that are not finished, one after the other; gives how many there were.

    Interrupted, it keeps what is finished; the next run goes on from there.
    """
    missing = [work for work in dict.fromkeys(works) if not cells.has(work)]
    for work in track(missing, "runs", len(missing)):
        cells.save(work, [_predicted(work, split) for split in splits.of(work)], device)
    return len(missing)


def _predicted(work: Work, split: Split) -> Prediction:
    method = work.method
    if method.settings is None:
        return Prediction.of(BASELINES[method.name](split, work.seed))
    # JAX takes a while to load, and baselines do not need it.
    from boxsel.evaluation.ensembles.predicting import predicted

    sample = None if work.sample is None else asked_places(split, work.sample)
    return predicted(split, method.settings, method.directed, sample)
