"""What the server can be asked, as plain functions from a request to a JSON object.

Nothing here knows of the web. The objects are those that the command line prints with `--json`.
Tables of data that come in a request are files of our own for as long as they are read.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from boxsel.errors import BoxselError, ReadError
from boxsel.formats.registry import format_named
from boxsel.logic.concepts import Entity
from boxsel.logic.kb import KB
from boxsel.logic.proportions import ONE, ZERO
from boxsel.serve.library import Asked, Library
from boxsel.serve.page.tasks import PAGE_TASKS
from boxsel.serve.problems import diagnostic_json

Answer = dict[str, Any]

BUDGET_PART: Final = 0.8
"""The part of a request's time that goes to reasoning: the rest is for what comes after it."""


@dataclass(frozen=True)
class Desk:
    """What a task works with: its library, the seconds it has, and the bytes of an upload.

    What it puts on `hold` is its answer if it does not come to an end in time.
    """

    library: Library
    seconds: float
    upload: bytes = b""
    hold: Callable[[Answer], None] = field(default=lambda _: None)

    def budget(self, asked: Asked) -> float:
        """The seconds for reasoning: those asked for, as far as the limit allows."""
        most = self.seconds * BUDGET_PART
        wanted = asked.get("budget")
        return most if wanted is None else min(float(wanted), most)


def check(desk: Desk, asked: Asked) -> Answer:
    """Whether there is a model and every name can be non-empty, else minimal conflicts."""
    from boxsel.exact.diagnosis.check import check as check_kb
    from boxsel.machine.budget import Budget, OutOfTimeError

    kb, limit = desk.library.entry(asked).kb, asked.get("conflicts", 1)
    budget = Budget(desk.budget(asked))
    found = check_kb(kb, concept=asked.get("concept"), limit=limit, budget=budget)
    if found.coherent is None:
        raise OutOfTimeError
    return found.to_json()


def repair(desk: Desk, asked: Asked) -> Answer:
    """The least change of bounds that makes a knowledge base coherent, and the changed text."""
    from boxsel.exact.diagnosis.repair import repair as repair_kb
    from boxsel.machine.budget import Budget, OutOfTimeError

    kb = desk.library.entry(asked).kb
    found = repair_kb(kb, names=asked.get("concepts"), budget=Budget(desk.budget(asked)))
    if not found.finished:
        raise OutOfTimeError
    text = format_named("sel").write(found.kb) if found.possible else None
    return {**found.to_json(), "kb": text}


def bounds(desk: Desk, asked: Asked) -> Answer:
    """What the share of a query can be, exactly, or as far as it is known in time."""
    from boxsel.exact.bounds import Bounds
    from boxsel.exact.bounds import bounds as bounds_of

    entry = desk.library.entry(asked)
    query, prefixes = entry.kb.query(asked["query"]), entry.kb.prefixes
    unknown = Bounds(query, "budget", ZERO, ONE, seconds=desk.seconds, prefixes=prefixes)
    desk.hold(unknown.to_json())
    reasoner = entry.reasoner(desk.budget(asked))
    return bounds_of(entry.kb, query, reasoner=reasoner).to_json()


def explain(desk: Desk, asked: Asked) -> Answer:
    """The statements that each end of an answer rests on, and how it follows from them."""
    from boxsel.exact.diagnosis.explanation import explain as explain_query

    entry = desk.library.entry(asked)
    reasoner = entry.reasoner(desk.budget(asked))
    return explain_query(reasoner, asked["query"], budget=reasoner.budget).to_json()


def ask(desk: Desk, asked: Asked) -> Answer:
    """What is certain, what is possible and what is estimated about the share of a query."""
    from boxsel.answer.answer import Answer as Known
    from boxsel.answer.answer import Outer

    entry = desk.library.entry(asked)
    query, prefixes = entry.kb.query(asked["query"]), entry.kb.prefixes
    desk.hold(
        Known(query, "budget", Outer(ZERO, ONE), seconds=desk.seconds, prefixes=prefixes).to_json()
    )
    # Closed at once: an ensemble that is trained must not go on when its question is answered.
    with entry.asker(asked.get("estimate", "auto")) as asker:
        return asker.ask(
            query,
            budget=desk.budget(asked),
            sensitivity=bool(asked.get("sensitivity")),
            typical=bool(asked.get("typical", True)),
        ).to_json()


def sensitivity(desk: Desk, asked: Asked) -> Answer:
    """How far each end of an exact answer moves with the bounds of each premise."""
    from boxsel.answer.sensitivity import sensitivity_of

    entry = desk.library.entry(asked)
    query = entry.kb.query(asked["query"])
    found = sensitivity_of(entry.kb, entry.reasoner(desk.budget(asked)).bounds(query))
    return {"query": query.text(entry.kb.prefixes), "influences": found.to_json()}


def next(desk: Desk, asked: Asked) -> Answer:  # noqa: A001
    """Which shares, stated or not, would narrow an answer most if they were measured."""
    from boxsel.advice.measuring import next_measurements

    kb, budget = desk.library.entry(asked).kb, desk.budget(asked)
    return next_measurements(kb, asked["query"], within=asked["within"], budget=budget).to_json()


def compare(desk: Desk, asked: Asked) -> Answer:
    """How two shares differ in all models: difference, ratio and odds ratio, with the verdict."""
    from boxsel.comparison.compare import compare as compare_shares

    kb, budget = desk.library.entry(asked).kb, desk.budget(asked)
    return compare_shares(kb, asked["first"], asked["second"], budget=budget).to_json()


