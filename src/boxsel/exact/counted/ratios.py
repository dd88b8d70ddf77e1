"""Equations as ratios between totals: those that follow from others are left out.

An equation `q·[C ⊓ D] − p·[C] = 0` is a ratio between the totals of two sets. Ratios multiply along
paths, so that the edges of a spanning forest give all others.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from flint import fmpq

from boxsel.exact.counted.equations import Equation
from boxsel.exact.vocabulary import Mask


def spanning(equations: Iterable[Equation], total: Callable[[Mask], Hashable]) -> list[Equation]:
    """Equations from which the others follow; `total` names the set of what has a mask.

    Earlier ones are preferred. Those that contradict earlier ones are kept.

    Examples:
        >>> half = Equation(0, 1, ((0b01, 2), (0, -1)))
        >>> third = Equation(2, 3, ((0b11, 3), (0b01, -1)))
        >>> sixth = Equation(4, 5, ((0b11, 6), (0, -1)))
        >>> spanning([half, third, sixth], lambda mask: mask) == [half, third]
        True
    """
    above: dict[Hashable, tuple[Hashable, fmpq]] = {}

    def find(one: Hashable) -> tuple[Hashable, fmpq]:
        """The root of a set's tree, and how many times the root's total the set's total is."""
        ratio = fmpq(1)
        while one in above:
            one, factor = above[one]
            ratio *= factor
        return one, ratio

    kept = []
    for equation in equations:
        (both, times), (body, minus) = equation.form
        (part, share), (whole, base) = find(total(both)), find(total(body))
        # times·share·[part] + minus·base·[whole] = 0
        if part != whole:
            above[part] = whole, -(minus * base) / (times * share)
            kept.append(equation)
        elif times * share + minus * base:
            kept.append(equation)
    return kept
