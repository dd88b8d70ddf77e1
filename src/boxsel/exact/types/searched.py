"""Searching the types that obey clauses with CP-SAT."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_
from typing import Final, Literal

from boxsel.exact.compile.problem import Clause, Form, Goal, value
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.climbing import LocalSearch
from boxsel.exact.types.space import EVERY_TYPE, TooLargeError, masks, relevant
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.integers import Integers

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
    """The types as a problem for CP-SAT, over the bits that matter for some masks."""

    def __init__(
        self,
        clauses: Sequence[Clause],
        about: Iterable[Mask],
        problem: Integers | None = None,
    ) -> None:
        inside, chosen = relevant(clauses, reduce(or_, about, 0))
        self._problem = problem or Integers()
        self._literals = {position: self._problem.variable() for position in bits(inside)}
        self._products: dict[Mask, int] = {}
        for clause in chosen:
            heads = [self._literals[position] for position in bits(clause.heads)]
            self._problem.require_any([*self._negated(clause.body), *heads])

    def require(self, goal: Goal) -> None:
        """Only types of a goal."""
        for position in bits(goal.require):
            self._problem.require_any([self._literals[position]])
        for mask in goal.exclude:
            self._problem.require_any(self._negated(mask))

    def require_least(self, form: Form, least: Literal[0, 1]) -> None:
        """Only types at which a form, whose numbers may have any size, is not below 0 or 1."""
        if _is_small(form):
            self._problem.require(self._terms(form), least - _constant(form))
        else:
            self._require_in_limbs(form, least)

    def _require_in_limbs(self, form: Form, least: Literal[0, 1]) -> None:
        """The same with numbers that are too large for the solver.

        The form is split into digits to the base 2^LIMB_BITS. Digit by digit, what is left of the
        sum of the lower ones is carried on; the last carry has the sign of the whole.
        """
        problem, base = self._problem, 2**LIMB_BITS
        digits = (max(abs(number) for _, number in form).bit_length() + LIMB_BITS) // LIMB_BITS
        room = len(form) + 1  # a carry is at most the number of terms
        rests: list[tuple[int, int]] = []
        carry: list[tuple[int, int]] = []
        for place in range(digits):
            digit = tuple(
                (mask, (number >> LIMB_BITS * place) & (base - 1)) for mask, number in form
            )
            rest, next_carry = problem.variable(0, base - 1), problem.variable(0, room)
            split = [*self._terms(digit), *carry, (rest, -1), (next_carry, -base)]
            problem.require(split, -_constant(digit), -_constant(digit))
            rests.append((rest, 1))
            carry = [(next_carry, 1)]
        signs = tuple((mask, number >> LIMB_BITS * digits) for mask, number in form)  # 0 or −1
        top = [*self._terms(signs), *carry]
        problem.require(top, -_constant(signs))
        if least:
            problem.require([*top, *rests], 1 - _constant(signs))

    def maximise(self, form: Form, budget: Budget) -> Type | None:
        """A type with the largest value of a form, if there is a type at all."""
        if any(mask and number for mask, number in form):
            self._problem.maximise(self._terms(form))
        values = solve(self._problem, budget)
        return None if values is None else self.read(values)

    def read(self, values: Sequence[int]) -> Type:
        """The type that a solution describes."""
        return sum(1 << place for place, literal in self._literals.items() if values[literal])

    def product(self, mask: Mask) -> int:
        """The literal that says whether a type has all of a mask."""
        if mask.bit_count() == 1:
            return self._literals[mask.bit_length() - 1]
        if mask not in self._products:
            product = self._products[mask] = self._problem.variable()
            for position in bits(mask):
                self._problem.require_any([~product, self._literals[position]])
            self._problem.require_any([*self._negated(mask), product])
        return self._products[mask]

    def _terms(self, form: Form) -> list[tuple[int, int]]:
        """A form without its constant."""
        return [(self.product(mask), number) for mask, number in form if mask and number]

    def _negated(self, mask: Mask) -> list[int]:
        return [~self._literals[position] for position in bits(mask)]


def _constant(form: Form) -> int:
    return sum(number for mask, number in form if not mask)


def solve(problem: Integers, budget: Budget) -> Sequence[int] | None:
    """The values of an optimal solution, or none if there is no solution."""
    status, values = problem.solve(budget)
    if status == "INFEASIBLE":
        return None
    if status != "OPTIMAL":
        raise OutOfTimeError
    return values
