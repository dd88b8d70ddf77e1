"""`boxsel serve` as users start and stop it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from boxsel import examples
from boxsel.serve.client import ApiError, Client
from tests.cli.inside import Inside

COMMAND = [sys.executable, "-m", "boxsel", "serve"]


@contextmanager
def started(*options: str, workers: int = 1) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [*COMMAND, "--no-browser", "--port", "0", "--workers", str(workers), *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        assert line.startswith("boxsel is at http://"), line
        yield process, line.removeprefix("boxsel is at ").strip()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(one) for one in found] + [
        int(one) for thread in threads for one in (thread / "children").read_text().split()
    ]


def gone(pids: list[int]) -> bool:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if not any(Path(f"/proc/{pid}").exists() for pid in pids):
            return True
        time.sleep(0.05)
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_no_process_is_left_behind(how: signal.Signals) -> None:
    with started(str(examples.path("applicant.sel"))) as (process, address):
        client = Client(address)
        kb, query = examples.text("applicant"), "(Admitted | Applicant)"
        assert client.bounds(kb=kb, query=query)["lower_exact"] == "4/25"
        workers = children(process.pid)
        assert workers
        os.kill(process.pid, how)
        code = process.wait(timeout=120)
        assert code == (-how if how is signal.SIGKILL else 0)
        assert gone(workers)
        assert process.stderr is not None
        assert "Traceback" not in process.stderr.read()


def test_a_token_is_asked_for() -> None:
    token = "a-token-of-24-characters"
    with started("--host", "0.0.0.0", "--token", token) as (process, address):
        assert token not in address  # whoever chose it knows it, and a journal need not
        port = address.rpartition(":")[2].strip("/")
        here = f"http://127.0.0.1:{port}"
        with pytest.raises(ApiError, match="A token is needed"):
            Client(here).call("GET", "health")
        assert Client(here, token).call("GET", "health")["workers"] == 1
        process.terminate()
        assert process.wait(timeout=120) == 0


def test_bad_options_are_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*options: str) -> str:
        return Inside(capsys).complaint("serve", *options)

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port} of 127.0.0.1 is taken" in refused("--port", port)
    assert "give a token" in refused("--host", "0.0.0.0")
    assert "at least 16" in refused("--token", "short")
    assert "--size nan is no limit" in refused("--size", "nan")
    assert "--memory inf is no limit" in refused("--memory", "inf")
    assert "no such file" in refused(str(tmp_path / "none.sel"))
    large = tmp_path / "large.sel"
    large.write_text("A SubClassOf B\n" * 100_000)
    assert "--size" in refused(str(large), "--size", "1")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert "pip install 'boxsel[web]'" in refused()


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(ApiError, match="cannot be reached"):
        Client("http://127.0.0.1:9", timeout=2).check(kb="A SubClassOf B")
