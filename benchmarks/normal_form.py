"""Normal form: seconds for a large knowledge base, and how the size grows with the input.

Run `python benchmarks/normal_form.py --statements 1000000`. The statements are those that
`read_sel.py` reads; a second table has statements that share nothing, the worst case.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time

from _measuring import save
from read_sel import lines

from boxsel.logic.axioms import conditional
from boxsel.logic.concepts import Name, Role
from boxsel.logic.kb import KB
from boxsel.normal.normalize import normalize
from boxsel.normal.saturation import saturate
from boxsel.syntax.parser import parse_kb

Row = dict[str, float]


def shared(statements: int) -> KB:
    """Statements of a counted graph: complex concepts occur in many of them."""
    return parse_kb("\n".join(lines(statements)))


def unshared(statements: int) -> KB:
    """Conditionals in which every complex concept is a new one."""
    role = Role("role")
    parts = ((Name(f"A{n}"), Name(f"B{n}"), Name(f"C{n}")) for n in range(statements))
    return KB.of(*(conditional(a & b, given=role.some(c), exactly=0.5) for a, b, c in parts))


def measure(kb: KB) -> Row:
    """Sizes before and after, and the seconds for the normal form and for the saturation."""
    start = time.perf_counter()
    normal = normalize(kb)
    done = time.perf_counter()
    saturate(kb)
    return {
        "statements": len(kb),
        "size": kb.size,
        "normal_statements": len(normal.kb),
        "normal_size": normal.kb.size,
        "fresh_names": len(normal.origin),
        "seconds": round(done - start, 3),
        "saturation_seconds": round(time.perf_counter() - done, 3),
    }


def growth_exponent(rows: list[Row]) -> float:
    """The slope of log(size of the normal form) over log(size of the input), by least squares."""
    points = [(math.log(row["size"]), math.log(row["normal_size"])) for row in rows]
    return statistics.linear_regression(*zip(*points, strict=True)).slope


def report(title: str, rows: list[Row]) -> dict[str, object]:
    """Print a table of measurements and their growth; give both back for the file."""
    print(title)
    print("  statements         size  normal size  fresh names  seconds  saturation")
    for row in rows:
        print(
            f"{row['statements']:>12,} {row['size']:>12,} {row['normal_size']:>12,} "
            f"{row['fresh_names']:>12,} {row['seconds']:>8.2f} {row['saturation_seconds']:>11.2f}"
        )
    exponent = growth_exponent(rows)
    print(f"size(normal) grows as size(input)^{exponent:.3f}\n")
    return {"rows": rows, "growth_exponent": round(exponent, 4)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--statements", type=int, default=1_000_000)
    largest = max(1000, options.parse_args().statements)
    sizes = [largest // 4**step for step in range(4, -1, -1)]
    save(
        "normal_form",
        {
            "shared": report("statements of a counted graph", [measure(shared(n)) for n in sizes]),
            "unshared": report(
                "conditionals that share no concept", [measure(unshared(n)) for n in sizes[:-1]]
            ),
        },
    )


if __name__ == "__main__":
    main()
