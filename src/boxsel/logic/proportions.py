"""Proportions: exact rational intervals, counts from samples, and shares that models have.

A number is read exactly as it is written: `0.1` is 1/10, not the nearest binary float.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal
from fractions import Fraction
from typing import Any, Final, NamedTuple

from boxsel.errors import InvalidStatementError
from boxsel.logic.expecting import expect

Number = int | float | str | Fraction
"""What a Python user may write for a number; a float means the decimal that it prints as."""

# Typographers put a space before the sign, mostly one that no line breaks at.
_PERCENT = r"(?:[ \t\u00a0\u202f]?%)?"
# No part can match in two ways: a line of a million digits is refused in no time.
NUMBER_PATTERN = (
    r"[+-]?(?:[0-9]+/[0-9]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?"
    rf"{_PERCENT})"
)
MAX_DIGITS = 400

# The same language as NUMBER_PATTERN, in parts: sign, fraction, decimal, exponent, percent sign.
_PARTS = re.compile(
    r"([+-]?)(?:([0-9]+)/([0-9]+)"
    r"|(?=\.?[0-9])([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?"
    rf"({_PERCENT}))"
)
ZERO, ONE = Fraction(0), Fraction(1)


def exact(number: Number) -> Fraction:
    """The rational number that is meant.

    Examples:
        >>> exact(0.1), exact("80%"), exact("80 %"), exact("1/3")
        (Fraction(1, 10), Fraction(4, 5), Fraction(4, 5), Fraction(1, 3))
    """
    if isinstance(number, Fraction):
        return number
    if isinstance(number, int):
        return Fraction(number)
    if isinstance(number, str):
        text = number.strip()
    else:
        expect(float, "a number is an int, a float, a Fraction or a text", number)
        text = str(float(number))
    if len(text) > MAX_DIGITS:
        raise InvalidStatementError(f"a number has more than {MAX_DIGITS} characters")
    whole, _, decimals = text.partition(".")
    if text.isascii() and whole.isdecimal() and decimals.isdecimal():  # by far the commonest
        return Fraction(int(whole + decimals), 10 ** len(decimals))
    match = _PARTS.fullmatch(text)
    if match is None:
        raise InvalidStatementError(
            f"{text!r} is not a number: write a decimal (0.25), a percentage or a fraction (1/4)"
        )
    sign, numerator, denominator, whole, decimals, exponent, percent = match.groups()
    if denominator is not None:
        if int(denominator) == 0:
            raise InvalidStatementError(f"{text} divides by zero")
        return Fraction(int(sign + numerator), int(denominator))
    decimals = decimals or ""
    value = int(sign + whole + decimals)
    power = int(exponent or 0) - len(decimals) - (2 if percent else 0)
    return Fraction(value * 10**power) if power >= 0 else Fraction(value, 10**-power)


_EXACT: Final = Context(prec=MAX_PREC, Emin=MIN_EMIN, Emax=MAX_EMAX)
LARGEST_SPELT: Final = 14_000
"""Integers of so many bits are longer than what Python spells."""


def number_text(number: Fraction) -> str:
    """The shortest exact spelling: a decimal if it is finite and short, else a fraction.

    A decimal that is too long to be read as a fraction has an exponent.

    Examples:
        >>> number_text(Fraction(1, 5)), number_text(Fraction(1, 3))
        ('0.2', '1/3')
        >>> number_text(Fraction(3, 10**500))
        '3e-500'
    """
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    digits = max(twos, fives)
    if rest != 1 or digits > 12:
        text = _fraction_text(number)
        if rest != 1 or len(text) <= MAX_DIGITS:
            return text
        return min(_with_exponents(number.numerator * 10**digits // number.denominator, digits))[1]
    if digits == 0:
        return str(number.numerator)
    scaled = abs(number.numerator) * 10**digits // number.denominator
    whole, part = divmod(scaled, 10**digits)
    return f"{'-' if number < 0 else ''}{whole}.{part:0{digits}d}"


def _fraction_text(number: Fraction) -> str:
    """A fraction of any length: Python's own integers are spelt up to some length only."""
    if number.denominator.bit_length() < LARGEST_SPELT:
        return str(number)
    return f"{Decimal(number.numerator):f}/{Decimal(number.denominator):f}"


