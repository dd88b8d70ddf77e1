"""What is said of a part of a certificate that does not hold."""

from __future__ import annotations

from fractions import Fraction


class WrongError(Exception):
    """A part of a certificate does not prove what it claims."""


def shown(number: Fraction | None) -> str:
    """A share or a factor, for people; one of very many digits by its length."""
    if number is None:
        return "not defined, since its body has no weight"
    bits = max(number.numerator.bit_length(), number.denominator.bit_length())
    return str(number) if bits < 200 else f"a fraction of {bits} bits"
