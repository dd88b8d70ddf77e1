"""An ensemble trained on what a split lets it learn."""

from __future__ import annotations

import time
from dataclasses import dataclass

import jax
import numpy as np

from boxsel.evaluation.conditionals import Floats
from boxsel.evaluation.splits.split import Split
from boxsel.logic.kb import KB
from boxsel.models.batching import NEVER, Batching
from boxsel.models.compiled import RowErrors, row_errors
from boxsel.models.fit import prepared
from boxsel.models.further_runs import polished
from boxsel.models.model import Model
from boxsel.models.run import completed
from boxsel.models.settings import Settings
from boxsel.models.task import Rows, Task

GRAIN = 4
"""Numbers of rows are rounded up to a power of two, or to that with so many steps between."""

SETTLED = 0.05
"""A loss is settled when it stays within this part of its last value."""


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained ensemble, how far it is from what it was taught, and what it took.

    `seconds` are those of the epochs, `last_seconds` those of the phase that follows them.
    """

    model: Model
    errors: RowErrors
    seconds: float
    last_seconds: float
    epochs: int
    settled: int | None

    @property
    def parameters(self) -> int:
        """How many numbers one member has; ⊤ and the identity, in the first rows, need none."""
        tables = self.model.parameters
        learned = [table[1:] for kind in ("names", "roles") for table in tables[kind].values()]
        return int(sum(table.size for table in learned)) // self.model.settings.members


def trained(split: Split, settings: Settings) -> Trained:
    """Train an ensemble.

    The rows are filled up to a round number with rows that say nothing, so that splits of about
    the same size share a compiled program.

    Raises:
        FloatingPointError: A member diverged. It would have no share of anything, and so no error.
    """
    rows = split.learning.rows()
    task = Task(KB(), split.ontology.numbering, filled(rows))
    start = time.perf_counter()
    run = completed(prepared(task, settings))
    between = time.perf_counter()
    after = completed(polished(run, settings.polish)).parameters
    end = time.perf_counter()
    if not all(np.isfinite(table).all() for table in jax.tree.leaves(after)):
        raise FloatingPointError("the training diverged: a member has numbers that are not finite")
    model = Model(task, settings, after, run.losses)
    errors = row_errors(model.representation, after, rows)
    when = settled(run.losses, run.plan.stride)
    return Trained(model, errors, between - start, end - between, run.epoch, when)


def filled(rows: Rows) -> Rows:
    """Rows of each shape up to a round number of them; the added ones have no loss."""
    added = [
        np.resize(places, rounded(len(places)) - len(places))
        for places in Batching(rows, len(rows), 0, universe=False).shapes.values()
    ]
    copied = rows.take(np.concatenate(added).astype(np.int64))
    missing = len(copied)
    return Rows(
        np.concatenate([rows.names, copied.names]),
        np.concatenate([rows.roles, copied.roles]),
        np.concatenate([rows.lower, np.zeros(missing)]),
        np.concatenate([rows.upper, np.full(missing, NEVER)]),
    )


def rounded(number: int) -> int:
    """The next round number.

    Examples:
        >>> [rounded(number) for number in (7, 100, 1000, 104_752)]
        [8, 112, 1024, 114688]
    """
    grain = max(GRAIN, 1 << max(0, number.bit_length() - GRAIN.bit_length()))
    return -(-number // grain) * grain


def settled(losses: Floats, stride: int) -> int | None:
    """The epoch from which the mean loss of all members stays near its last value; none if none.

    Examples:
        >>> settled(np.array([[8.0], [2.0], [1.02], [1.0]]), stride=5)
        15
    """
    if not len(losses):
        return None
    mean = losses.mean(axis=1)
    far = np.flatnonzero(np.abs(mean - mean[-1]) > SETTLED * abs(mean[-1]))
    return int(stride * (1 if not len(far) else far[-1] + 2))
