"""The disease annotations of a whole release: reading, checking, building, repairing.

Run `python benchmarks/build_hpo.py --data FOLDER`: the folder holds `hpo/hp_isa.tsv.gz`,
`hp_labels.tsv.gz`, `hpoa_frequencies.tsv.gz` and `hpoa_not.tsv.gz`. Without the option the folder
is `BOXSEL_DATA`, else `../shared/data` beside the checkout.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import Any

from _measuring import add_data_option, save

from boxsel.build.phenotypes.building import build_hpo
from boxsel.build.phenotypes.report import HpoReport
from boxsel.sampling import Reading

TARGET = 60.0
PHENOTYPES = (20, 60, 80, 209)
BUDGET = 60.0
READINGS: dict[str, dict[str, Any]] = {
    "rows as given, whatever the sex": {"pool": False, "ignore_sex": True},
    "the same, gaps closed, 95% intervals": {
        "pool": False,
        "ignore_sex": True,
        "close_gaps": True,
        "reading": Reading("0.95"),
    },
    "pooled, by sex": {},
    "pooled, by sex, gaps closed": {"close_gaps": True},
    "pooled, by sex, gaps closed, 95% intervals": {
        "close_gaps": True,
        "reading": Reading("0.95"),
    },
}


def files(folder: Path) -> tuple[Path, Path]:
    """The hierarchy and the frequencies."""
    return folder / "hpo" / "hp_isa.tsv.gz", folder / "hpo" / "hpoa_frequencies.tsv.gz"


def timed(folder: Path, **options: Any) -> tuple[HpoReport, float]:
    """A build, and how long it took from the files to the end."""
    start = time.perf_counter()
    report = build_hpo(*files(folder), **options).report
    return report, round(time.perf_counter() - start, 2)


def check(folder: Path, options: dict[str, Any]) -> dict[str, object]:
    """All contradictions under one reading."""
    report, seconds = timed(folder, check=True, **options)
    assert report.checked is not None
    found = report.checked
    hierarchy = {one.disease for one in found.contradictions if one.kind == "hierarchy"}
    return {
        "pairs": found.pairs,
        "hierarchy": found.count("hierarchy"),
        "in diseases": len(hierarchy),
        "rows": found.count("rows"),
        "sex": found.count("sex"),
        "several rows": report.several.pairs,
        "apart": report.several.apart,
        "seconds": seconds,
    }


def repair(folder: Path, options: dict[str, Any]) -> dict[str, object]:
    """The least relaxation of all diseases."""
    report, seconds = timed(folder, repair=True, **options)
    assert report.checked is not None
    assert report.relaxed is not None
    return {
        "diseases": len(report.checked.diseases),
        "changes": len(report.relaxed.changes),
        "total": round(float(report.relaxed.total), 2),
        "optimal": report.relaxed.optimal,
        "seconds": seconds,
    }


def bounds(folder: Path, phenotypes: int) -> dict[str, object]:
    """Two queries and a check of the first disease with so many phenotypes, after its repair."""
    built = build_hpo(*files(folder))
    sizes: Counter[str] = Counter()
    for one in built.kb.conditionals:
        sizes[one.body.text(built.kb.prefixes)] += 1
    disease = min(body for body, size in sizes.items() if size == phenotypes)
    kb = build_hpo(*files(folder), diseases=[disease], repair=True).kb
    first, second = (one.head.text(kb.prefixes) for one in list(kb.conditionals)[:2])
    found: dict[str, object] = {"disease": disease, "names": len(kb.signature.concepts)}
    for name, head in (
        ("general term", "hasPhenotype some HP:0000118"),
        ("both", f"{first} and {second}"),
    ):
        start = time.perf_counter()
        answer = kb.bounds(f"({head} | {disease})", budget=BUDGET)
        found[name] = [str(answer.lower), str(answer.upper), answer.status]
        found[f"{name} seconds"] = round(time.perf_counter() - start, 2)
    start = time.perf_counter()
    found["coherent"] = kb.check().coherent
    found["check seconds"] = round(time.perf_counter() - start, 2)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    add_data_option(options)
    folder = options.parse_args().data
    for path in files(folder):
        if not path.exists():
            options.error(f"there is no {path}: name the folder with --data")

    report, seconds = timed(folder)
    built = {"diseases": report.diseases, "conditionals": sum(report.conditionals.values())}
    print(
        f"build: {built['diseases']:,} diseases,"
        f" {built['conditionals']:,} conditionals, {seconds} s\n"
    )
    checks = {name: check(folder, chosen) for name, chosen in READINGS.items()}
    for name, row in checks.items():
        print(f"{name}\n  " + ", ".join(f"{what} {value}" for what, value in row.items()))
    repairs = {name: repair(folder, READINGS[name]) for name in list(READINGS)[2:]}
    print()
    for name, row in repairs.items():
        print(f"repair, {name}\n  " + ", ".join(f"{what} {value}" for what, value in row.items()))
    asked = {size: bounds(folder, size) for size in PHENOTYPES}
    print()
    for size, row in asked.items():
        print(
            f"{size} phenotypes\n  " + ", ".join(f"{what} {value}" for what, value in row.items())
        )
    slowest = max(float(str(row["seconds"])) for row in checks.values())
    print(f"\nthe slowest check of all diseases takes {slowest} s, the target is {TARGET:.0f} s")
    save(
        "build_hpo",
        {
            "build": {**built, "seconds": seconds},
            "check": checks,
            "repair": repairs,
            "bounds": asked,
        },
    )


if __name__ == "__main__":
    main()
