"""The data behind the counts: who is alike, and to whom they are linked, as patterns with counts.

Entities with the same concepts are of one *kind*. A pattern is a kind, and for each role the set of
kinds of the objects: bits of kinds are joined along a role as bits of concepts are. Every statement
that is counted speaks of concepts, and of concepts of objects: of both, patterns know all. Whoever
is linked to a kind is linked to its most frequent pattern; so an existential inside an existential
is that of a model, and not always that of the data.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

import numpy as np

from boxsel.build.built import MOST_PATTERNS, Keeping
from boxsel.build.graphs import names, sql
from boxsel.build.graphs.choice import Chosen
from boxsel.build.graphs.counting import CHUNK, Tables
from boxsel.build.graphs.engine import Column, Engine, Words
from boxsel.build.graphs.patterns import packed, unpacked
from boxsel.logic.population import Pattern, Population

MOST_KINDS: Final = 1_000
"""Of more kinds the bits take longer to join than everything else takes to count."""


def keep_data(
    engine: Engine,
    chosen: Chosen,
    above: Mapping[str, Collection[int]],
    most: int = MOST_PATTERNS,
) -> Keeping:
    """The patterns of a graph that was counted, unless they are too many."""
    tables, words = Tables(chosen, above), sql.words_for(len(chosen.concepts))
    kinds = _kinds(engine, tables.concepts, words)
    if len(kinds) > MOST_KINDS:
        return Keeping(unkept=f"their concepts make {len(kinds):,} patterns, too many to keep")
    bits = sql.words_for(len(kinds))
    _load_kinds(engine, kinds, bits)
    engine.materialize(tables.kinds, sql.entity_kinds(words, bits, tables.entities))
    for place, table in enumerate(tables.kind_reach):
        engine.materialize(table, sql.reach(bits, tables.kinds, place))
    joint = sql.joint_patterns(bits, tables.kinds, tables.kind_reach)
    parts = list(engine.integers(f"{joint} LIMIT {most + 1}", CHUNK))
    rows = np.concatenate(parts) if parts else np.zeros((0, 2), np.int64)
    if len(rows) > most:
        return Keeping(unkept=f"they make more than {most:,} patterns")
    return Keeping(_population(chosen, kinds, rows, bits))


def _kinds(engine: Engine, table: str, words: int) -> Words:
    """The words of all sets of concepts that entities have, in order; the empty set first."""
    found = [rows[:, :words] for rows in engine.integers(f"SELECT * FROM {table}", CHUNK)]
    return np.unique(np.concatenate([np.zeros((1, words), np.int64), *found]), axis=0)


def _load_kinds(engine: Engine, kinds: Words, bits: int) -> None:
    places = range(len(kinds))
    own = np.array([packed([place], bits) for place in places], np.int64)
    columns = ["kind", *sql.word_names(kinds.shape[1], "c"), *sql.word_names(bits)]
    numbers: dict[str, Column] = dict.fromkeys(columns, "BIGINT")
    engine.load(sql.KINDS, numbers, [list(places), *kinds.T.tolist(), *own.T.tolist()])


def _population(chosen: Chosen, kinds: Words, rows: Words, bits: int) -> Population:
    # The most frequent first, whatever the order in which the engine gives them.
    rows = rows[np.lexsort((*rows.T[-2::-1], -rows[:, -1]))]
    reached = [
        unpacked(rows[:, 1 + bits * place : 1 + bits * (place + 1)], len(kinds))
        for place in range(len(chosen.roles))
    ]
    first: dict[int, int] = {}
    for place, kind in enumerate(rows[:, 0].tolist()):
        first.setdefault(kind, place)
    concepts = [
        tuple(np.flatnonzero(one).tolist()) for one in unpacked(kinds, len(chosen.concepts))
    ]
    patterns = tuple(
        Pattern(
            int(row[-1]),
            concepts[row[0]],
            tuple(
                tuple(sorted(first[kind] for kind in np.flatnonzero(ones[place]).tolist()))
                for ones in reached
            ),
        )
        for place, row in enumerate(rows.tolist())
    )
    return Population(
        tuple(map(names.concept, chosen.concepts)), tuple(map(names.role, chosen.roles)), patterns
    )
