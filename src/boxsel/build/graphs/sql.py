"""The statements that count, the same for DuckDB and for Spark.

A set of concepts is a row of words, 63 bits to a word: the sign bit stays free, because its
meaning in arithmetic is the only thing in which databases could differ. Names from the graph never
appear inside a statement: they are loaded as tables, so that nothing has to be quoted.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

BITS: Final = 63
"""How many concepts one word holds."""

CLASS_BITS: Final = "class_bits"
"""The loaded table of the classes and their words."""

ROLE_PLACES: Final = "role_places"
"""The loaded table of the chosen roles and their places."""

KINDS: Final = "kinds"
"""The loaded table of the sets of concepts that entities have, and a bit for each."""

GIVEN: Final = "given_names"
"""The loaded table of the names that a question is about."""

CLASSES: Final = "SELECT DISTINCT CAST(class AS STRING) AS class FROM types"
"""Every class that an entity has directly: `class`."""

LINKS: Final = "SELECT DISTINCT sub, sup FROM taxonomy"
"""The links of the taxonomy: `sub, sup`."""

ROLES: Final = "SELECT DISTINCT CAST(role AS STRING) AS role FROM facts"
"""Every role of a fact: `role`."""

LABELS_OF_GIVEN: Final = (
    f"SELECT labels.name, min(labels.label) AS label FROM labels JOIN {GIVEN} AS given\n"
    "ON labels.name = given.name GROUP BY labels.name"
)
"""The label of each given name, of several the first in the alphabet: `name, label`."""

GIVEN_AS_LABEL: Final = (
    f"SELECT DISTINCT labels.name FROM labels JOIN {GIVEN} AS given\n"
    "ON lower(labels.label) = lower(given.name)"
)
"""The names that have a given label, in any case: `name`."""

DIRECT_INSTANCES: Final = (
    "SELECT class, count(*) AS n\n"
    "FROM (SELECT DISTINCT entity, CAST(class AS STRING) AS class FROM types) AS direct\n"
    "GROUP BY class"
)
"""How many different entities each class has, without those of its subclasses: `class, n`."""

EVERYTHING: Final = (
    "(SELECT entity FROM types UNION SELECT subject AS entity FROM facts "
    "UNION SELECT object AS entity FROM facts) AS everything"
)
ENTITIES: Final = f"SELECT count(*) AS n FROM {EVERYTHING}"
"""How many different entities there are anywhere: `n`."""


def words_for(concepts: int) -> int:
    """How many words hold this many bits; there is always one, so that a row is never empty."""
    return max(1, -(-concepts // BITS))


def word_names(words: int, prefix: str = "w") -> list[str]:
    """The columns of a row of words.

    Examples:
        >>> word_names(3)
        ['w0', 'w1', 'w2']
    """
    return [f"{prefix}{k}" for k in range(words)]


def entity_bits(words: int) -> str:
    """The words of every entity that has a concept: `entity, w0, w1, …`.

    Examples:
        >>> print(entity_bits(1))
        SELECT types.entity AS entity, bit_or(bits.w0) AS w0
        FROM types JOIN class_bits AS bits ON CAST(types.class AS STRING) = bits.class
        GROUP BY types.entity
    """
    ors = _listed(f"bit_or(bits.{w}) AS {w}" for w in word_names(words))
    return (
        f"SELECT types.entity AS entity, {ors}\n"
        f"FROM types JOIN {CLASS_BITS} AS bits ON CAST(types.class AS STRING) = bits.class\n"
        "GROUP BY types.entity"
    )


def concept_patterns(words: int, entities: str) -> str:
    """How many entities have the same words: `w0, w1, …, n`; `entities` is a table or a query."""
    return _grouped(word_names(words), f"{entities} AS entities")


def reach(words: int, entities: str, place: int) -> str:
    """What each subject of a role reaches, the union of its objects' words: `subject, o0, …`.

    Subjects whose objects have no concept are there too, with words of zeros.
    """
    unions = _listed(f"coalesce(bit_or(ends.w{k}), 0) AS o{k}" for k in range(words))
    return (
        f"SELECT facts.subject AS subject, {unions}\n"
        f"FROM facts JOIN {ROLE_PLACES} AS roles ON CAST(facts.role AS STRING) = roles.role\n"
        f"LEFT JOIN {entities} AS ends ON facts.object = ends.entity\n"
        f"WHERE roles.place = {place}\nGROUP BY facts.subject"
    )


def role_patterns(words: int, entities: str, reach: str) -> str:
    """How many subjects have the same words and reach the same: `s0, …, o0, …, n`.

    Two statements, because two joins with all entities at a time need twice the memory.
    """
    subject, reached = word_names(words, "s"), word_names(words, "o")
    starts = _listed(f"coalesce(starts.w{k}, 0) AS s{k}" for k in range(words))
    both = (
        f"SELECT {starts}, {_listed(f'reach.{o}' for o in reached)}\nFROM {reach} AS reach\n"
        f"LEFT JOIN {entities} AS starts ON reach.subject = starts.entity"
    )
    return _grouped([*subject, *reached], f"({both}) AS both_ends")


def entity_kinds(words: int, bits: int, entities: str) -> str:
    """The kind of every entity, by its words, and the kind's own bit: `entity, kind, w0, …`."""
    same = " AND ".join(f"coalesce(own.w{k}, 0) = kinds.c{k}" for k in range(words))
    return (
        f"SELECT everything.entity AS entity, kinds.kind AS kind, "
        f"{_listed(f'kinds.{w} AS {w}' for w in word_names(bits))}\n"
        f"FROM {EVERYTHING} LEFT JOIN {entities} AS own ON everything.entity = own.entity\n"
        f"JOIN {KINDS} AS kinds ON {same}"
    )


