"""Many tasks over processes, or over machines: those of joblib, whose results come in order.

Unlike `processes`, which stops all when one fails, a process that dies loses its task alone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from typing import TypeVar

from boxsel.errors import BoxselError

Task = TypeVar("Task")
Result = TypeVar("Result")


def count_jobs(jobs: int | None) -> int:
    """How many processes work at once, if so many are asked for; none means one for each core.

    Raises:
        BoxselError: There are to be fewer than one.
    """
    jobs = len(os.sched_getaffinity(0)) if jobs is None else jobs
    if jobs < 1:
        raise BoxselError(f"jobs must be at least 1, not {jobs}")
    return jobs


def spread(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int | None
) -> Iterator[Result | None]:
    """The results of all tasks, in order; none where the process died that worked on it.

    So many `jobs` at once; none means one for each core. A single one needs no further process.

    Raises:
        BoxselError: There are to be fewer than one.

    Examples:
        >>> list(spread(abs, [-1, 2, -3], jobs=1))
        [1, 2, 3]
    """
    jobs = count_jobs(jobs)
    return map(work, tasks) if min(jobs, len(tasks)) <= 1 else _side_by_side(work, tasks, jobs)


def _side_by_side(
    work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Iterator[Result | None]:
    """A process does not say at which task it died: the first without a result is done alone."""
    from joblib import Parallel, delayed

    def run(some: Sequence[Task]) -> Iterator[Result]:
        parallel = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch="2*n_jobs")
        results: Iterator[Result] = parallel(delayed(work)(task) for task in some)
        return results

    place = 0
    while place < len(tasks):
        try:
            for result in run(tasks[place:]):
                yield result
                place += 1
        except BrokenExecutor:
            try:
                alone = [*run(tasks[place : place + 1])]
            except BrokenExecutor:
                alone = []
            yield alone[0] if alone else None
            place += 1
