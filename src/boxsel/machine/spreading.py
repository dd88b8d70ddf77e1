"""Many tasks over processes, or over machines: those of joblib, whose results come in order.

Unlike `processes`, which stops all when one fails, a process that dies loses its task alone. On a
Dask cluster tasks go to its own futures: joblib would wait for a worker that was killed.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from itertools import islice
from typing import Any, Final, TypeVar

from boxsel.errors import BoxselError

LOOK: Final = 10.0
LOOKS: Final = 6
"""After so many seconds it is looked whether a result was lost; and so often whether a cluster that
has no workers has got one."""
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
    if min(jobs, len(tasks)) <= 1:
        return map(work, tasks)
    client = _cluster()
    if client is not None:
        return _on_cluster(client, work, tasks, jobs)
    return _side_by_side(work, tasks, jobs)


def _cluster() -> Any:
    """The client of the Dask cluster that joblib was told to use, if it was."""
    from joblib.parallel import get_active_backend

    backend, _ = get_active_backend()
    return getattr(backend, "client", None)  # no other backend has one


def _on_cluster(
    client: Any, work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int
) -> Iterator[Result | None]:
    """Dask knows at which task a worker died, and gives it up after a few deaths.

    Raises:
        BoxselError: There are no workers any more.
    """
    from distributed.scheduler import KilledWorker

    def submit(task: Task) -> tuple[Task, Any]:
        return task, client.submit(work, task, pure=False)

    waiting = iter(tasks)
    sent = deque(map(submit, islice(waiting, 2 * jobs)))
    try:
        while sent:
            task, future = sent.popleft()
            idle = 0
            while True:
                try:
                    result = future.result(timeout=LOOK)
                    break
                except KilledWorker:
                    result = None
                    break
                except TimeoutError:
                    idle = 0 if client.scheduler_info()["workers"] else idle + 1
                    if idle == LOOKS:
                        raise BoxselError(
                            f"the Dask cluster has had no worker for {LOOK * LOOKS:.0f} seconds:"
                            " start some, and give them more memory if they were killed"
                        ) from None
                    if future.status == "lost" and not idle:  # with the worker that had the result
                        _, future = submit(task)
            sent.extend(map(submit, islice(waiting, 1)))
            yield result
    finally:  # whoever looks at no more results needs none
        client.cancel([future for _, future in sent])


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
