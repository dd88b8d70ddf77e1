"""An ensemble trained on what a split lets it learn, and what it predicts for the queries."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import jax
import numpy as np
from jax.errors import JaxRuntimeError

from boxsel.errors import BoxselError
from boxsel.evaluation.cells import Prediction, counts_for
from boxsel.evaluation.conditionals import Conditionals, Floats, Ints
from boxsel.evaluation.splits.split import Split, with_named_root
from boxsel.logic.kb import KB
from boxsel.models.arrays import Parameters, members_in
from boxsel.models.batching import NEVER, Batching
from boxsel.models.compiled import RowErrors, row_errors
from boxsel.models.concept_shapes import LEAF, Shape
from boxsel.models.fit import prepared
from boxsel.models.further_runs import polished, pushed_run
from boxsel.models.measuring import Batch, Members, ends, shares
from boxsel.models.model import Model
from boxsel.models.representations.representation import Representation
from boxsel.models.run import completed
from boxsel.models.settings import Settings
from boxsel.models.task import Rows, Task

GRAIN = 4
"""Numbers of rows are rounded up to a power of two, or to that with so many steps between."""

SETTLED = 0.05
"""A loss is settled when it stays within this part of its last value."""

_EXISTS: Final[Shape] = ("r", LEAF)

SHAPES: Final[dict[int, tuple[tuple[Shape, Shape], list[int], list[int]]]] = {
    1: ((LEAF, LEAF), [0, 2], []),
    2: ((("and", LEAF, LEAF), LEAF), [0, 1, 2], []),
    3: ((_EXISTS, LEAF), [0, 2], [0]),
    4: ((LEAF, _EXISTS), [0, 2], [2]),
}
"""For each of the four normal forms: its shape, and the slots of its names and of its roles."""

AT_ONCE: Final = 256
"""How many queries are in work at once."""

TIMED: Final = 50
"""How many queries are asked one by one, to see how long one takes."""


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
    rows = split.rows()
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
        np.concatenate([rows.apart, np.zeros(missing, bool)]),
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


def batches_of(asked: Conditionals) -> Iterator[Batch]:
    """Conditionals by their shape, as what representations measure."""
    for number, (shape, names, roles) in SHAPES.items():
        places = np.flatnonzero(asked.shape == number)
        if len(places):
            yield Batch(
                shape,
                asked.names[places][:, names].astype(np.int32),
                asked.roles[places][:, roles].astype(np.int32).reshape(len(places), -1),
                places,
            )


def asked_shares(
    representation: Representation, parameters: Parameters, asked: Conditionals
) -> Floats:
    """The share of each conditional in each member; NaN where its body is empty."""
    found: Floats = np.full((len(asked), members_in(parameters)), np.nan)
    for batch in batches_of(asked):
        for start in range(0, len(batch), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            rows = ([*batch.names[some].T], [*batch.roles[some].T])
            found[batch.places[some]] = shares(representation, parameters, batch.shape, *rows)
    return found


def spanned(values: Floats, counts: Sequence[int]) -> Floats:
    """The intervals that the first members span, for several numbers of members: [c, q, 2]."""
    intervals: Floats = np.stack([ends(values[:, :count]) for count in counts])
    return intervals


def directed_ends(done: Trained, asked: Conditionals, each: int, random: Floats) -> Floats:
    """The intervals that random and directed members span together.

    A directed member counts only if what it was taught fits it as well as the worst of the random
    members, by the mean error, or up to the tolerance: a push that breaks what is known proves
    nothing about a query.
    """
    model, found = done.model, random.copy()
    worst = done.errors.mean.max()
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
        # Of what was learned: a conditional that is undefined says nothing, and is no row.
        "counted": float(done.errors.counted.mean()) / max(1, int(split.learning.defined.sum())),
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
    ready = Members(model.representation, model.parameters, model.task.numbering).settled()
    few = split.ontology.queries(split.queries.take(np.arange(min(TIMED, len(split.queries)))))
    start = time.perf_counter()
    for query in few:
        ready.share(query.head, query.body)
    return (time.perf_counter() - start) / max(1, len(few))
