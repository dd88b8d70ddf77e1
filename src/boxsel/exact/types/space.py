"""The types that obey all clauses: listed if they are few, else searched by CP-SAT."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Clause, Form, Goal
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.enumeration import enumerate_types
from boxsel.exact.types.tables import table
from boxsel.machine.budget import Budget

if TYPE_CHECKING:
    from boxsel.exact.types.searched import SearchedSpace

Space: TypeAlias = "ListedSpace | SearchedSpace"
"""The types that obey some clauses: the best at a form, or several, or one above zero."""
EVERY_TYPE: Final = Goal(0)
"""The goal that every type has."""
MACHINE_SUM: Final = 2**62
"""Sums below this are computed in machine integers."""


class TooLargeError(ArithmeticError):
    """A form whose numbers do not fit into 64 bits."""


class ListedSpace:
    """The types in a table."""

    def __init__(self, kinds: Sequence[Type], width: int) -> None:
        self._kinds = list(kinds)
        self._table = table(self._kinds, width)
        self._columns: dict[Mask, NDArray[np.bool_]] = {}

    @property
    def kinds(self) -> tuple[Type, ...]:
        """The types."""
        return tuple(self._kinds)

    def best(self, form: Form, goal: Goal = EVERY_TYPE) -> tuple[Type, int] | None:
        """The type of a goal with the largest value of a form; none if the goal has no type."""
        places = np.flatnonzero(self._members(goal))
        if not len(places):
            return None
        exact = sum(abs(coefficient) for _, coefficient in form) < MACHINE_SUM
        values = np.zeros(len(self._kinds), np.int64 if exact else object)
        for mask, coefficient in form:
            values[self._has(mask)] += coefficient
        place = places[int(np.argmax(values[places]))]
        return self._kinds[place], int(values[place])

    def positive(self, form: Form, goal: Goal = EVERY_TYPE) -> Type | None:
        """A type of a goal at which a form is above zero, if there is one."""
        best = self.best(form, goal)
        return best[0] if best is not None and best[1] > 0 else None

    def several(self, weights: Sequence[tuple[Mask, float]], goal: Goal = EVERY_TYPE) -> list[Type]:
        """Some types of a goal with large values of a form with rounded coefficients."""
        values = np.zeros(len(self._kinds))
        for mask, weight in weights:
            values[self._has(mask)] += weight
        values[~self._members(goal)] = -np.inf
        places = np.argsort(-values, kind="stable")[:20]
        return [self._kinds[place] for place in places if np.isfinite(values[place])]

    def restrict(self, clause: Clause) -> None:
        """Keep only the types that obey one more clause."""
        keep = ~self._has(clause.body)
        for position in bits(clause.heads):
            keep |= self._table[position]
        self._kinds = [self._kinds[place] for place in np.flatnonzero(keep)]
        self._table = self._table[:, keep]
        self._columns.clear()

    def _has(self, mask: Mask) -> NDArray[np.bool_]:
        if mask not in self._columns:
            self._columns[mask] = np.all(self._table[list(bits(mask))], axis=0)
        return self._columns[mask]

    def _members(self, goal: Goal) -> NDArray[np.bool_]:
        members = self._has(goal.require).copy()
        for mask in goal.exclude:
            members &= ~self._has(mask)
        return members


def relevant(clauses: Sequence[Clause], start: Mask) -> tuple[Mask, list[Clause]]:
    """The bits that can matter for some bits, and the clauses about them.

    With all other bits false, a clause whose body has one of them holds: so a type over the
    relevant bits alone is a type.
    """
    inside = start
    waiting: dict[int, list[Clause]] = {}  # by a bit of the body that is still outside
    chosen: list[Clause] = []
    queue = list(clauses)
    while queue:
        later: list[Clause] = []
        for clause in queue:
            outside = clause.body & ~inside
            if outside:
                waiting.setdefault((outside & -outside).bit_length() - 1, []).append(clause)
                continue
            chosen.append(clause)
            for position in bits(clause.heads & ~inside):
                later.extend(waiting.pop(position, ()))
            inside |= clause.heads
        queue = later
    return inside, chosen


def masks(form: Iterable[tuple[Mask, float]], goal: Goal) -> Iterator[Mask]:
    """The masks that a form and a goal look at."""
    yield from (mask for mask, _ in form)
    yield goal.require
    yield from goal.exclude


def list_types(
    clauses: Iterable[Clause], width: int, budget: Budget, limit: int
) -> ListedSpace | None:
    """The types over so many basic concepts that obey clauses; none if there are more."""
    kinds = enumerate_types(clauses, (1 << width) - 1, limit, budget) if limit else None
    return None if kinds is None else ListedSpace(kinds, width)
