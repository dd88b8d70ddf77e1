"""Searching types with an integer solver, in numbers of any length.

It takes over where basic concepts hang together too closely for tables.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Final, TypeVar

from boxsel.checker.types import UndecidedError
from boxsel.machine.budget import NO_LIMIT, Budget, OutOfTimeError

if TYPE_CHECKING:  # it takes longer to load than most answers, and few need it
    from ortools.sat.python import cp_model

LARGEST_NUMBER: Final = 2**20_000
"""Longer numbers are refused: a search would take too long."""

LIMB: Final = 2**32
SAFE: Final = 2**50
"""Sums below this are far from where the solver's machine integers end."""

Basic = TypeVar("Basic", bound=Hashable)


class Search:
    """A search for a type that obeys clauses and demands."""

    def __init__(self, clauses: Iterable[tuple[Iterable[Hashable], Iterable[Hashable]]]) -> None:
        from ortools.sat.python import cp_model

        self._model = cp_model.CpModel()
        self._literals: dict[Hashable, cp_model.IntVar] = {}
        self._products: dict[frozenset[Hashable], cp_model.IntVar] = {}
        for body, heads in clauses:
            without = [~self._literal(basic) for basic in body]
            self._model.add_bool_or([*without, *map(self._literal, heads)])

    def demand(self, form: Mapping[frozenset[Basic], Fraction], least: int) -> None:
        """Demand a value, in limbs: low parts give a rest, and a carry for the higher ones.

        The form is in whole numbers, scaled as much as that takes: at least 1 is above 0.
        """
        from ortools.sat.python import cp_model

        numbers = whole(form.values())
        literals, carry = [self._product(key) for key in form], self._model.new_constant(0)
        while sum(map(abs, numbers)) >= SAFE:
            low = cp_model.LinearExpr.weighted_sum(literals, [number % LIMB for number in numbers])
            below, carry = carry, self._model.new_int_var(-2, len(numbers) + 1, "")
            rest = self._model.new_int_var(0, LIMB - 1, "")
            self._model.add(low + below - least % LIMB == rest + LIMB * carry)
            numbers, least = [number // LIMB for number in numbers], least // LIMB
        self._model.add(cp_model.LinearExpr.weighted_sum(literals, numbers) + carry >= least)

    def succeeds(self, budget: Budget = NO_LIMIT) -> bool:
        """Whether there is such a type."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False  # it would leave Python without its handler
        budget.limit(solver.parameters)
        with budget.stopping(solver.stop_search):
            status = solver.solve(self._model)
        if status == cp_model.UNKNOWN and budget.limited:
            raise OutOfTimeError
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
            raise UndecidedError(f"the solver cannot decide it ({solver.status_name(status)})")
        return status != cp_model.INFEASIBLE

    def _literal(self, basic: Hashable) -> cp_model.IntVar:
        if basic not in self._literals:
            self._literals[basic] = self._model.new_bool_var("")
        return self._literals[basic]

    def _product(self, wanted: frozenset[Hashable]) -> cp_model.IntVar:
        """The literal that says whether a type has all of some basic concepts."""
        if wanted not in self._products:
            self._products[wanted] = result = self._model.new_bool_var("")
            parts = [self._literal(basic) for basic in wanted]
            self._model.add_bool_or([result, *(~variable for variable in parts)])
            for part in parts:
                self._model.add_implication(result, part)
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
