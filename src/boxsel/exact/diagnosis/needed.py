"""Statements that no proof of a bound can do without, seen from one optimum.

A proof of a bound π gives each row a multiplier, so that y·a(t) ≤ π·n(t) − c(t) for every type t.
At the types of an optimal population both sides are equal, and rows that it does not meet exactly
have no multiplier (complementary slackness). So where these equations have one solution, there is
one proof: who leaves out a statement whose row has a multiplier there has none. Nor has who leaves
out one without a row, if that lets a type in at which the inequality is false. Otherwise nothing is
said, and a statement has to be left out to see whether the bound still holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final

from flint import fmpz_mat

from boxsel.checker.largest import largest_value
from boxsel.checker.order import TooWideError
from boxsel.exact.compile.problem import Form, Problem, by_bound, value
from boxsel.exact.compile.vocabulary import Type, bits
from boxsel.exact.ladder import Ladder
from boxsel.exact.lp.optimum import Optimum
from boxsel.machine.budget import Budget

LARGEST: Final = 100_000
"""No more entries than so many are looked at: 300 rows of as many types take half a second."""


def find_needed(
    ladder: Ladder, optimum: Optimum, bound: Form, scale: int, budget: Budget
) -> frozenset[int]:
    """Statements without which the optimum of a ladder's statements would be larger.

    The bound is `scale` times its inequality without rows: c(t) − π·n(t), as a form of integers.
    """
    problem = ladder.problem
    kinds = [kind for kind, weight in optimum.weights.items() if weight]
    if problem.existentials or optimum.steps or len(kinds) * len(problem.rows) > LARGEST:
        return frozenset()
    certain, only = _certain_rows(problem, optimum, kinds)
    rows = [problem.rows[row] for row in certain]
    needed = frozenset(row.statement for row in rows)
    if not only:
        return needed
    form: dict[frozenset[int], Fraction] = {}
    terms = [(bound, Fraction(1, scale))]
    terms += ((problem.rows[row].form, number) for row, number in optimum.multipliers.items())
    for part, factor in terms:
        for mask, coefficient in part:
            key = frozenset(bits(mask))
            form[key] = form.get(key, Fraction(0)) + factor * coefficient
    clauses = [
        (number, (frozenset(bits(clause.body)), frozenset(bits(clause.heads))))
        for number, clause in problem.clauses
    ]
    rest = dict.fromkeys(number for number, _ in clauses if number not in needed)
    return needed.union(
        number
        for number in budget.watched(rest)
        if number in ladder.statements
        and _exceeds((clause for other, clause in clauses if other != number), form, budget)
    )


def _certain_rows(
    problem: Problem, optimum: Optimum, kinds: Sequence[Type]
) -> tuple[list[int], bool]:
    """The rows that have a multiplier in every proof, and whether there is one proof only."""
    rows, weights = problem.rows, optimum.weights
    stated = Counter((row.body, row.both, row.bound, row.side) for row in rows)
    table: list[list[int]] = []
    sides: list[list[int]] = []
    for group in by_bound(rows).values():
        values = [value(rows[next(iter(group.values()))].form, kind) for kind in kinds]
        total = sum(
            (one * weights[kind] for one, kind in zip(values, kinds, strict=True) if one),
            Fraction(0),
        )
        if not total:
            table.append(values)
            sides.append([*group.values()])
    if not table:
        return [], True
    # What can be added to the multipliers of all these rows, and changes nothing at any type.
    free, count = fmpz_mat([[line[k] for line in table] for k in range(len(kinds))]).nullspace()
    certain = [
        row
        for n, group_rows in enumerate(sides)
        if not any(free[n, k] for k in range(count))
        for row in group_rows
        if optimum.multipliers.get(row)
    ]
    same = [
        row
        for row in certain
        if stated[rows[row].body, rows[row].both, rows[row].bound, rows[row].side] == 1
    ]
    return same, not count and len(same) == len(certain)


def _exceeds(
    clauses: Iterable[tuple[frozenset[int], frozenset[int]]],
    form: dict[frozenset[int], Fraction],
    budget: Budget,
) -> bool:
    """Whether a form is above zero at a type that obeys some clauses, as far as that is seen."""
    try:
        largest = largest_value(clauses, form, budget)
    except TooWideError:
        return False
    return largest is not None and largest > 0
