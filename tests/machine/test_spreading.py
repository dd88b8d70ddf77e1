"""Tasks over processes: results in order, and a process that dies loses its task alone."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from boxsel.errors import BoxselError
from boxsel.machine.spreading import _on_cluster, spread


def squared(number: int) -> int:
    return number * number


def dying(number: int) -> int:
    """What a process does whose memory runs out at one of the tasks."""
    if number == 3:
        os._exit(1)
    return number * number


def test_results_are_in_order() -> None:
    assert [*spread(squared, [3, 1, 2], jobs=1)] == [9, 1, 4]
    assert [*spread(squared, [], jobs=None)] == []
    with pytest.raises(BoxselError, match="at least 1, not 0"):
        spread(squared, [1], jobs=0)


@pytest.mark.deep  # each death starts all processes anew
def test_a_process_that_dies_loses_only_its_task() -> None:
    assert [*spread(dying, [*range(6)], jobs=2)] == [0, 1, 4, None, 16, 25]


@pytest.mark.deep  # a cluster takes seconds to start, and so does a worker after each death
def test_a_real_cluster_loses_only_the_task_at_which_workers_die() -> None:
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    import joblib

    with (
        distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=None),
        joblib.parallel_config(backend="dask"),
    ):
        assert [*spread(dying, [*range(6)], jobs=2)] == [0, 1, 4, None, 16, 25]


class Future:
    """What a task of a cluster came to: a result, or a status as long as there is none."""

    def __init__(self, result: int | Exception, status: str = "finished") -> None:
        self.status, self._result = status, result

    def result(self, timeout: float) -> int:
        assert timeout > 0
        if isinstance(self._result, Exception):
            raise self._result
        return self._result


class Cluster:
    """A client of which some futures are other ones when they are first sent."""

    def __init__(self, workers: int = 2, **first: Future) -> None:
        self._workers, self._first = workers, {int(one[1:]): first[one] for one in first}
        self.cancelled: list[Future] = []

    def submit(self, work: Callable[[int], int], task: int, pure: bool) -> Future:
        assert not pure
        return self._first.pop(task, None) or Future(work(task))

    def scheduler_info(self) -> dict[str, range]:
        return {"workers": range(self._workers)}

    def cancel(self, futures: list[Future]) -> None:
        self.cancelled = futures


def test_a_worker_of_a_cluster_that_dies_loses_only_its_task() -> None:
    scheduler = pytest.importorskip("distributed.scheduler", reason="Dask is not installed")
    killed = Future(scheduler.KilledWorker("task", None, 3), "error")
    cluster = Cluster(_3=killed, _5=Future(TimeoutError(), "lost"))
    assert [*_on_cluster(cluster, squared, range(7), 2)] == [0, 1, 4, None, 16, 25, 36]
    results = _on_cluster(cluster, squared, range(9), 2)
    assert next(results) == 0
    results.close()  # type: ignore[attr-defined]
    assert len(cluster.cancelled) == 4  # of the rest nothing is wanted


def test_a_cluster_without_workers_is_not_waited_for() -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    cluster = Cluster(workers=0, _1=Future(TimeoutError(), "pending"))
    results = _on_cluster(cluster, squared, range(3), 1)
    assert next(results) == 0
    with pytest.raises(BoxselError, match="has had no worker for 60 seconds"):
        next(results)
