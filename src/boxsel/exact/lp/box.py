"""Small linear programmes with bounded variables, solved exactly.

Maximise `c·w` where `B·w = h` and `0 ≤ w ≤ u`, by the simplex method over the rationals. The
constraints stay and the gains change: each question starts from the last optimum. The least index
rule (Bland's) keeps both phases from cycling.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat

ZERO = fmpq(0)


@dataclass(frozen=True)
class BoxOptimum:
    """The values w, and multipliers y of the equations that prove that no others are better.

    The reduced gain `c_j + y·B_j` is at most 0 where w_j < u_j and at least 0 where w_j > 0.
    """

    values: tuple[fmpq, ...]
    multipliers: tuple[fmpq, ...]


class Box:
    """Values between zero and given bounds that obey independent equations.

    Examples:
        >>> box = Box([[fmpq(1), fmpq(1)]], [fmpq(3)], [fmpq(2), fmpq(2)])
        >>> box.feasible, box.maximise([fmpq(1), fmpq(0)]).values
        (True, (2, 1))
    """

    def __init__(
        self, equations: Sequence[Sequence[fmpq]], rights: Sequence[fmpq], bounds: Sequence[fmpq]
    ) -> None:
        self._bounds = list(bounds)
        self._size = len(bounds)
        count = len(equations)
        # Beside the equations stands the identity, which becomes the inverse of the basis.
        lines = [
            [*equation, *(fmpq(int(one == other)) for other in range(count))]
            for one, equation in enumerate(equations)
        ]
        self._lines = _reduced(lines, self._size + count)
        self._basis = [next(n for n, entry in enumerate(line) if entry) for line in self._lines]
        if any(column >= self._size for column in self._basis):
            raise ArithmeticError("the equations of a box depend on each other")
        self._values = [ZERO] * self._size
        for line, column in zip(self._lines, self._basis, strict=True):
            self._values[column] = sum(
                (entry * right for entry, right in zip(line[self._size :], rights, strict=True)),
                ZERO,
            )
        self.feasible = self._repair()

    def maximise(self, gains: Sequence[fmpq]) -> BoxOptimum:
        """The best values; the box must be feasible."""
        while True:
            basic = [gains[column] for column in self._basis]
            reduced = list(gains)
            inverse = [ZERO] * (len(self._lines))
            for gain, line in zip(basic, self._lines, strict=True):
                if gain:
                    for column in range(self._size):
                        if line[column]:
                            reduced[column] -= gain * line[column]
                    for number in range(len(inverse)):
                        inverse[number] -= gain * line[self._size + number]
            entering = next((n for n in range(self._size) if self._improves(n, reduced[n])), None)
            if entering is None:
                return BoxOptimum(tuple(self._values), tuple(inverse))
            self._step(entering, 1 if reduced[entering] > 0 else -1)

    def _improves(self, column: int, gain: fmpq) -> bool:
        """Whether a variable can be moved so that the objective grows; basic ones gain zero."""
        value = self._values[column]
        return bool(gain > 0 and value < self._bounds[column]) or bool(gain < 0 and value > 0)

    def _step(self, entering: int, sign: int) -> None:
        """Move a variable as far as all others allow, and make the first that stops it nonbasic."""
        longest, leaving, stop = self._bounds[entering], entering, -1
        for number, line in enumerate(self._lines):
            slope = line[entering] * sign
            if not slope:
                continue
            column = self._basis[number]
            room = (
                self._values[column] if slope > 0 else self._bounds[column] - self._values[column]
            )
            step = room / abs(slope)
            if step < longest or (step == longest and column < leaving):
                longest, leaving, stop = step, column, number
        self._move(entering, longest * sign)
        if stop >= 0:
            self._pivot(stop, entering)

    def _repair(self) -> bool:
        """Bring every basic variable within its bounds; false if that is impossible."""
        while True:
            outside = [
                (column, number)
                for number, column in enumerate(self._basis)
                if self._values[column] < 0 or self._values[column] > self._bounds[column]
            ]
            if not outside:
                return True
            column, number = min(outside)
            target = ZERO if self._values[column] < 0 else self._bounds[column]
            change = target - self._values[column]
            line = self._lines[number]
            entering = next(
                (
                    other
                    for other in range(self._size)
                    if line[other]
                    and other != column
                    and self._improves(other, -line[other] * change)
                ),
                None,
            )
            if entering is None:
                return False
            self._move(entering, -change / line[entering])
            self._pivot(number, entering)

    def _move(self, column: int, change: fmpq) -> None:
        """Change a nonbasic variable, and the basic ones with it."""
        self._values[column] += change
        for basic, line in zip(self._basis, self._lines, strict=True):
            if line[column]:
                self._values[basic] -= line[column] * change

    def _pivot(self, number: int, column: int) -> None:
        pivot = self._lines[number][column]
        line = self._lines[number] = [entry / pivot for entry in self._lines[number]]
        for other, entries in enumerate(self._lines):
            factor = entries[column]
            if other != number and factor:
                self._lines[other] = [
                    entry - factor * unit if unit else entry
                    for entry, unit in zip(entries, line, strict=True)
                ]
        self._basis[number] = column


def _reduced(lines: Sequence[Sequence[fmpq]], width: int) -> list[list[fmpq]]:
    if not lines:
        return []
    matrix, _ = fmpq_mat(len(lines), width, [entry for line in lines for entry in line]).rref()
    return [[matrix[row, column] for column in range(width)] for row in range(len(lines))]
