"""All counts of a graph, in one pass over its types and one over its facts.

The words of every entity; the entities grouped by their words; for each role its subjects
grouped by their own words and by those of what they reach; then matrix products over the groups.
Roles stay apart, because no conditional speaks of two: so the groups stay few. Choosing concepts
and roles needs simple counts beside: they are here too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from boxsel.build.graphs import sql
from boxsel.build.graphs.choice import Chosen, Counts
from boxsel.build.graphs.engine import Engine
from boxsel.build.graphs.patterns import (
    add_triples,
    linked,
    load_class_bits,
    mirrored,
    pairs,
    totals,
    unpacked,
)
from boxsel.errors import BoxselError
from boxsel.machine.progress import track

CELLS: Final = 1 << 23
"""How many zeros and ones are unpacked at a time."""

MOST_COUNTS: Final = 1 << 27
"""How many counts are held: 1 GiB of them."""

WORDS: Final = 16
"""How many words of classes are counted in one pass."""

CHUNK: Final = 1 << 14


def count_graph(
    engine: Engine,
    chosen: Chosen,
    above: Mapping[str, Collection[int]],
    *,
    chunk: int | None = None,
) -> Counts:
    """Count everything that conditionals over the chosen concepts and roles need.

    `above` gives for each class of the graph the places of the chosen concepts that it is at or
    below. `chunk` is how many rows of a pattern table are in memory at a time.

    Examples:
        >>> from boxsel.build.graphs.engine import DuckDBEngine
        >>> engine = DuckDBEngine()
        >>> text = "VARCHAR"
        >>> types = [["ann", "bob", "eve"], ["Cook", "Cook", "Pilot"]]
        >>> engine.load("types", {"entity": text, "class": text}, types)
        >>> facts = [["ann", "eve"], ["knows", "knows"], ["eve", "bob"]]
        >>> engine.load("facts", {"subject": text, "role": text, "object": text}, facts)
        >>> chosen = Chosen(("Person", "Pilot"), roles=("knows",))
        >>> counts = count_graph(engine, chosen, {"Cook": [0], "Pilot": [0, 1]})
        >>> counts.pairs.tolist()  # three persons, one of them a pilot
        [[3, 1], [1, 1]]
        >>> counts.reached.tolist()  # two know a person, one knows a pilot
        [[2, 1]]
        >>> counts.linked[0, 1].tolist()  # the one who knows a pilot is a person, and no pilot
        [1, 0]
        >>> engine.close()
    """
    _check_size(chosen)
    words = sql.words_for(len(chosen.concepts))
    chunk = chunk or max(1, CELLS // max(1, len(chosen.concepts)))
    load_class_bits(engine, above, words)
    places = list(range(len(chosen.roles)))
    engine.load(sql.ROLE_PLACES, {"role": "VARCHAR", "place": "BIGINT"}, [chosen.roles, places])
    tables = Tables(chosen, above)

    names, conjoined = len(chosen.concepts), len(chosen.conjoined)
    both = np.zeros((names, names), np.int64)
    triples = np.zeros((conjoined, conjoined, conjoined), np.int64)
    links = np.zeros((len(places), names + 1, names + 1), np.int64)
    patterns, members = [0] * (1 + len(places)), 0
    steps: list[int | None] = [None, *places]
    for step in track(steps, "counting the graph", len(steps)):
        if step is None:
            engine.materialize(tables.entities, sql.entity_bits(words))
            engine.materialize(tables.concepts, sql.concept_patterns(words, tables.entities))
            for rows in engine.integers(f"SELECT * FROM {tables.concepts}", chunk):
                ones, counts = unpacked(rows, names), rows[:, -1]
                patterns[0] += len(rows)
                members += int(counts.sum())
                both += pairs(ones, counts, ones)
                add_triples(triples, ones[:, list(chosen.conjoined)], counts)
        else:
            reach = tables.reach[step]
            engine.materialize(reach, sql.reach(words, tables.entities, step))
            engine.materialize(tables.roles[step], sql.role_patterns(words, tables.entities, reach))
            for rows in engine.integers(f"SELECT * FROM {tables.roles[step]}", chunk):
                patterns[1 + step] += len(rows)
                links[step] += linked(rows, names)
    size = names
    if chosen.everything:
        size += 1
        both = np.pad(both, ((0, 1), (0, 1)))
        both[-1] = both[:, -1] = np.diagonal(both)
        both[-1, -1] = entities(engine)
    return Counts(
        chosen,
        both,
        mirrored(triples),
        links[:, :size, -1],
        links[:, :size, :size],
        tuple(patterns),
        members,
    )


class Tables:
    """Names for the tables of this choice.

    A folder that is kept may hold tables of another choice; theirs have other names.
    """

    def __init__(self, chosen: Chosen, above: Mapping[str, Collection[int]]) -> None:
        bits = sorted((name, sorted(set(places))) for name, places in above.items() if places)
        words = _digest(len(chosen.concepts), bits)
        roles = [_digest(words, role) for role in chosen.roles]
        self.entities = f"entity_bits_{words}"
        self.concepts = f"concept_patterns_{words}"
        self.reach = [f"reach_{role}" for role in roles]
        self.roles = [f"role_patterns_{role}" for role in roles]
        self.kinds = f"entity_kinds_{words}"
        self.kind_reach = [f"kind_reach_{role}" for role in roles]


def _digest(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _check_size(chosen: Chosen) -> None:
    names, roles, conjoined = len(chosen.concepts), len(chosen.roles), len(chosen.conjoined)
    counts = (roles + 1) * names**2 + 2 * conjoined**3
    if counts > MOST_COUNTS:
        raise BoxselError(
            f"{names:,} concepts, {roles:,} roles and conjunctions over {conjoined:,} concepts are "
            f"{counts:,} counts, and {MOST_COUNTS:,} can be held\n  help: choose fewer of them"
        )


def instances(engine: Engine, above: Mapping[str, Collection[str]]) -> dict[str, int]:
    """How many different entities each class has, those of its subclasses included.

    `above` gives the superclasses of a class, itself included; other classes count for themselves.

    Examples:
        >>> from boxsel.build.graphs.engine import DuckDBEngine
        >>> engine = DuckDBEngine()
        >>> types = [["ann", "ann", "eve"], ["Cook", "Pilot", "Pilot"]]
        >>> engine.load("types", {"entity": "VARCHAR", "class": "VARCHAR"}, types)
        >>> above = {"Cook": ["Cook", "Person"], "Pilot": ["Pilot", "Person"]}
        >>> sorted(instances(engine, above).items())
        [('Cook', 1), ('Person', 2), ('Pilot', 2)]
        >>> engine.close()
    """
    direct = dict(engine.rows(sql.DIRECT_INSTANCES))
    below: dict[str, list[str]] = {}
    for name in direct:
        for superclass in set(above.get(name, (name,))):
            below.setdefault(superclass, []).append(name)
    # Most classes have no entities but their own. The others are counted by bits: an entity that
    # is in two subclasses is one.
    counted = dict.fromkeys((name for names in above.values() for name in names), 0)
    counted |= {name: direct[subs[0]] for name, subs in below.items() if len(subs) == 1}
    inner = [name for name, subs in below.items() if len(subs) > 1]
    for start in range(0, len(inner), WORDS * sql.BITS):
        counted.update(_united(engine, inner[start : start + WORDS * sql.BITS], below))
    return counted


def _united(
    engine: Engine, names: Sequence[str], below: Mapping[str, Collection[str]]
) -> dict[str, int]:
    """How many different entities there are in all the classes below each name."""
    bits: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        for sub in below[name]:
            bits.setdefault(sub, []).append(place)
    words = sql.words_for(len(names))
    load_class_bits(engine, bits, words)
    query = sql.concept_patterns(words, f"({sql.entity_bits(words)})")
    sums = np.zeros(len(names), np.int64)
    for rows in engine.integers(query, CHUNK):
        sums += totals(rows, len(names))
    return dict(zip(names, sums.tolist(), strict=True))


def facts_by_role(
    engine: Engine,
    *,
    subjects: Collection[str] | None = None,
    objects: Collection[str] | None = None,
) -> dict[str, int]:
    """How many facts each role has: all, or those that start or end in some direct classes."""
    for end, classes in (("subject", subjects), ("object", objects)):
        if classes is not None:
            _load_names(engine, sql.given_at(end), classes)
    query = sql.facts_by_role(at_subjects=subjects is not None, at_objects=objects is not None)
    return dict(engine.rows(query))


def classes_at_ends(engine: Engine, roles: Collection[str]) -> set[str]:
    """The direct classes of what these roles link: of their subjects and of their objects."""
    _load_names(engine, sql.GIVEN, roles)
    return {name for (name,) in engine.rows(sql.classes_at_ends())}


def entities(engine: Engine) -> int:
    """How many different entities there are, in types or in facts of any role: the size of ⊤."""
    ((count,),) = engine.rows(sql.ENTITIES)
    return int(count)


def _load_names(engine: Engine, table: str, names: Collection[str]) -> None:
    engine.load(table, {"name": "VARCHAR"}, [sorted(set(names))])
