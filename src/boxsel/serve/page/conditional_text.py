"""Conditionals as lines of text: what a line is about, its numbers, and other numbers put in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.logic.proportions import exact, number_text

# Names in quotes and IRIs may hold anything, brackets among it.
_SHARE: Final = re.compile(r"\s*(\((?:'(?:[^'\\]|\\.)*'|<[^>]*>|[^'<\[\]])*\))\s*\[([^\]]*)\]")
_SEPARATOR: Final = re.compile(r",|(?<=\d)\s+of\s+(?=\d)")


@dataclass(frozen=True)
class ConditionalText:
    """A conditional as it stands in a line: `share` is `(D | C)`, then come its bounds.

    Examples:
        >>> line = "(DeptA | Applicant)[0.20, 25%]  # as counted"
        >>> found = ConditionalText.of(line)
        >>> found.share, str(found.lower), str(found.upper), found.count
        ('(DeptA | Applicant)', '1/5', '1/4', False)
        >>> found.put_into(line, "(DeptA | Applicant)[0.3]")
        '(DeptA | Applicant)[0.3]  # as counted'
    """

    share: str
    lower: Fraction
    upper: Fraction
    count: bool = False

    @classmethod
    def of(cls, line: str) -> ConditionalText | None:
        """The conditional of a line; nothing if it is another statement."""
        found = _SHARE.match(line)
        if found is None:
            return None
        numbers = _SEPARATOR.split(found[2])
        try:
            first, *others = map(exact, numbers)
            if "of" in found[2]:
                part = first / others[0]
                return cls(_spaced(found[1]), part, part, count=True)
            return cls(_spaced(found[1]), first, others[0] if others else first)
        except (ValueError, ZeroDivisionError, IndexError):
            return None

    @property
    def point(self) -> bool:
        """Whether it has one number."""
        return self.lower == self.upper

    @staticmethod
    def put_into(line: str, new: str) -> str:
        """The line with the numbers of another one; whatever stands after them stays."""
        found, other = _SHARE.match(line), _SHARE.match(new)
        assert found is not None and other is not None
        return line[: found.start(2)] + other[2] + line[found.end(2) :]


def proportion(lower: Fraction, upper: Fraction) -> str:
    """Bounds as `.sel` has them.

    Examples:
        >>> proportion(Fraction(1, 5), Fraction(1, 3)), proportion(Fraction(1), Fraction(1))
        ('[0.2, 1/3]', '[1]')
    """
    ends = dict.fromkeys((number_text(lower), number_text(upper)))
    return f"[{', '.join(ends)}]"


def _spaced(share: str) -> str:
    """The share with single spaces outside quotes, so that lines about the same compare equal."""
    parts = re.split(r"('(?:[^'\\]|\\.)*')", share)
    return "".join(
        one if place % 2 else re.sub(r"\s+", " ", one) for place, one in enumerate(parts)
    )
