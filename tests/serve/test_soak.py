"""A server that has seen many visitors is no larger than one that has seen some."""

from __future__ import annotations

import http.client
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from boxsel import examples
from boxsel.serve.client import Client
from tests.serve.test_command import started

VIEWS, CALLS, JOBS = 1000, 5000, 64
PATIENCE = 600
"""Seconds for one request: a machine may have much else to do."""
WAITING = 250
"""Of those that only fetch the page some wait for their sockets: after so many no more do."""
GROWN_MIB = 60
"""The page of a visitor, if it were kept, would be 400 KiB: all of them would be 400 MiB."""


def resident_mib(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024


def view(host: str, times: int) -> None:
    connection = http.client.HTTPConnection(host, timeout=PATIENCE)
    for _ in range(times):
        connection.request("GET", "/")
        reply = connection.getresponse()
        assert reply.status == 200
        reply.read()
    connection.close()


def ask(client: Client, calls: int) -> None:
    def once(number: int) -> bool:
        kb = f"{examples.text('applicant')}# {number}\n"
        return bool(client.bounds(kb=kb, query="(Admitted | Applicant)")["exact"])

    with ThreadPoolExecutor(4) as threads:
        assert all(threads.map(once, range(calls)))


@pytest.mark.deep  # minutes
@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_memory_stays_flat() -> None:
    with started(workers=2) as (process, address):
        client, host = Client(address, timeout=PATIENCE), urlsplit(address).netloc
        view(host, WAITING)
        ask(client, CALLS // 50)
        before = resident_mib(process.pid)
        view(host, VIEWS)
        ask(client, CALLS)
        for number in range(JOBS):
            assert client.job("check", kb=f"{examples.text('clinic')}# {number}\n")["coherent"]
        grown = resident_mib(process.pid) - before
        assert grown < GROWN_MIB, f"{grown} MiB"
        health = client.call("GET", "health")
        assert (health["live"], health["waiting"]) == (2, 0)
