"""Knowledge graphs made by rule, skewed as real ones are, of any size.

With n entities there are 3n rows of types and 3n facts:

- 15 % of the entities have no type; the others have three or four each;
- 5,000 classes are used directly, in families of fifty; an entity's first class is drawn by Zipf's
  law (the k-th most frequent has a share proportional to 1/k), the others are nine times in ten of
  the same family, by Zipf's law too, and else any class: so combinations repeat, as real ones do;
- the 127 concepts are a binary tree of depth 6; a family belongs to one of its leaves, and each of
  its classes lies below that leaf or up to two levels higher; one class in five has no concept;
- six roles, by Zipf's law; a few subjects have many facts (the density falls with the cube root);
- objects by Zipf's law, in another order for each role: the first has some 4 % of a role's facts.

DuckDB writes the Parquet files; its hash function is the only chance in them.
"""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np

CONCEPTS, LEAVES, ROLES, CLASSES, FAMILY = 127, 64, 6, 5000, 50
CONJOINED = 50
TABLES = ("types", "taxonomy", "facts")
TYPED, WITH_CONCEPT, SAME_FAMILY = 0.85, 0.8, 0.9
ROWS_PER_ENTITY = 3
STEP = 7919  # a prime: its multiples visit every entity, and every class, once


def concepts() -> tuple[str, ...]:
    """The names of the concepts, the root first."""
    return tuple(f"Concept{k}" for k in range(CONCEPTS))


def roles() -> tuple[str, ...]:
    """The names of the roles, the most frequent first."""
    return tuple(f"role{k}" for k in range(ROLES))


def taxonomy(seed: int = 0) -> list[tuple[str, str]]:
    """The links of the taxonomy: from a concept to its parent, from a class to a concept."""
    names = concepts()
    links = [(names[k], names[_upwards(k)[1]]) for k in range(1, CONCEPTS)]
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"SELECT k, CAST(hash(k // {FAMILY}, 'leaf', {seed}) % {LEAVES} AS BIGINT), "
            f"CAST(hash(k, 'height', {seed}) % 3 AS BIGINT) FROM range({CLASSES}) AS t(k) "
            f"WHERE {_chance('k', 'concept', seed)} < {WITH_CONCEPT}"
        ).fetchall()
    for k, leaf, height in rows:
        links.append((f"Class{k}", names[_upwards(CONCEPTS - LEAVES + leaf)[height]]))
    return links


def write(folder: Path, entities: int, seed: int = 0) -> None:
    """Write `types.parquet`, `taxonomy.parquet` and `facts.parquet` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    typed = int(entities * TYPED)
    types = f"""
        SELECT {_entity("entity")} AS entity, 'Class' || CASE
            WHEN slot = 0 THEN home
            WHEN {_chance("row", "family", seed)} < {SAME_FAMILY}
                THEN home // {FAMILY} * {FAMILY} + {_zipf(FAMILY, "row", "near", seed)} - 1
            ELSE {_zipf(CLASSES, "row", "far", seed)} * {STEP} % {CLASSES} END AS class
        FROM (SELECT *, {_zipf(CLASSES, "entity", "home", seed)} * {STEP} % {CLASSES} AS home FROM (
            SELECT row, row % {typed} AS entity, row // {typed} AS slot
            FROM range({ROWS_PER_ENTITY * entities}) AS t(row)))"""
    facts = f"""
        SELECT {_entity("subject")} AS subject, 'role' || role AS role,
            {_entity(f"(object * {STEP} + role * 104729) % {entities}")} AS object
        FROM (SELECT
            CAST(floor({entities} * pow({_chance("row", "subject", seed)}, 1.5)) AS BIGINT)
                * {STEP} % {entities} AS subject,
            {_zipf(ROLES, "row", "role", seed)} - 1 AS role,
            {_zipf(entities, "row", "object", seed)} AS object
            FROM range({ROWS_PER_ENTITY * entities}) AS t(row))"""
    low, high = (np.array(column) for column in zip(*taxonomy(seed), strict=True))
    with duckdb.connect(config={"threads": 2}) as connection:
        connection.register("links", {"sub": low, "sup": high})
        tables = {"taxonomy": "SELECT * FROM links", "types": types, "facts": facts}
        for name, sql in tables.items():
            connection.execute(f"COPY ({sql}) TO '{folder / name}.parquet' (FORMAT parquet)")


def _entity(number: str) -> str:
    return f"'Q' || (1000000 + {number})"


def _chance(key: str, salt: str, seed: int) -> str:
    """A number in [0, 1) that depends on the key alone."""
    return f"(hash({key}, '{salt}', {seed}) / 18446744073709551616.0)"


def _zipf(count: int, key: str, salt: str, seed: int) -> str:
    """A number from 1 to `count`; each has a share proportional to its reciprocal."""
    return f"CAST(floor(pow({count + 1}, {_chance(key, salt, seed)})) AS BIGINT)"


def _upwards(concept: int) -> list[int]:
    path = [concept]
    while path[-1]:
        path.append((path[-1] - 1) // 2)
    return path
