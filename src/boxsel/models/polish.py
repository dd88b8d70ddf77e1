"""The last phase: members that nearly satisfy the axioms are made to satisfy them, in float64."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from boxsel.models.objective import Objective
from boxsel.models.presets import Polish
from boxsel.models.representations.boxes import Boxes
from boxsel.models.rows import Rows
from boxsel.models.run import Run, begun, planned
from boxsel.models.schedule import Schedule

NEAR: Final = 0.1
"""Members with larger violations are beyond polishing."""

STEPS: Final = 600
BATCH: Final = 4096
SLACK: Final = 1e-4
"""How far inside an interval the share should end, so that rounding cannot put it outside."""

SCHEDULE: Final = Schedule(hot=1e-5, cold=1e-5, rate=5e-3, last_rate=1e-4)


def polished(run: Run, when: Polish = "near") -> Run:
    """A run that goes on where another has ended; the same one if there is nothing to polish.

    Only boxes that are models are polished; and only if some member is near to satisfying all,
    unless that is `always` wanted. Where no box model satisfies everything, it still helps: what
    must hold without exception is then mostly made to hold.
    """
    plan = run.plan
    representation = plan.objective.representation
    if not isinstance(representation, Boxes) or not representation.is_model or not run.epoch:
        return run
    if when == "near" and not (run.violations() < NEAR).any():
        return run
    return begun(
        planned(
            replace(plan.task, rows=tightened(plan.task.rows)),
            Objective(representation, polishing=True),
            SCHEDULE,
            members=run.members,
            batch=max(BATCH, plan.batching.size),
            epochs=1,
            least_steps=STEPS,
            seed=plan.batching.seed,
            target=0.0,
            dtype=np.float64,
        ),
        run.parameters,
    )


def tightened(rows: Rows) -> Rows:
    """Rows with intervals a little narrower, where they are intervals."""
    room = np.minimum(SLACK, (rows.upper - rows.lower) / 4)
    return replace(
        rows,
        lower=np.where(rows.lower > 0, rows.lower + room, rows.lower),
        upper=np.where(rows.upper < 1, rows.upper - room, rows.upper),
    )
