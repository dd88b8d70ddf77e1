"""What the page asks of the workers, beyond what the API offers."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import combinations, islice
from typing import TYPE_CHECKING, Final

from boxsel.errors import BoxselError, ReadError
from boxsel.formats.registry import format_named
from boxsel.formats.source import Source, decode_table, opening
from boxsel.logic.concepts import And, Boolean, Concept, Exists, Name
from boxsel.logic.kb import KB
from boxsel.logic.names import plain_name
from boxsel.serve.library import Asked

if TYPE_CHECKING:
    from boxsel.exact.weighted_model import WeightedModel
    from boxsel.logic.statements import Query
    from boxsel.models.model import Model
    from boxsel.serve.tasks import Answer, Desk

OPENING: Final = 100_000
"""So many bytes of a file show whether it is a table."""
MEMBERS: Final = 8
NAMES: Final = 12
"""So many names can be told apart in a drawing."""


def glance(desk: Desk, asked: Asked) -> Answer:
    """An answer without minimal evidence or ensembles: fast enough for a slider that is dragged."""
    with desk.library.entry(asked).asker("never") as asker:
        return asker.ask(
            asked["query"], budget=desk.budget(asked), minimal=False, typical="exact"
        ).to_json()


def reach(desk: Desk, asked: Asked) -> Answer:
    """Where a premise can be moved at all.

    That is wherever the statements let it be that are not about its `shares`: its own first, and
    those of other parts of the same whole, which move with it.
    """
    from boxsel.answer.assumptions import assumed
    from boxsel.exact.bounds import bounds
    from boxsel.exact.reasoner import Reasoner
    from boxsel.machine.budget import Budget

    shares = asked["shares"]
    free = assumed(desk.library.entry(asked).kb, [f"{share}[0, 1]" for share in shares])
    reasoner = Reasoner(free, budget=Budget(desk.budget(asked)))
    content = bounds(free, shares[0], reasoner=reasoner, minimal=False).to_json()
    return {"range": [content["lower"], content["upper"]]}


def who(desk: Desk, asked: Asked) -> Answer:
    """Who is in the group that is asked about, in a population at each end and in a typical one.

    People are told apart by what the question and the numbers behind the answer speak of, as far as
    that differs among them.
    """
    from boxsel.logic.axioms import Conditional
    from boxsel.machine.budget import Budget
    from boxsel.people.choosing import choose_populations

    entry = desk.library.entry(asked)
    kb, query = entry.kb, entry.kb.query(asked["query"])
    stated = {*asked["statements"]}
    spoken = [query.head, query.body]
    for statement in kb.statements:
        if isinstance(statement.axiom, Conditional) and statement.text(kb.prefixes) in stated:
            spoken += statement.axiom.concepts()
    told = [*dict.fromkeys(part for concept in spoken for part in _basic(concept))]
    outcome = entry.reasoner(desk.budget(asked)).bounds(query)
    ends = {"lower": outcome.lower, "upper": outcome.upper}
    models = {side: None if end is None else end.model for side, end in ends.items()}
    with suppress(BoxselError):
        chosen = choose_populations(kb, query, "typical", Budget(desk.budget(asked)))
        models["typical"] = next(chosen).model
    return {
        side: None if model is None else _kinds(model, query, told, kb)
        for side, model in models.items()
    }


def _basic(concept: Concept) -> Iterator[Concept]:
    """The names and existentials that a concept is put together from."""
    if isinstance(concept, (And, Boolean)):
        for operand in concept.operands:
            yield from _basic(operand)
    elif isinstance(concept, (Name, Exists)):
        yield concept


def _kinds(model: WeightedModel, query: Query, told: Sequence[Concept], kb: KB) -> list[Answer]:
    """The kinds of people in the body of a query, those of the head first."""
    members = model.interpretation
    body, head = members.places(query.body), members.places(query.head)
    places = {concept: members.places(concept) for concept in told}
    counts: Counter[tuple[bool, frozenset[Concept]]] = Counter()
    for place in range(len(model.elements)):
        here = 1 << place
        if body & here and (count := model.weights.whole(here)):
            own = frozenset(concept for concept, those in places.items() if those & here)
            counts[bool(head & here), own] += count
    total = counts.total()
    # What all have in common tells nobody apart; where all are alike, it tells who they are.
    same = frozenset(told).intersection(*(own for _, own in counts)) if len(counts) > 1 else set()
    listed = [
        {
            "names": sorted(_called(concept, kb) for concept in own - same),
            "counted": counted,
            "share": count / total,
        }
        for (counted, own), count in counts.items()
    ]
    return sorted(listed, key=lambda content: (not content["counted"], -content["share"]))


def _called(concept: Concept, kb: KB) -> str:
    """A concept as people would write it."""
    text = concept.text(kb.labelled)
    return plain_name(text) if isinstance(concept, Name) else text


def hint(desk: Desk, asked: Asked) -> Answer:
    """A statement that may be missing and would narrow the answer much, if one is soon found."""
    from boxsel.advice.hints import find_hint
    from boxsel.machine.budget import Budget

    entry, seconds = desk.library.entry(asked), desk.budget(asked)
    query, reasoner = entry.kb.query(asked["query"]), entry.reasoner(seconds)
    outcome = reasoner.bounds(query)
    if outcome.lower is None or outcome.upper is None:
        return {"hint": None}
    ends = outcome.lower.bound, outcome.upper.bound
    missing = find_hint(reasoner, query, *ends, Budget(seconds))
    return {"hint": missing and missing.to_json(entry.kb.prefixes)}


def wholes(desk: Desk, asked: Asked) -> Answer:
    """Which of some stated shares are those of disjoint groups that make up a whole."""
    from boxsel.exact.bounds import bounds
    from boxsel.exact.reasoner import Reasoner
    from boxsel.logic.axioms import Conditional
    from boxsel.logic.statements import Query
    from boxsel.machine.budget import Budget

    kb = desk.library.entry(asked).kb
    stated = {
        (conditional.head, conditional.body): conditional.bounds.lower
        for conditional in kb.axioms_of(Conditional)
    }
    parts: dict[Concept, list[tuple[str, Concept]]] = {}
    for share in asked["shares"]:
        query = kb.query(share)
        parts.setdefault(query.body, []).append((share, query.head))
    reasoner = Reasoner(kb, budget=Budget(desk.budget(asked)))

    def disjoint(one: Concept, other: Concept, body: Concept) -> bool:
        return bounds(kb, Query(one & other, body), reasoner=reasoner, minimal=False).upper == 0

    return {
        "wholes": [
            [share for share, _ in group]
            for body, group in parts.items()
            if len(group) > 1
            and sum(stated.get((head, body), 0) for _, head in group) == 1
            and all(disjoint(one, other, body) for (_, one), (_, other) in combinations(group, 2))
        ]
    }


def empties(desk: Desk, asked: Asked) -> Answer:
    """Whether some of the statements alone leave nobody in the group that is asked about."""
    from boxsel.exact.bounds import bounds
    from boxsel.machine.budget import Budget

    kb = desk.library.entry(asked).kb
    wanted = {*asked["statements"]}
    part = kb.with_statements(
        [statement for statement in kb.statements if statement.text(kb.prefixes) in wanted]
    )
    budget = Budget(desk.budget(asked))
    status = bounds(part, kb.query(asked["query"]), budget=budget, minimal=False).status
    return {"empties": status in ("vacuous", "inconsistent")}


def boxes(desk: Desk, asked: Asked) -> Answer:
    """The boxes of names in the members of a small ensemble of two dimensions."""
    from boxsel.models.fit import fit

    kb = desk.library.entry(asked).kb
    model = fit(kb, members=MEMBERS, dim=2, seed=int(asked.get("seed", 0)))
    known = [name for name in kb.signature.concepts if name not in model.task.empty]
    return {
        "names": [kb.label(name) for name in known[:NAMES]],
        "hidden": max(0, len(known) - NAMES),
        "ignored": kb.ignored_axioms,
        "members": [_member(model, known[:NAMES], member) for member in range(MEMBERS)],
    }


def open_file(desk: Desk, asked: Asked) -> Answer:
    """A file as `.sel` text, or, if it is a table of data and no knowledge base, as the table."""
    from boxsel.serve.tasks import TASKS

    try:
        return {**TASKS["read"](desk, asked), "table": None}
    except ReadError:
        source = desk.library.unpack(desk.upload)
        delimiter = find_delimiter(source.data)
        if delimiter is None:
            raise
        text, _ = decode_table(source.data, source.file)
        return {"table": text, "format": "tsv" if delimiter == "\t" else "csv"}


def unite(desk: Desk, asked: Asked) -> Answer:
    """Several texts as one, and the names in them that look the same without being it."""
    from boxsel.union import Part
    from boxsel.union import unite as unite_parts

    texts = [part["kb"] for part in asked["parts"]]
    parts = [
        Part(part["name"], desk.library.read(text.encode(), "sel"))
        for part, text in zip(asked["parts"], texts, strict=True)
    ]
    united = unite_parts(parts, asked.get("match"))
    return {
        "kb": _put_below(texts[0], parts[0].kb, desk.library.limited(united.kb)),
        "alike": [twins.called for twins in united.apart],
        "match": united.found,
    }


def _put_below(text: str, first: KB, united: KB) -> str:
    """A text with what else is in a union below it, so that its comments stay; or all anew.

    Where prefixes or data do not allow that, the two would not say the same.
    """
    known = {statement.axiom for statement in first}
    write: Callable[[KB], str] = format_named("sel").write
    rest = replace(
        united.with_statements([statement for statement in united if statement.axiom not in known]),
        labels={iri: one for iri, one in united.labels.items() if iri not in first.labels},
        declared=united.declared - first.declared - {*first.signature},
        dropped=united.dropped[len(first.dropped) :],
    )
    joined = f"{text.rstrip()}\n\n{write(rest)}"
    try:
        again = format_named("sel").codec.read(Source("", joined.encode()))
    except ReadError:
        return write(united)
    same = [*again.axioms] == [*united.axioms]
    same = same and (again.labels, again.data) == (united.labels, united.data)
    return joined if same else write(united)


def find_delimiter(data: bytes) -> str | None:
    r"""What separates the cells of a table, if it looks like one: its first rows have as many.

    Examples:
        >>> find_delimiter(b"a,b\n1,2\n"), find_delimiter(b"A SubClassOf B\n")
        (',', None)
        >>> find_delimiter(b'a,b\n"1, or so",2\n')
        ','
    """
    text = opening(data, OPENING)
    return next((one for one in "\t,;" if _is_parted(text, one)), None)


def _is_parted(text: str, delimiter: str) -> bool:
    """Whether the first rows of a text have the same number of cells, and more than one."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        first = [*islice((len(row) for row in rows if any(row)), 3)]
    except csv.Error:
        return False
    return len(first) > 1 and first[0] > 1 and len({*first}) == 1


