"""What `ask` says within its time about knowledge bases that nothing was tuned on.

Run `python benchmarks/possible.py`: families and sizes, a few questions to each knowledge base,
each from scratch and with 10 seconds. *Shown*: questions with an inner interval, among those whose
body can have members. *Gap*: how much wider the outer interval is than the inner one, on average.
*Exact*: questions whose two intervals are one. Seconds are of the whole question.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from _generators import Generated, dense, directed, taxonomy
from _measuring import save

from boxsel.answer.ask import ask

FAMILIES: dict[str, Callable[..., Generated]] = {
    "taxonomy": taxonomy,
    "dense": dense,
    "directed": directed,
    "roles": partial(directed, roles=0.1),
    "points": partial(directed, points=0.2),
    "all points": partial(directed, points=1.0),
}
SIZES = ((100, 250), (200, 500), (500, 1000))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--families", nargs="+", choices=FAMILIES, default=[*FAMILIES])
    options.add_argument("--sizes", nargs="+", default=[f"{n}/{c}" for n, c in SIZES])
    options.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    options.add_argument("--queries", type=int, default=3)
    options.add_argument("--budget", type=float, default=10.0)
    given = options.parse_args()
    print("family     size       questions   shown   gap     exact   p50 s   p90 s   worst s")
    rows = []
    for family in given.families:
        for size in given.sizes:
            names, conditionals = map(int, size.split("/"))
            made = [FAMILIES[family](names, conditionals, s, given.queries) for s in given.seeds]
            row = {"family": family, "size": size, **measured(made, given.budget)}
            rows.append(row)
            print(
                f"{family:<10} {size:<10} {row['questions']:>9} {row['shown']:>7.0%}"
                f" {row['gap']:>6.3f} {row['exact']:>8.0%} {row['p50']:>7.1f} {row['p90']:>7.1f}"
                f" {row['worst']:>9.1f}",
                flush=True,
            )
    save("possible", {"budget": given.budget, "rows": rows})


def measured(made: list[Generated], budget: float) -> dict[str, float]:
    seconds, gaps, exact = [], [], []
    for one in made:
        for query in one.queries:
            start = time.perf_counter()
            answer = ask(one.kb, query, budget=budget)
            seconds.append(time.perf_counter() - start)
            if answer.outer is None:
                continue  # the body is empty in every model
            exact.append(answer.outer.exact)
            if answer.inner is not None:
                outer = float(answer.outer.upper - answer.outer.lower)
                gaps.append(outer - float(answer.inner.upper - answer.inner.lower))
    return {
        "questions": len(seconds),
        "shown": len(gaps) / max(1, len(exact)),
        "gap": float(np.mean(gaps)) if gaps else float("nan"),
        "exact": float(np.mean(exact)) if exact else float("nan"),
        "p50": float(np.percentile(seconds, 50)),
        "p90": float(np.percentile(seconds, 90)),
        "worst": max(seconds),
    }


if __name__ == "__main__":
    main()
