"""Counted knowledge graphs: seconds to answer every plain query of a split exactly.

Run `python benchmarks/counted_graphs.py --data FOLDER`, where the folder holds `yago3-mini` and
`codex-m`. The most frequent concepts of a graph are counted into conditionals `(B | A)` and
`(B | A1 and A2)`, and with roles also `(B | r some A)` and `(r some A | B)`; ⊤ is the root. A share
of the concepts become query concepts, which occur in no body; the queries are `(Q | A)`, or
`(Q | ⊤)`, and the rest of the conditionals, or a share of them, are what is known.
"""

from __future__ import annotations

import argparse
import gzip
import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from _measuring import add_data_option, save
from numpy.typing import NDArray

from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Concept, Name, Role, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count
from boxsel.logic.statements import Query

BASE = "http://example.org/"
Table = NDArray[np.int64]


@dataclass(frozen=True)
class Graph:
    """The concepts of each entity, and the pairs of each role."""

    types: Mapping[str, frozenset[str]]
    facts: Mapping[str, Sequence[tuple[str, str]]]


def yago(folder: Path) -> Graph:
    """yago3-mini, its types closed upwards through the taxonomy and the WordNet backbone."""
    above: dict[str, set[str]] = {}
    for file in ("yagoTaxonomy", "wordnetBackbone"):
        for _, low, _, high, *_ in _lines(folder / f"{file}.tsv.gz"):
            above.setdefault(low, set()).add(high)
    types: dict[str, set[str]] = {}
    for _, entity, _, concept, *_ in _lines(folder / "yagoTypes.tsv.gz"):
        types.setdefault(entity, set()).add(concept)
    closed = {entity: frozenset(_closure(concepts, above)) for entity, concepts in types.items()}
    return Graph(closed, _by_role(row[1:4] for row in _lines(folder / "yagoFacts.tsv.gz")))


def codex(folder: Path) -> Graph:
    """codex-m, with its types as they are."""
    types: dict[str, set[str]] = {}
    for entity, concept in _lines(folder / "types.tsv.gz"):
        types.setdefault(entity, set()).add(concept)
    closed = {entity: frozenset(concepts) for entity, concepts in types.items()}
    return Graph(closed, _by_role(_lines(folder / "facts.tsv.gz")))


READERS = {"yago3-mini": yago, "codex-m": codex}
"""How each folder of data is read."""


