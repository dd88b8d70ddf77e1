"""What an ensemble predicts for a split, from training to intervals."""

from __future__ import annotations

import time
from typing import Any, Final

import numpy as np
from jax.errors import JaxRuntimeError

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Ints
from boxsel.evaluation.ensembles.asking import asked_shares, spanned
from boxsel.evaluation.ensembles.directing import directed_ends
from boxsel.evaluation.ensembles.training import Trained, trained
from boxsel.evaluation.predictions import Prediction, counts_for
from boxsel.evaluation.splits.rooted import with_named_root
from boxsel.evaluation.splits.split import Split
from boxsel.models.measuring import Members, ends
from boxsel.models.settings import Settings

TIMED: Final = 50
"""How many queries are asked one by one, to see how long one takes."""


def predicted(
    split: Split, settings: Settings, directed: int = 0, sample: Ints | None = None
) -> Prediction:
    """Train an ensemble on a split and let it predict all queries.

    With `directed` members for each, only the queries of the sample are asked.
    """
    if not settings.chosen_preset().universe:
        split = with_named_root(split)
    counts = counts_for(settings.members)
    try:
        done = trained(split, settings)
    except (BoxselError, ArithmeticError, MemoryError, JaxRuntimeError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        return Prediction.failed(len(split.queries), counts, reason)
    model = done.model
    values = asked_shares(model.representation, model.parameters, split.queries)
    found = spanned(values, counts)
    kept = done.errors.largest <= settings.tolerance
    asked = np.ones(len(split.queries), bool)
    if directed:
        assert sample is not None
        chosen = split.queries.take(sample)
        random = found[-1, sample].copy()
        found = np.full_like(found, np.nan)
        found[-1, sample] = directed_ends(done, chosen, directed, random)
        asked[:] = False
        asked[sample] = True
    return Prediction(
        counts, found, ends(values[:, kept]), asked, _effort(done, split, int(kept.sum()))
    )


def _effort(done: Trained, split: Split, kept: int) -> dict[str, Any]:
    return {
        "mae": float(done.errors.mean.mean()),
        "counted": float(done.errors.counted.mean()) / max(1, len(split.learning)),
        "largest": float(done.errors.largest.min()),
        "members": done.model.settings.members,
        "kept": kept,
        "epochs": done.epochs,
        "settled": done.settled,
        "parameters": done.parameters,
        "seconds": done.seconds,
        "last_seconds": done.last_seconds,
        "milliseconds_per_query": 1000 * _seconds_per_query(done, split),
    }


def _seconds_per_query(done: Trained, split: Split) -> float:
    """How long it takes to ask one query of all members."""
    model = done.model
    settled = Members(model.representation, model.parameters, model.task.numbering).settled()
    few = split.ontology.queries(split.queries.take(np.arange(min(TIMED, len(split.queries)))))
    start = time.perf_counter()
    for query in few:
        settled.share(query.head, query.body)
    return (time.perf_counter() - start) / max(1, len(few))
