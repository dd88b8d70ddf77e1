"""What pyoxigraph parses, put into a table of DuckDB batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import islice
from typing import Final

import numpy as np
import pyoxigraph as ox

from boxsel.build.graph.duckdb_engine import told
from boxsel.build.graph.names import BLANK, YAGO_BASE
from boxsel.build.graph.sources.literals import without_base_sql
from boxsel.build.graph.sources.relation import LANGUAGES, LITERALS, NOT_TEXT, TRIPLE, Reading

QUOTED_TRIPLES: Final = "statements about statements"

BATCH: Final = 100_000
"""How many triples are held in memory."""


def scope(reading: Reading) -> str:
    """How blank nodes of a file begin: those of two files are different."""
    return f"{BLANK}{reading.number}_"


def insert_quads(quads: Iterable[ox.Quad], reading: Reading, unused: Counter[str]) -> None:
    """Insert the triples that a table can hold into that of the file; count the others."""
    rest = iter(quads)
    parsed = BATCH
    while parsed == BATCH:
        columns, parsed = _columns(islice(rest, BATCH), reading, unused)
        if columns[0]:
            _insert(columns, reading)


def _columns(
    quads: Iterable[ox.Quad], reading: Reading, unused: Counter[str]
) -> tuple[tuple[list[str], ...], int]:
    """Subjects, predicates and objects of the triples that are of use, and how many there were."""
    labels = {start + one for one in reading.inputs.label_predicates for start in ("", YAGO_BASE)}
    speaks, blank = reading.inputs.speaks, scope(reading)
    subjects: list[str] = []
    predicates: list[str] = []
    objects: list[str] = []
    parsed = 0
    for quad in quads:
        parsed += 1
        subject, node, predicate = quad.subject, quad.object, quad.predicate.value
        if type(subject) is ox.NamedNode:
            name = subject.value
        elif isinstance(subject, ox.BlankNode):
            name = blank + subject.value
        else:
            unused[QUOTED_TRIPLES] += 1
            continue
        if type(node) is ox.Literal:
            if predicate not in labels:
                unused[LITERALS] += 1
                continue
            if not speaks(node.language):
                unused[LANGUAGES] += 1
                continue
            value = node.value
        elif isinstance(node, ox.Triple):
            unused[QUOTED_TRIPLES] += 1
            continue
        elif predicate in labels:
            unused[NOT_TEXT] += 1
            continue
        else:
            value = node.value if type(node) is ox.NamedNode else blank + node.value
        subjects.append(name)
        predicates.append(predicate)
        objects.append(value)
    return (subjects, predicates, objects), parsed


def _insert(columns: Iterable[list[str]], reading: Reading) -> None:
    arrays = {
        name: np.array(column, dtype=object) for name, column in zip(TRIPLE, columns, strict=True)
    }
    listed = ", ".join(TRIPLE)
    plain = ", ".join(without_base_sql(column) for column in TRIPLE)
    connection = reading.local.connection
    with told():
        connection.register("batch_of_triples", arrays)
        try:
            connection.execute(
                f"INSERT INTO {reading.name} ({listed}) SELECT {plain} FROM batch_of_triples"
            )
        finally:
            connection.unregister("batch_of_triples")
