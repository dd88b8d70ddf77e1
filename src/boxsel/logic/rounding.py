"""Numbers for people: an end of an interval has one text, wherever it is shown.

The texts are made from floats that were rounded outward already (`float_below`, `float_above`):
the ones that JSON objects have. So a headline, which knows the fractions, and a page or a picture,
which have the object only, show the same. JSON itself has the floats next to the true ends, and
not these shorter texts.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import ceil, floor, inf, log10, nextafter
from typing import Final, NamedTuple

from boxsel.logic.proportions import (
    Interval,
    exact,
    float_above,
    float_below,
    floats_within,
    number_text,
)

PLACES: Final = 6
"""Decimals have at most so many places."""

MOST_PLACES: Final = 15
"""A narrow interval that is rounded inward may need more of them, up to what a float has."""

BESIDE_DECIMALS: Final = 10**3
"""Fractions with larger denominators do not stand beside their decimals in answers."""

LONGEST_DENOMINATOR: Final = 10**12
"""Fractions with larger denominators do so nowhere: nobody reads them."""

SAME: Final = 1e-9
"""Digits of floats that differ by less are the same."""

FITTING: Final = 80
"""The characters of the longest numbers that fit on a line."""


class Shown(NamedTuple):
    """The ends of an interval as decimals; `about` if it is one number, and that is rounded."""

    lower: str
    upper: str
    about: bool = False

    @property
    def point(self) -> str | None:
        """The one number, if it is one."""
        if self.lower != self.upper:
            return None
        return f"about {self.lower}" if self.about else self.lower

    def joined(self, between: str) -> str:
        """Both ends with something between them; one number alone."""
        return self.point or f"{self.lower}{between}{self.upper}"


def outward(lower: float, upper: float, places: int = PLACES) -> Shown:
    """What lies between two floats is between these decimals; if they are one number, the nearest.

    Examples:
        >>> outward(0.16, 1 / 3).joined(" to ")
        '0.16 to 0.333334'
        >>> third = Fraction(1, 3)
        >>> shown(third, third).point
        'about 0.333333'
    """
    if nextafter(lower, inf) >= upper:  # no float is between them: they are the ends of one number
        return _nearest(lower, places, whole=lower == upper)
    scale = 10**places
    first, last = floor(exact(lower) * scale), ceil(exact(upper) * scale)
    return Shown(_spelt(first, places), _spelt(last, places))


def inward(lower: float, upper: float) -> Shown:
    """All that lies between these decimals lies between two floats, too.

    Examples:
        >>> inward(0.16, 2 / 3).joined(" to "), inward(0.12345678, 0.12345679).joined(" to ")
        ('0.16 to 0.666666', '0.12345678 to 0.12345679')
    """
    for places in range(PLACES, MOST_PLACES + 1):
        scale = 10**places
        first, last = ceil(exact(lower) * scale), floor(exact(upper) * scale)
        if first <= last:
            return Shown(_spelt(first, places), _spelt(last, places))
    return _nearest(lower, PLACES, whole=False)


def shown(lower: Fraction, upper: Fraction, places: int = PLACES) -> Shown:
    """The ends of an interval, rounded outward."""
    below, above = float_below(lower), float_above(upper)
    assert below is not None
    assert above is not None
    return outward(below, above, places)


def outward_words(
    lower: Fraction, upper: Fraction, longest: int = BESIDE_DECIMALS
) -> tuple[str, str]:
    """The ends rounded outward, beside the fractions that they stand for where these are short.

    Examples:
        >>> outward_words(Fraction(2, 3003), Fraction(1, 3))
        ('0.000666', '1/3 (about 0.333334)')
    """
    return _beside(shown(lower, upper), lower, upper, longest)


def inward_words(
    lower: Fraction, upper: Fraction, longest: int = BESIDE_DECIMALS
) -> tuple[str, str]:
    """The same rounded inward.

    Examples:
        >>> inward_words(Fraction(2, 3003), Fraction(2, 3))
        ('0.000667', '2/3 (about 0.666666)')
    """
    return _beside(inward(*floats_within(Interval(lower, upper))), lower, upper, longest)


def in_percent(decimal: str) -> str:
    """A decimal in percent: the same number, so what was rounded outward still is.

    Examples:
        >>> in_percent("0.333334"), in_percent("1"), in_percent("1e-07")
        ('33.3334 %', '100 %', '0.00001 %')
    """
    return f"{hundredfold(decimal)} %"


def hundredfold(decimal: str) -> str:
    """A decimal with its point two places to the right.

    Examples:
        >>> hundredfold("0.57"), hundredfold("0")
        ('57', '0')
    """
    moved = f"{Decimal(decimal).scaleb(2):f}"
    return moved.rstrip("0").rstrip(".") if "." in moved else moved


def number_words(number: Fraction) -> str:
    """One number: exact if that is short, else said to be about so much.

    Examples:
        >>> number_words(Fraction(557, 1835)), number_words(Fraction(1, 10**13))
        ('557/1835 (about 0.303542)', 'about 1e-13')
    """
    return outward_words(number, number, LONGEST_DENOMINATOR)[0]


def in_formula(number: Fraction) -> str:
    """A number in a formula: exact as long as it fits on a line, else said to be about so much.

    Examples:
        >>> in_formula(Fraction(1, 3)), in_formula(Fraction(10**60 + 1, 3 * 10**60))
        ('1/3', 'about 0.333333333')
    """
    text = number_text(number)
    return text if len(text) <= FITTING else about(number, 9)


def about(number: Fraction, digits: int) -> str:
    """A number to some digits, however small or large it is.

    Examples:
        >>> about(Fraction(1, 3), 3), about(Fraction(1, 3 * 10**400), 3)
        ('about 0.333', 'about 3.33e-401')
    """
    context = Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX)
    near = context.divide(number.numerator, number.denominator)
    within = not number or abs(near.adjusted()) < sys.float_info.max_10_exp
    return f"about {float(near) if within else near.normalize(context):.{digits}g}"


@dataclass(frozen=True, slots=True)
class Words:
    """How an answer says its shares: as decimals beside fractions that are short, or in percent."""

    percent: bool = False
    longest: int = BESIDE_DECIMALS

    def outward(self, lower: Fraction, upper: Fraction) -> tuple[str, str]:
        """Both ends, rounded outward; of one number see `one`."""
        if not self.percent:
            return outward_words(lower, upper, self.longest)
        return self._ends(shown(lower, upper))

    def inward(self, lower: Fraction, upper: Fraction) -> tuple[str, str]:
        """Both ends, rounded inward."""
        if not self.percent:
            return inward_words(lower, upper, self.longest)
        return self._ends(inward(*floats_within(Interval(lower, upper))))

    def one(self, number: Fraction) -> str:
        """One number.

        Examples:
            >>> Words(percent=True).one(Fraction(1, 3)), Words().one(Fraction(1, 3))
            ('about 33.3333 %', '1/3 (about 0.333333)')
        """
        return self.outward(number, number)[0] if self.percent else number_words(number)

    def width(self, number: Fraction) -> str:
        """How far two shares are apart.

        Examples:
            >>> Words(percent=True).width(Fraction(1, 8)), Words().width(Fraction(1, 8))
            ('12.5 points', '0.125')
        """
        decimal = f"{float(number):.3g}"
        return f"{hundredfold(decimal)} points" if self.percent else decimal

    def near(self, number: float) -> str:
        """An approximate number."""
        decimal = f"{number:.4g}"
        return in_percent(decimal) if self.percent else decimal

    def roughly(self, number: float, error: float) -> str:
        """A number with its error, to the first digit of the error, which is rounded up.

        Examples:
            >>> Words().roughly(0.31234, 0.0181), Words(percent=True).roughly(0.0042, 0.001)
            ('0.31 ± 0.02', '0.4 % ± 0.1 %')
        """
        places = max(0, -floor(log10(error)))
        rounded = ceil(error * 10**places - SAME) / 10**places
        texts = (f"{some:.{places}f}" for some in (number, rounded))
        return " ± ".join(in_percent(text) if self.percent else text for text in texts)

    def _ends(self, ends: Shown) -> tuple[str, str]:
        about = "about " if ends.about else ""
        return about + in_percent(ends.lower), about + in_percent(ends.upper)


def _beside(ends: Shown, lower: Fraction, upper: Fraction, longest: int) -> tuple[str, str]:
    about = "about " if ends.about else ""

    def said(number: Fraction, decimal: str) -> str:
        if 0 < number < sys.float_info.min:
            return in_formula(number)  # its decimal says 0
        if number.denominator > longest:
            return about + decimal
        text = number_text(number)
        return text if text == decimal else f"{text} (about {decimal})"

    return said(lower, ends.lower), said(upper, ends.upper)


def _nearest(number: float, places: int, *, whole: bool) -> Shown:
    """One number: as it is if it is short, else so many significant digits of it."""
    units = exact(number) * 10**places
    short = whole and units.denominator == 1
    text = _spelt(units.numerator, places) if short else f"{number:.{places}g}"
    return Shown(text, text, about=not short)


def _spelt(units: int, places: int) -> str:
    """So many units of the last place as a decimal."""
    digits = f"{units:0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")
