"""Compare the exact reasoner with brute force on many random knowledge bases.

    python benchmarks/random_kbs.py --count 100000
    python benchmarks/random_kbs.py --count 2000 --basics 9
    python benchmarks/random_kbs.py --count 20000 --way tree

Every answer must be the same, every certificate must be accepted by the checker, and so must the
names that are empty in every model. All ways of the ladder take their turn: the whole ladder, and
each with only plain column generation behind it, with limits as they are and with tiny ones. The
exit code is 1 if anything differs.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from _measuring import save

sys.path.insert(0, str(Path(__file__).parents[1]))

from boxsel.checker.verify import verify
from boxsel.exact.certificate import certificate
from boxsel.exact.ladder import WAYS
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Limits
from tests.exact.brute_force import answer, empty_names
from tests.exact.knowledge_bases import random_kb

CHOICES = (WAYS, *((way, "generated") for way in WAYS))
"""The ways that are tried, in turn."""
TINY = Limits(few=0, region=2)
"""Limits with which small knowledge bases are treated like large ones."""


@dataclass(frozen=True)
class Compared:
    """One knowledge base: its status, what is wrong with the answer, and the seconds it took."""

    seed: int
    status: str
    problem: str
    seconds: float
    reference_seconds: float


def compare(case: tuple[int, int, str | None]) -> Compared:
    """Ask both about the knowledge base of a seed."""
    seed, basics, way = case
    ways = CHOICES[seed // 2 % len(CHOICES)] if way is None else (way, "generated")
    kb, query = random_kb(random.Random(seed), basics)
    start = time.perf_counter()
    expected, empty = answer(kb, query), empty_names(kb)
    middle = time.perf_counter()
    problem = ""
    try:
        reasoner = Reasoner(kb, ways=ways, limits=TINY if seed % 2 else None)
        found = reasoner.bounds(query)
        names = frozenset(reasoner.empty_names)
        lower, upper = (end and end.bound for end in (found.lower, found.upper))
        checked = verify(kb, certificate(found))
        if (found.status, lower, upper) != (expected.status, expected.lower, expected.upper):
            problem = f"{found.status} [{lower}, {upper}] instead of {expected}"
        elif names != empty:
            problem = f"empty names {sorted(map(str, names))} instead of {sorted(map(str, empty))}"
        elif not checked.valid:
            problem = "; ".join(checked.problems)
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"
    end = time.perf_counter()
    return Compared(seed, expected.status, problem, end - middle, middle - start)


def run(count: int, basics: int, first: int, way: str | None) -> Iterator[Compared]:
    """Compare many, on all cores."""
    cases = ((seed, basics, way) for seed in range(first, first + count))
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        yield from pool.imap_unordered(compare, cases, chunksize=50)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--basics", type=int, default=7, help="basic concepts, at most")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    parser.add_argument("--way", choices=WAYS, help="one way only, with plain generation behind it")
    options = parser.parse_args()
    statuses: Counter[str] = Counter()
    problems: list[Compared] = []
    seconds = reference = 0.0
    cases = run(options.count, options.basics, options.seed, options.way)
    for done, one in enumerate(cases, start=1):
        statuses[one.status] += 1
        seconds += one.seconds
        reference += one.reference_seconds
        if one.problem:
            problems.append(one)
            print(f"seed {one.seed}: {one.problem}", flush=True)
        if done % 10_000 == 0:
            print(f"{done:,} compared, {len(problems)} problems", flush=True)
    print(f"\n{'status':<14}{'knowledge bases':>16}")
    for status, number in statuses.most_common():
        print(f"{status:<14}{number:>16,}")
    print(f"\n{len(problems)} problems; {seconds / options.count * 1000:.1f} ms each")
    save(
        "random_kbs",
        {
            "count": options.count,
            "basics": options.basics,
            "first_seed": options.seed,
            "way": options.way,
            "statuses": dict(statuses),
            "problems": [(one.seed, one.problem) for one in problems],
            "milliseconds_each": round(seconds / options.count * 1000, 2),
            "reference_milliseconds_each": round(reference / options.count * 1000, 2),
        },
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
