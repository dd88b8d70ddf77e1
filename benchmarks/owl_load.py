"""Loading an ontology from each OWL serialisation, and converting it to each.

Run `python benchmarks/owl_load.py --data FOLDER`: the folder holds `owl/galen2.owl.gz` and the
same ontology as `.ofn.gz` and `.owx.gz`; the other serialisations are made from it. Without
the option the folder is `BOXSEL_DATA`, else `../shared/data` beside the checkout.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from _measuring import add_data_option, save

from boxsel.formats.registry import Format, format_named
from boxsel.formats.source import Source, load

SERIALISATIONS = ("owl", "owx", "ofn", "ttl", "obo")
RUNS, TARGET = 5, 3.0
T = TypeVar("T")


def fastest(work: Callable[[], T]) -> tuple[T, float]:
    """The result of some work and the seconds of its fastest run."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - start)
    return result, min(seconds)


def source_of(form: Format, folder: Path) -> Source:
    """The ontology as the data folder holds it, or else converted from RDF/XML."""
    path = folder / "owl" / f"galen2.{form.name}.gz"
    if path.exists():
        return load(path)
    kb = format_named("owl").codec.read(load(folder / "owl" / "galen2.owl.gz"))
    return Source(f"galen2.{form.name}", form.codec.write(kb).encode())


def measure(form: Format, folder: Path) -> dict[str, float]:
    """Seconds to read the ontology from one serialisation and to write it in it."""
    source = source_of(form, folder)
    kb, reading = fastest(lambda: form.codec.read(source))
    _, writing = fastest(lambda: form.codec.write(kb))
    size = len(source.data) / 1e6
    return {"megabytes": round(size, 2), "read": round(reading, 3), "write": round(writing, 3)}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    add_data_option(options)
    folder = options.parse_args().data
    if not (folder / "owl" / "galen2.owl.gz").exists():
        options.error(f"there is no owl/galen2.owl.gz in {folder}: name the folder with --data")

    rows = {name: measure(format_named(name), folder) for name in SERIALISATIONS}
    print(f"{'galen2 as':<10} {'MB':>6} {'read s':>8} {'write s':>8}")
    for name, row in rows.items():
        print(f"{name:<10} {row['megabytes']:>6.2f} {row['read']:>8.3f} {row['write']:>8.3f}")
    slowest = max(row["read"] for row in rows.values()) + max(row["write"] for row in rows.values())
    print(f"\nthe slowest load and conversion takes {slowest:.2f} s, the target is {TARGET:.0f} s")
    save("owl_load", {"runs": RUNS, "seconds": rows, "slowest": round(slowest, 3)})


if __name__ == "__main__":
    main()