def joint_patterns(bits: int, members: str, reaches: Sequence[str]) -> str:
    """How many entities have the same kind, and reach the same kinds by every role."""
    linked = [(role, k) for role in range(len(reaches)) for k in range(bits)]
    reached = _listed(f"coalesce(r{role}.o{k}, 0) AS r{role}_{k}" for role, k in linked)
    joins = "".join(
        f"\nLEFT JOIN {table} AS r{role} ON members.entity = r{role}.subject"
        for role, table in enumerate(reaches)
    )
    source = f"(SELECT {_listed(['members.kind', *([reached] if linked else [])])}"
    source += f"\nFROM {members} AS members{joins}) AS linked"
    return _grouped(["kind", *(f"r{role}_{k}" for role, k in linked)], source)


def facts_by_role(*, at_subjects: bool = False, at_objects: bool = False) -> str:
    """How many rows each role has: `role, n`; at an end, only with an entity of `given_*`."""
    ends = (("subject", at_subjects), ("object", at_objects))
    kept = [f"facts.{end} IN ({of_given(given_at(end))})" for end, asked in ends if asked]
    where = f"\nWHERE {' AND '.join(kept)}" if kept else ""
    return (
        "SELECT CAST(facts.role AS STRING) AS role, count(*) AS n\n"
        f"FROM facts{where}\nGROUP BY CAST(facts.role AS STRING)"
    )


def given_at(end: str) -> str:
    """The loaded table of the classes that are asked for at one end of a fact."""
    return f"{GIVEN}_{end}"


def of_given(table: str) -> str:
    """The entities that have a class of a loaded table of names."""
    return (
        f"SELECT types.entity FROM types JOIN {table} AS given "
        "ON CAST(types.class AS STRING) = given.name"
    )


def classes_at_ends() -> str:
    """The direct classes of the subjects and of the objects of the given roles."""
    ends = " UNION ALL ".join(
        f"SELECT facts.{end} AS entity FROM facts JOIN {GIVEN} AS given "
        "ON CAST(facts.role AS STRING) = given.name"
        for end in ("subject", "object")
    )
    return (
        "SELECT DISTINCT CAST(class AS STRING) AS class\n"
        f"FROM types WHERE entity IN (SELECT entity FROM ({ends}) AS ends)"
    )


def _grouped(columns: Sequence[str], source: str) -> str:
    names = _listed(columns)
    return f"SELECT {names}, count(*) AS n\nFROM {source}\nGROUP BY {names}"


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)
