"""Whatever a request does, the server stays up and says what happened."""

from __future__ import annotations

import bz2
import gzip
import http.client
import io
import json
import os
import resource
import signal
import time
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest

from boxsel import examples
from boxsel.serve.client import ApiError, Client
from boxsel.serve.limits import MIB
from tests.serve.serving import Serving

APPLICANT = examples.text("applicant")
QUERY = "(Admitted | Applicant)"
# Reading takes longer than the small server allows, and no budget is looked at meanwhile.
LONG = "".join(f"A{i} and r some (B{i} and C) SubClassOf D{i}\n" for i in range(16_000))


def kind(error: pytest.ExceptionInfo[ApiError]) -> str:
    return str(error.value.problem["type"]).rpartition(":")[2]


def works(client: Client, kb: str = APPLICANT, query: str = QUERY) -> bool:
    """Whether a question is answered; in a second perhaps not the first time."""

    def answered() -> bool:
        with suppress(ApiError):
            return bool(client.bounds(kb=kb, query=query)["lower_exact"] == "4/25")
        return False

    return eventually(answered)


def eventually(happened: Callable[[], object], seconds: float = 120) -> bool:
    """Whether something happens; the machine may have much else to do."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happened():
            return True
        time.sleep(0.02)
    return False


def is_busy(server: Serving) -> bool:
    """Whether a worker is in the middle of something."""
    pool = server.app.state.pool
    return any(worker.took and worker not in pool._idle for worker in pool._all)


def test_work_that_does_not_end_is_ended(small_server: Serving) -> None:
    with pytest.raises(ApiError) as error:
        small_server.client.show(kb=LONG)
    assert (kind(error), error.value.status) == ("out-of-time", 504)
    assert "after 1 seconds" in str(error.value)
    assert works(small_server.client)


def test_reasoning_ends_by_itself_when_its_budget_is_spent(small_server: Serving) -> None:
    client = small_server.client
    works(client)
    before = small_server.app.state.pool.pids
    assert client.explain(kb=APPLICANT, query=QUERY, budget=1e-9)["status"] == "budget"
    assert client.bounds(kb=APPLICANT, query=QUERY, budget=1e-9)["status"] == "budget"
    assert small_server.app.state.pool.pids == before


def test_an_answer_for_want_of_time_is_not_kept(small_server: Serving) -> None:
    client = small_server.client
    assert works(client)
    asked = {"kb": APPLICANT + "# other\n", "query": QUERY}
    assert client.bounds(**asked, budget=1e-9)["status"] == "budget"
    assert works(client, **asked)


def zipped(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", data)
    return packed.getvalue()


@pytest.mark.parametrize("packed", [gzip.compress, bz2.compress, zipped])
def test_a_file_that_unpacks_to_more_than_is_read(
    faulty_server: Serving, packed: Callable[[bytes], bytes]
) -> None:
    bomb = packed(bytes(64 * MIB))
    with pytest.raises(ApiError) as error:
        faulty_server.client.read(bomb)
    assert (kind(error), error.value.status) == ("request-too-large", 413)
    assert "unpacks to more than 8 MiB" in str(error.value)
    assert works(faulty_server.client)


def test_too_many_statements(small_server: Serving) -> None:
    with pytest.raises(ApiError) as error:
        small_server.client.show(kb="(B | A)[0.5]\n" * 20_001)
    assert (kind(error), error.value.problem["limit"]) == ("too-many-statements", 20_000)


def test_a_killed_worker_is_replaced(server: Serving) -> None:
    client = server.client
    assert works(client)
    slow = {"kb": LONG, "format": "sel"}
    with ThreadPoolExecutor(1) as threads:
        asked = threads.submit(client.call, "POST", "show", {**slow, "kb": LONG + "#"})
        assert eventually(lambda: is_busy(server))
        killed = server.app.state.pool.pids
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(ApiError) as error:
            asked.result()
        assert (kind(error), error.value.status) == ("worker-died", 502)
    assert client.check(kb=APPLICANT)["coherent"]
    assert not set(killed) & set(server.app.state.pool.pids)


def test_a_worker_that_was_killed_while_idle_costs_no_request(server: Serving) -> None:
    assert server.client.check(kb=APPLICANT)["coherent"]
    assert eventually(lambda: server.app.state.pool.idle == 2)
    for pid in server.app.state.pool.pids:
        os.kill(pid, signal.SIGKILL)
    time.sleep(0.1)
    assert all(server.client.check(kb=APPLICANT + "#" * n)["coherent"] for n in range(4))


def test_many_questions_at_once(server: Serving) -> None:
    def ask(number: int) -> float:
        share = f"0.{number + 100}"
        kb = f"{APPLICANT}(DeptB | Applicant)[{share}]\n"
        return float(server.client.bounds(kb=kb, query="(DeptB | Applicant)")["lower"]) - float(
            share
        )

    with ThreadPoolExecutor(200) as threads:
        assert {round(one, 9) for one in threads.map(ask, range(200))} == {0.0}


def test_a_full_queue_is_told(small_server: Serving) -> None:
    client = small_server.client

    def ask(number: int) -> str:
        try:
            client.show(kb=LONG + "#" * number)
        except ApiError as error:
            return str(error.problem["type"]).rpartition(":")[2]
        return "answered"

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(ask, range(10, 18)))
    assert "busy" in found
    assert set(found) <= {"busy", "out-of-time"}
    assert works(client)


def test_an_upload_of_100_mib_is_refused_without_being_held(small_server: Serving) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    status, problem = post_in_parts(small_server.port, 100, length=100 * MIB)
    assert (status, problem["type"]) == (413, "urn:boxsel:problem:request-too-large")
    status, problem = post_in_parts(small_server.port, 100, length=None)
    assert (status, problem["limit"]) == (413, 4 * MIB)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 30 * 1024, f"{grown} KiB"
    assert works(small_server.client)


def post_in_parts(port: int, parts: int, length: int | None) -> tuple[int, dict[str, Any]]:
    """Send mebibytes one by one, with or without saying how many."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest("POST", "/api/v1/show")
    connection.putheader("Content-Type", "application/json")
    if length is None:
        connection.putheader("Transfer-Encoding", "chunked")
    else:
        connection.putheader("Content-Length", str(length))
    connection.endheaders()
    part = b" " * MIB
    try:
        for _ in range(parts):
            connection.send(part if length is not None else b"%x\r\n%s\r\n" % (MIB, part))
        if length is None:
            connection.send(b"0\r\n\r\n")
    except (BrokenPipeError, ConnectionResetError):
        pass
    reply = connection.getresponse()
    status, problem = reply.status, json.load(reply)
    connection.close()
    return status, problem


def test_work_for_a_client_that_went_away_is_ended(server: Serving) -> None:
    works(server.client)
    assert eventually(lambda: server.app.state.pool.idle == 2)
    before = set(server.app.state.pool.pids)
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    body = json.dumps({"kb": LONG + "# gone"})
    connection.request("POST", "/api/v1/show", body, {"Content-Type": "application/json"})
    assert eventually(lambda: is_busy(server))
    connection.close()
    assert eventually(lambda: before - set(server.app.state.pool.pids))
    assert works(server.client)


def test_slow_work_does_not_stop_others(server: Serving) -> None:
    client = server.client
    assert eventually(lambda: client.call("GET", "health")["idle"] == 2)
    slow = client.call("POST", "jobs/show", {"kb": LONG})["id"]
    assert client.check(kb=APPLICANT + "# while another works\n")["coherent"]
    assert client.call("DELETE", f"jobs/{slow}")["state"] == "cancelled"  # it was not over
