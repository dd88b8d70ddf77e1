"""Lists of queries: each is a question of its own, and answers come in the order of the list.

So each has the limits, the place in the queue and the kept answer of a question that comes alone,
and one that has no answer has its problem in its place: the others are not lost with it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from typing import Any, Final

from boxsel.serve.limits import MIB
from boxsel.serve.problems import ProblemError

Answer = Callable[[Mapping[str, Any]], Awaitable[bytes]]
"""How one question is answered."""

NDJSON: Final = "application/x-ndjson"


def split(asked: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The questions that a request is about: one for each of its queries.

    Raises:
        ProblemError: There is neither a query nor a list of them, or there are both.

    Examples:
        >>> split({"kb": "(B | A)[0.5]", "query": None, "queries": ["(B | A)", "(A | B)"]})[1]
        {'kb': '(B | A)[0.5]', 'query': '(A | B)'}
    """
    rest = {key: value for key, value in asked.items() if key not in ("query", "queries")}
    query, queries = asked.get("query"), asked.get("queries")
    if (query is None) == (queries is None):
        problem = "there is no query" if query is None else "there are both query and queries"
        raise ProblemError("invalid-input", f"{problem}: send one as query, or a list as queries")
    return [{**rest, "query": one} for one in ([query] if queries is None else queries)]


async def lines(asked: Mapping[str, Any], answer: Answer) -> AsyncGenerator[bytes]:
    """The answers to the queries of a request as NDJSON, each as soon as it is there."""
    for question in split(asked):
        yield await _answer_or_problem(question, answer) + b"\n"


async def text(asked: Mapping[str, Any], answer: Answer, most: int) -> bytes:
    """The answer to a request as one JSON object; those to a list in so many bytes at most.

    Raises:
        ProblemError: A single question has no answer, or those to a list are too large together.
    """
    if "queries" not in asked:
        return await answer(asked)
    questions = split(asked)
    if asked["queries"] is None:
        return await answer(questions[0])
    parts: list[bytes] = []
    size = 0
    for question in questions:
        parts.append(await _answer_or_problem(question, answer))
        size += len(parts[-1])
        if size > most:
            raise ProblemError(
                "answer-too-large",
                f"the answers have more than {most // MIB:,} MiB together: send fewer queries at"
                f" once, or let them come one by one (Accept: {NDJSON})",
                limit=most,
            )
    return b'{"answers": [' + b", ".join(parts) + b"]}"


async def _answer_or_problem(question: Mapping[str, Any], answer: Answer) -> bytes:
    try:
        return await answer(question)
    except ProblemError as problem:
        return json.dumps(problem.to_json()).encode()
