"""Searching the types that obey clauses with CP-SAT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Final

from ortools.sat.python import cp_model

from boxsel.exact.budget import Budget
from boxsel.exact.problem import Clause, Form, Goal, value
from boxsel.exact.space import EVERY, masks, relevant
from boxsel.exact.vocabulary import Mask, Type, bits

WORKERS: Final = 1
LARGEST: Final = 2**61
"""CP-SAT computes in 64 bits: the absolute coefficients of a form must sum to less."""
ROUNDED: Final = 2**30
"""The sum of the absolute coefficients when a form is only needed roughly."""


class TooLargeError(ArithmeticError):
    """A form whose numbers do not fit into 64 bits."""


class SearchedSpace:
    """The types that obey clauses, never listed."""

    def __init__(self, clauses: Iterable[Clause], budget: Budget) -> None:
        self._clauses = list(clauses)
        self._budget = budget

    def best(self, form: Form, goal: Goal = EVERY) -> tuple[Type, int] | None:
        """The type of a goal with the largest value of a form; none if the goal has no type."""
        if sum(abs(coefficient) for _, coefficient in form) >= LARGEST:
            raise TooLargeError
        model = Model(self._clauses, masks(form, goal))
        model.require(goal)
        found = model.maximise(form, self._budget)
        return None if found is None else (found, value(form, found))

    def several(self, weights: Sequence[tuple[Mask, float]], goal: Goal = EVERY) -> list[Type]:
        """Some types of a goal with large values of a form with rounded coefficients."""
        total = sum(abs(weight) for _, weight in weights)
        if total == 0:
            return []
        form = tuple((mask, round(weight / total * ROUNDED)) for mask, weight in weights)
        model = Model(self._clauses, masks(form, goal))
        model.require(goal)
        found: list[Type] = []
        model.maximise(form, self._budget, found.append)
        return found[::-1]

    def restrict(self, clause: Clause) -> None:
        """Keep only the types that obey one more clause."""
        self._clauses.append(clause)


class Model:
    """A CP-SAT model of the types, over the bits that matter for some masks."""

    def __init__(
        self,
        clauses: Sequence[Clause],
        about: Iterable[Mask],
        model: cp_model.CpModel | None = None,
    ) -> None:
        inside, chosen = relevant(clauses, reduce(or_, about, 0))
        self._model = model or cp_model.CpModel()
        self._literals = {
            position: self._model.new_bool_var(f"b{position}") for position in bits(inside)
        }
        self._products: dict[Mask, cp_model.IntVar] = {}
        for clause in chosen:
            heads = [self._literals[position] for position in bits(clause.heads)]
            self._model.add_bool_or([*self._negated(clause.body), *heads])

    def require(self, goal: Goal) -> None:
        """Only types of a goal."""
        for position in bits(goal.require):
            self._model.add_bool_or([self._literals[position]])
        for mask in goal.exclude:
            self._model.add_bool_or(self._negated(mask))

    def maximise(
        self, form: Form, budget: Budget, watch: Callable[[Type], None] | None = None
    ) -> Type | None:
        """A type with the largest value of a form, if there is a type at all."""
        if any(mask and number for mask, number in form):
            self._model.maximize(self.sum(form))
        callback = _Watcher(self.read, watch) if watch else None
        solver = solve(self._model, budget, callback)
        return None if solver is None else self.read(solver.boolean_value)

    def sum(self, form: Form) -> cp_model.LinearExpr:
        """The value of a form."""
        constant = sum(coefficient for mask, coefficient in form if not mask)
        terms = [(self.product(mask), number) for mask, number in form if mask and number]
        literals, numbers = [literal for literal, _ in terms], [number for _, number in terms]
        return cp_model.LinearExpr.weighted_sum(literals, numbers) + constant

    def read(self, truth: Callable[[cp_model.IntVar], bool]) -> Type:
        """The type that a solution describes."""
        return sum(1 << place for place, literal in self._literals.items() if truth(literal))

    def _negated(self, mask: Mask) -> list[cp_model.LiteralT]:
        return [~self._literals[position] for position in bits(mask)]

    def product(self, mask: Mask) -> cp_model.IntVar:
        """The literal that says whether a type has all of a mask."""
        if mask.bit_count() == 1:
            return self._literals[mask.bit_length() - 1]
        if mask not in self._products:
            product = self._model.new_bool_var(f"p{len(self._products)}")
            for position in bits(mask):
                self._model.add_implication(product, self._literals[position])
            self._model.add_bool_or([*self._negated(mask), product])
            self._products[mask] = product
        return self._products[mask]


class _Watcher(cp_model.CpSolverSolutionCallback):
    """Tells every type that is found on the way."""

    def __init__(
        self,
        read: Callable[[Callable[[cp_model.IntVar], bool]], Type],
        watch: Callable[[Type], None],
    ) -> None:
        super().__init__()
        self._read, self._watch = read, watch

    def on_solution_callback(self) -> None:
        self._watch(self._read(self.boolean_value))


def solve(
    model: cp_model.CpModel,
    budget: Budget,
    callback: cp_model.CpSolverSolutionCallback | None = None,
) -> cp_model.CpSolver | None:
    """A solver that has an optimal solution, or none if there is no solution."""
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = WORKERS
    solver.parameters.random_seed = 0
    budget.limit(solver.parameters)
    status = solver.solve(model, callback)
    budget.check()
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise ArithmeticError(f"CP-SAT gave up: {solver.status_name(status)}")
    return solver