def simpson(desk: Desk, asked: Asked) -> Answer:
    """Whether the comparison of two groups turns round by stratum, in all models."""
    from boxsel.machine.budget import Budget
    from boxsel.reversals.simpson import simpson as simpson_of

    return simpson_of(
        desk.library.entry(asked).kb,
        asked["outcome"],
        asked["groups"],
        asked["strata"],
        standard=asked.get("standard"),
        budget=Budget(desk.budget(asked)),
    ).to_json()


def simpson_table(desk: Desk, asked: Asked) -> Answer:
    """The comparisons of groups that turn round by stratum in a table of data."""
    from boxsel.machine.budget import Budget
    from boxsel.reversals.simpson import simpson as simpson_of
    from boxsel.reversals.tabulation import TableOptions

    options = TableOptions(
        asked.get("count"),
        bool(asked.get("individuals")),
        None if asked.get("missing") is None else tuple(asked["missing"]),
        asked.get("max_values", TableOptions.max_values),
    )
    with as_file(asked["table"], asked.get("format", "csv")) as path:
        return simpson_of(
            path,
            asked.get("outcome"),
            asked.get("groups"),
            asked.get("strata"),
            standard=asked.get("standard"),
            budget=Budget(desk.budget(asked)),
            table=options,
        ).to_json()


def sample(desk: Desk, asked: Asked) -> Answer:
    """People of whom every statement is true, or nearly, and how near."""
    from boxsel.machine.budget import Budget
    from boxsel.people.sample import sample as take
    from boxsel.people.writing import people_text

    people = take(
        desk.library.entry(asked).kb,
        asked["size"],
        query=asked.get("query"),
        end=asked.get("end") or "typical",
        budget=Budget(desk.budget(asked)),
    )
    return {**people.to_json(), "people": people_text(people, f".{asked['to']}")}


def show(desk: Desk, asked: Asked) -> Answer:
    """A knowledge base in a few numbers."""
    from boxsel.exact.shape import find_shape
    from boxsel.summary import summarize

    entry = desk.library.entry(asked)
    return {
        **summarize(entry.kb).to_json(),
        **find_shape(entry.kb).to_json(),
        "dropped": [asdict(drop) for drop in entry.kb.dropped],
        "coverage": None if entry.coverage is None else entry.coverage.to_json(),
    }


def parse(desk: Desk, asked: Asked) -> Answer:
    """Whether a text can be read: what is wrong and where, else its names and statements."""
    try:
        kb = desk.library.entry(asked).kb
    except ReadError as error:
        mistakes = [diagnostic_json(diagnostic) for diagnostic in error.diagnostics]
        return _parsed(KB(), mistakes, more=error.more)
    return _parsed(kb, [], more=False)


def read(desk: Desk, asked: Asked) -> Answer:
    """An uploaded file in any format as `.sel` text, with what was left out on reading."""
    return _written(desk.library.read(desk.upload, asked.get("format")), "sel")


def convert(desk: Desk, asked: Asked) -> Answer:
    """A knowledge base in another format."""
    kb = desk.library.entry(asked).kb
    if asked.get("lossy") and format_named(asked["to"]).table:
        from boxsel.formats.csv_table import tabular

        kb, _ = tabular(kb)
    return _written(kb, asked["to"])


TASKS: Final[Mapping[str, Callable[[Desk, Asked], Answer]]] = {
    task.__name__: task
    for task in (
        check,
        repair,
        bounds,
        ask,
        explain,
        sensitivity,
        next,
        compare,
        simpson,
        simpson_table,
        sample,
        show,
        parse,
        read,
        convert,
    )
} | {**PAGE_TASKS}
"""The tasks by name; adding one is one function here, and one route in `api`."""


def _written(kb: KB, name: str) -> Answer:
    chosen = format_named(name)
    if chosen.binary:
        raise BoxselError(f"{chosen.title} is not text: choose another format")
    return {
        "format": name,
        "kb": chosen.encode(kb).decode(),
        "statements": len(kb),
        "dropped": [asdict(drop) for drop in kb.dropped],
    }


def _parsed(kb: KB, mistakes: list[Answer], *, more: bool) -> Answer:
    return {
        "valid": not mistakes,
        "errors": mistakes,
        "more": more,
        "concepts": [_spelt(kb, concept) for concept in kb.signature.concepts],
        "roles": [_spelt(kb, role) for role in kb.signature.roles],
        "individuals": [_spelt(kb, individual) for individual in kb.signature.individuals],
        "statements": [statement.text(kb.prefixes) for statement in kb],
        "dropped": [asdict(drop) for drop in kb.dropped],
    }


def _spelt(kb: KB, entity: Entity) -> dict[str, str]:
    return {"name": entity.text(kb.prefixes), "label": kb.label(entity)}


@contextmanager
def as_file(text: str, extension: str) -> Iterator[Path]:
    """A text as a file; errors do not say where it was.

    Examples:
        >>> with as_file("a,b", "csv") as path:
        ...     path.name, path.read_text()
        ('table.csv', 'a,b')
    """
    with tempfile.TemporaryDirectory(prefix="boxsel-") as folder:
        path = Path(folder) / f"table.{extension}"
        path.write_text(text, "utf-8")
        try:
            yield path
        except ReadError as error:
            diagnostics = [
                replace(
                    diagnostic, file=None, message=diagnostic.message.replace(str(path), path.name)
                )
                for diagnostic in error.diagnostics
            ]
            raise ReadError(*diagnostics, more=error.more) from None
        except BoxselError as error:
            raise BoxselError(str(error).replace(str(path), path.name)) from None