def _with_exponents(mantissa: int, digits: int) -> Iterator[tuple[int, str]]:
    """Decimals with so many digits behind the point, each after its length.

    Exponents have at most three digits; shorter ones leave more behind the point.
    """
    for percent, power in (("", digits), ("%", digits - 2)):
        for exponent in {0, 9, 99, min(power, 999)}:
            if (decimals := power - exponent) >= 0:
                plain = f"{Decimal(mantissa).scaleb(-decimals, _EXACT):f}".removeprefix("0")
                text = f"{plain}{f'e-{exponent}' if exponent else ''}{percent}"
                yield len(text), text


@dataclass(frozen=True, slots=True)
class Interval:
    """A closed interval of proportions, with exact ends.

    Examples:
        >>> Interval(Fraction(1, 5), Fraction(1, 4)).text()
        '0.2, 0.25'
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        lower, upper = self.lower, self.upper
        # Integers compare several times faster than fractions, and most intervals are points.
        if (
            lower.numerator < 0
            or upper.numerator > upper.denominator
            or (lower is not upper and lower > upper)
        ):
            raise InvalidStatementError(_interval_problem(lower, upper))

    @classmethod
    def of(cls, lower: Number, upper: Number) -> Interval:
        """The interval between two numbers of any kind."""
        return cls(exact(lower), exact(upper))

    @classmethod
    def point(cls, number: Number) -> Interval:
        """The interval of one number."""
        value = exact(number)
        return cls(value, value)

    @property
    def is_point(self) -> bool:
        """Whether both ends are the same."""
        return self.lower == self.upper

    @property
    def bounds(self) -> Interval:
        """The interval itself: so that intervals and counts are read alike."""
        return self

    def __contains__(self, number: Fraction) -> bool:
        return self.lower <= number <= self.upper

    def allows(self, part: int, total: int) -> bool:
        """Whether the share of a part in a total is in it: in whole numbers, which is faster."""
        lower, upper = self.lower, self.upper
        return (
            lower.numerator * total <= part * lower.denominator
            and part * upper.denominator <= upper.numerator * total
        )

    def shortened(self, most: int) -> Interval:
        """The interval with ends outward whose denominators are long: they make programmes slow.

        Examples:
            >>> Interval(Fraction(1, 3), Fraction(1, 2)).shortened(10).text()
            '1/3, 0.5'
            >>> Interval(Fraction(1, 30), Fraction(16, 30)).shortened(10).text()
            '0, 0.6'
        """
        lower, upper = self.lower, self.upper
        if lower.denominator > most:
            lower = Fraction(math.floor(lower * most), most)
        if upper.denominator > most:
            upper = Fraction(math.ceil(upper * most), most)
        return Interval(lower, upper)

    def text(self) -> str:
        """The interval as it stands inside the brackets of a conditional."""
        if self.is_point:
            return number_text(self.lower)
        return f"{number_text(self.lower)}, {number_text(self.upper)}"

    def __str__(self) -> str:
        return f"[{self.text()}]"


@dataclass(frozen=True, slots=True)
class Count:
    """`count` of `total` sampled instances; read as the point `count/total` unless told otherwise.

    Examples:
        >>> Count(7, 12).bounds
        Interval(lower=Fraction(7, 12), upper=Fraction(7, 12))
    """

    count: int
    total: int

    def __post_init__(self) -> None:
        if self.total < 1:
            raise InvalidStatementError(f"a count needs a total of at least 1, not {self.total}")
        if self.count < 0:
            raise InvalidStatementError(f"a count cannot be negative: {self.count}")
        if self.count > self.total:
            raise InvalidStatementError(f"the count {self.count} is above its total {self.total}")

    @property
    def bounds(self) -> Interval:
        """The point `count/total`."""
        value = Fraction(self.count, self.total)
        return Interval(value, value)

    def allows(self, part: int, total: int) -> bool:
        """Whether the share of a part in a total is the same."""
        return part * self.total == self.count * total

    def text(self) -> str:
        """The count as it stands inside the brackets of a conditional."""
        return f"{self.count} of {self.total}"

    def __str__(self) -> str:
        return f"[{self.text()}]"


Proportion = Interval | Count
"""What a conditional states about the share of its body that belongs to its head."""


def is_readable(proportion: Proportion) -> bool:
    """Whether the numbers of a proportion, as they are written, are short enough to be read again.

    Examples:
        >>> is_readable(Interval.point("1e-999")), is_readable(Interval.point(Fraction(1, 3**999)))
        (True, False)
    """
    if isinstance(proportion, Count):
        return True
    ends = (proportion.lower, proportion.upper)
    return all(
        end.denominator.bit_length() < MAX_DIGITS or len(number_text(end)) <= MAX_DIGITS
        for end in ends
    )


def _interval_problem(lower: Fraction, upper: Fraction) -> str:
    if lower < 0:
        return f"the lower bound {number_text(lower)} is below 0"
    if upper > 1:
        which = "proportion" if lower == upper else "upper bound"
        comma = f", decimals a point: 0.{upper}" if lower == 0 and upper.denominator == 1 else ""
        return f"the {which} {number_text(upper)} is above 1: percentages need a % sign{comma}"
    return f"the lower bound {number_text(lower)} is above the upper bound {number_text(upper)}"


def float_below(number: Fraction | None) -> float | None:
    """A float that, as it is written in decimals, is not above a number, and is next to it.

    Examples:
        >>> float_below(Fraction(1, 3)), float_above(Fraction(1, 3))
        (0.3333333333333333, 0.33333333333333337)
    """
    if number is None:
        return None
    near = float(number)
    return near if exact(near) <= number else math.nextafter(near, -math.inf)


def floats_within(interval: Interval) -> tuple[float, float]:
    """Floats for the ends of an interval, rounded inward; if none is inside, the nearest one.

    Examples:
        >>> floats_within(Interval(Fraction(1, 3), Fraction(1, 3)))
        (0.3333333333333333, 0.3333333333333333)
    """
    lower, upper = float_above(interval.lower), float_below(interval.upper)
    assert lower is not None
    assert upper is not None
    return (lower, upper) if lower <= upper else (float(interval.lower), float(interval.lower))


def float_above(number: Fraction | None) -> float | None:
    """A float that, as it is written in decimals, is not below a number, and is next to it."""
    if number is None:
        return None
    near = float(number)
    return near if exact(near) >= number else math.nextafter(near, math.inf)


class Inner(NamedTuple):
    """An interval that is certainly possible, and how many witnesses there are for it.

    Models side by side are a model, and any mixture of their sizes: so every share between two
    that are possible is possible too.
    """

    lower: Fraction
    upper: Fraction
    witnesses: int

    @classmethod
    def between(cls, lower: Fraction, upper: Fraction) -> Inner:
        """What witnesses for both ends show: one witness, if the ends are one number."""
        return cls(lower, upper, 1 if lower == upper else 2)

    def to_json(self) -> dict[str, Any]:
        """The interval as a JSON object, rounded inward."""
        lower, upper = floats_within(Interval(self.lower, self.upper))
        return {"lower": lower, "upper": upper, "witnesses": self.witnesses}

    def joined(self, other: Inner | None) -> Inner:
        """All that either shows to be possible.

        Examples:
            >>> half, third = Fraction(1, 2), Fraction(1, 3)
            >>> Inner(half, half, 1).joined(Inner(third, half, 2))
            Inner(lower=Fraction(1, 3), upper=Fraction(1, 2), witnesses=3)
        """
        if other is None:
            return self
        lower, upper = min(self.lower, other.lower), max(self.upper, other.upper)
        return Inner(lower, upper, self.witnesses + other.witnesses)
