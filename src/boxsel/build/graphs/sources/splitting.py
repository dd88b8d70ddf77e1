"""Which rows of a relation belong to which table: SQL that DuckDB and Spark run unchanged.

Before it, what objects are that are text or numbers: which of them are labels, and their plain
text. For rows whose terms are spelt as in N-Triples: `<x>`, `_:b`, `"text"@en`, `"5"^^<type>`;
YAGO's tab-separated files spell them so too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from boxsel.build.graphs.engine import TABLES, DuckDBEngine, Engine
from boxsel.build.graphs.inputs import Inputs
from boxsel.build.graphs.names import BLANK, YAGO_BASE
from boxsel.build.graphs.sources.relation import LANGUAGES, LAYOUTS, LITERALS, NOT_TEXT, Relation
from boxsel.build.graphs.sources.tables import is_text
from boxsel.logic.names import BUILTIN_PREFIXES, TOP_IRI
from boxsel.machine.database import quoted

# What `object_sql` gives for rows that `without_literals` removes.
_MARKS: Final = {LITERALS: "\x01", LANGUAGES: "\x02", NOT_TEXT: "\x04"}


def in_list(column: str, values: Iterable[str]) -> str:
    """Whether a column has one of the values, as SQL.

    Examples:
        >>> in_list("role", ["P31", "P279"]), in_list("role", [])
        ("role IN ('P31', 'P279')", 'FALSE')
    """
    listed = ", ".join(_portable(value) for value in values)
    return f"{column} IN ({listed})" if listed else "FALSE"


def _portable(text: str) -> str:
    """Text as a literal of SQL; dialects escape quotes and backslashes in different ways."""
    parts = re.split(r"(['\\\\])", text)
    if len(parts) == 1:
        return quoted(text)
    spelt = (f"chr({ord(part)})" if part in ("'", "\\") else quoted(part) for part in parts)
    return f"concat({', '.join(spelt)})"


def name_sql(column: str) -> str:
    """A name without its brackets and YAGO's base; nothing if it is empty."""
    bare = (
        f"CASE WHEN starts_with({column}, '<') AND ends_with({column}, '>') "
        f"THEN substr({column}, 2, length({column}) - 2) ELSE {column} END"
    )
    return f"nullif({without_base_sql(f'({bare})')}, '')"


def without_base_sql(column: str) -> str:
    """An IRI, or a name of YAGO without its base."""
    return (
        f"CASE WHEN starts_with({column}, '{YAGO_BASE}') "
        f"THEN substr({column}, {len(YAGO_BASE) + 1}) ELSE {column} END"
    )


def object_sql(column: str, predicate: str, inputs: Inputs, name: str | None = None) -> str:
    """The object's name, or the text of a label that is wanted, or a mark why it is neither."""
    tag = f"lower(regexp_extract({column}, '\"@([A-Za-z]+)[A-Za-z0-9-]*$', 1))"
    text = f"regexp_extract({column}, '^\"((?s:.*))\"', 1)"
    # Escapes of quotes and backslashes; the mark keeps an escaped backslash from being read twice.
    for escape, sign in (("\\\\", "\x03"), ('\\"', '"'), ("\x03", "\\")):
        text = f"replace({text}, {quoted(escape)}, {quoted(sign)})"
    label = (
        f"CASE WHEN {in_list(tag, ('', *inputs.languages))} "
        f"THEN nullif({text}, '') ELSE {quoted(_MARKS[LANGUAGES])} END"
    )
    return (
        f"CASE WHEN starts_with({column}, '\"') THEN "
        f"CASE WHEN {in_list(predicate, inputs.label_predicates)} THEN {label} "
        f"ELSE {quoted(_MARKS[LITERALS])} END "
        f"WHEN {in_list(predicate, inputs.label_predicates)} THEN {quoted(_MARKS[NOT_TEXT])} "
        f"ELSE {name or name_sql(column)} END"
    )


