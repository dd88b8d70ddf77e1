"""The tail: how long the slowest questions take, over a corpus of seven families.

    python benchmarks/tail.py                          # all 240 knowledge bases
    python benchmarks/tail.py --part 1/12              # every twelfth, beginning with the first
    python benchmarks/tail.py --only dense             # one family
    python benchmarks/tail.py --fuzz 30 --only dense   # look for slower parameters

Of each knowledge base one query is bounded, certificate and evidence included, coherence is
checked, and a repair is looked for (*least* if it is proved so, else *enough*). A question has at
most `--cap` seconds; what is cut short there counts as that long, and is told. Seconds are those of
the processor, since others may work beside; solvers are loaded before. The table has the median,
the 90th and the 99th percentile and the worst. Parts add up: results are kept in `out/tail.json`,
by case, and a case that is measured again is replaced.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from _corpus import FAMILIES, Case, corpus
from _generators import Generated
from _measuring import FOLDER, save

from boxsel.exact.bounds import bounds
from boxsel.exact.diagnosis.check import check
from boxsel.exact.diagnosis.repair import repair
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget
from boxsel.machine.integers import Integers

CAP = 60.0
KINDS = ("bounds", "check", "repair")


@dataclass(frozen=True)
class Measured:
    """A question, what it took, and what came of it."""

    kind: str
    family: str
    case: str
    seconds: float
    said: str

    @property
    def capped(self) -> bool:
        """Whether the time was over first."""
        return self.said == "budget"


def measure(kind: str, made: Generated, cap: float) -> tuple[float, str]:
    """The seconds of one question, and in a word what it gave."""
    start = time.process_time()
    budget = Budget(cap, time.process_time)
    if kind == "bounds":
        reasoner = Reasoner(made.kb, budget=budget)
        said = str(bounds(made.kb, made.queries[0], reasoner=reasoner).status)
    elif kind == "repair":
        mended = repair(made.kb, budget=budget)
        said = "least" if mended.optimal else "enough" if mended.finished else "budget"
    else:
        found = check(made.kb, budget=budget)
        said = {True: "coherent", False: "incoherent", None: "budget"}[found.coherent]
        if not found.finished:
            said = "budget"
    return time.process_time() - start, said


def run(cases: Iterable[Case], kinds: Sequence[str], cap: float) -> Iterable[Measured]:
    """Measure all cases, and say each at once."""
    for one in cases:
        made = one.make()
        for kind in kinds:
            seconds, said = measure(kind, made, cap)
            print(f"{seconds:7.2f} s  {kind:<6}  {said:<10}  {one.name}", flush=True)
            yield Measured(kind, one.family, one.name, seconds, said)


def fuzz(family: str, kind: str, tries: int, cap: float, seed: int) -> None:
    """Climb towards slower parameters: a neighbour that is slower is the next to start from."""
    random = Random(seed)
    best, slowest = FAMILIES[family].draw(random), 0.0
    for _ in range(tries):
        moved = FAMILIES[family].move(best, random) if slowest else best
        made_from = Case(family, random.randrange(1000), moved)
        ((seconds, said),) = [(one.seconds, one.said) for one in run([made_from], [kind], cap)]
        if seconds > slowest:
            best, slowest = moved, seconds
            print(f"         slowest so far: {dict(best)}, {said}", flush=True)


def table(rows: Sequence[Measured]) -> str:
    """The percentiles, for all and for each family."""
    lines = [
        "| question | family | cases | p50 | p90 | p99 | worst | over the cap |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for kind in KINDS:
        for family in ("all", *FAMILIES):
            some = [row for row in rows if row.kind == kind and family in ("all", row.family)]
            if some:
                taken = sorted(row.seconds for row in some)
                ends = " | ".join(f"{quantile(taken, part):.2f}" for part in (0.5, 0.9, 0.99, 1))
                over = sum(row.capped for row in some)
                lines.append(f"| {kind} | {family} | {len(some)} | {ends} | {over} |")
    return "\n".join(lines)


def quantile(ordered: Sequence[float], part: float) -> float:
    """The value that a part of all values do not exceed."""
    place = max(0, -(-len(ordered) * part // 1) - 1)
    return ordered[int(place)]


def known() -> dict[tuple[str, str], Measured]:
    """What was measured before."""
    path = FOLDER / "out" / "tail.json"
    if not path.exists():
        return {}
    rows = [Measured(**row) for row in json.loads(path.read_text("utf-8"))["cases"]]
    return {(row.kind, row.case): row for row in rows}


def main() -> None:
    """Measure a part of the corpus, or look for slower cases."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cap", type=float, default=CAP, help="seconds for a question")
    parser.add_argument("--only", choices=tuple(FAMILIES), action="append", help="families")
    parser.add_argument("--kind", choices=KINDS, action="append", help="questions")
    parser.add_argument("--part", default="1/1", help="I/N: every N-th case from the I-th on")
    parser.add_argument("--fuzz", type=int, metavar="TRIES", help="look for slower parameters")
    parser.add_argument("--seed", type=int, default=0, help="where the fuzzer starts")
    options = parser.parse_args()
    families, kinds = options.only or tuple(FAMILIES), options.kind or KINDS
    check(KB.of())
    Integers()  # so that no case pays for loading the solver

    if options.fuzz:
        for family in families:
            for kind in kinds:
                fuzz(family, kind, options.fuzz, options.cap, options.seed)
        return
    first, step = map(int, options.part.split("/"))
    cases = [one for one in corpus()[first - 1 :: step] if one.family in families]
    rows = known()
    try:
        for row in run(cases, kinds, options.cap):
            rows[row.kind, row.case] = row
    finally:  # what is measured is kept, also after Ctrl-C
        save("tail", {"cap": options.cap, "cases": [vars(one) for one in rows.values()]})
    every = list(rows.values())
    print(table(every))
    for row in sorted(every, key=lambda row: -row.seconds)[:10]:
        print(f"{row.seconds:7.2f} s  {row.kind:<6}  {row.said:<10}  {row.case}")


if __name__ == "__main__":
    main()
