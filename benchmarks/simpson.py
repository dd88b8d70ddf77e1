"""Verdicts about reversals on random knowledge bases: how long they take, and that they hold.

    python benchmarks/simpson.py --count 200 --budget 2

Each verdict is compared with the population that the knowledge base describes, and with many more
random models of it: none may reverse where that is excluded, or fail to where it is entailed. The
exit code is 1 if one does.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

from _measuring import save

sys.path.insert(0, str(Path(__file__).parents[1]))

from boxsel.machine.budget import Budget
from boxsel.reversals.of_kb import analyse
from tests.reversals.populations import random_case, random_models, reverses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--budget", type=float, default=2.0, help="seconds for each")
    parser.add_argument("--models", type=int, default=100, help="random models for each")
    parser.add_argument("--seed", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    answers: Counter[str] = Counter()
    seconds: list[float] = []
    problems: list[str] = []
    for seed in range(options.seed, options.seed + options.count):
        random = Random(seed)
        case = random_case(random)
        start = time.perf_counter()
        found = analyse(case.kb, case.question, Budget(options.budget))
        seconds.append(time.perf_counter() - start)
        answers.update(f"{one.kind} {one.answer}" for one in found.verdicts)
        if not found.verdicts:
            answers[found.status] += 1
        for model in (case.population, *random_models(case, random, options.models)):
            if not model.is_model(case.kb):
                problems.append(f"seed {seed}: a random model is none")
            if not (model.size(case.question.groups[0]) and model.size(case.question.groups[1])):
                continue
            seen = reverses(case.question, model.size)
            for one, reversed_here in zip(found.verdicts, seen, strict=True):
                if one.answer == ("excluded" if reversed_here else "entailed"):
                    problems.append(f"seed {seed}: {one.kind} reversal is not {one.answer}")
    for answer, number in sorted(answers.items()):
        print(f"{answer:<20}{number:>8,}")
    print(f"median {statistics.median(seconds):.3f} s, at most {max(seconds):.2f} s")
    print("\n".join(dict.fromkeys(problems)) or "no verdict was contradicted")
    save(
        "simpson",
        {
            "count": options.count,
            "budget_seconds": options.budget,
            "models_each": options.models,
            "answers": dict(sorted(answers.items())),
            "median_seconds": round(statistics.median(seconds), 3),
            "longest_seconds": round(max(seconds), 2),
            "problems": list(dict.fromkeys(problems)),
        },
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
