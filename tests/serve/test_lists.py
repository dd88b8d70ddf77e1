"""A list of queries is answered as its queries are one by one, in order, in every way of asking."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import httpx
import pytest

from boxsel import examples
from boxsel.serve import lists
from boxsel.serve.client import ApiError
from boxsel.serve.problems import ProblemError
from tests.serve.serving import Serving

KB = examples.text("berkeley")
QUERIES = ["(Admitted | Woman)", "(Admitted |", "(Admitted | Man)", "(Nobody | Man)"]


def untimed(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "seconds"}


def alone(server: Serving, task: str, query: str) -> dict[str, Any]:
    """The answer to one query, or the problem with it."""
    try:
        return untimed(server.client.call("POST", task, {"kb": KB, "query": query}))
    except ApiError as error:
        return error.problem


@pytest.mark.parametrize("task", ["bounds", "ask", "explain", "sensitivity", "next"])
def test_a_list_is_answered_as_its_queries_alone(server: Serving, task: str) -> None:
    each = [alone(server, task, query) for query in QUERIES]
    asked: dict[str, Any] = {"kb": KB, "queries": QUERIES}
    whole = server.client.call("POST", task, asked)
    assert [*map(untimed, whole["answers"])] == each
    assert [*map(untimed, server.client.stream(task, **asked))] == each
    job = server.client.job(task, **asked)
    assert [*map(untimed, job["answers"])] == each
    assert [content.get("status") for content in each][1] == 422


def test_no_queries_have_no_answers(server: Serving) -> None:
    assert server.client.bounds(kb=KB, queries=[]) == {"answers": []}
    assert [*server.client.stream("bounds", kb=KB, queries=[])] == []


def test_one_query_may_come_as_a_line(server: Serving) -> None:
    (answer,) = server.client.stream("bounds", kb=KB, query=QUERIES[0])
    assert untimed(answer) == alone(server, "bounds", QUERIES[0])


def test_a_line_for_each_answer(server: Serving) -> None:
    reply = httpx.post(
        f"{server.client.address}/api/v1/bounds",
        json={"kb": KB, "queries": QUERIES},
        headers={"Accept": "application/x-ndjson"},
        timeout=600,
    )
    assert reply.headers["content-type"] == "application/x-ndjson"
    assert reply.text.endswith("\n")
    assert len([json.loads(line) for line in reply.text.splitlines()]) == len(QUERIES)


@pytest.mark.parametrize("asked", [{}, {"query": QUERIES[0], "queries": QUERIES}])
@pytest.mark.parametrize("path", ["bounds", "jobs/bounds"])
def test_a_request_asks_one_thing_or_a_list(
    server: Serving, path: str, asked: dict[str, Any]
) -> None:
    with pytest.raises(ApiError, match="send one as query, or a list as queries") as caught:
        server.client.call("POST", path, {"kb": KB, **asked})
    assert caught.value.status == 422
    with pytest.raises(ApiError, match="send one as query, or a list as queries"):
        [*server.client.stream("bounds", kb=KB, **asked)]


def test_answers_that_are_too_large_together_are_a_problem() -> None:
    async def answer(_asked: Mapping[str, Any]) -> bytes:
        return b'"ten bytes"'

    asked = {"query": None, "queries": ["a", "b", "c"]}
    assert len(json.loads(asyncio.run(lists.text(asked, answer, 33)))["answers"]) == 3
    with pytest.raises(ProblemError, match="send fewer queries"):
        asyncio.run(lists.text(asked, answer, 32))


def test_lines_come_as_they_are_found() -> None:
    begun: list[str] = []

    async def answer(asked: Mapping[str, Any]) -> bytes:
        begun.append(asked["query"])
        return b"{}"

    async def story() -> None:
        stream = lists.lines({"query": None, "queries": ["a", "b"]}, answer)
        assert await anext(stream) == b"{}\n"
        assert begun == ["a"]
        await stream.aclose()  # the client went away

    asyncio.run(story())
    assert begun == ["a"]