def without_literals(engine: DuckDBEngine, table: str) -> dict[str, int]:
    """Remove the marked rows from a table, and count them by the reason."""
    counts = ", ".join(f"count(*) FILTER (object = {quoted(mark)})" for mark in _MARKS.values())
    found = engine.rows(f"SELECT {counts} FROM {table}")[0]
    unused = {reason: n for reason, n in zip(_MARKS, found, strict=True) if n}
    if unused:
        engine.execute(f"DELETE FROM {table} WHERE {in_list('object', _MARKS.values())}")
    return unused


ANONYMOUS: Final = "types and subclass links of anonymous classes"
LOOPS: Final = "classes below themselves"
SCHEMA: Final = "statements about the vocabulary itself"
OTHER: Final = "rows of another kind than the file was given as"

_FEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "graph": tuple(TABLES),
    "types": ("types",),
    "taxonomy": ("taxonomy",),
    "facts": ("facts", "types"),
    "labels": ("labels",),
}
"""Which tables a file may feed, by what it is given as."""

_OF_TRIPLE: Final = {"entity": "subject", "class": "object"}
"""Where a triple holds the columns of `types`."""

_VOCABULARIES: Final = ("rdf", "rdfs", "owl")


@dataclass(frozen=True)
class Split:
    """A relation as SQL: what its rows are, and the rows of each table.

    `kinds` are conditions of which the first that holds decides; a kind is a table, or a reason
    why the row is not used.
    """

    relation: Relation
    complete: str
    kinds: tuple[tuple[str, str], ...]
    columns: Mapping[str, tuple[str, ...]]
    predicate: str | None = None

    def source_column(self, column: str) -> str:
        """The source's own column that holds a column of `types` or `facts`."""
        own = LAYOUTS[self.relation.layout]
        place = own.index(column) if column in own else own.index(_OF_TRIPLE[column])
        return self.relation.columns[place]

    def census(self) -> str:
        """A query for the number of rows: all, incomplete ones, then of each kind."""
        cases = " ".join(f"WHEN {condition} THEN {n}" for n, (_, condition) in self._numbered())
        kind = f"CASE WHEN {self.complete} THEN CASE {cases} END ELSE 0 END"
        return (
            f"SELECT kind, count(*) AS n FROM (SELECT {kind} AS kind "
            f"FROM {self.relation.name}) AS kinds GROUP BY kind"
        )

    def kind(self, number: int) -> str:
        """What a number in the census stands for."""
        return self.kinds[number - 1][0]

    def rows(self, table: str) -> str | None:
        """A query for the rows of a table; `None` if there cannot be any."""
        if table not in self.columns:
            return None
        earlier: list[str] = []
        chosen: list[str] = []
        for kind, condition in self.kinds:
            if kind == table:
                chosen.append(" AND ".join([condition, *(f"NOT {one}" for one in earlier)]))
            else:
                earlier.append(condition)
        listed = ", ".join(
            f"{column} AS {name}"
            for name, column in zip(TABLES[table], self.columns[table], strict=True)
        )
        if not chosen:
            return None
        condition = " OR ".join(f"({one})" for one in chosen)
        return f"SELECT {listed} FROM {self.relation.name} WHERE {self.complete} AND ({condition})"

    def _numbered(self) -> list[tuple[int, tuple[str, str]]]:
        return list(enumerate(self.kinds, start=1))


def split(relation: Relation, types: Mapping[str, str], inputs: Inputs, engine: Engine) -> Split:
    """Say in SQL what the rows of a relation are.

    `types` are the SQL types of the relation's columns: numbers name classes and roles as text.
    """
    raw = {
        meaning: engine.identifier(column)
        for meaning, column in zip(LAYOUTS[relation.layout], relation.columns, strict=True)
    }
    text = {
        meaning: raw[meaning] if is_text(types[column]) else f"CAST({raw[meaning]} AS STRING)"
        for meaning, column in zip(LAYOUTS[relation.layout], relation.columns, strict=True)
    }
    complete = " AND ".join(
        f"{raw[meaning]} <> ''"  # false for NULL, too
        if is_text(types[column])
        else f"{raw[meaning]} IS NOT NULL"
        for meaning, column in zip(LAYOUTS[relation.layout], relation.columns, strict=True)
    )
    if relation.layout != "triples":
        return _table(relation, complete, raw, text)
    return _triples(relation, complete, raw, text, inputs)


