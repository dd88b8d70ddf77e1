"""The simplex method in exact arithmetic, for linear programs that the origin satisfies.

The tableau holds integers over one common denominator (integer pivoting, after Edmonds), and
ties are broken lexicographically, so that it never cycles. Small and exact, not fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Optimum:
    """A best point, its value, and the multiplier of each row that proves it best."""

    value: Fraction
    point: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]


def maximise(
    objective: Sequence[int], rows: Sequence[Sequence[int]], limits: Sequence[int]
) -> Optimum:
    """Maximise `objective · x` over `x ≥ 0` with `row · x ≤ limit` for every row.

    No limit may be negative: the origin is where the method starts.

    Examples:
        >>> maximise([1, 1], [[2, 1], [1, 2]], [3, 3]).value
        Fraction(2, 1)
    """
    assert all(limit >= 0 for limit in limits)
    columns, width = len(objective), len(objective) + len(rows)
    # A row of the tableau: its coefficients, one slack variable for each row, and its limit.
    tableau = [
        [*row, *(int(place == other) for other in range(len(rows))), limit]
        for place, (row, limit) in enumerate(zip(rows, limits, strict=True))
    ]
    costs = [-cost for cost in objective] + [0] * (len(rows) + 1)
    basis = list(range(columns, width))
    denominator = 1
    while (least := min(costs[:width], default=0)) < 0:
        entering = costs.index(least)
        candidates = [i for i, row in enumerate(tableau) if row[entering] > 0]
        if not candidates:
            raise ValueError("the objective is unbounded")
        leaving = _lexicographic(tableau, candidates, entering, columns)
        pivot_row = tableau[leaving]
        pivot = pivot_row[entering]
        # The division is exact: every entry is a subdeterminant of the first tableau.
        tableau = [
            row if row is pivot_row else _eliminate(row, pivot_row, entering, pivot, denominator)
            for row in tableau
        ]
        costs = _eliminate(costs, pivot_row, entering, pivot, denominator)
        basis[leaving], denominator = entering, pivot
    values = {variable: row[-1] for variable, row in zip(basis, tableau, strict=True)}
    return Optimum(
        Fraction(costs[-1], denominator),
        tuple(Fraction(values.get(j, 0), denominator) for j in range(columns)),
        tuple(Fraction(cost, denominator) for cost in costs[columns:width]),
    )


def _eliminate(
    row: list[int], pivot_row: list[int], entering: int, pivot: int, denominator: int
) -> list[int]:
    """The row after the pivot: its entry in the entering column becomes 0."""
    factor = row[entering]
    return [
        (entry * pivot - factor * other) // denominator
        for entry, other in zip(row, pivot_row, strict=True)
    ]


def _lexicographic(
    tableau: Sequence[Sequence[int]], candidates: list[int], entering: int, columns: int
) -> int:
    """The candidate whose limit, then slack entries, over its pivot are least in this order."""
    for place in (-1, *range(columns, columns + len(tableau))):
        ratios = {i: Fraction(tableau[i][place], tableau[i][entering]) for i in candidates}
        least = min(ratios.values())
        candidates = [i for i in candidates if ratios[i] == least]
        if len(candidates) == 1:
            break
    return candidates[0]
