"""Presets, representations and maps of roles side by side: how well do members satisfy?

    python benchmarks/ablation.py [--members 20] [--dim 8]

Each is trained on the bundled examples and on small knowledge bases counted from a random
population, as points and as intervals. *kept* are members whose largest violation is at most 0.01;
*error* is the mean distance of shares from the stated proportions, over all members.
"""

from __future__ import annotations

import argparse
import time
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
from _measuring import save

from boxsel import examples
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Concept, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.models.fit import fit

VARIANTS: dict[str, dict[str, Any]] = {
    "default": {},
    "paper, β = 1": {"preset": "paper"},
    "paper, β = 10": {"preset": "paper", "side": 10.0},
    "translation": {"roles": "translation"},
    "dual boxes": {"roles": "dual-boxes"},
    "balls": {"representation": "balls"},
}


def counted(names: int, width: Fraction, seed: int = 0) -> KB:
    """All `(B | A)`, `(B | r some A)`, `(r some A | B)` and some triples of a random population."""
    random = np.random.default_rng(seed)
    size = 400
    has = np.zeros((size, names), bool)
    for number in range(names):
        parent = has[:, random.integers(0, number)] if number else np.ones(size, bool)
        has[:, number] = (parent & (random.random(size) < 0.6)) | (random.random(size) < 0.1)
    to = (random.random(size) < 0.7)[:, None] & has[random.integers(0, size, size)]
    concepts = [Name(f"C{number}") for number in range(names)]
    role = Role("r")
    basic: list[tuple[Concept, np.ndarray]] = [
        *zip(concepts, has.T, strict=True),
        *((role.some(one), column) for one, column in zip(concepts, to.T, strict=True)),
    ]
    axioms = []

    def add(head: Concept, inside: np.ndarray, body: Concept, whole: np.ndarray) -> None:
        if whole.any():
            share = Fraction(int((inside & whole).sum()), int(whole.sum()))
            ends = max(share - width, Fraction(0)), min(share + width, Fraction(1))
            axioms.append(Conditional(head, body, Interval(*ends)))

    for (body, whole), (head, inside) in permutations(basic, 2):
        if isinstance(body, Name) or isinstance(head, Name):
            add(head, inside, body, whole)
    for one, other, third in permutations(range(min(names, 5)), 3):
        if one < other:
            both = has[:, one] & has[:, other]
            add(concepts[third], has[:, third], concepts[one] & concepts[other], both)
    return KB.of(*axioms)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--members", type=int, default=20)
    options.add_argument("--dim", type=int, default=8)
    chosen = options.parse_args()
    kbs = {name: examples.load(name) for name in ("applicant", "berkeley", "clinic")}
    kbs["counted, points"] = counted(10, Fraction(0))
    kbs["counted, intervals"] = counted(10, Fraction(1, 20))
    results: dict[str, object] = {}
    print(f"{chosen.members} members, n = {chosen.dim}")
    for kb_name, kb in kbs.items():
        print(f"{kb_name} ({len(kb)} statements)")
        for name, choices in VARIANTS.items():
            steps: dict[str, Any] = {"epochs": 2000} if choices.get("preset") == "paper" else {}
            begun = time.perf_counter()
            model = fit(kb, members=chosen.members, dim=chosen.dim, **choices, **steps)
            scores = model.scores
            row = {
                "kept": float(model.kept.mean()),
                "violation": float(np.median(scores.largest)),
                "error": float(scores.errors.mean()),
                "seconds": time.perf_counter() - begun,
            }
            results[f"{kb_name}: {name}"] = row
            print(
                f"  {name:16s} kept {row['kept']:4.0%}   violation {row['violation']:8.1e}"
                f"   error {row['error']:.4f}   {row['seconds']:5.1f} s"
            )
    save("ablation", {"members": chosen.members, "dim": chosen.dim, "results": results})


if __name__ == "__main__":
    main()
