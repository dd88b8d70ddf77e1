"""Building a generated graph: 10 million entities, 30 million rows of types, 30 million facts.

Run `python benchmarks/build_graph.py`; `--engine spark` counts with Spark on `local[2]`. Each size
runs in a process of its own, on two cores and within a memory limit: from Parquet files, through
the choice of the 127 most frequent concepts and 6 roles, to a knowledge base in a file. How the
graphs are made is said in `_graphs.py`. `--folder` keeps them for the next run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import _graphs
import numpy as np
from _measuring import save

import boxsel
from boxsel.build.graphs import building
from boxsel.build.graphs.choice import Choice
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.running import Running

ENTITIES, SHARES = 10_000_000, (0.1, 0.25, 0.5, 1.0)
CORES, MEMORY = 2, 8_000_000_000
TARGET = 180.0
STEPS = {"staged": "reading", "select": "choosing", "count_graph": "counting", "_stated": "stating"}
"""What is timed: the functions that `build_graph` calls."""


def build(graph: Path, work: Path, engine: str, memory: int) -> dict[str, Any]:
    """Build one graph's knowledge base in this process: seconds by step, largest memory, sizes."""
    seconds: Counter[str] = Counter()
    for name, step in STEPS.items():
        setattr(building, name, timed(getattr(building, name), step, seconds))
    types, taxonomy, facts = (str(graph / f"{name}.parquet") for name in _graphs.TABLES)
    inputs = Inputs(types=(types,), taxonomy=(taxonomy,), facts=(facts,))
    choice = Choice(top=_graphs.CONCEPTS, top_roles=_graphs.ROLES, conjoined=_graphs.CONJOINED)
    running = (
        Running(memory=memory, threads=CORES, work=work)
        if engine == "duckdb"
        else Running("spark", f"local[{CORES}]", memory, work=work)
    )
    watched = Watched(os.getpid())
    start = time.perf_counter()
    built = building.build_graph(inputs, choice, running=running)
    written = time.perf_counter()
    boxsel.write(built.kb, work / "graph.sel")
    seconds["writing"] = time.perf_counter() - written  # type: ignore[assignment]
    total = time.perf_counter() - start
    return {
        "seconds": round(total, 2),
        "steps": {name: round(taken, 2) for name, taken in seconds.items()},
        "peak_bytes": watched.peak(),
        "patterns": built.report.patterns,
        "entities": built.report.members,
        "conditionals": dict(built.report.conditionals),
        "facts_by_role": dict(built.report.selection.facts),
    }


def timed(work: Callable[..., Any], step: str, seconds: Counter[str]) -> Callable[..., Any]:
    """The same function, with its seconds noted."""

    def measured(*arguments: Any, **options: Any) -> Any:
        start = time.perf_counter()
        try:
            return work(*arguments, **options)
        finally:
            seconds[step] += time.perf_counter() - start  # type: ignore[assignment]

    return measured


class Watched:
    """The largest memory that a process and all that it has started have held together.

    Looked at twenty times a second: a process that has ended cannot be asked any more. One that is
    gone within half a second does not count: it is a fork that has its parent's memory until it
    becomes another program.
    """

    def __init__(self, process: int) -> None:
        self._process, self._peaks, self._looks = process, dict[int, int](), Counter[int]()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(0.05):
            for one in descendants(self._process):
                self._peaks[one] = max(self._peaks.get(one, 0), peak_of(one))
                self._looks[one] += 1

    def peak(self) -> int:
        """The sum of the peaks: an upper bound."""
        self._ended.set()
        self._thread.join()
        return sum(peak for one, peak in self._peaks.items() if self._looks[one] > 10)


def descendants(process: int) -> list[int]:
    """A process and all that it has started."""
    try:
        tasks = list(Path(f"/proc/{process}/task").iterdir())
        children = [one for task in tasks for one in (task / "children").read_text().split()]
    except OSError:  # it has just ended
        return []
    return [process, *(one for child in children for one in descendants(int(child)))]


def peak_of(process: int) -> int:
    """The largest memory that a process has held."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM")), 0)


def in_a_child(graph: Path, work: Path, engine: str, memory: int) -> dict[str, Any]:
    """Build a graph's knowledge base in a fresh process on two cores."""
    environment = os.environ | {"OMP_NUM_THREADS": str(CORES), "OPENBLAS_NUM_THREADS": str(CORES)}
    cores = sorted(os.sched_getaffinity(0))[:CORES]
    done = subprocess.run(
        [sys.executable, __file__, "--child", str(graph), str(work), engine, str(memory)],
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        preexec_fn=lambda: os.sched_setaffinity(0, cores),
    )
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """The power of the size with which the seconds grow."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--engine", choices=("duckdb", "spark"), default="duckdb")
    options.add_argument("--entities", type=int, default=ENTITIES)
    options.add_argument("--shares", type=float, nargs="+", default=SHARES)
    options.add_argument("--memory", type=int, default=MEMORY, help="the limit, in bytes")
    options.add_argument("--folder", type=Path, help="where the graphs are kept")
    options.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.child:
        graph, work, engine, memory = given.child
        print(json.dumps(build(Path(graph), Path(work), engine, int(memory))))
        return

    rows = []
    with tempfile.TemporaryDirectory(prefix="boxsel-") as temporary:
        kept: Path = given.folder or Path(temporary)
        for share in given.shares:
            entities = int(given.entities * share)
            graph = kept / f"graph-{entities}"
            if not (graph / "facts.parquet").exists():
                _graphs.write(graph, entities)
            with tempfile.TemporaryDirectory(prefix="boxsel-", dir=kept) as work:
                rows.append(
                    {
                        "facts": 3 * entities,
                        **in_a_child(graph, Path(work), given.engine, given.memory),
                    }
                )
            show(rows[-1])
    result: dict[str, object] = {
        "engine": given.engine,
        "memory_limit": given.memory,
        "sizes": rows,
    }
    if len(rows) > 1:
        growth = exponent([row["facts"] for row in rows], [row["seconds"] for row in rows])
        print(f"\nseconds grow as facts to the power of {growth:.2f}")
        result["exponent"] = round(growth, 3)
    print(f"the target is {TARGET:.0f} s within {MEMORY / 1e9:.0f} GB at {3 * ENTITIES:,} facts")
    save(f"build_graph_{given.engine}", result)


def show(row: dict[str, Any]) -> None:
    shown = ", ".join(f"{name} {seconds:.1f}" for name, seconds in row["steps"].items())
    print(
        f"{row['facts']:>12,} facts: {row['seconds']:>6.1f} s, "
        f"{row['peak_bytes'] / 1e9:.2f} GB ({shown})",
        flush=True,
    )


if __name__ == "__main__":
    main()
