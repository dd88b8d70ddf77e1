"""Exact numbers from a basis: floats find it, fractions check it.

A basis names as many types as there are tight rows, and one. Solving for it over the rationals
gives the weights, the rows' multipliers and the value that the floats only approach.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_mat

from boxsel.exact.master import Basis, Master
from boxsel.exact.vocabulary import Type


@dataclass(frozen=True)
class Vertex:
    """A basic solution: a price π and multipliers y ≥ 0 with c + y·a ≤ π·n, and the weights."""

    price: Fraction
    multipliers: Mapping[int, Fraction]
    weights: Mapping[Type, Fraction]


def exact_vertex(master: Master, basis: Basis, *, violations: bool) -> Vertex | None:
    """The exact optimum of a restricted programme, if its basis is optimal in exact arithmetic.

    While violations are allowed, the price is minus the least violation.
    """
    rows = range(len(master.rows))
    violated = basis.violated if violations else frozenset()
    tight = [row for row in rows if row not in basis.slack and row not in basis.violated]
    columns = basis.columns
    if len(columns) != len(tight) + 1:
        return None
    place = {row: position for position, row in enumerate(tight)}
    size = len(columns)
    matrix = fmpq_mat(size, size)
    gains = fmpq_mat(size, 1)
    for number, column in enumerate(columns):
        gain = fmpq(0 if violations else master.gains[column])
        for row, entry in master.coefficients[column].items():
            if row in place:
                matrix[place[row], number] = fmpq(entry)
            elif row in violated:
                gain += _scaled(master, row, entry)
        matrix[size - 1, number] = fmpq(master.members[column])
        gains[number, 0] = gain
    total = fmpq_mat(size, 1)
    total[size - 1, 0] = fmpq(1)
    try:
        weights = matrix.solve(total)
        duals = matrix.transpose().solve(gains)
    except ZeroDivisionError:
        return None
    multipliers = {row: -_fraction(duals[place[row], 0]) for row in tight}
    multipliers |= {row: Fraction(1, master.rows[row].bound.denominator) for row in violated}
    vertex = Vertex(
        _fraction(duals[size - 1, 0]),
        {row: number for row, number in multipliers.items() if number},
        {
            master.kinds[column]: weight
            for number, column in enumerate(columns)
            if (weight := _fraction(weights[number, 0]))
        },
    )
    return vertex if _is_optimal(master, vertex, violations=violations) else None


def _is_optimal(master: Master, vertex: Vertex, *, violations: bool) -> bool:
    """Whether weights and multipliers are feasible, and complementary."""
    if any(weight < 0 for weight in vertex.weights.values()):
        return False
    for row, number in vertex.multipliers.items():
        if number < 0 or (violations and number > Fraction(1, master.rows[row].bound.denominator)):
            return False
    sums: dict[int, Fraction] = {}
    for kind, weight in vertex.weights.items():
        for row, entry in master.coefficients[master.position(kind)].items():
            sums[row] = sums.get(row, Fraction(0)) + entry * weight
    for row, total in sums.items():
        number = vertex.multipliers.get(row, Fraction(0))
        full = violations and number == Fraction(1, master.rows[row].bound.denominator)
        if (total < 0 and not full) or (total > 0 and number != 0):
            return False
    for column in range(len(master.kinds)):
        gain = Fraction(0 if violations else master.gains[column])
        for row, entry in master.coefficients[column].items():
            gain += vertex.multipliers.get(row, 0) * entry
        if gain > vertex.price * master.members[column]:
            return False
    return True


def _scaled(master: Master, row: int, entry: int) -> fmpq:
    return fmpq(entry, master.rows[row].bound.denominator)


def _fraction(number: fmpq) -> Fraction:
    return Fraction(int(number.p), int(number.q))
