"""Simple counts of a graph: what choosing concepts and roles needs to know."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

import numpy as np

from boxsel.build.graph import sql
from boxsel.build.graph.engine import Engine
from boxsel.build.graph.patterns import load_class_bits, totals

WORDS: Final = 16
"""How many words of classes are counted in one pass."""

CHUNK: Final = 1 << 14


def instances(engine: Engine, above: Mapping[str, Collection[str]]) -> dict[str, int]:
    """How many different entities each class has, those of its subclasses included.

    `above` gives the superclasses of a class, itself included; other classes count for themselves.

    Examples:
        >>> from boxsel.build.graph.duckdb_engine import DuckDBEngine
        >>> engine = DuckDBEngine()
        >>> types = [["ann", "ann", "eve"], ["Cook", "Pilot", "Pilot"]]
        >>> engine.load("types", {"entity": "VARCHAR", "class": "VARCHAR"}, types)
        >>> above = {"Cook": ["Cook", "Person"], "Pilot": ["Pilot", "Person"]}
        >>> sorted(instances(engine, above).items())
        [('Cook', 1), ('Person', 2), ('Pilot', 2)]
        >>> engine.close()
    """
    direct = {str(name): int(str(n)) for name, n in engine.rows(sql.direct_instances())}
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
    return {str(role): int(str(n)) for role, n in engine.rows(query)}


def classes_at_ends(engine: Engine, roles: Collection[str]) -> set[str]:
    """The direct classes of what these roles link: of their subjects and of their objects."""
    _load_names(engine, sql.GIVEN, roles)
    return {str(name) for (name,) in engine.rows(sql.classes_at_ends())}


def entities(engine: Engine) -> int:
    """How many different entities there are, in types or in facts of any role: the size of ⊤."""
    ((count,),) = engine.rows(sql.entities())
    return int(str(count))


def _load_names(engine: Engine, table: str, names: Collection[str]) -> None:
    engine.load(table, {"name": "VARCHAR"}, [sorted(set(names))])
