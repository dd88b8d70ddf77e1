"""Real graphs: seconds of `boxsel build graph`, from the command's start to the written file.

Run `python benchmarks/build_real_graphs.py --data FOLDER`, where the folder holds `yago3-mini` and
`codex-m`. 127 concepts, 6 roles, conjunctions over 50. Every conditional is then compared with the
slow, obvious implementation of Algorithm 1 that the tests use.
"""

from __future__ import annotations

import argparse
import gzip
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _measuring import FOLDER, add_data_option, save

import boxsel

sys.path.insert(0, str(FOLDER.parent))

from tests.build.graphs.reference import Graph
from tests.build.graphs.test_building import check_against

TARGET = 5.0
RUNS = 3
SIZES = ["--top-roles", "6", "--conjoined", "50"]
YAGO = ("yagoTaxonomy", "wordnetBackbone", "yagoTypes", "yagoFacts")


def options(data: Path) -> dict[str, list[str]]:
    """What the command is given for each graph."""
    codex = data / "codex-m"
    return {
        "yago3-mini, persons": [
            *(str(data / "yago3-mini" / f"{name}.tsv.gz") for name in YAGO),
            "--recipe",
            "person",
        ],
        "codex-m": [
            *("--facts", str(codex / "facts.tsv.gz"), "--types", str(codex / "types.tsv.gz")),
            *("--labels", str(codex / "labels.tsv.gz"), "--top", "127"),
        ],
        "codex-m, humans by occupation": [
            *("--facts", str(codex / "facts.tsv.gz"), "--types", str(codex / "types.tsv.gz")),
            *("--labels", str(codex / "labels.tsv.gz"), "--top", "127"),
            *("--concept-from", "P106", "--root", "Q5", "--roles-from", "Q5"),
        ],
    }


def graphs(data: Path) -> dict[str, Graph]:
    """The same graphs for the reference."""
    taxonomy, backbone, kinds, facts = (
        rows(data / "yago3-mini" / f"{name}.tsv.gz") for name in YAGO
    )
    yago = Graph(
        tuple((row[1], _bare(row[3])) for row in kinds),
        tuple((_bare(row[1]), _bare(row[3])) for row in taxonomy + backbone),
        tuple((row[1], _bare(row[2]), row[3]) for row in facts),
    )
    types = tuple((row[0], row[1]) for row in rows(data / "codex-m" / "types.tsv.gz"))
    triples = tuple((s, p, o) for s, p, o in rows(data / "codex-m" / "facts.tsv.gz"))
    jobs = tuple((s, o) for s, p, o in triples if p == "P106")
    others = tuple(row for row in triples if row[1] != "P106")
    return {
        "yago3-mini, persons": yago,
        "codex-m": Graph(types, (), triples),
        "codex-m, humans by occupation": Graph(types + jobs, (), others),
    }


def rows(path: Path) -> list[list[str]]:
    """The rows of a compressed table."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def _bare(name: str) -> str:
    return name.strip("<>")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data_option(parser)
    data: Path = parser.parse_args().data
    if not (data / "yago3-mini").exists() or not (data / "codex-m").exists():
        print(f"{data}: yago3-mini and codex-m are not here: say where with --data")
        return
    slow = graphs(data)
    result: dict[str, object] = {"target": TARGET}
    print(f"{'graph':32} {'median s':>9} {'largest':>8} {'conditionals':>13}  equal")
    for name, given in options(data).items():
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder, "graph.sel")
            command = [sys.executable, "-m", "boxsel", "build", "graph", *given, *SIZES]
            seconds = []
            for _ in range(RUNS):
                start = time.perf_counter()
                subprocess.run([*command, "-o", str(target)], check=True, capture_output=True)
                seconds.append(time.perf_counter() - start)
            kb = boxsel.read(target)
        check_against(slow[name], kb)
        number = sum(1 for _ in kb.conditionals)
        median = statistics.median(seconds)
        print(f"{name:32} {median:9.2f} {max(seconds):8.2f} {number:13,}  yes")
        result[name] = {"seconds": seconds, "conditionals": number, "equal": True}
    print(f"the target is {TARGET:.0f} s each")
    save("build_real_graphs", result)


if __name__ == "__main__":
    main()
