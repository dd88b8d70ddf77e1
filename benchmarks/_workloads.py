"""A workload for training, and how to begin and time it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from boxsel.models.objective import Objective
from boxsel.models.representations.representation import Sizes
from boxsel.models.run import Run, begun, planned
from boxsel.models.settings import Settings
from boxsel.models.task import Task

Found = TypeVar("Found")


@dataclass(frozen=True)
class Workload:
    """What is trained, and how much of it."""

    task: Task
    members: int
    dim: int
    batch: int
    epochs: int
    kind: str = "boxes"

    def first(self, batches: int) -> Workload:
        """A workload of so many batches of the same rows, if there are as many."""
        rows = self.task.rows
        wanted = min(len(rows), batches * self.batch)
        some = np.sort(np.random.default_rng(0).permutation(len(rows))[:wanted])
        return replace(self, task=replace(self.task, rows=rows.take(some)))


def begin(workload: Workload) -> Run:
    """A run of the default preset before its first step."""
    task = workload.task
    chosen = Settings(representation=workload.kind, dim=workload.dim)
    representation = chosen.chosen_representation()
    plan = planned(
        task,
        Objective(representation),
        chosen.chosen_preset().schedule,
        members=workload.members,
        batch=workload.batch,
        epochs=workload.epochs,
        least_steps=0,
        seed=0,
        target=0.0,
    )
    numbering = task.numbering
    sizes = Sizes(len(numbering.names) + 1, len(numbering.roles) + 1, 0, workload.members)
    return begun(plan, representation.initial(np.random.default_rng(0), sizes))


def timed(work: Callable[[], Found]) -> tuple[float, Found]:
    """The seconds that something takes, and what it gives."""
    begin = time.perf_counter()
    found = work()
    return time.perf_counter() - begin, found
