"""Jobs: created, looked at, cancelled, bounded in number and in time."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest

from boxsel import examples
from boxsel.serve.client import ApiError
from boxsel.serve.handle import Reply
from boxsel.serve.jobs import Job, Jobs
from boxsel.serve.limits import Limits
from boxsel.serve.pool import Pool
from boxsel.serve.problems import ProblemError
from tests.serve.serving import Serving
from tests.serve.test_limits_reached import LONG, works

APPLICANT = examples.text("applicant")


class Working:
    """Stands for the pool: work takes until it is let go on."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.for_long_work = asyncio.Semaphore(limits.job_workers)
        self.go_on = asyncio.Event()
        self.running = 0

    async def reply(self, task: str, asked: Any, **options: Any) -> Reply:
        self.running += 1
        try:
            options["told"]({"task": "reading", "done": 1, "total": 2, "note": ""})
            await self.go_on.wait()
        finally:
            self.running -= 1
        if task == "fail":
            raise ProblemError("out-of-memory", "too much")
        return Reply(json.dumps({"task": task, "long": "x" * asked.get("size", 0)}).encode(), True)


def jobs_of(limits: Limits) -> tuple[Jobs, Working]:
    working = Working(limits)
    return Jobs(cast(Pool, working)), working


def told(job: Job) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(job.to_json())
    return content


async def a_moment() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_job_goes_through_its_states() -> None:
    async def story() -> None:
        jobs, working = jobs_of(Limits(workers=2))
        first, second, third = (jobs.create(task, {}) for task in ("check", "fail", "bounds"))
        assert first.state == "queued"
        await a_moment()
        assert [job.state for job in (first, second, third)] == ["running", "queued", "queued"]
        assert working.running == 1  # one of two workers is left for questions
        assert told(first)["progress"]["done"] == 1
        jobs.cancel(third.id)
        working.go_on.set()
        await a_moment()
        await a_moment()
        assert (first.state, told(first)["result"]["task"]) == ("done", "check")
        assert second.state == "failed"
        assert told(second)["problem"]["type"].endswith("out-of-memory")
        assert third.state == "cancelled"
        assert jobs.cancel(first.id).state == "done"

    asyncio.run(story())


def test_cancelling_ends_the_work_and_makes_room() -> None:
    async def story() -> None:
        jobs, working = jobs_of(Limits(workers=1, jobs=2))
        first, second = jobs.create("check", {}), jobs.create("check", {})
        await a_moment()
        with pytest.raises(ProblemError, match="2 jobs are not over yet"):
            jobs.create("check", {})
        jobs.cancel(first.id)
        await a_moment()
        assert (first.state, second.state, working.running) == ("cancelled", "running", 1)
        third = jobs.create("check", {})
        with pytest.raises(ProblemError, match="no such job"):
            jobs.find(first.id)
        await jobs.stop()
        assert (second.state, third.state, working.running) == ("cancelled", "cancelled", 0)

    asyncio.run(story())


def test_a_job_is_forgotten_after_its_time() -> None:
    async def story() -> None:
        jobs, working = jobs_of(Limits(workers=1, job_kept_seconds=0.01))
        working.go_on.set()
        job = jobs.create("check", {})
        await a_moment()
        assert jobs.find(job.id).state == "done"
        await asyncio.sleep(0.05)
        with pytest.raises(ProblemError):
            jobs.find(job.id)

    asyncio.run(story())


def test_results_are_kept_as_long_as_there_is_room() -> None:
    async def story() -> None:
        jobs, working = jobs_of(Limits(workers=1, job_bytes=1000))
        working.go_on.set()
        made = []
        for size in (400, 400, 400, 5000):
            made.append(jobs.create("check", {"size": size}))
            await a_moment()
            await a_moment()
            assert told(jobs.find(made[-1].id))["state"] == "done"
        for forgotten in made[:3]:
            with pytest.raises(ProblemError, match="no such job"):
                jobs.find(forgotten.id)

    asyncio.run(story())


def test_over_http(small_server: Serving) -> None:
    client = small_server.client
    seen: list[str] = []
    result = client.job("check", lambda job: seen.append(job["state"]), kb=APPLICANT)
    assert result == client.check(kb=APPLICANT)
    assert set(seen) <= {"queued", "running"}
    with pytest.raises(ApiError, match="does not mention"):
        client.job("bounds", kb=APPLICANT, query="(Nobody | Applicant)")


def test_a_running_job_shows_progress_and_can_be_cancelled(server: Serving) -> None:
    client = server.client
    job = client.call("POST", "jobs/show", {"kb": LONG})
    while not job["progress"]:
        job = client.call("GET", f"jobs/{job['id']}")
        assert job["state"] in ("queued", "running")
    assert 0 <= job["progress"]["done"] <= job["progress"]["total"]
    assert client.call("DELETE", f"jobs/{job['id']}")["state"] == "cancelled"
    assert client.call("GET", f"jobs/{job['id']}")["result"] is None
    assert works(client)


def test_a_job_has_a_limit_of_its_own(small_server: Serving) -> None:
    with pytest.raises(ApiError) as error:
        small_server.client.job("show", kb=LONG)
    assert error.value.problem["type"].endswith("out-of-time")
