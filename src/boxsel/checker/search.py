"""Searching types with an integer solver, in numbers of any length.

A *type* says which basic concepts (names and existentials) are true of an element.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final

from ortools.sat.python import cp_model

from boxsel.checker.types import Basics, Clauses, Form, UndecidedError, whole
from boxsel.logic.concepts import Concept
from boxsel.machine.budget import NO_LIMIT, Budget, OutOfTimeError

LIMB: Final = 2**32
SAFE: Final = 2**50
"""Sums below this are far from where the solver's machine integers end."""


class Search:
    """A search for types, one for each of some individuals, that obey clauses and demands."""

    def __init__(self, obeyed: Clauses, individuals: Iterable[Hashable]) -> None:
        self.model, self._clauses = cp_model.CpModel(), obeyed
        self.literals: dict[Hashable, dict[Concept, cp_model.IntVar]]
        self.literals = {one: {} for one in individuals}
        self._products: dict[tuple[Hashable, Basics], cp_model.IntVar] = {}

    def has(self, who: Hashable, wanted: Basics) -> cp_model.IntVar:
        """The literal that says whether a type has all of some basic concepts."""
        if (who, wanted) in self._products:
            return self._products[who, wanted]
        result, known = self.model.new_bool_var(""), self.literals[who]
        self._products[who, wanted] = result
        known |= {one: self.model.new_bool_var("") for one in wanted - known.keys()}
        self.model.add_bool_or([result, *(~known[one] for one in wanted)])
        for one in wanted:
            self.model.add_implication(result, known[one])
        return result

    def demand(self, who: Hashable, form: Form, least: int) -> None:
        """Demand a value, in limbs: low parts give a rest, and a carry for the higher ones."""
        numbers = whole(form.values())
        literals, carry = [self.has(who, key) for key in form], self.model.new_constant(0)
        while sum(map(abs, numbers)) >= SAFE:
            low = cp_model.LinearExpr.weighted_sum(literals, [one % LIMB for one in numbers])
            below, carry = carry, self.model.new_int_var(-2, len(numbers) + 1, "")
            rest = self.model.new_int_var(0, LIMB - 1, "")
            self.model.add(low + below - least % LIMB == rest + LIMB * carry)
            numbers, least = [one // LIMB for one in numbers], least // LIMB
        self.model.add(cp_model.LinearExpr.weighted_sum(literals, numbers) + carry >= least)

    def succeeds(self, budget: Budget = NO_LIMIT) -> bool:
        """Whether there are such types; a concept that nothing leads to may be false in them."""
        for known in self.literals.values():
            for body, heads in self._clauses.around(known):
                known |= {one: self.model.new_bool_var("") for one in heads - known.keys()}
                without = (~known[one] for one in body)
                self.model.add_bool_or([*without, *(known[one] for one in heads)])
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.catch_sigint_signal = False  # it would leave Python without its handler
        budget.limit(solver.parameters)
        with budget.stopping(solver.stop_search):
            status = solver.solve(self.model)
        if status == cp_model.UNKNOWN and budget.limited:
            raise OutOfTimeError
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE):
            raise UndecidedError(f"the solver cannot decide it ({solver.status_name(status)})")
        return status != cp_model.INFEASIBLE
