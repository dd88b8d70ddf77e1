"""The numbers that an answer rests on, as sliders: what moves, how far, and what it then says.

Conditionals are lines of text here: what a line is about, its numbers, and other numbers put in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

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


MOST: Final = 12
"""How many sliders there are: an answer with more premises is moved by the text."""
COARSE, FINE = Fraction(1, 100), Fraction(1, 1000)


@dataclass(frozen=True)
class Premise(ConditionalText):
    """A conditional that an answer rests on.

    `slopes` say by how much the lower and the upper end move for each unit of its number, as far as
    that is known.
    """

    slopes: tuple[tuple[str, str, float], ...] = ()

    @property
    def step(self) -> Fraction:
        """How far one step goes: finer where the stated numbers are fine."""
        coarse = all((end / COARSE).denominator == 1 for end in (self.lower, self.upper))
        return COARSE if coarse else FINE

    @property
    def hint(self) -> str:
        """What the ends do when the number moves, in words."""
        moved: dict[str, list[str]] = {}
        for end, bound, slope in self.slopes:
            moved.setdefault(bound, []).append(f"the {end} end by {slope / 100:+.2g}")
        where = {"point": "", "lower": " at its lower bound", "upper": " at its upper bound"}
        said = (f"+0.01{where[bound]} moves {' and '.join(ends)}" for bound, ends in moved.items())
        return "; ".join(said).replace("-", "\N{MINUS SIGN}")

    def moved(self, lower: float, upper: float) -> str:
        """The line with other numbers, as a slider says them.

        Examples:
            >>> Premise("(B | A)", Fraction(1, 5), Fraction(1, 5)).moved(0.3, 0.3)
            '(B | A)[0.3]'
        """
        return self.share + proportion(self._snapped(lower), self._snapped(upper))

    def _snapped(self, number: float) -> Fraction:
        """The number that is meant by a place of the slider."""
        for stated in (self.lower, self.upper):
            if abs(number - stated) < 1e-9:
                return stated
        return min(Fraction(1), max(Fraction(0), round(exact(number) / self.step) * self.step))


def premises(answer: Mapping[str, Any]) -> list[Premise]:
    """The conditionals that an answer rests on, those that move it most first.

    Examples:
        >>> lower, upper = {"axioms": ["A SubClassOf B", "(B | A)[0.2]"]}, {"axioms": []}
        >>> evidence = {"lower": lower, "upper": upper}
        >>> [one.share for one in premises({"evidence": evidence})]
        ['(B | A)']
    """
    evidence = answer["evidence"]
    influences: Sequence[Mapping[str, Any]] = answer.get("sensitivity") or ()
    stated = [one["statement"] for one in influences]
    for side in ("lower", "upper"):
        stated += evidence[side]["axioms"]
    stated += answer.get("conflict", ())
    found: dict[str, Premise] = {}
    for statement in stated:
        read = ConditionalText.of(statement)
        if read is None or read.share in found:
            continue
        slopes = _slopes(one for one in influences if one["statement"] == statement)
        found[read.share] = Premise(read.share, read.lower, read.upper, slopes=slopes)
    return list(found.values())[:MOST]


def _slopes(influences: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, str, float], ...]:
    return tuple((one["end"], one["bound"], float(one["slope"])) for one in influences)
