"""Searching the types that obey clauses with CP-SAT."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, Literal

from boxsel.exact.compile.problem import Clause, Form, Goal, value
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.climbing import LocalSearch
from boxsel.exact.types.space import EVERY_TYPE, TooLargeError, masks, relevant
from boxsel.machine.budget import Budget, OutOfTimeError

if TYPE_CHECKING:  # it takes longer to load than most answers, and few need it
    from ortools.sat.python import cp_model

COEFFICIENTS: Final = 2**61
"""CP-SAT computes in 64 bits: the absolute coefficients of a form must sum to less."""
LIMB_BITS: Final = 40
"""How many bits of a larger number are looked at together."""


class SearchedSpace:
    """The types that obey clauses, never listed."""

    def __init__(self, clauses: Iterable[Clause], budget: Budget) -> None:
        self._clauses = list(clauses)
        self._budget = budget
        self._local = LocalSearch(self._clauses)

    @property
    def clauses(self) -> Sequence[Clause]:
        """The clauses that the types obey."""
        return self._clauses

    def best(self, form: Form, goal: Goal = EVERY_TYPE) -> tuple[Type, int] | None:
        """The type of a goal with the largest value of a form; none if the goal has no type."""
        if not _is_small(form):
            raise TooLargeError
        model = Model(self._clauses, masks(form, goal))
        model.require(goal)
        kind = model.maximise(form, self._budget)
        return None if kind is None else (kind, value(form, kind))

    def positive(self, form: Form, goal: Goal = EVERY_TYPE) -> Type | None:
        """A type of a goal at which a form is above zero, if there is one."""
        model = Model(self._clauses, masks(form, goal))
        model.require(goal)
        model.require_least(form, 1)
        kind = model.maximise(form if _is_small(form) else (), self._budget)
        if kind is not None:
            self._local.remember([kind])
        return kind

    def several(self, weights: Sequence[tuple[Mask, float]], goal: Goal = EVERY_TYPE) -> list[Type]:
        """Some types of a goal with large values of a form with rounded coefficients."""
        used = [(mask, weight) for mask, weight in weights if weight]
        if not used:
            return []
        starts = self._local.starts(goal)
        if not starts:
            first = self.best((), goal)
            if first is None:
                return []
            starts = [first[0]]
        return self._local.climb(used, goal, starts)

    def restrict(self, clause: Clause) -> None:
        """Keep only the types that obey one more clause."""
        self._clauses.append(clause)
        self._local.forget()


def _is_small(form: Form) -> bool:
    return sum(abs(number) for _, number in form) < COEFFICIENTS


class Model:
    """A CP-SAT model of the types, over the bits that matter for some masks."""

    def __init__(
        self,
        clauses: Sequence[Clause],
        about: Iterable[Mask],
        model: cp_model.CpModel | None = None,
    ) -> None:
        from ortools.sat.python import cp_model

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

    def require_least(self, form: Form, least: Literal[0, 1]) -> None:
        """Only types at which a form, whose numbers may have any size, is not below 0 or 1."""
        if _is_small(form):
            self._model.add(self.sum(form) >= least)
        else:
            self._require_in_limbs(form, least)

    def _require_in_limbs(self, form: Form, least: Literal[0, 1]) -> None:
        """The same with numbers that are too large for the solver.

        The form is split into digits to the base 2^LIMB_BITS. Digit by digit, what is left of the
        sum of the lower ones is carried on; the last carry has the sign of the whole.
        """
        from ortools.sat.python import cp_model

        digits = (max(abs(number) for _, number in form).bit_length() + LIMB_BITS) // LIMB_BITS
        room = len(form) + 1  # a carry is at most the number of terms
        rests: list[cp_model.IntVar] = []
        carry: cp_model.IntVar | int = 0
        for place in range(digits):
            digit = tuple(
                (mask, (number >> LIMB_BITS * place) & (2**LIMB_BITS - 1)) for mask, number in form
            )
            rest = self._model.new_int_var(0, 2**LIMB_BITS - 1, f"rest{place}")
            next_carry = self._model.new_int_var(0, room, f"carry{place}")
            self._model.add(self.sum(digit) + carry == rest + next_carry * 2**LIMB_BITS)
            rests.append(rest)
            carry = next_carry
        signs = tuple((mask, number >> LIMB_BITS * digits) for mask, number in form)  # 0 or −1
        top = self.sum(signs) + carry
        self._model.add(top >= 0)
        if least:
            self._model.add(top + cp_model.LinearExpr.sum(rests) >= 1)

    def maximise(self, form: Form, budget: Budget) -> Type | None:
        """A type with the largest value of a form, if there is a type at all."""
        if any(mask and number for mask, number in form):
            self._model.maximize(self.sum(form))
        solver = solve(self._model, budget)
        return None if solver is None else self.read(solver.boolean_value)

    def sum(self, form: Form) -> cp_model.LinearExpr:
        """The value of a form."""
        from ortools.sat.python import cp_model

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


def solve(model: cp_model.CpModel, budget: Budget) -> cp_model.CpSolver | None:
    """A solver that has an optimal solution, or none if there is no solution."""
    from ortools.sat.python import cp_model

    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.catch_sigint_signal = False  # it would leave Python without its handler
    budget.limit(solver.parameters)
    with budget.stopping(solver.stop_search):
        status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return None
    if status != cp_model.OPTIMAL:
        raise OutOfTimeError
    return solver