def _lines(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield line.rstrip("\n").split("\t")


def _closure(concepts: Iterable[str], above: Mapping[str, set[str]]) -> set[str]:
    seen = set(concepts)
    stack = list(seen)
    while stack:
        fresh = above.get(stack.pop(), set()) - seen
        seen |= fresh
        stack.extend(fresh)
    return seen


def _by_role(rows: Iterable[Sequence[str]]) -> dict[str, list[tuple[str, str]]]:
    facts: dict[str, list[tuple[str, str]]] = {}
    for subject, role, object_ in rows:
        facts.setdefault(role, []).append((subject, object_))
    return facts


def within(graph: Graph, concept: str) -> Graph:
    """The graph with the types of one concept's instances only."""
    inside = {entity: names for entity, names in graph.types.items() if concept in names}
    return Graph(inside, graph.facts)


def count(graph: Graph, concepts: int, roles: int = 0) -> list[Conditional]:
    """The conditionals of the four shapes over the most frequent concepts and roles.

    Those with an empty body are undefined and left out. The population is the typed entities.
    """
    frequency = Counter(name for names in graph.types.values() for name in names)
    common = [name for name, number in frequency.most_common() if number < len(graph.types)]
    chosen = sorted(common[:concepts], key=lambda name: (-frequency[name], name))
    column = {name: number for number, name in enumerate(chosen)}
    place = {entity: number for number, entity in enumerate(graph.types)}
    members = np.zeros((len(place), len(chosen) + 1), np.int64)
    members[:, -1] = 1  # the root
    for entity, names in graph.types.items():
        for name in names & column.keys():
            members[place[entity], column[name]] = 1
    heads: list[Concept] = [*(Name(_iri(name)) for name in chosen), TOP]
    found = list(_names(members, heads))
    for role in sorted(graph.facts, key=lambda role: -len(graph.facts[role]))[:roles]:
        reached = np.zeros_like(members)
        for subject, object_ in graph.facts[role]:
            if subject in place and object_ in place:
                reached[place[subject]] |= members[place[object_]]
        found.extend(_existentials(members, reached, Role(_iri(role)), heads))
    return found


def _iri(text: str) -> str:
    return BASE + "".join(char if char.isalnum() else "_" for char in text.strip("<>"))


def _names(members: Table, heads: Sequence[Concept]) -> Iterator[Conditional]:
    patterns, weights = np.unique(members, axis=0, return_counts=True)
    root = len(heads) - 1
    for one in range(root + 1):
        yield from _shares(heads[one], patterns, weights * patterns[:, one], heads, {one, root})
    for one, two in combinations(range(root), 2):
        inside = weights * patterns[:, one] * patterns[:, two]
        body = heads[one] & heads[two]
        yield from _shares(body, patterns, inside, heads, {one, two, root})


def _existentials(
    members: Table, reached: Table, role: Role, names: Sequence[Concept]
) -> Iterator[Conditional]:
    root = len(names) - 1
    heads = [role.some(name) for name in names]
    for number in range(root + 1):
        yield from _shares(heads[number], members, reached[:, number], names, {root})
        yield from _shares(names[number], reached, members[:, number], heads, set())


def _shares(
    body: Concept, members: Table, inside: Table, heads: Sequence[Concept], own: set[int]
) -> Iterator[Conditional]:
    total = int(inside.sum())
    if total:
        for head, number in enumerate((inside @ members).tolist()):
            if head not in own:
                yield Conditional(heads[head], body, Count(number, total))


@dataclass(frozen=True)
class Split:
    """What is known, and what is asked."""

    kb: KB
    queries: tuple[Query, ...]


def split(
    conditionals: Sequence[Conditional],
    queried: int,
    *,
    of_root: bool = False,
    kept: float = 1.0,
    seed: int = 0,
) -> Split:
    """Some names become query concepts, which occur in no body; no query is known.

    A query is `(Q | A)` with another name A, or `(Q | ⊤)`.
    """
    chance = random.Random(seed)
    names = sorted({one.head for one in conditionals if isinstance(one.head, Name)}, key=str)
    chosen = set(chance.sample(names, queried))
    bodies = [TOP] if of_root else [name for name in names if name not in chosen]
    counted = {(one.head, one.body) for one in conditionals}
    queries = [
        (head, body)
        for body in bodies
        for head in names
        if head in chosen and (head, body) in counted
    ]
    asked = set(queries)
    known = [
        one
        for one in conditionals
        if (one.head, one.body) not in asked
        and chosen.isdisjoint(conjuncts(one.body))
        and (kept >= 1 or chance.random() < kept)
    ]
    return Split(KB.of(*known), tuple(Query(head, body) for head, body in queries))


@dataclass(frozen=True)
class Case:
    """An ontology to count and to split."""

    graph: str
    concepts: int
    queried: int
    roles: int = 0
    of_root: bool = False


CASES = (
    *(
        Case(graph, concepts, queried, of_root=of_root)
        for concepts, queried in ((13, 3), (30, 8), (127, 40))
        for graph in ("yago", "person", "codex")
        for of_root in (False, True)
    ),
    Case("yago", 13, 3, roles=5),
    Case("yago", 13, 3, roles=18),
    Case("codex", 13, 3, roles=18),
    Case("person", 30, 8, roles=6),
    Case("yago", 30, 8, roles=5),
    Case("codex", 30, 8, roles=5),
)
SAMPLED = 20
"""How many queries are asked where there are roles."""


def measure(case: Case, graph: Graph) -> dict[str, object]:
    """Seconds for all queries of a split, from the knowledge base to bounds with their proofs."""
    conditionals = count(graph, case.concepts, case.roles)
    truth = {(one.head, one.body): one.bounds.lower for one in conditionals}
    asked = split(conditionals, case.queried, of_root=case.of_root)
    queries: Sequence[Query] = asked.queries
    if case.roles:
        queries = random.Random(0).sample(queries, min(SAMPLED, len(queries)))
    start = time.perf_counter()
    reasoner = Reasoner(asked.kb)
    first = reasoner.bounds(queries[0])
    ready = time.perf_counter()
    answers = [first, *(reasoner.bounds(query) for query in queries[1:])]
    done = time.perf_counter()
    widths = []
    for answer in answers:
        assert answer.lower is not None
        assert answer.upper is not None
        share = truth[answer.query.head, answer.query.body]
        assert answer.lower.bound <= share <= answer.upper.bound
        widths.append(answer.upper.bound - answer.lower.bound)
    row: dict[str, object] = {
        "graph": case.graph,
        "concepts": case.concepts,
        "roles": case.roles,
        "body": "root" if case.of_root else "names",
        "conditionals": len(asked.kb.statements),
        "queries": len(queries),
        "first": round(ready - start, 2),
        "rest": round(done - ready, 2),
        "points": sum(width == 0 for width in widths),
        "mean_width": round(float(sum(widths) / len(widths)), 4),
    }
    print(
        f"{case.graph:<7} {case.concepts:>4} {case.roles:>3} {row['body']:<6}"
        f"{row['conditionals']:>8,} {row['queries']:>7,} {row['first']:>7} {row['rest']:>7}"
        f" {row['points']:>7,} {row['mean_width']:>7}",
        flush=True,
    )
    return row


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    add_data_option(options)
    options.add_argument("--largest", type=int, default=127, help="the most concepts")
    given = options.parse_args()
    for needed in ("yago3-mini", "codex-m"):
        if not (given.data / needed).exists():
            options.error(f"there is no {needed} in {given.data}: name the folder with --data")
    whole = yago(given.data / "yago3-mini")
    graphs = {
        "yago": whole,
        "person": within(whole, "<wordnet_person_100007846>"),
        "codex": codex(given.data / "codex-m"),
    }
    print("graph concepts roles body  known queries  first s  rest s  points   width")
    cases = [case for case in CASES if case.concepts <= given.largest]
    save("counted_graphs", {"rows": [measure(case, graphs[case.graph]) for case in cases]})


if __name__ == "__main__":
    main()
