"""Answers about the bundled examples: from the start of a process, again, and what if.

Run `python benchmarks/ask.py`. *Process*: the whole command, `boxsel ask EXAMPLE QUERY --json`,
median of several. *Again*: a question in a process that is up, with a reasoner of its own. *What
if*: the same with one number changed, as a slider on the page asks it. *Many*: all pairs of names
of an example, in one process and in two.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.resources import files
from itertools import product

from _measuring import save

from boxsel import examples
from boxsel.answer.ask import ask
from boxsel.answer.many import ask_many

QUESTIONS = {
    "applicant": ("(Admitted | Applicant)", "(Admitted | DeptA)[0.6]"),
    "berkeley": ("(Admitted | Woman)", "(Admitted | DeptA and Woman)[0.7]"),
    "clinic": ("(TakesInsulin | Patient)", "(Smoker | Patient)[0.2]"),
}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--repeat", type=int, default=7, help="how often each is measured")
    given = options.parse_args()
    rows = [measured(name, *texts, given.repeat) for name, texts in QUESTIONS.items()]
    print("example     process s   again ms   what if ms   exact")
    for row in rows:
        print(
            f"{row['example']:<10} {row['process']:>10.2f} {row['again']:>10.1f}"
            f" {row['what_if']:>12.1f}   {row['exact']}"
        )
    many = throughput()
    print("questions   jobs   seconds")
    for each in many:
        print(f"{each['questions']:>9} {each['jobs']:>6} {each['seconds']:>9.2f}")
    save("ask", {"rows": rows, "many": many})


def measured(name: str, query: str, assumption: str, repeat: int) -> dict[str, object]:
    kb = examples.load(name)
    file = str(files("boxsel.examples") / f"{name}.sel")
    command = [sys.executable, "-m", "boxsel", "ask", file, query, "--json"]

    def process() -> None:
        done = subprocess.run(command, check=True, capture_output=True)
        assert json.loads(done.stdout)["outer"]["exact"]

    return {
        "example": name,
        "process": median(process, repeat),
        "again": 1000 * median(lambda: ask(kb, query), repeat),
        "what_if": 1000 * median(lambda: ask(kb, query, assume=[assumption]), repeat),
        "exact": ask(kb, query).exact,
    }


def throughput() -> list[dict[str, object]]:
    kb = examples.load("clinic")
    names = [name.text(kb.prefixes) for name in kb.signature.concepts]
    queries = [f"({one} | {two})" for one, two in product(names, names)]
    found: list[dict[str, object]] = []
    for jobs in (1, 2):
        start = time.perf_counter()
        answers = sum(1 for _ in ask_many(kb, queries, jobs=jobs))
        seconds = time.perf_counter() - start
        found.append({"questions": answers, "jobs": jobs, "seconds": round(seconds, 2)})
    return found


def median(work: Callable[[], object], repeat: int) -> float:
    work()
    seconds = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
