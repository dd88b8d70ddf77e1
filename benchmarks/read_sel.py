"""Reading a large `.sel` file: lines a second on one core, and memory a statement.

Run `python benchmarks/read_sel.py --lines 1000000`. For comparison, the grammar alone reads
the first 2,000 of the lines.
"""

from __future__ import annotations

import argparse
import random
import resource
import time

from _measuring import save

from boxsel.syntax.builder import Builder
from boxsel.syntax.by_grammar import parser
from boxsel.syntax.nametable import NameTable
from boxsel.syntax.parser import parse_kb

CONCEPTS, ROLES, GRAMMAR_LINES = 500, 20, 2_000


def lines(count: int, seed: int = 0) -> list[str]:
    """Lines as a counted graph gives them: five shapes, with points, intervals and counts."""
    rng = random.Random(seed)
    return [_line(rng, number) for number in range(count)]


def _line(rng: random.Random, number: int) -> str:
    a, b, c = (f"Concept{n}" for n in rng.sample(range(CONCEPTS), 3))
    role = f"role{rng.randrange(ROLES)}"
    low = rng.randrange(900_000)
    proportion = (
        f"{low / 1e6:.6f}",
        f"{low / 1e6:.6f}, {(low + 50_000) / 1e6:.6f}",
        f"{rng.randrange(1, 50)} of 50",
    )[number % 3]
    return (
        f"({b} | {a})[{proportion}]",
        f"({b} | {a} and {c})[{proportion}]",
        f"({b} | {role} some {a})[{proportion}]",
        f"({role} some {a} | {b})[{proportion}]  ## source: batch {number % 100}",
        f"{a} SubClassOf {b}",
    )[number % 5]


def peak_bytes() -> int:
    """The most memory that this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lines", type=int, default=1_000_000)
    count = options.parse_args().lines
    written = lines(count)
    text = "\n".join(written)

    sample = written[:GRAMMAR_LINES]
    builder = Builder(NameTable())
    start = time.perf_counter()
    for line in sample:
        builder.transform(parser().parse(line, start="line"))
    grammar_rate = len(sample) / (time.perf_counter() - start)

    before, start = peak_bytes(), time.perf_counter()
    kb = parse_kb(text)
    seconds = time.perf_counter() - start
    memory = (peak_bytes() - before) / len(kb)

    rate = len(kb) / seconds
    print(f"read        {len(kb):,} lines in {seconds:.2f} s: {rate:,.0f} lines a second")
    print(f"grammar     {grammar_rate:,.0f} lines a second without the fast reader")
    print(f"memory      {memory:,.0f} bytes a statement")
    save(
        "read_sel",
        {
            "lines": len(kb),
            "seconds": round(seconds, 3),
            "lines_per_second": round(rate),
            "bytes_per_statement": round(memory),
            "grammar_lines_per_second": round(grammar_rate),
            "ratio_to_grammar": round(rate / grammar_rate, 1),
        },
    )


if __name__ == "__main__":
    main()
