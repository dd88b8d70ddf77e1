"""Knowledge bases that were counted from graphs, with their data: witnesses and stated shares.

Run `python benchmarks/known_data.py --data FOLDER`, where the folder holds `codex-m` and
`yago3-mini`. Each is built by the command, with defaults. *Stated*: a whole process that asks for a
share that is stated, median of several: the seconds that pass, which other work on the machine
lengthens, and those that it computes. *Witness*: random questions, bodies and heads of one to
three names and existentials, whose body somebody in the data has: a model with its certificate, and
the check of that by the independent checker. *Bounds*: the same questions to `bounds`, with a
second for each; how many are exact, and how many have an inner interval. *Any*: the same for heads
and bodies that are drawn blindly, of which many are impossible.
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
from collections.abc import Iterator
from pathlib import Path
from random import Random

from _measuring import add_data_option, save

import boxsel
from boxsel.checker.verify import verify
from boxsel.exact.bounds import bounds
from boxsel.exact.certificate import witness_certificate
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.concepts import Concept, conjunction
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget

YAGO = ("yagoTaxonomy", "wordnetBackbone", "yagoTypes", "yagoFacts")
REPEAT = 7


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    add_data_option(options)
    options.add_argument("--questions", type=int, default=100)
    options.add_argument("--budget", type=float, default=1.0, help="seconds for bounds")
    given = options.parse_args()
    codex, yago = given.data / "codex-m", given.data / "yago3-mini"
    graphs = {
        "codex-m": [
            part
            for kind in ("facts", "types", "labels")
            for part in (f"--{kind}", str(codex / f"{kind}.tsv.gz"))
        ],
        "yago3-mini": [str(yago / f"{name}.tsv.gz") for name in YAGO],
    }
    rows = [measured(name, files, given) for name, files in graphs.items()]
    for row in rows:
        print("\n".join(f"{key:<28} {value}" for key, value in row.items()), end="\n\n")
    save("known_data", {"rows": rows})


def measured(name: str, files: list[str], given: argparse.Namespace) -> dict[str, object]:
    """All about one graph."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"{name}.sel")
        run("build", "graph", *files, "-o", str(file))
        lines = file.read_text().splitlines(keepends=True)
        kb = boxsel.read(file)
        axiom = Random(0).choice([one for one in kb.conditionals if 0 < one.bounds.lower < 1])
        query = Query(axiom.head, axiom.body)
        runs = [run("bounds", str(file), query.text(kb.prefixes)) for _ in range(REPEAT)]
    start = time.perf_counter()
    assert kb.witness is not None
    checked = time.perf_counter() - start
    return {
        "graph": name,
        "statements": len(kb),
        "members": kb.witness.size,
        "patterns": len(kb.witness.patterns),
        "bytes": sum(map(len, lines)),
        "bytes of data": sum(len(line) for line in lines if line.startswith("Data")),
        "check of the data, s": round(checked, 3),
        "stated, process, s": round(statistics.median(passed for passed, _ in runs), 2),
        "stated, computing, s": round(statistics.median(busy for _, busy in runs), 2),
        **witnesses(kb, list(questions(kb, Random(1), given.questions))),
        **intervals("bounds", kb, list(questions(kb, Random(1), given.questions)), given.budget),
        **intervals("any", kb, list(blind(kb, Random(2), given.questions)), given.budget),
    }


def run(*arguments: str) -> tuple[float, float]:
    """The seconds of a command: those that pass, and those that it computes."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "boxsel", *arguments]
    subprocess.run(command, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, busy


def basics(kb: KB) -> list[Concept]:
    """Names, and existentials over them."""
    names = kb.signature.concepts
    return [*names, *(role.some(name) for role in kb.signature.roles for name in names)]


def questions(kb: KB, random: Random, number: int) -> Iterator[Query]:
    """Questions about what somebody has: the body is true of one pattern, the head of another."""
    assert kb.witness is not None
    members = kb.witness.interpretation
    true: list[list[Concept]] = [[] for _ in kb.witness.patterns]
    for basic in basics(kb):
        for place in members.extension(basic):
            true[place].append(basic)
    known = [own for own in true if own]
    while number:
        body, head = (random.choice(known) for _ in range(2))
        query = Query(*(some(one, random) for one in (head, body)))
        if not {*parts(query.head)} <= {*parts(query.body)}:
            number -= 1
            yield query


def blind(kb: KB, random: Random, number: int) -> Iterator[Query]:
    """Questions about anything."""
    pool = basics(kb)
    for _ in range(number):
        yield Query(random.choice(pool), conjunction(*random.sample(pool, 2)))


def some(concepts: list[Concept], random: Random) -> Concept:
    return conjunction(*random.sample(concepts, random.randint(1, min(3, len(concepts)))))


def parts(concept: Concept) -> tuple[Concept, ...]:
    return getattr(concept, "operands", (concept,))


def witnesses(kb: KB, asked: list[Query]) -> dict[str, object]:
    """Seconds to a model of each question, and to its check."""
    reasoner = Reasoner(kb)
    assert reasoner.witness is not None
    found, seconds, checks = 0, [], []
    for query in asked:
        start = time.perf_counter()
        certificate = json.dumps(witness_certificate(query, reasoner.witness))
        middle = time.perf_counter()
        checked = verify(kb, certificate)
        seconds.append(middle - start)
        checks.append(time.perf_counter() - start)
        found += checked.valid and checked.possible is not None
    return {
        "questions": len(asked),
        "certified witnesses": found,
        "witness, most s": round(max(seconds), 3),
        "witness and check, most s": round(max(checks), 3),
    }


def intervals(label: str, kb: KB, asked: list[Query], seconds: float) -> dict[str, object]:
    """What `bounds` says about each question in some seconds."""
    budget = Budget(seconds)
    reasoner = Reasoner(kb, budget=budget)
    took, exact, inner, vacuous = [], 0, 0, 0
    for query in asked:
        budget.renew()
        start = time.perf_counter()
        found = bounds(kb, query, reasoner=reasoner, minimal=False)
        took.append(time.perf_counter() - start)
        exact += found.exact
        inner += found.inner is not None
        vacuous += found.status == "vacuous"
    return {
        f"{label}: exact": exact,
        f"{label}: with an inner interval": inner,
        f"{label}: vacuous": vacuous,
        f"{label}: median s": round(statistics.median(took), 3),
        f"{label}: most s": round(max(took), 2),
    }


if __name__ == "__main__":
    main()
