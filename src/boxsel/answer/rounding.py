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

LONG: Final = 10**12
"""A single number is shown as a fraction up to this denominator."""


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


def spelt(number: Fraction) -> str:
    """A single number for people: exact if that is short, else said to be about so much.

    Examples:
        >>> spelt(Fraction(557, 1835)), spelt(Fraction(1, 10**13))
        ('557/1835 (about 0.303542)', 'about 1e-13')
    """
    text = number_text(number)
    if number.denominator > LONG:
        return f"about {float(number):.9g}"
    return f"{text} (about {float(number):.6g})" if "/" in text else text
