"""Directed members: for each query of a sample, members that it pushes down and up."""

from __future__ import annotations

import numpy as np

from boxsel.evaluation.conditionals import Conditionals, Floats
from boxsel.evaluation.ensembles.asking import asked_shares, batches_of
from boxsel.evaluation.ensembles.training import Trained
from boxsel.models.compiled import row_errors
from boxsel.models.further_runs import pushed_run
from boxsel.models.measuring import ends
from boxsel.models.run import completed


def directed_ends(trained: Trained, asked: Conditionals, each: int, random: Floats) -> Floats:
    """The intervals that random and directed members span together.

    A directed member counts only if what it was taught fits it as well as the worst of the random
    members, by the mean error, or up to the tolerance: a push that breaks what is known proves
    nothing about a query.
    """
    model, found = trained.model, random.copy()
    worst = trained.errors.mean.max()
    rows = model.task.rows
    for batch in batches_of(asked):
        chosen = asked.take(batch.places)
        run = completed(pushed_run(model, batch, each))
        tables = run.parameters
        errors = row_errors(model.representation, tables, rows)
        fits = (errors.mean <= worst) | (errors.largest <= model.settings.tolerance)
        values = asked_shares(model.representation, tables, chosen)
        own = np.kron(np.eye(len(chosen), dtype=bool), np.ones(each, dtype=bool))
        span = ends(np.where(own & fits, values, np.nan))
        low = np.fmin(found[batch.places, 0], span[:, 0])
        high = np.fmax(found[batch.places, 1], span[:, 1])
        found[batch.places] = np.stack([low, high], axis=1)
    return found
