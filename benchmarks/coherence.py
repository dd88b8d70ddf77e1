"""Coherence and repair at the size of real ontologies: seconds from the shell.

Run `python benchmarks/coherence.py`. galen2 and mp are checked as they are; then
galen2 with conditionals about a class in one of its parents, with shares up to a half, intervals up
to 0.2 wide and a fifth of them points, at random; and once more with a second, impossible number
for one of them, which is also repaired. *wall* is from start to end of the process, *user* what it
computed: on a machine with other work they differ.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from _measuring import add_data_option, save

import boxsel
from boxsel.logic.axioms import Conditional, Inclusion
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval


@dataclass(frozen=True)
class Measured:
    """A command, and what it took and said."""

    command: str
    wall: float
    user: float
    said: str


def with_conditionals(kb: KB, count: int, seed: int, points: float = 0.2) -> KB:
    """A knowledge base with conditionals about classes in their parents."""
    random = Random(seed)
    pairs = [
        (axiom.left, axiom.right)
        for axiom in kb.axioms
        if isinstance(axiom, Inclusion)
        and isinstance(axiom.left, Name)
        and isinstance(axiom.right, Name)
    ]
    axioms = []
    for child, parent in random.sample(pairs, min(count, len(pairs))):
        low = random.randrange(5, 500)
        wide = 0 if random.random() < points else random.randrange(10, 200)
        bounds = Interval.of(f"{low}/1000", f"{low + wide}/1000")
        axioms.append(Conditional(child, parent, bounds))
    return kb.with_statements((*kb.statements, *KB.of(*axioms).statements))


def with_typo(kb: KB) -> KB:
    """The same with another number for the share of the first conditional."""
    said = next(iter(kb.conditionals))
    typo = Conditional(said.head, said.body, Interval.of("19/20", "19/20"))
    return kb.with_statements((*kb.statements, *KB.of(typo).statements))


def measure(*command: str | Path) -> Measured:
    """Run a command of boxsel in a process of its own."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "boxsel", *map(str, command)], capture_output=True, check=False
    )
    wall = time.perf_counter() - start
    user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    lines = done.stdout.decode().splitlines()
    told = [line for line in lines if "contradiction" in line or "total" in line] or lines[-1:]
    name = Path(command[1]).name
    return Measured(f"{command[0]} {name}", wall, user, told[0] if told else "nothing")


def main() -> None:
    """Measure everything and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conditionals", type=int, default=1000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    add_data_option(parser)
    arguments = parser.parse_args()
    folder = arguments.data / "owl"
    rows = [measure("check", folder / f"{name}.owl.gz") for name in ("galen2", "mp")]
    galen = boxsel.read(folder / "galen2.owl.gz")
    with tempfile.TemporaryDirectory() as made:
        for seed in arguments.seeds:
            for points in (0.2, 1.0):
                kb = with_conditionals(galen, arguments.conditionals, seed, points)
                kind = f"{'points' if points == 1 else 'mixed'}-{seed}"
                plain, typo = Path(made) / f"galen2-{kind}.sel", Path(made) / f"typo-{kind}.sel"
                boxsel.write(kb, plain)
                boxsel.write(with_typo(kb), typo)
                rows += [measure("check", plain), measure("check", typo), measure("repair", typo)]
    print("| command | wall | user | said |\n|---|---|---|---|")
    for row in rows:
        print(f"| `{row.command}` | {row.wall:.1f} s | {row.user:.1f} s | {row.said} |")
    save("coherence", {"commands": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
