"""What is asked about types: linear forms with numbers of any length."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from math import lcm
from typing import Final

from boxsel.checker.clauses import Basics

LARGEST: Final = 2**20_000
"""Longer numbers are refused: a question would take too long."""

Form = Mapping[Basics, Fraction]
"""A linear form: its value at a type is the sum over the keys that the type has."""


class UndecidedError(Exception):
    """A question that could not be answered."""


def whole(numbers: Collection[Fraction]) -> list[int]:
    """The numbers, times a common denominator."""
    scale = 1
    for number in numbers:
        scale = lcm(scale, number.denominator)
        if max(scale, abs(number.numerator)) > LARGEST:
            raise UndecidedError("the numbers are too long to be checked")
    return [int(number * scale) for number in numbers]
