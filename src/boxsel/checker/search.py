"""Deciding what types attain: by tables, or by an integer solver, in numbers of any length.

The solver takes over where basic concepts hang together too closely for tables.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Final, TypeVar

from boxsel.checker.largest import largest_value
from boxsel.checker.order import TooWideError
from boxsel.checker.types import UndecidedError
from boxsel.machine.budget import NO_LIMIT, Budget, OutOfTimeError
from boxsel.machine.integers import Integers

LARGEST_NUMBER: Final = 2**20_000
"""Longer numbers are refused: a search would take too long."""

LIMB: Final = 2**32
SAFE: Final = 2**50
"""Sums below this are far from where the solver's machine integers end."""

Basic = TypeVar("Basic", bound=Hashable)


class Search:
    """A search for a type that obeys clauses and demands."""

    def __init__(self, clauses: Iterable[tuple[Iterable[Hashable], Iterable[Hashable]]]) -> None:
        self._problem = Integers()
        self._literals: dict[Hashable, int] = {}
        self._products: dict[frozenset[Hashable], int] = {}
        for body, heads in clauses:
            without = [~self._literal(basic) for basic in body]
            self._problem.require_any([*without, *map(self._literal, heads)])

    def demand(self, form: Mapping[frozenset[Basic], Fraction], least: int) -> None:
        """Demand a value, in limbs: low parts give a rest, and a carry for the higher ones.

        The form is in whole numbers, scaled as much as that takes: at least 1 is above 0.
        """
        numbers = whole(form.values())
        literals, carry = [self._product(key) for key in form], list[tuple[int, int]]()
        while sum(map(abs, numbers)) >= SAFE:
            low = zip(literals, [number % LIMB for number in numbers], strict=True)
            above = self._problem.variable(-2, len(numbers) + 1)
            rest = self._problem.variable(0, LIMB - 1)
            split = [*low, *carry, (rest, -1), (above, -LIMB)]
            self._problem.require(split, least % LIMB, least % LIMB)
            numbers, least = [number // LIMB for number in numbers], least // LIMB
            carry = [(above, 1)]
        self._problem.require([*zip(literals, numbers, strict=True), *carry], least)

    def succeeds(self, budget: Budget = NO_LIMIT) -> bool:
        """Whether there is such a type."""
        status, _ = self._problem.solve(budget)
        if status == "UNKNOWN" and budget.limited:
            raise OutOfTimeError
        if status not in ("OPTIMAL", "FEASIBLE", "INFEASIBLE"):
            raise UndecidedError(f"the solver cannot decide it ({status})")
        return status != "INFEASIBLE"

    def _literal(self, basic: Hashable) -> int:
        if basic not in self._literals:
            self._literals[basic] = self._problem.variable()
        return self._literals[basic]

    def _product(self, wanted: frozenset[Hashable]) -> int:
        """The literal that says whether a type has all of some basic concepts."""
        if wanted not in self._products:
            self._products[wanted] = result = self._problem.variable()
            parts = [self._literal(basic) for basic in wanted]
            self._problem.require_any([result, *(~variable for variable in parts)])
            for part in parts:
                self._problem.require_any([~result, part])
        return self._products[wanted]


def whole(numbers: Collection[Fraction]) -> list[int]:
    """The numbers, times a common denominator.

    Examples:
        >>> whole([Fraction(1, 2), Fraction(-2, 3)])
        [3, -4]
    """
    scale = 1
    for number in numbers:
        scale = lcm(scale, number.denominator)
        if max(scale, abs(number.numerator)) > LARGEST_NUMBER:
            raise UndecidedError("the numbers are too long to be checked")
    return [int(number * scale) for number in numbers]


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
        search = Search(clauses)  # the solver takes longer to load than many a check
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
