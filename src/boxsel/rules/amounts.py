"""Arithmetic that the rules share: exact, and the same again on arrays.

A rule is written once. With fractions it gives the exact conclusion; with arrays of floats
it gives thousands of conclusions at a time, only to see which are worth computing exactly.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from boxsel.logic.proportions import ONE, ZERO

Amount: TypeAlias = Any
"""A fraction, or an array of floats."""

LARGEST_DENOMINATOR: Final = 10**12
"""Derived ends are rounded outward to fractions with denominators up to this."""


class Bounds(NamedTuple):
    """What is known of a share; the lower end is above the upper one where the body is empty."""

    lower: Amount
    upper: Amount


UNKNOWN: Final = Bounds(ZERO, ONE)


def least(first: Amount, second: Amount) -> Amount:
    """The smaller of two amounts."""
    if isinstance(second, np.ndarray):
        return np.minimum(first, second)
    return Fraction(min(first, second))


def greatest(first: Amount, second: Amount) -> Amount:
    """The greater of two amounts."""
    if isinstance(second, np.ndarray):
        return np.maximum(first, second)
    return Fraction(max(first, second))


def quotient(part: Amount, whole: Amount, *, otherwise: int) -> Amount:
    """Part over whole, and what is given if the whole is 0.

    Examples:
        >>> quotient(Fraction(1, 4), Fraction(1, 2), otherwise=1)
        Fraction(1, 2)
        >>> quotient(ZERO, ZERO, otherwise=1)
        Fraction(1, 1)
    """
    if not isinstance(whole, np.ndarray):
        return part / whole if whole else Fraction(otherwise)
    safe = np.where(whole == 0, 1.0, whole)
    return np.where(whole == 0, float(otherwise), part / safe)


def share_of(part: Amount, whole: Amount, *, otherwise: int) -> Amount:
    """Part over whole where nothing has the share 0, whatever the whole.

    Examples:
        >>> share_of(ZERO, ZERO, otherwise=1), share_of(ONE, ZERO, otherwise=1)
        (Fraction(0, 1), Fraction(1, 1))
    """
    if isinstance(whole, np.ndarray):
        return np.where(part == 0, 0.0, quotient(part, whole, otherwise=otherwise))
    return quotient(part, whole, otherwise=otherwise) if part else ZERO


def rounded_down(number: Fraction) -> Fraction:
    """The greatest fraction with a denominator in bounds that is not above the number.

    Examples:
        >>> rounded_down(Fraction(1, 3))
        Fraction(1, 3)
        >>> rounded_down(Fraction(10**13 - 1, 10**13))
        Fraction(999999999999, 1000000000000)
    """
    return _neighbours(number)[0]


def rounded_up(number: Fraction) -> Fraction:
    """The least fraction with a denominator in bounds that is not below the number."""
    return _neighbours(number)[1]


def _neighbours(number: Fraction) -> tuple[Fraction, Fraction]:
    """The nearest fractions with a denominator in bounds on either side.

    The last convergent of the continued fraction that is in bounds, and the last
    semiconvergent after it, are neighbours among those fractions, one on each side.
    """
    numerator, denominator = number.numerator, number.denominator
    if denominator <= LARGEST_DENOMINATOR:
        return number, number
    p0, q0, p1, q1 = 0, 1, 1, 0
    while True:
        whole = numerator // denominator
        if q0 + whole * q1 > LARGEST_DENOMINATOR:
            break
        p0, q0, p1, q1 = p1, q1, p0 + whole * p1, q0 + whole * q1
        numerator, denominator = denominator, numerator - whole * denominator
    steps = (LARGEST_DENOMINATOR - q0) // q1
    ends = Fraction(p1, q1), Fraction(p0 + steps * p1, q0 + steps * q1)
    return min(ends), max(ends)
