"""How long queries take: one by one in NumPy, and a million at once in a compiled program.

python benchmarks/queries.py [--members 60] [--dim 32] [--queries 1000000]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import jax
import numpy as np
from _measuring import save

from boxsel.logic.concepts import Concept, Name, Role, conjunction
from boxsel.models.arrays import Parameters
from boxsel.models.measuring import Batch, Members
from boxsel.models.numbering import Numbering
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import Sizes

NAMES = tuple(Name(f"C{number}") for number in range(127))
ROLES = tuple(Role(f"r{number}") for number in range(6))
NUMBERING = Numbering(NAMES, ROLES)
LEAF, SOME = "A", ("r", "A")
SHAPES = {
    "PNF1 (B | A)": (LEAF, LEAF),
    "PNF2 (B | A1 and A2)": (("and", LEAF, LEAF), LEAF),
    "PNF3 (B | r some A)": (SOME, LEAF),
    "PNF4 (r some A | B)": (LEAF, SOME),
}


def parameters(dim: int, members: int) -> Parameters:
    sizes = Sizes(len(NAMES) + 1, len(ROLES) + 1, 0, members)
    return Boxes(dim).initial(np.random.default_rng(0), sizes)


def best(run: Callable[[], object], times: int) -> float:
    """The least of several times, each the mean of enough calls to be measured."""
    run()
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        for _ in range(20):
            run()
        found.append((time.perf_counter() - begun) / 20)
    return min(found)


def single(dim: int, members: int, size: int) -> float:
    """Seconds for one parsed query of a size: a conjunction of names and existentials."""
    settled = Members(Boxes(dim), parameters(dim, members), NUMBERING).settled()
    parts: list[Concept] = [
        NAMES[number] if number % 2 else ROLES[number % 6].some(NAMES[number])
        for number in range(1, size + 1)
    ]
    body = conjunction(*parts)
    return best(lambda: settled.share(NAMES[0], body), 10)


def linear(amounts: list[int], seconds: list[float]) -> tuple[float, float]:
    """The slope of the line through the times, and how much of their variance it explains."""
    slope, rest = np.polyfit(amounts, seconds, 1)
    off = np.asarray(seconds) - (slope * np.asarray(amounts) + rest)
    return float(slope), float(1 - off.var() / np.var(seconds))


def batch(shape: tuple[object, object], count: int, random: np.random.Generator) -> Batch:
    text = str(shape)
    names = random.integers(1, len(NAMES) + 1, (count, text.count("'A'")), dtype=np.int32)
    roles = random.integers(1, len(ROLES) + 1, (count, text.count("'r'")), dtype=np.int32)
    return Batch(shape, names, roles, np.arange(count))  # type: ignore[arg-type]


def million(dim: int, members: int, count: int) -> dict[str, float]:
    """Seconds for the intervals of many queries of each shape, compilation apart."""
    with jax.enable_x64(True):
        tables = jax.tree.map(jax.numpy.asarray, parameters(dim, members))
    random = np.random.default_rng(1)
    kept = np.ones(members, bool)
    found = {}
    for name, shape in SHAPES.items():
        asked = batch(shape, count // len(SHAPES), random)
        times = []
        for _ in range(3):
            begun = time.perf_counter()
            ends = Members(Boxes(dim), tables, NUMBERING).measured(asked, kept)
            times.append(time.perf_counter() - begun)
        found[name] = min(times[1:])
        assert np.isfinite(ends).all()
        assert (ends[:, 0] <= ends[:, 1]).all()
        print(f"  {name:24s} {found[name]:8.3f} s   (first call {times[0]:.1f} s)")
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--members", type=int, default=60)
    options.add_argument("--dim", type=int, default=32)
    options.add_argument("--queries", type=int, default=1_000_000)
    chosen = options.parse_args()
    members, dim = chosen.members, chosen.dim
    device = jax.devices()[0]
    print(f"one query over {members} members, NumPy")
    sizes, dims = [1, 2, 4, 8, 16, 32, 64], [16, 32, 64, 128, 256, 512]
    by_size = [single(dim, members, size) for size in sizes]
    by_dim = [single(each, members, 4) for each in dims]
    for size, seconds in zip(sizes, by_size, strict=True):
        print(f"  n = {dim}, {size:3d} conjuncts  {seconds * 1e6:8.1f} µs")
    for each, seconds in zip(dims, by_dim, strict=True):
        print(f"  n = {each:3d}, 4 conjuncts   {seconds * 1e6:8.1f} µs")
    fits = {"size": linear(sizes, by_size), "dimension": linear(dims, by_dim)}
    for name, (slope, share) in fits.items():
        print(f"  line in {name}: {slope * 1e6:.2f} µs each, R² = {share:.4f}")
    print(f"{chosen.queries:,} queries over {members} members on {device.device_kind}")
    found = million(dim, members, chosen.queries)
    print(f"  {'together':24s} {sum(found.values()):8.3f} s")
    save(
        f"queries_{device.platform}",
        {
            "device": device.device_kind,
            "members": members,
            "dim": dim,
            "one_query_seconds": dict(zip(map(str, sizes), by_size, strict=True)),
            "by_dimension_seconds": dict(zip(map(str, dims), by_dim, strict=True)),
            "lines": fits,
            "queries": chosen.queries,
            "seconds": found,
            "together": sum(found.values()),
        },
    )


if __name__ == "__main__":
    main()
