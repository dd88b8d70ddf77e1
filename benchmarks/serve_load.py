"""The server under load: so many small questions at once, over HTTP on this machine.

Run `python benchmarks/serve_load.py`. The server, its workers and the clients share the cores.
Three loads: the same few questions from all clients, questions that all differ in the knowledge
base, and what a slider does: one client, one knowledge base, a new assumption each time.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import socket
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from threading import Barrier
from typing import Any

import uvicorn
from _measuring import save

from boxsel import examples
from boxsel.serve.app import create_app
from boxsel.serve.limits import Limits, usual_workers

APPLICANT = examples.text("applicant")
QUESTIONS = (
    ("applicant", "(Admitted | Applicant)"),
    ("applicant", "(Admitted | DeptA)"),
    ("berkeley", "(Admitted | Woman)"),
    ("berkeley", "(Admitted | Man)"),
    ("clinic", "(Smoker | Patient)"),
)
Request = tuple[str, dict[str, Any]]


def repeated(number: int) -> Request:
    """One of a few questions."""
    name, query = QUESTIONS[number % len(QUESTIONS)]
    return "bounds", {"kb": examples.text(name), "query": query}


def different(number: int) -> Request:
    """A question about a knowledge base that nobody has sent before."""
    kb = f"{APPLICANT}(DeptB | Applicant)[0.{1000 + number}, 0.5]\n"
    return "bounds", {"kb": kb, "query": "(Admitted | Applicant)"}


def slider(number: int) -> Request:
    """What if a premise had another number?"""
    assume = [f"(Admitted | DeptA)[0.{100 + number}]"]
    return "ask", {"kb": APPLICANT, "query": "(Admitted | Applicant)", "assume": assume}


class Server:
    """A server in a process of its own, as users have it."""

    def __init__(self, workers: int) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(target=serve, args=(theirs, workers))
        self._process.start()
        self.port: int = ours.recv()

    def post(self, request: Request) -> dict[str, Any]:
        """The answer to a question; anything else is a failure."""
        task, asked = request
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"Content-Type": "application/json"}
        connection.request("POST", f"/api/v1/{task}", json.dumps(asked), headers)
        reply = connection.getresponse()
        answer: dict[str, Any] = json.load(reply)
        connection.close()
        if reply.status != 200 or answer["status"] != "bounded":
            raise RuntimeError(f"{reply.status}: {answer}")
        return answer

    def stop(self) -> None:
        """End the server and its workers."""
        self._process.terminate()
        self._process.join()


def serve(connection: Connection, workers: int) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listening:
        app = create_app(Limits(workers=workers), page=False)
        connection.send(listening.getsockname()[1])
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
        server.run(sockets=[listening])


def load(server: Server, question: Callable[[int], Request], clients: int) -> dict[str, object]:
    """How long answers take if all clients ask at the same moment."""
    together = Barrier(clients)

    def ask(number: int) -> float | None:
        together.wait()
        start = time.perf_counter()
        try:
            server.post(question(number))
        except (RuntimeError, OSError) as error:
            print(error)
            return None
        return time.perf_counter() - start

    with ThreadPoolExecutor(clients) as threads:
        start = time.perf_counter()
        times = list(threads.map(ask, range(clients)))
        whole = time.perf_counter() - start
    return summary([one for one in times if one is not None], clients) | {
        "questions per second": round(clients / whole, 1)
    }


def one_by_one(server: Server, question: Callable[[int], Request], count: int) -> dict[str, object]:
    """How long answers take if one client asks one after the other."""
    times = []
    for number in range(count):
        start = time.perf_counter()
        server.post(question(number))
        times.append(time.perf_counter() - start)
    return summary(times, count)


def summary(times: list[float], asked: int) -> dict[str, object]:
    points = statistics.quantiles(times, n=100, method="inclusive")
    return {
        "asked": asked,
        "failed": asked - len(times),
        "p50 s": round(points[49], 3),
        "p99 s": round(points[98], 3),
        "max s": round(max(times), 3),
    }


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--clients", type=int, default=200)
    options.add_argument("--workers", type=int, default=usual_workers())
    chosen = options.parse_args()
    server = Server(chosen.workers)
    try:
        for number in range(4 * chosen.workers):  # until all workers are there and warm
            server.post(different(1000 + number))
        found = {
            "all at once, 5 questions": load(server, repeated, chosen.clients),
            "all at once, all different": load(server, different, chosen.clients),
            "one by one, assumptions": one_by_one(server, slider, 100),
        }
    finally:
        server.stop()
    for name, row in found.items():
        print(name, row)
    save("serve_load", {"workers": chosen.workers, "clients": chosen.clients, "loads": found})


if __name__ == "__main__":
    main()
