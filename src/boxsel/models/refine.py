"""Directed members: an ensemble that trains on, pushed to the ends of a query's interval."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.statements import Query
from boxsel.models.groups import members_of
from boxsel.models.measuring import Batch, batches
from boxsel.models.objective import Asked, Objective
from boxsel.models.run import REST, Run, begun, planned

if TYPE_CHECKING:
    from boxsel.models.model import Model

GENTLE: Final = 0.02
"""The weakest push, beside a strongest of 1."""


def directed_run(model: Model, query: Query) -> Run:
    """A run that goes on from a trained ensemble: every other member is pushed down, the rest up.

    The push fades out while the temperature falls, so that the members end where the knowledge
    base holds, near the end that they were pushed to.
    """
    fillers = model.representation.complex_fillers
    (batch,) = batches([(query.head, query.body)], model.task.numbering, fillers)
    return pushed_run(model, batch, model.settings.members)


def pushed_run(model: Model, asked: Batch, each: int) -> Run:
    """The same for several queries of one shape at once.

    The first `each` members of the ensemble are copied for every query, one query after the other.
    """
    settings, queries = model.settings, len(asked)
    representation = model.representation
    preset = settings.chosen_preset()
    schedule = preset.refining
    if settings.rate is not None:
        schedule = replace(schedule, rate=settings.rate)
    plan = planned(
        model.task,
        Objective(representation, asked.shape, settings.margin, settings.regularisers),
        schedule,
        members=queries * each,
        batch=settings.batch,
        epochs=1,
        least_steps=preset.refining_steps,
        seed=settings.seed + 1,
        target=settings.tolerance / REST,
        asked=Asked(asked.names, asked.roles, np.kron(np.eye(queries), directions(each))),
        dtype=preset.dtype,
    )
    return begun(plan, members_of(model.parameters, np.tile(np.arange(each), queries)))


def directions(members: int) -> NDArray[np.float64]:
    """How strongly each member is pushed: half down, half up, some gently and some hard.

    No one strength suits all knowledge bases: a gentle push does not reach the ends, a hard one
    leaves members where the axioms no longer pull them back.

    Examples:
        >>> directions(6).round(2).tolist()
        [-0.02, 0.02, -0.14, 0.14, -1.0, 1.0]
    """
    half = (members + 1) // 2
    strengths = np.geomspace(GENTLE, 1.0, half) if half > 1 else np.array([np.sqrt(GENTLE)])
    signs = np.where(np.arange(members) % 2, 1.0, -1.0)
    return signs * np.repeat(strengths, 2)[:members]
