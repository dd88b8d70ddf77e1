"""Typical shares of queries, in the most even populations, which are found once for each part."""

from __future__ import annotations

from math import inf
from typing import Final

from boxsel.answer.typical_share import TypicalShare
from boxsel.errors import BoxselError
from boxsel.exact.compile.components import Components
from boxsel.exact.compile.vocabulary import Vocabulary
from boxsel.exact.typical import Typical, find_typical
from boxsel.logic.booleans import basic_parts
from boxsel.logic.concepts import Exists, entities
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError

MOST_STATEMENTS: Final = 2_000
"""Statements that hang together with a query, and among which its typical share is looked for: a
hierarchy of so many takes half a second."""


class Typicals:
    """The typical populations of the parts of a knowledge base, each found once."""

    def __init__(self, kb: KB) -> None:
        self._kb = kb
        self._components: Components | None = None
        self._known: dict[tuple[tuple[int, ...], frozenset[Exists]], Typical | str] = {}

    def share(
        self, query: Query, budget: Budget, patience: float = inf, *, sampled: bool = True
    ) -> TypicalShare | str:
        """The typical share of a query, or why there is none.

        After some seconds of `patience` a rough one is enough. If it shall not be `sampled`, there
        is only one where it need not be.
        """
        try:
            typical = self._find(query, budget, patience)
        except OutOfTimeError:
            return "the time was not enough to see which statements hang together with it"
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
        """The typical population of what hangs together with a query, or why there is none.

        Raises:
            OutOfTimeError: It was not found in time what does hang together.
        """
        if self._components is None:
            self._components = Components(self._kb, budget)
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
