"""Tree-shaped knowledge bases: seconds for exact, certified bounds, cold and when the tree stands.

Run `python benchmarks/trees.py`, with `--sizes 500:2 5000:3` for a part (classes and width). The
knowledge bases are those of `_generators.hierarchy`: classes inside classes, attributes of a class
and of what is near, intervals of width 0.05 and some points; the second number bounds how many
names each depends on. Each is written to a file and asked in a process of its own, as `boxsel
bounds` does it: *first* is from the start of that process to the first certified answer, *cpu* what
the processor spent on it, *proved* the time of a later question without its certificate,
*certified* with it, *check* that of coherence; `--first` asks the first question only. The exponent
is fitted to *cpu* at one width, because that tells little of what else runs on the machine.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from math import log
from pathlib import Path
from typing import TYPE_CHECKING

from _generators import hierarchy
from _measuring import save

if TYPE_CHECKING:
    from boxsel.logic.kb import KB

SIZES: tuple[str, ...] = ("500:2", "500:3", "500:4", "500:6", "500:8", "500:10", "500:12")
SIZES += ("1000:3", "2000:3", "5000:3", "10000:3", "20000:3", "50000:3")


@dataclass(frozen=True)
class Measured:
    """One knowledge base, and what its questions took."""

    classes: int
    width: int
    conditionals: int
    treewidth: int | None
    types: int | None
    first: float
    cpu: float
    proved: float | None
    slowest: float | None
    certified: float | None
    check: float | None
    exact: int
    asked: int
    gigabytes: float


def child(path: Path, first_only: bool) -> None:
    """Ask everything of one file, and print what it took as JSON."""
    start = time.perf_counter()
    import boxsel
    from boxsel.exact.bounds import bounds
    from boxsel.exact.reasoner import Reasoner
    from boxsel.exact.shape import find_shape
    from boxsel.machine.budget import Budget

    kb = boxsel.read(path)
    queries = path.with_suffix(".queries").read_text("utf-8").splitlines()
    if first_only:
        del queries[1:]
    reasoner = Reasoner(kb)
    exact = int(bounds(kb, queries[0], reasoner=reasoner).exact)
    first, cpu = time.perf_counter() - start, time.process_time()
    proved, certified = [], []
    for query in queries[1:]:
        middle = time.perf_counter()
        reasoner.bounds(query)
        proved.append(time.perf_counter() - middle)
        middle = time.perf_counter()
        exact += bounds(kb, query, reasoner=reasoner).exact
        certified.append(time.perf_counter() - middle)
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    check = None if first_only else seconds_of_check(kb)
    shape = find_shape(kb, Budget())
    measured = {
        "conditionals": sum(1 for _ in kb.conditionals),
        "treewidth": shape.treewidth,
        "types": shape.types,
        "first": first,
        "cpu": cpu,
        "proved": statistics.median(proved) if proved else None,
        "slowest": max(proved, default=None),
        "certified": statistics.median(certified) if certified else None,
        "check": check,
        "exact": exact,
        "asked": len(queries),
        "gigabytes": gigabytes,
    }
    print(json.dumps(measured))


def seconds_of_check(kb: KB) -> float:
    """The time to find that no name must be empty."""
    from boxsel.exact.reasoner import Reasoner

    start = time.perf_counter()
    empty = Reasoner(kb).empty_names
    assert not empty, "the generator makes coherent knowledge bases"
    return time.perf_counter() - start


def measure(classes: int, width: int, queries: int, seed: int, first_only: bool) -> Measured:
    """Write a knowledge base, and ask a process of its own about it."""
    made = hierarchy(classes, width, seed, queries)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb.sel"
        path.write_text("".join(f"{axiom}\n" for axiom in made.kb.axioms), "utf-8")
        path.with_suffix(".queries").write_text("\n".join(map(str, made.queries)), "utf-8")
        command = [sys.executable, __file__, "--child", str(path)]
        command += ["--first"] * first_only
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Measured(classes, width, **json.loads(done.stdout))


def exponent(measured: list[Measured]) -> float:
    """The slope of what first questions cost the processor by classes, both in logarithms."""
    return statistics.linear_regression(
        [log(row.classes) for row in measured], [log(row.cpu) for row in measured]
    ).slope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="*", default=SIZES, metavar="CLASSES:WIDTH")
    parser.add_argument("--queries", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", action="store_true", help="the first question only")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child, options.first)
        return
    heads = ["classes", "width", "conditionals", "treewidth", "types"]
    heads += ["first", "cpu", "proved", "slowest", "certified", "check", "exact", "GB"]
    print("".join(f"{head:>13}" for head in heads))
    measured: list[Measured] = []
    for size in options.sizes:
        classes, width = map(int, size.split(":"))
        row = measure(classes, width, options.queries, options.seed, options.first)
        measured.append(row)
        seconds = (row.first, row.cpu, row.proved, row.slowest, row.certified, row.check)
        numbers = (row.classes, row.width, row.conditionals, row.treewidth, row.types)
        print(
            "".join(f"{number or 0:>13,}" for number in numbers)
            + "".join(f"{'' if number is None else f'{number:.3f}':>13}" for number in seconds)
            + f"{f'{row.exact} of {row.asked}':>13}{row.gigabytes:>13.2f}",
            flush=True,
        )
    by_width: dict[int, list[Measured]] = {}
    for row in measured:
        by_width.setdefault(row.width, []).append(row)
    slopes = {width: exponent(same) for width, same in by_width.items() if len(same) > 2}
    for width, slope in slopes.items():
        print(f"width {width}: seconds grow with classes to the power {slope:.2f}")
    save("trees", {"measured": [asdict(row) for row in measured], "exponents": slopes})


if __name__ == "__main__":
    main()
