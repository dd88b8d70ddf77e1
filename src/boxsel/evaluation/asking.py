"""What users get: the answers of `ask` to the queries of a split, within a time for each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from boxsel.evaluation.cells import Prediction
from boxsel.evaluation.conditionals import Floats, Ints
from boxsel.evaluation.splits.split import Split
from boxsel.machine.progress import track

if TYPE_CHECKING:
    from boxsel.answer.answer import Outer
    from boxsel.logic.proportions import Inner


def answered(split: Split, places: Ints, seconds: float) -> Prediction:
    """What is possible, and beside it what is certain, about the queries at some places.

    The prediction is the inner interval: models have the shares at its ends, so that it is sound by
    construction. Where no model was found in time, the outer interval is all that is said, and is
    the prediction. `kept_ends` are the outer interval, which contains the exact one. One asker
    answers all queries, each within so many seconds, with the process beside it that users have:
    it draws populations, which is where most models come from. A query without any interval has
    NaN.
    """
    asked = np.zeros(len(split.queries), bool)
    inner = np.full((len(asked), 2), np.nan)
    outer = inner.copy()
    asked[places] = True
    if len(places):
        for place, (possible, certain) in zip(
            places.tolist(), _intervals(split, places, seconds), strict=True
        ):
            inner[place], outer[place] = possible, certain
    return Prediction((0,), inner[None], outer, asked)


def _intervals(split: Split, places: Ints, seconds: float) -> Iterator[tuple[Floats, Floats]]:
    """The inner and the outer interval of each query."""
    from boxsel.answer.ask import Asker  # with the solvers, which training does without

    queries = split.ontology.queries(split.queries.take(places))
    with Asker(split.kb()) as asker:
        for query in track(queries, "answers", len(queries)):
            answer = asker.ask(query, budget=seconds, minimal=False, typical=False)
            yield _ends(answer.inner or answer.outer), _ends(answer.outer)


def _ends(interval: Inner | Outer | None) -> Floats:
    ends = (np.nan, np.nan) if interval is None else (interval.lower, interval.upper)
    return np.array([*map(float, ends)], np.float64)
