"""Runs that go on from others: a last phase of polishing, and members that a query directs.

Members that nearly satisfy the axioms are made to satisfy them, in double precision. Directed
members are pushed to the ends of a query's interval.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.statements import Query
from boxsel.models.batching import Batching
from boxsel.models.groups import members_of
from boxsel.models.measuring import Batch, batches
from boxsel.models.newton import satisfying
from boxsel.models.objective import Asked, Objective
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.populations import Populations
from boxsel.models.run import REST, Run, begun, planned
from boxsel.models.settings import Polish, Schedule
from boxsel.models.task import tightened

if TYPE_CHECKING:
    from boxsel.models.model import Model

WORST_POLISHED: Final = 0.1
"""Members with larger violations are beyond polishing."""

POLISHING_STEPS: Final = 600
POLISHING_BATCH: Final = 4096
POLISHING: Final = Schedule(hot=1e-5, cold=1e-5, rate=5e-3, last_rate=1e-4)


def polished(run: Run, when: Polish = "near") -> Run:
    """A run that goes on where another has ended; the same one if there is nothing to polish.

    Only boxes that are models and populations are polished; and only if some member is near to
    satisfying all, unless that is `always` wanted, or `never`, or can be solved for. Where no model
    satisfies everything, it still helps: what must hold without exception is then mostly made to
    hold.
    """
    plan = run.plan
    representation = plan.objective.representation
    if not isinstance(representation, Boxes | Populations) or not representation.is_model:
        return run
    if not run.epoch:
        return run
    if when == "never":
        return run
    near = when == "always" or bool((run.violations() < WORST_POLISHED).any())
    if isinstance(representation, Populations):
        return _satisfied(run, representation, near)
    if not near:
        return run
    assert isinstance(plan.batching, Batching)
    return begun(
        planned(
            replace(plan.task, rows=tightened(plan.task.rows)),
            Objective(representation, polishing=True),
            POLISHING,
            members=run.members,
            batch=max(POLISHING_BATCH, plan.batching.size),
            epochs=1,
            least_steps=POLISHING_STEPS,
            seed=plan.batching.seed,
            target=0.0,
            dtype=np.float64,
        ),
        run.parameters,
    )


def _satisfied(run: Run, how: Populations, near: bool) -> Run:
    """The run with members that satisfy what they can, in double precision, and nothing to do."""
    plan = run.plan
    # Where individuals are is said in cells: these must not become others.
    satisfied = satisfying(
        how,
        run.parameters,
        tightened(plan.task.rows),
        near=near,
        exactly=not len(plan.task.points),
    )
    return begun(
        planned(
            plan.task,
            Objective(how),
            plan.schedule,
            members=run.members,
            batch=POLISHING_BATCH,
            epochs=0,
            least_steps=0,
            seed=0,
            target=0.0,
            dtype=np.float64,
        ),
        satisfied,
    )


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
        Objective(
            representation,
            asked.shape,
            settings.margin,
            settings.regularisers,
            weighting=settings.weighting,
        ),
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