def _table(
    relation: Relation, complete: str, raw: Mapping[str, str], text: Mapping[str, str]
) -> Split:
    table = relation.layout
    columns = tuple((raw if name == "entity" else text)[name] for name in TABLES[table])
    reasons: list[tuple[str, str]] = []
    if table == "types":
        reasons = _class_reasons(text["class"])
    elif table == "taxonomy":
        reasons = [_loop(text["sub"], text["sup"]), *_link_reasons(text["sub"], text["sup"])]
    return Split(relation, complete, (*reasons, (table, "(TRUE)")), {table: columns})


def _triples(
    relation: Relation,
    complete: str,
    raw: Mapping[str, str],
    text: Mapping[str, str],
    inputs: Inputs,
) -> Split:
    subject, predicate, value = (text[name] for name in ("subject", "predicate", "object"))
    feeds = _FEEDS[relation.given]
    is_type = f"({in_list(predicate, inputs.type_predicates)})"
    is_link = f"({in_list(predicate, inputs.subclass_predicates)})"
    is_label = f"({in_list(predicate, inputs.label_predicates)})"
    from_value = f"({in_list(predicate, inputs.concept_from)})"
    kinds: list[tuple[str, str]] = []
    if "types" in feeds and inputs.concept_from:
        kinds.append((ANONYMOUS, f"({from_value} AND {_is_blank(value)})"))
        kinds.append(("types", from_value))
    if "labels" in feeds:
        kinds.append(("labels", is_label))
    if "types" in feeds and relation.given != "facts":  # facts give types by --concept-from only
        kinds += [(why, f"({is_type} AND {test})") for why, test in _class_reasons(value)]
        kinds.append(("types", is_type))
    if "taxonomy" in feeds:
        tests = [_loop(subject, value), *_link_reasons(subject, value)]
        kinds += [(why, f"({is_link} AND {test})") for why, test in tests]
        kinds.append(("taxonomy", is_link))
    if "facts" in feeds:
        # A file of facts may hold other rows: they are known by their predicates.
        if relation.given == "facts":
            kinds.append((OTHER, f"({is_type} OR {is_link} OR {is_label})"))
        kinds.append((SCHEMA, _of_vocabulary(predicate)))
        kinds.append(("facts", "(TRUE)"))
    else:
        kinds.append((OTHER, "(TRUE)"))
    columns = {
        "types": (raw["subject"], value),
        "taxonomy": (subject, value),
        "facts": (raw["subject"], predicate, raw["object"]),
        "labels": (subject, value),
    }
    fed = {table: columns[table] for table in TABLES if table in feeds}
    return Split(relation, complete, tuple(kinds), fed, predicate)


def _class_reasons(column: str) -> list[tuple[str, str]]:
    """Why a type is not used: its class has no name, or belongs to OWL itself, but for ⊤."""
    declared = f"({_of_vocabulary(column)} AND NOT {in_list(column, (TOP_IRI, 'owl:Thing'))})"
    return [(ANONYMOUS, _is_blank(column)), (SCHEMA, declared)]


def _link_reasons(sub: str, sup: str) -> list[tuple[str, str]]:
    return [(ANONYMOUS, f"({_is_blank(sub)} OR {_is_blank(sup)})")]


def _loop(sub: str, sup: str) -> tuple[str, str]:
    return LOOPS, f"({sub} = {sup})"


def _is_blank(column: str) -> str:
    return f"(substr({column}, 1, {len(BLANK)}) = '{BLANK}')"


def _of_vocabulary(column: str) -> str:
    """Whether a name is one of RDF, RDFS or OWL, in full or with its usual prefix."""
    starts = [BUILTIN_PREFIXES[prefix] for prefix in _VOCABULARIES]
    starts += [f"{prefix}:" for prefix in _VOCABULARIES]
    return "(" + " OR ".join(f"{column} LIKE '{start}%'" for start in starts) + ")"
