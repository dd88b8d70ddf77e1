"""Deciding what types attain: by tables, or by a solver where these would be too large."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import TypeVar

from boxsel.checker.largest import largest_value
from boxsel.checker.order import TooWideError
from boxsel.machine.budget import NO_LIMIT, Budget

Basic = TypeVar("Basic", bound=Hashable)


def is_attained(
    clauses: Sequence[tuple[frozenset[Basic], frozenset[Basic]]],
    forms: Sequence[Mapping[frozenset[Basic], Fraction]],
    least: int,
    budget: Budget = NO_LIMIT,
) -> bool:
    """Whether forms are at least 0, or above it if the least is 1, at a type that obeys clauses.

    Several forms are nowhere above 0: then all are 0 where their sum is.

    Examples:
        >>> a, b = frozenset("A"), frozenset("B")
        >>> sizes = {a: Fraction(-1, 2), b: Fraction(1, 2)}
        >>> [is_attained([(b, a)], [sizes], least) for least in (0, 1)]
        [True, False]
    """
    try:
        value = largest_value(clauses, _sum(forms), budget)
    except TooWideError:
        # The solver takes longer to load than many a check.
        from boxsel.checker.search import Search

        search = Search(clauses)
        for form in forms:
            search.demand(form, least)
        return search.succeeds(budget)
    return value is not None and (value > 0 if least else value >= 0)


def _sum(forms: Sequence[Mapping[frozenset[Basic], Fraction]]) -> dict[frozenset[Basic], Fraction]:
    total: dict[frozenset[Basic], Fraction] = {}
    for form in forms:
        for key, number in form.items():
            total[key] = total[key] + number if key in total else number
    return total
