"""Models that are known beforehand, such as the data that a knowledge base was counted from."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from boxsel.exact.compile.problem import Problem, value
from boxsel.exact.compile.vocabulary import Basic, Type

Counted = Mapping[frozenset[Basic], int]
"""How many members have exactly these names and existentials."""


def as_weighting(problem: Problem, known: Counted) -> dict[Type, Fraction] | None:
    """A known model as weights of types; none if it does not obey the clauses and the rows.

    Names that the problem does not speak of are left out. Existentials that it speaks of must be
    among those of the members that have them.
    """
    vocabulary = problem.vocabulary
    numbers = {basic: vocabulary.bit(basic) for basic in vocabulary.basics}
    weights: dict[Type, Fraction] = {}
    for basics, count in known.items():
        kind = sum(numbers[one] for one in basics if one in numbers)
        weights[kind] = weights.get(kind, Fraction(0)) + count
    if not all(clause.holds(kind) for kind in weights for _, clause in problem.clauses):
        return None
    for row in problem.rows:
        if sum((weight * value(row.form, kind) for kind, weight in weights.items()), 0) < 0:
            return None
    return {kind: weight for kind, weight in weights.items() if weight}
