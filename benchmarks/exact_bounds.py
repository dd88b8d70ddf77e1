"""Exact bounds where types are too many to list: seconds for both bounds of one query, cold.

Run `python benchmarks/exact_bounds.py`, with `--data FOLDER` for galen2 (`FOLDER/owl`), or with
`--sizes taxonomy:100/250` for a part. The knowledge bases are those of `_generators`; of each, some
random queries `(D | C)` are asked, and some *chained* ones: `(D | C)` where `(B | C)` and `(D | B)`
or `(D | B and C)` are stated, so that numbers have to be combined. Every answer is certified, and
the certificate is checked, which is timed apart.

galen2 gets conditionals `(child | parent)[0.05, 0.95]` for told subsumptions child ⊑ parent whose
converse does not follow. It says nothing about disjointness, so that some members of a parent can
be in all of its children and others in none of them: no name becomes empty.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path

from _generators import Generated, dense, taxonomy
from _measuring import FOLDER, add_data_option, save

import boxsel
from boxsel.checker.verify import verify
from boxsel.exact.certificate import certificate
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.concepts import Concept, Name, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.normal.saturation import saturate

TARGETS = {
    "taxonomy 100/250": 1.0,
    "taxonomy 200/500": 4.0,
    "taxonomy 500/1000": 15.0,
    "dense 200/500": 20.0,
    "galen2 1000": 60.0,
}
SIZES = (
    "taxonomy:50/125",
    "taxonomy:100/250",
    "taxonomy:200/500",
    "taxonomy:500/1000",
    "dense:50/125",
    "dense:100/250",
    "dense:200/500",
)
GENERATORS: dict[str, Callable[..., Generated]] = {"taxonomy": taxonomy, "dense": dense}
WIDE = Interval(Fraction(1, 20), Fraction(19, 20))


@dataclass(frozen=True)
class Measured:
    """One query: what was found, and how long that took."""

    size: str
    conditionals: int
    seed: int
    kind: str
    query: str
    lower: float | None
    upper: float | None
    seconds: float
    processor: float
    certified_in: float
    exact: bool
    ways: str


def chained(kb: KB, count: int, seed: int) -> Iterator[Query]:
    """Queries whose bounds follow from two conditionals."""
    chance = random.Random(seed)
    stated = [one for one in kb.axioms if isinstance(one, Conditional)]
    by_body: dict[Concept, list[Conditional]] = {}
    for one in stated:
        by_body.setdefault(one.body, []).append(one)
    known = {(one.head, one.body) for one in stated}
    pairs = []
    for first in stated:
        for body in (first.head, first.head & first.body):
            for second in by_body.get(body, ()):
                if second.head not in conjuncts(first.body) and isinstance(second.head, Name):
                    strength = first.bounds.lower * max(
                        second.bounds.lower, 1 - second.bounds.upper
                    )
                    pairs.append((strength, second.head, first.body))
    chance.shuffle(pairs)
    pairs.sort(key=lambda pair: -pair[0])
    best = [(head, body) for _, head, body in pairs if (head, body) not in known]
    some = list(dict.fromkeys(best))[: 4 * count]
    for head, body in chance.sample(some, min(count, len(some))):
        yield Query(head, body)


def galen(path: Path, conditionals: int, seed: int, queries: int) -> Generated:
    """Conditionals of wide bounds over told subsumptions, between chosen names."""
    kb = boxsel.read(path)
    chance = random.Random(seed)
    told = [
        (one.left, part)
        for one in kb.axioms
        if isinstance(one, Inclusion) and isinstance(one.left, Name)
        for part in conjuncts(one.right)
        if isinstance(part, Name)
    ]
    saturated = saturate(kb)
    proper = [pair for pair in told if pair[0] not in saturated.subsumers(pair[1])]
    chosen = chance.sample(proper, conditionals)
    axioms = [Conditional(child, parent, WIDE) for child, parent in chosen]
    asked = [Query(child, parent) for child, parent in chance.sample(chosen, queries)]
    above = dict(chosen)
    asked += [Query(low, above[high]) for low, high in chosen if high in above][:queries]
    return Generated(KB.of(*kb.axioms, *axioms), tuple(asked))


def measure(size: str, seed: int, kb: KB, queries: Iterable[tuple[str, Query]]) -> list[Measured]:
    """Ask every query of a reasoner that knows nothing yet."""
    found = []
    for kind, query in queries:
        start, used = time.perf_counter(), time.process_time()
        reasoner = Reasoner(kb)
        answer = reasoner.bounds(query)
        seconds, processor = time.perf_counter() - start, time.process_time() - used
        checked = verify(kb, certificate(answer))
        ends = [end for end in (answer.lower, answer.upper) if end is not None]
        one = Measured(
            size,
            sum(isinstance(axiom, Conditional) for axiom in kb.axioms),
            seed,
            kind,
            str(query),
            None if answer.lower is None else float(answer.lower.bound),
            None if answer.upper is None else float(answer.upper.bound),
            seconds,
            processor,
            time.perf_counter() - start - seconds,
            checked.exact,
            " ".join(dict.fromkeys(end.route.way for end in ends if end.route is not None)),
        )
        print(_line(one), flush=True)
        found.append(one)
    return found


def _line(one: Measured) -> str:
    ends = "vacuous" if one.lower is None else f"[{one.lower:.4f}, {one.upper:.4f}]"
    standing = "exact, certified" if one.exact else "NOT CERTIFIED"
    return (
        f"{one.size:18} {one.seed:4} {one.kind:8} {one.query[:44]:44} {ends:18} {one.seconds:7.2f}"
        f" {one.processor:7.2f} {one.certified_in:7.2f}  {standing}" + f"  {one.ways}"
    )


def summary(found: Sequence[Measured]) -> list[dict[str, object]]:
    """Median and maximum by size, beside the target."""
    rows: list[dict[str, object]] = []
    for size in dict.fromkeys(one.size for one in found):
        own = [one for one in found if one.size == size]
        times = [one.seconds for one in own]
        rows.append(
            {
                "size": size,
                "conditionals": own[0].conditionals,
                "queries": len(own),
                "exact": sum(one.exact for one in own),
                "median": statistics.median(times),
                "max": max(times),
                "median_processor": statistics.median(one.processor for one in own),
                "max_processor": max(one.processor for one in own),
                "median_certified_in": statistics.median(one.certified_in for one in own),
                "target": TARGETS.get(size),
            }
        )
    return rows


def plot(rows: Sequence[dict[str, object]], path: Path) -> None:
    """Cost against size as a picture, if there is something to draw it with."""
    if importlib.util.find_spec("matplotlib") is None:
        print("no plot: matplotlib is not installed")
        return
    pyplot = importlib.import_module("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    figure, axes = pyplot.subplots(figsize=(6, 4))
    for kind in dict.fromkeys(str(row["size"]).split()[0] for row in rows):
        own = [row for row in rows if str(row["size"]).split()[0] == kind]
        sizes = [row["conditionals"] for row in own]
        axes.plot(sizes, [row["median"] for row in own], "o-", label=f"{kind}, median")
        axes.plot(sizes, [row["max"] for row in own], "^:", label=f"{kind}, maximum")
    axes.set(xscale="log", yscale="log", xlabel="conditionals", ylabel="seconds for both bounds")
    axes.legend()
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, dpi=150)
    print(f"drawn to {path.relative_to(FOLDER.parent)}")


def size(text: str) -> tuple[str, int, int]:
    """A generator, how many names and how many conditionals, such as `dense:100/250`."""
    kind, _, numbers = text.partition(":")
    names, _, conditionals = numbers.partition("/")
    if kind not in GENERATORS or not (names.isdecimal() and conditionals.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as dense:100/250")
    return kind, int(names), int(conditionals)


def main() -> None:
    """Measure, print and save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add_data_option(parser)
    parser.add_argument("--sizes", nargs="*", type=size, default=[size(one) for one in SIZES])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--queries", type=int, default=3, help="of each kind")
    options = parser.parse_args()
    heads = ("size", "seed", "kind", "query", "bounds", "seconds", "cpu", "check")
    print("{:18} {:>4} {:8} {:44} {:18} {:>7} {:>7} {:>7}".format(*heads))
    found: list[Measured] = []
    for kind, names, conditionals in options.sizes:
        for seed in range(options.seeds):
            made = GENERATORS[kind](names, conditionals, seed, options.queries)
            asked = [("random", query) for query in made.queries]
            asked += [("chained", query) for query in chained(made.kb, options.queries, seed)]
            found += measure(f"{kind} {names}/{conditionals}", seed, made.kb, asked)
    path = options.data / "owl" / "galen2.owl.gz"
    if not path.exists():
        print(f"no galen2: there is no {path}")
    else:
        made = galen(path, 1000, 0, options.queries)
        found += measure("galen2 1000", 0, made.kb, [("told", query) for query in made.queries])
    rows = summary(found)
    print("\nsize               queries  exact   median      max   target")
    for row in rows:
        print(
            f"{row['size']:18} {row['queries']:7} {row['exact']:6} {row['median']:8.2f}"
            f" {row['max']:8.2f} {row['target'] or '':>8}"
        )
    plot(rows, FOLDER / "out" / "exact_bounds.png")
    save("exact_bounds", {"summary": rows, "queries": [asdict(one) for one in found]})


if __name__ == "__main__":
    main()
