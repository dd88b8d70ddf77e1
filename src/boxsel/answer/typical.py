"""The typical share of a query: that in the most even of all populations, beside the intervals."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from math import inf
from typing import Any, Final

from boxsel.errors import BoxselError
from boxsel.exact.compile.components import Components
from boxsel.exact.compile.vocabulary import Vocabulary
from boxsel.exact.typical import Typical, find_typical
from boxsel.logic.booleans import basic_parts
from boxsel.logic.concepts import Exists, entities
from boxsel.logic.kb import KB
from boxsel.logic.rounding import Words
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget

MOST_STATEMENTS: Final = 2_000
"""Statements that hang together with a query, and among which its typical share is looked for: a
hierarchy of so many takes half a second."""

DIGITS: Final = 12
"""The decimals of a typical share: it has no more that are right."""

ROUNDED: Final = 1e-6
"""How far outside what is proved a share may be computed that is not sampled: small bodies have
fewer digits. It is moved inside."""


@dataclass(frozen=True)
class TypicalShare:
    """The share in the most even population: one number for those who need one, and no bound.

    `exact` if it is that of maximum entropy, to nine digits. If it was sampled, `error` is how far
    it may be off: two standard errors, or more. Otherwise some statements were left out on reading.
    """

    value: float
    exact: bool
    error: float | None = None

    def in_words(self, words: Words) -> str:
        """The share for people.

        Examples:
            >>> TypicalShare(0.31234, exact=False, error=0.0181).in_words(Words())
            'typically about 0.31 ± 0.02 (the most even of all populations, by sampling; no bound)'
        """
        how = "the most even of all populations"
        if self.error is not None:
            how += ", by sampling"
        elif not self.exact:
            how += ", roughly"
        return f"typically {self.number(words)} ({how}; no bound)"

    def number(self, words: Words) -> str:
        """The share alone, with its error if it was sampled."""
        if self.error is None:
            return words.near(self.value)
        return f"about {words.roughly(self.value, self.error)}"

    def to_json(self) -> dict[str, Any]:
        """The share as a JSON object."""
        return asdict(self)

    def within(self, lower: float, upper: float) -> TypicalShare | None:
        """The same between two numbers; none if it is farther from them than it may be off."""
        value = min(max(round(self.value, DIGITS), lower), upper)
        off = abs(value - self.value)
        return None if off > max(ROUNDED, self.error or 0.0) else replace(self, value=value)


class Typicals:
    """The typical populations of the parts of a knowledge base, each found once."""

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._known: dict[tuple[tuple[int, ...], frozenset[Exists]], Typical | str] = {}

    def share(
        self, query: Query, budget: Budget, patience: float = inf, *, sampled: bool = True
    ) -> TypicalShare | str:
        """The typical share of a query, or why there is none.

        After some seconds of `patience` a rough one is enough. If it shall not be `sampled`, there
        is only one where it need not be.
        """
        typical = self._find(query, budget, patience)
        if isinstance(typical, str):
            return typical
        if typical.is_sampled and not sampled:
            return "it would have to be sampled"
        try:
            near = typical.near(query, budget=budget, patience=patience)
        except BoxselError as error:
            return str(error)
        if near is None:
            return "nobody has the body in the most even population, to fifteen digits"
        if near.error:
            return TypicalShare(near.value, exact=False, error=near.error)
        return TypicalShare(near.value, typical.exact and not self._kb.ignored_axioms)

    def _find(self, query: Query, budget: Budget, patience: float) -> Typical | str:
        """The typical population of what hangs together with a query, or why there is none."""
        part = self._components.around((*entities(query.head), *entities(query.body)))
        if len(part) > MOST_STATEMENTS:
            most = f"{MOST_STATEMENTS:,} statements at the most"
            return f"it is looked for among {most}, and there are more"
        statements = [self._kb.statements[number] for number in part]
        stated = Vocabulary(
            concept for statement in statements for concept in statement.axiom.concepts()
        )
        also = frozenset(
            basic
            for concept in (query.head, query.body)
            for basic in basic_parts(concept)
            if isinstance(basic, Exists) and not stated.covers(basic)
        )
        known = self._known.get((part, also))
        if known is not None:
            return known
        typical: Typical | str
        try:
            typical = find_typical(
                KB(tuple(statements)),
                also=sorted(also, key=str),
                budget=budget,
                patience=patience,
            )
        except BoxselError as error:
            typical = str(error)
        if budget.left > 0:  # else there may be time for it another time
            self._known[part, also] = typical
        return typical

    @cached_property
    def _components(self) -> Components:
        return Components(self._kb)
