"""Servers that several tests share: starting workers takes a moment."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boxsel.serve.limits import MIB, Limits
from tests.serve.serving import Serving, serving

SMALL = Limits(
    workers=1,
    request_bytes=4 * MIB,
    seconds=1,
    memory_bytes=200 * MIB,
    queued=1,
    jobs=3,
    job_seconds=1,
)
FAULTY = Limits(
    workers=2,
    unpacked_bytes=8 * MIB,
    memory_bytes=1000 * MIB,
    seconds=3600,
    wait_seconds=3600,
    header_seconds=1,
)


@pytest.fixture(scope="session")
def server() -> Iterator[Serving]:
    """A server with the usual limits."""
    with serving(Limits(workers=2)) as running:
        yield running


@pytest.fixture(scope="session")
def faulty_server() -> Iterator[Serving]:
    """A server with little room and much time: what fails on it does not fail by the clock."""
    with serving(FAULTY) as running:
        yield running


@pytest.fixture(scope="session")
def small_server() -> Iterator[Serving]:
    """A server on which every limit is near."""
    with serving(SMALL) as running:
        yield running
