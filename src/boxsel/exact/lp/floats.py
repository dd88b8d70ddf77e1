"""Exact numbers as others need them: as floats for what only guides a search, and as fractions."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Final

from flint import fmpq

LARGEST_FLOAT: Final = sys.float_info.max


def as_float(number: Fraction | int) -> float:
    """The nearest float; the largest one, where a number is beyond all floats.

    Examples:
        >>> as_float(Fraction(1, 4)), as_float(Fraction(1, 10**400)), as_float(-(10**400))
        (0.25, 0.0, -1.7976931348623157e+308)
    """
    try:
        return float(number)
    except OverflowError:
        return LARGEST_FLOAT if number > 0 else -LARGEST_FLOAT


def as_fraction(number: fmpq) -> Fraction:
    """The same number for everybody else."""
    return Fraction(int(number.p), int(number.q))
