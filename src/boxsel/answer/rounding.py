"""Numbers for people, rounded so that what is said stays true."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor
from typing import Final

from boxsel.logic.proportions import number_text

DIGITS: Final = 10**6
"""Numbers that need more digits than this has are rounded."""

SHORT: Final = 1000
"""Fractions with no larger denominators are shown as they are, too."""


def rounded(number: Fraction, *, up: bool) -> str:
    """A number for people: itself if it is short, else the next one below or above.

    The lower end of what is proved goes down, and that of what is possible goes up.

    Examples:
        >>> rounded(Fraction(4, 25), up=False), rounded(Fraction(1, 3), up=True)
        ('0.16', '1/3 (about 0.333333)')
        >>> rounded(Fraction(2, 3003), up=False), rounded(Fraction(2, 3003), up=True)
        ('0.000666', '0.000667')
    """
    if number.denominator <= SHORT:
        text = number_text(number)
        return f"{text} (about {float(number):.6g})" if "/" in text else text
    if DIGITS % number.denominator == 0:
        return number_text(number)
    return number_text(Fraction((ceil if up else floor)(number * DIGITS), DIGITS))
