"""Point conditionals as equations, and types that they leave only one weighting of.

A conditional `(D | C)[p/q]` says `q·[C ⊓ D] − p·[C] = 0` in all. Where so many are known that the
weights of all types are fixed up to a common factor, as in a counted graph, every linear form
that vanishes in these weights is a combination of equations, and one inverse finds them all.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import compress
from typing import Final

import numpy as np
from flint import fmpq, fmpq_mat, fmpz_mat, nmod_mat

from boxsel.exact.compile.problem import Form, Row, by_bound
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.ratios import spanning

PRIME: Final = 2**61 - 1
"""Rows that are independent modulo a prime are independent."""
ZERO = fmpq(0)
Vector = Mapping[int, int]
"""The integers at some places; zero everywhere else."""


@dataclass(frozen=True, slots=True)
class Equation:
    """A form that is zero in all: the lower bound of a conditional, and the upper one reversed."""

    lower: int
    upper: int
    form: Form

    @property
    def about(self) -> Mask:
        """The basic concepts that the equation looks at."""
        return self.form[0][0] | self.form[1][0]

    def multiplier(self, number: fmpq) -> tuple[int, Fraction]:
        """The row, and its positive multiplier, that a multiplier of the equation stands for."""
        row = self.lower if number > 0 else self.upper
        return row, as_fraction(abs(number))


def as_equations(rows: Sequence[Row]) -> list[Equation] | None:
    """The rows as equations; none if some row has no row that reverses it."""
    bounds = by_bound(rows).values()
    if any(len(sides) < 2 for sides in bounds):
        return None
    return [Equation(sides["lower"], sides["upper"], rows[sides["lower"]].form) for sides in bounds]


class Extents:
    """Which of some listed types have a mask."""

    def __init__(self, kinds: Sequence[Type]) -> None:
        self.kinds = tuple(kinds)
        width = max((kind.bit_length() for kind in kinds), default=0)
        table = [[kind >> position & 1 for kind in kinds] for position in range(width)]
        self._table = np.array(table, bool).reshape(width, len(self.kinds))
        self._found: dict[Mask, tuple[int, ...]] = {}

    def of(self, mask: Mask) -> tuple[int, ...]:
        """The places of the types that have a mask."""
        if mask not in self._found:
            width = len(self._table)
            if mask >> width:
                self._found[mask] = ()
            else:
                places = np.flatnonzero(np.all(self._table[list(bits(mask))], axis=0))
                self._found[mask] = tuple(places.tolist())
        return self._found[mask]

    def values(self, form: Form) -> dict[int, int]:
        """The values of a form at the types where it is not zero."""
        values: dict[int, int] = {}
        for mask, coefficient in form:
            for place in self.of(mask):
                values[place] = values.get(place, 0) + coefficient
        return {place: number for place, number in values.items() if number}


class FixedWeights:
    """Types with the only weights, up to a factor, that obey some equations."""

    def __init__(
        self, extents: Extents, equations: Sequence[Equation], inverse: Sequence[Sequence[fmpq]]
    ) -> None:
        self.extents = extents
        self._equations = equations
        self.weights = tuple(line[-1] for line in inverse)
        self._combinations = [
            [(number, entry) for number, entry in enumerate(line[:-1]) if entry] for line in inverse
        ]

    def total(self, values: Mapping[int, int | fmpq]) -> fmpq:
        """The sum of values at types, each times the type's weight."""
        return sum((self.weights[place] * number for place, number in values.items()), ZERO)

    def combine(self, values: Mapping[int, fmpq]) -> dict[int, Fraction]:
        """Multipliers of rows whose sum has the given values; these must have a total of zero."""
        totals: dict[int, fmpq] = {}
        for place, value in values.items():
            for number, entry in self._combinations[place]:
                totals[number] = totals.get(number, ZERO) + value * entry
        return dict(
            self._equations[number].multiplier(total) for number, total in totals.items() if total
        )


def fix_weights(kinds: Sequence[Type], equations: Iterable[Equation]) -> FixedWeights | None:
    """The weights of types, if the equations fix them and none is negative.

    Examples:
        >>> both = Equation(0, 1, ((0b11, 4), (0b01, -1)))
        >>> fixed = fix_weights([0b01, 0b11], [both])
        >>> fixed and fixed.weights
        (3/4, 1/4)
    """
    extents = Extents(kinds)
    count = len(kinds)
    distinct: dict[tuple[tuple[int, int], ...], Equation] = {}
    for equation in sorted(equations, key=lambda one: one.about.bit_count()):
        values = tuple(sorted(extents.values(equation.form).items()))
        if values:
            distinct.setdefault(values, equation)
    if not count or len(distinct) < count - 1:
        return None
    chosen = _independent([dict(values) for values in distinct], count)
    if len(chosen) != count - 1:
        return None
    rows = list(distinct)
    matrix = fmpz_mat(count, count)
    for line, number in enumerate(chosen):
        for place, entry in rows[number]:
            matrix[line, place] = entry
    for place in range(count):
        matrix[count - 1, place] = 1
    try:
        inverse = matrix.inv()
    except ZeroDivisionError:  # the only weights have both signs and the sum zero
        return None
    lines = [[inverse[place, line] for line in range(count)] for place in range(count)]
    if any(line[-1] < 0 for line in lines):
        return None
    known = list(distinct.values())
    return FixedWeights(extents, [known[number] for number in chosen], lines)


def independent(rows: Sequence[Sequence[fmpq]]) -> list[int]:
    """The positions of rows that are independent and span all rows.

    Examples:
        >>> independent([[fmpq(1), fmpq(2)], [fmpq(2), fmpq(4)], [fmpq(0), fmpq(1)]])
        [0, 2]
    """
    if not rows or not rows[0]:
        return []
    width = len(rows[0])
    transposed = [row[place] for place in range(width) for row in rows]
    reduced, rank = fmpq_mat(width, len(rows), transposed).rref()
    return _pivots(reduced, rank)


def _independent(rows: Sequence[Vector], width: int) -> list[int]:
    """The positions of rows that are independent and span all, modulo a prime."""
    if not rows:
        return []
    matrix = nmod_mat(width, len(rows), PRIME)
    for number, row in enumerate(rows):
        for place, entry in row.items():
            matrix[place, number] = entry % PRIME
    return _pivots(*matrix.rref())


def _pivots(reduced: fmpq_mat | nmod_mat, rank: int) -> list[int]:
    """The columns in which the lines of a reduced matrix begin."""
    columns: list[int] = []
    column = 0
    for line in range(rank):
        while not reduced[line, column]:
            column += 1
        columns.append(column)
    return columns


def keep_spanning(
    equations: Sequence[Equation], total: Callable[[Mask], Hashable]
) -> list[Equation]:
    """Equations from which the others follow; `total` names the set of what has a mask.

    An equation `q·[C ⊓ D] − p·[C] = 0` is a ratio between the totals of two sets.

    Examples:
        >>> half = Equation(0, 1, ((0b01, 2), (0, -1)))
        >>> third = Equation(2, 3, ((0b11, 3), (0b01, -1)))
        >>> sixth = Equation(4, 5, ((0b11, 6), (0, -1)))
        >>> keep_spanning([half, third, sixth], lambda mask: mask) == [half, third]
        True
    """
    ratios = (
        (total(both), total(body), Fraction(-minus, times))
        for (both, times), (body, minus) in (equation.form for equation in equations)
    )
    return list(compress(equations, spanning(ratios)))
