"""The evaluation's runs: seconds for the paper's main table, or for the whole suite.

Run `python benchmarks/evaluation.py --data FOLDER`, where the folder holds `yago3-mini`; without
it, and without its ontologies in `--folder`, the synthetic ones stand in. The main table is the
three ontologies of the paper's kinds under its protocol: five splits each, 60 members, our preset
and the paper's. With `--whole`, all ontologies, variants and studies. Exact intervals are not among
this: they are computed beforehand.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from _measuring import add_data_option, save

from boxsel.evaluation.cells import Cells
from boxsel.evaluation.evaluate import evaluate
from boxsel.evaluation.ontologies.folder import read_manifest
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.studies import planned

KINDS = ("person", "country", "hybrid")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    add_data_option(options)
    options.add_argument("--whole", action="store_true", help="everything, not the main table only")
    options.add_argument("--device", default="auto", help="where to train")
    options.add_argument("--runs-at-once", type=int, default=1, help="runs that train at once")
    options.add_argument("--members", type=int, default=60, help="how many embeddings")
    options.add_argument("--folder", type=Path, help="keep the runs here, and go on from there")
    given = options.parse_args()
    data = given.data if (given.data / "yago3-mini").exists() else None
    counted = set() if given.folder is None else {*read_manifest(given.folder)}
    known = data is not None or {f"yago-{kind}" for kind in KINDS} <= counted
    family = "yago" if known else "synthetic"
    if given.whole:
        choices = Choices(members=given.members)
    else:
        chosen = tuple(f"{family}-{kind}" for kind in KINDS)
        choices = Choices(chosen, ("paper",), ("main",), members=given.members)
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        evaluate(folder, choices, data=data, steps=["ontologies"])
        start = time.perf_counter()
        found = evaluate(
            folder,
            choices,
            data=data,
            device=given.device,
            at_once=given.runs_at_once,
            steps=["ontologies", "runs"],
        )
        wall = time.perf_counter() - start
        rows = trained(folder, choices)
    print("ontology             method           runs   training s")
    for row in rows:
        print(f"{row['ontology']:<20} {row['method']:<16} {row['runs']:>4} {row['seconds']:>12.1f}")
    print(f"{found.runs} runs computed now in {wall:.1f} s, {given.runs_at_once} at once")
    save("evaluation", {"rows": rows, "wall": round(wall, 1), "runs": found.runs})


def trained(folder: Path, choices: Choices) -> list[dict[str, object]]:
    """The seconds that training took, by ontology and method, compilation included."""
    entries, cells = read_manifest(folder), Cells(folder)
    scope = choices.scope({name: entries[name].digest for name in choices.ontologies})
    seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for work in dict.fromkeys(one.work for one in planned(scope, choices.studies)):
        loaded = cells.load(work)
        if work.method.settings is not None and loaded is not None:
            total = sum(part.effort.get("seconds", 0.0) for part in loaded[0])
            seconds[work.ontology, work.method.name].append(total)
    return [
        {"ontology": ontology, "method": method, "runs": len(found), "seconds": sum(found)}
        for (ontology, method), found in seconds.items()
    ]


if __name__ == "__main__":
    main()
