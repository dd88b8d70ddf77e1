"""Ratios between totals: which of them give all others."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from fractions import Fraction

Ratio = tuple[Hashable, Hashable, Fraction]
"""A part, a whole, and the share of the whole's total that the part's total is; it is not zero."""


def spanning(ratios: Iterable[Ratio]) -> list[bool]:
    """Which ratios are kept so that the others follow from them; earlier ones are preferred.

    Ratios multiply along paths, so that the edges of a spanning forest give all others. Those that
    contradict earlier ones are kept.

    Examples:
        >>> half, third, sixth = Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)
        >>> spanning([("B", "A", half), ("C", "B", third), ("C", "A", sixth), ("C", "A", third)])
        [True, True, False, True]
    """
    above: dict[Hashable, tuple[Hashable, Fraction]] = {}

    def find(total: Hashable) -> tuple[Hashable, Fraction]:
        """The root of a total's tree, and how many times the root the total is."""
        times = Fraction(1)
        while total in above:
            total, factor = above[total]
            times *= factor
        return total, times

    kept = []
    for part, whole, share in ratios:
        (low, times), (high, base) = find(part), find(whole)
        if low != high:  # times·[low] = share·base·[high]
            above[low] = high, share * base / times
        kept.append(low != high or times != share * base)
    return kept