def table_kb(_desk: Desk, asked: Asked) -> Answer:
    """The knowledge base that a table of data is counted into, as `.sel` text."""
    from boxsel.build.tables.building import build_table
    from boxsel.serve.tasks import as_file

    with as_file(asked["table"], asked["format"]) as file:
        return {"kb": format_named("sel").write(build_table(file).kb)}


def table_values(_desk: Desk, asked: Asked) -> Answer:
    """The columns of a table of data, and the values of each, for somebody to choose from.

    `count` is the column of counts, if there is one, and `named` are all that could be.
    """
    from boxsel.reversals.tabulation import TableOptions, tabulated
    from boxsel.serve.tasks import as_file

    options = TableOptions(asked.get("count"), bool(asked.get("individuals")))
    with as_file(asked["table"], asked["format"]) as file, tabulated(file, options) as counted:
        return {
            "columns": {column: counted.values(column) for column in counted.columns},
            "count": counted.count,
            "named": list(counted.named),
        }


PAGE_TASKS: Final[Mapping[str, Callable[[Desk, Asked], Answer]]] = {
    task.__name__: task
    for task in (
        *(glance, reach, who, hint, wholes, empties, boxes),
        *(open_file, unite, table_kb, table_values),
    )
}
"""The tasks of the page by name."""


def _member(model: Model, names: Sequence[Name], member: int) -> Answer:
    import numpy as np

    corners = []
    for name in names:
        region = model.representation.names(model.parameters, model.task.numbering.name(name))
        lower, upper = (np.asarray(corner)[member] for corner in region)
        corners.append([float(one) for one in (*lower, *upper)])
    return {
        "violation": float(model.scores.largest[member]),
        "kept": bool(model.kept[member]),
        "boxes": corners,
    }
