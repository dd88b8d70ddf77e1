"""Tree-shaped knowledge bases: seconds for exact, certified bounds, cold and when the tree stands.

Run `python benchmarks/trees.py`, with `--sizes 500:2 5000:3` for a part (classes and width). The
knowledge bases are those of `_generators.hierarchy`: classes inside classes, attributes of a class
and of what is near, intervals of width 0.05 and some points; the second number bounds how many
names each depends on. Each is written to a file and asked in a process of its own, as `boxsel
bounds` does it: *first* is from the start of that process to the first certified answer, *proved*
the time of a later question without its certificate, *certified* with it, *check* that of
coherence. The exponent is fitted to the first questions of one width.
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

from _generators import hierarchy
from _measuring import save

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
    proved: float
    slowest: float
    certified: float
    check: float
    exact: int
    asked: int
    gigabytes: float


def child(path: Path) -> None:
    """Ask everything of one file, and print what it took as JSON."""
    start = time.perf_counter()
    import boxsel
    from boxsel.exact.bounds import bounds
    from boxsel.exact.reasoner import Reasoner
    from boxsel.exact.shape import find_shape
    from boxsel.machine.budget import Budget

    kb = boxsel.read(path)
    queries = path.with_suffix(".queries").read_text("utf-8").splitlines()
    reasoner = Reasoner(kb)
    exact = int(bounds(kb, queries[0], reasoner=reasoner).exact)
    first = time.perf_counter() - start
    proved, certified = [], []
    for query in queries[1:]:
        middle = time.perf_counter()
        reasoner.bounds(query)
        proved.append(time.perf_counter() - middle)
        middle = time.perf_counter()
        exact += bounds(kb, query, reasoner=reasoner).exact
        certified.append(time.perf_counter() - middle)
    gigabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    middle = time.perf_counter()
    empty = Reasoner(kb).empty_names
    took = time.perf_counter() - middle
    assert not empty, "the generator makes coherent knowledge bases"
    shape = find_shape(kb, Budget())
    found = {
        "conditionals": sum(1 for _ in kb.conditionals),
        "treewidth": shape.treewidth,
        "types": shape.types,
        "first": first,
        "proved": statistics.median(proved),
        "slowest": max(proved),
        "certified": statistics.median(certified),
        "check": took,
        "exact": exact,
        "asked": len(queries),
        "gigabytes": gigabytes,
    }
    print(json.dumps(found))


def measure(classes: int, width: int, queries: int, seed: int) -> Measured:
    """Write a knowledge base, and ask a process of its own about it."""
    made = hierarchy(classes, width, seed, queries)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb.sel"
        path.write_text("".join(f"{axiom}\n" for axiom in made.kb.axioms), "utf-8")
        path.with_suffix(".queries").write_text("\n".join(map(str, made.queries)), "utf-8")
        command = [sys.executable, __file__, "--child", str(path)]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return Measured(classes, width, **json.loads(done.stdout))


def exponent(found: list[Measured]) -> float:
    """The slope of the seconds of first questions by classes, both in logarithms."""
    if len(found) < 2:
        return float("nan")
    return statistics.linear_regression(
        [log(one.classes) for one in found], [log(one.first) for one in found]
    ).slope


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", nargs="*", default=SIZES, metavar="CLASSES:WIDTH")
    parser.add_argument("--queries", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child)
        return
    heads = ["classes", "width", "conditionals", "treewidth", "types"]
    heads += ["first", "proved", "slowest", "certified", "check", "exact", "GB"]
    print("".join(f"{head:>13}" for head in heads))
    found: list[Measured] = []
    for size in options.sizes:
        classes, width = map(int, size.split(":"))
        one = measure(classes, width, options.queries, options.seed)
        found.append(one)
        seconds = (one.first, one.proved, one.slowest, one.certified, one.check)
        numbers = (one.classes, one.width, one.conditionals, one.treewidth, one.types)
        print(
            "".join(f"{number or 0:>13,}" for number in numbers)
            + "".join(f"{number:>13.3f}" for number in seconds)
            + f"{f'{one.exact} of {one.asked}':>13}{one.gigabytes:>13.2f}",
            flush=True,
        )
    by_width = {one.width: [other for other in found if other.width == one.width] for one in found}
    slopes = {width: exponent(same) for width, same in by_width.items() if len(same) > 2}
    for width, slope in slopes.items():
        print(f"width {width}: seconds grow with classes to the power {slope:.2f}")
    save("trees", {"measured": [asdict(one) for one in found], "exponents": slopes})


if __name__ == "__main__":
    main()
