"""The typical share of a query: that in the most even of all populations, beside the intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Final

from boxsel.errors import BoxselError
from boxsel.exact.compile.components import Components
from boxsel.exact.typical import Typical, find_typical
from boxsel.logic.concepts import entities
from boxsel.logic.kb import KB
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget

MOST_STATEMENTS: Final = 2_000
"""Statements that hang together with a query, and among which its typical share is looked for: a
hierarchy of so many takes half a second."""


@dataclass(frozen=True)
class TypicalShare:
    """The share in the most even population: one number for those who need one, and no bound.

    `exact` if it is that of maximum entropy, to nine digits. Otherwise it is the most even weights
    of so many `types` that were drawn, or some statements were left out on reading.
    """

    value: float
    exact: bool
    types: int | None = None

    def in_words(self, words: Words) -> str:
        """The share for people."""
        how = "the most even of all populations"
        if self.types is not None:
            how = f"roughly: the most even weights of {self.types:,} types that were drawn"
        elif not self.exact:
            how += ", roughly"
        return f"typically {words.near(self.value)} ({how}; no bound)"

    def to_json(self) -> dict[str, Any]:
        """The share as a JSON object."""
        return asdict(self)


class Typicals:
    """The typical populations of the parts of a knowledge base, each found once."""

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._known: dict[tuple[int, ...], Typical | str] = {}

    def share(self, query: Query, budget: Budget) -> TypicalShare | str:
        """The typical share of a query, or why there is none."""
        part = self._components.around((*entities(query.head), *entities(query.body)))
        if len(part) > MOST_STATEMENTS:
            most = f"{MOST_STATEMENTS:,} statements at the most"
            return f"it is looked for among {most}, and there are more"
        typical = self._known.get(part)
        if typical is None:
            statements = self._kb.statements
            try:
                typical = find_typical(KB(tuple(statements[n] for n in part)), budget=budget)
            except BoxselError as error:
                typical = str(error)
            if budget.left > 0:  # else there may be time for it another time
                self._known[part] = typical
        if isinstance(typical, str):
            return typical
        try:
            share = typical.share(query)
        except BoxselError as error:
            return str(error)
        if share is None:
            return "nobody has the body in the most even population, to fifteen digits"
        return TypicalShare(share, typical.exact and not self._kb.ignored_axioms)

    @cached_property
    def _components(self) -> Components:
        return Components(self._kb)
