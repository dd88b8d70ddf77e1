"""Rules: seconds until nothing moves, on knowledge bases of hundreds of thousands of conditionals.

Run `python benchmarks/rules.py --conditionals 300000`. Four kinds of input, all true of a random
population, so that they are coherent:

- *counted*: names of a counted graph, all `(B | A)` and `(B | A1 and A2)` as points, from a
  population with few types of members (most conditionals are 0 or 1) or with many;
- *thinned*: the same with many types, a fifth of the conditionals, bounds of width 0.05;
- *taxonomy*: a tree of names of branching 4 with disjoint siblings for a third of them,
  conditionals child|parent and attribute|class, a third of the bodies conjunctions, a tenth of the
  attributes existentials, bounds of width 0.05.
"""

from __future__ import annotations

import argparse
import random
import resource
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
from _measuring import save
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import Concept, Name, Role
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count, Interval
from boxsel.rules.derivation import propagate
from boxsel.rules.knowledge import Knowledge

Row = dict[str, object]
_HALF_WIDTH = Fraction(1, 40)
_COLUMNS = {
    "conditionals": 12,
    "knowledge_seconds": 17,
    "cpu_seconds": 11,
    "seconds": 8,
    "rounds": 6,
    "moves": 8,
    "complete": 8,
    "empty": 5,
}


def counted(conditionals: int, types: int, density: float, seed: int = 0) -> Iterator[Conditional]:
    """Every pair and triple of names with a non-empty body, counted over so many types."""
    for names in range(10, 10_000, 5):
        noise = np.random.default_rng(seed)
        frequency = noise.uniform(0.05, 1, names) * density
        members = (noise.random((types, names)) < frequency).astype(np.int64)
        bodies = np.count_nonzero(np.triu(members.T @ members))
        if bodies * (names - 2) >= conditionals:
            break
    weights = noise.integers(1, 1000, types)
    concepts = [Name(f"C{number}") for number in range(names)]
    for one in range(names):
        yield from _counts(concepts[one], members, weights * members[:, one], concepts, {one})
    for one, two in combinations(range(names), 2):
        inside = weights * members[:, one] * members[:, two]
        body = concepts[one] & concepts[two]
        yield from _counts(body, members, inside, concepts, {one, two})


def _counts(
    body: Concept,
    members: NDArray[np.int64],
    inside: NDArray[np.int64],
    concepts: list[Name],
    own: set[int],
) -> Iterator[Conditional]:
    total = int(inside.sum())
    if total:
        for head, count in enumerate((inside @ members).tolist()):
            if head not in own:
                yield Conditional(concepts[head], body, Count(count, total))


def thinned(conditionals: int, seed: int = 0) -> KB:
    """A fifth of the conditionals of a counted graph, as intervals."""
    chance = random.Random(seed)
    every = counted(5 * conditionals, 5000, 0.6, seed)
    return KB.of(*(_widened(one, chance) for one in every if chance.random() < 0.2))


def _widened(axiom: Conditional, chance: random.Random) -> Conditional:
    return Conditional(axiom.head, axiom.body, _around(axiom.bounds.lower, chance))


def _around(share: Fraction, chance: random.Random) -> Interval:
    """An interval of width about 0.05 with short ends that holds the share."""
    shift = Fraction(chance.randrange(-20, 21), 1000)
    lower = Fraction(int((share + shift - _HALF_WIDTH) * 1000), 1000)
    upper = Fraction(int((share + shift + _HALF_WIDTH) * 1000) + 1, 1000)
    return Interval(max(Fraction(0), min(lower, share)), min(Fraction(1), upper))


def taxonomy(conditionals: int, seed: int = 0) -> KB:
    """A tree of classes with attributes; each class states twelve shares."""
    chance, noise = random.Random(seed), np.random.default_rng(seed)
    classes, attributes = max(5, conditionals // 12), 20
    names = [Name(f"Class{number}") for number in range(classes)]
    heads: list[Concept] = [Name(f"Attribute{number}") for number in range(attributes)]
    heads[: attributes // 10] = [Role("has").some(head) for head in heads[: attributes // 10]]
    parent = [(number - 1) // 4 for number in range(classes)]
    size = noise.integers(1, 20, classes)
    # How many members of each class have each pair of attributes: first those that are in no
    # class below, then all of them.
    common = np.zeros((classes, attributes, attributes), np.int32)
    for number in range(classes):
        members = noise.random((size[number], attributes)) < noise.random(attributes)
        common[number] = members.astype(np.int32).T @ members
    for child in range(classes - 1, 0, -1):
        size[parent[child]] += size[child]
        common[parent[child]] += common[child]
    axioms: list[Axiom] = []
    for child in range(1, classes):
        axioms.append(Inclusion(names[child], names[parent[child]]))
        share = Fraction(int(size[child]), int(size[parent[child]]))
        axioms.append(Conditional(names[child], names[parent[child]], _around(share, chance)))
        if child % 4 == 1 and chance.random() < 1 / 3 and child + 3 < classes:
            axioms.append(Disjointness(*names[child : child + 4]))
    for number in range(classes):
        axioms.extend(_attributes(names[number], int(size[number]), common[number], heads, chance))
    return KB.of(*axioms)


def _attributes(
    name: Name, size: int, common: NDArray[np.int32], heads: list[Concept], chance: random.Random
) -> Iterator[Conditional]:
    """Seven attributes of a class, and four within members that have another attribute."""
    chosen = chance.sample(range(len(heads)), 7)
    for head in chosen:
        share = Fraction(int(common[head, head]), size)
        yield Conditional(heads[head], name, _around(share, chance))
    for given, head in pairwise(chosen[:5]):
        inside = int(common[given, given])
        if inside:
            share = Fraction(int(common[given, head]), inside)
            yield Conditional(heads[head], name & heads[given], _around(share, chance))


def measure(kind: str, make: Callable[[], KB]) -> Row:
    """Seconds for the deterministic knowledge alone and for all, and what the rules did.

    Processor time of the one core that is used, and the time on the clock beside it.
    """
    kb = make()
    start = time.process_time()
    Knowledge(kb)
    known = time.process_time()
    begun = time.perf_counter()
    derivation = propagate(kb)
    row: Row = {
        "kind": kind,
        "conditionals": sum(1 for _ in kb.conditionals),
        "knowledge_seconds": round(known - start, 2),
        "cpu_seconds": round(time.process_time() - known, 2),
        "seconds": round(time.perf_counter() - begun, 2),
        "rounds": derivation.rounds,
        "moves": derivation.tightened,
        "complete": derivation.complete,
        "empty": len(derivation.empty),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(f"{kind:<20}", *(f"{row[column]!s:>{width}}" for column, width in _COLUMNS.items()))
    return row


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--conditionals", type=int, default=300_000)
    number = options.parse_args().conditionals
    print(f"{'kind':<20}", *(f"{column:>{width}}" for column, width in _COLUMNS.items()))
    kinds: dict[str, Callable[[], KB]] = {
        "counted, 300 types": lambda: KB.of(*counted(number, 300, 0.15)),
        "counted, 5000 types": lambda: KB.of(*counted(number, 5000, 0.6)),
        "thinned": lambda: thinned(number),
        "taxonomy": lambda: taxonomy(number),
    }
    save("rules", {"rows": [measure(kind, make) for kind, make in kinds.items()]})


if __name__ == "__main__":
    main()
