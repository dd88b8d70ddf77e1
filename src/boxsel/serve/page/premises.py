"""The numbers that an answer rests on, as sliders: what moves, how far, and what it then says.

Conditionals are lines of text here: what a line is about, its numbers, and other numbers put in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from boxsel.logic.proportions import exact, number_text

# Names in quotes and IRIs may hold anything, brackets among it.
_SHARE: Final = re.compile(r"\s*(\((?:'(?:[^'\\]|\\.)*'|<[^>]*>|[^'<\[\]])*\))\s*\[([^\]]*)\]")
# Something always fits, so that no place is looked at twice: what is open ends with the text.
_SPACES: Final = re.compile(r"('(?:[^'\\]|\\.)*'?|<[^>]*>?)|\s+", re.DOTALL)
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

    @staticmethod
    def share_of(line: str) -> str | None:
        """What the conditional of a line is about, whatever its numbers are."""
        found = _SHARE.match(line)
        return None if found is None else _spaced(found[1])

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
    return _SPACES.sub(lambda found: found[1] or " ", share)


MOST_SLIDERS: Final = 12
"""How many sliders there are: an answer with more premises is moved by the text."""
COARSE, FINE = Fraction(1, 100), Fraction(1, 1000)


@dataclass(frozen=True)
class Premise(ConditionalText):
    """A conditional that an answer rests on: the `nth` of the lines about its share."""

    nth: int = 0

    @property
    def step(self) -> Fraction:
        """How far one step goes: finer where the stated numbers are fine."""
        coarse = all((end / COARSE).denominator == 1 for end in (self.lower, self.upper))
        return COARSE if coarse else FINE

    def nudged(self, lower: float, upper: float) -> dict[str, tuple[float, float]]:
        """Where a step down and up lead from where the slider is, by what is said of them.

        Examples:
            >>> Premise("(B | A)", Fraction(0), Fraction(0)).nudged(0, 0)
            {'+0.01': (0.01, 0.01)}
        """
        step = float(self.step)
        ways = [(f"{sign}{step:g}", way * step) for sign, way in (("\N{MINUS SIGN}", -1), ("+", 1))]
        if self.point:
            moved = {said: (lower + by, upper + by) for said, by in ways}
        else:
            moved = {f"at least {said}": (lower + by, upper) for said, by in ways}
            moved |= {f"at most {said}": (lower, upper + by) for said, by in ways}
        return {
            said: (low, high)
            for said, (low, high) in moved.items()
            if -1e-9 <= low <= high + 1e-9 and high <= 1 + 1e-9
        }

    @property
    def stated(self) -> str:
        """The line as the text has it, without what stands after its numbers."""
        return self.moved(float(self.lower), float(self.upper))

    def moved(self, lower: float, upper: float) -> str:
        """The line with other numbers, as a slider says them.

        Examples:
            >>> Premise("(B | A)", Fraction(1, 5), Fraction(1, 5)).moved(0.3, 0.3)
            '(B | A)[0.3]'
        """
        return self.share + proportion(self.snapped(lower), self.snapped(upper))

    def snapped(self, number: float) -> Fraction:
        """The number that is meant by a place of the slider."""
        for stated in (self.lower, self.upper):
            if abs(number - stated) < 1e-9:
                return stated
        return min(Fraction(1), max(Fraction(0), round(exact(number) / self.step) * self.step))


def premises(
    answer: Mapping[str, Any], about: Callable[[str], Sequence[str]] = lambda _: ()
) -> list[Premise]:
    """The conditionals that an answer rests on, those that move it most first.

    `about` has all lines about a share: where there are several, each has a slider of its own.

    Examples:
        >>> lower, upper = {"axioms": ["A SubClassOf B", "(B | A)[0.2]"]}, {"axioms": []}
        >>> evidence = {"lower": lower, "upper": upper}
        >>> [one.share for one in premises({"evidence": evidence})]
        ['(B | A)']
    """
    evidence = answer["evidence"]
    influences: Sequence[Mapping[str, Any]] = answer.get("sensitivity") or ()
    stated = [influence["statement"] for influence in influences]
    for side in ("lower", "upper"):
        stated += evidence[side]["axioms"]
    stated += answer.get("conflict", ())
    found: dict[tuple[str, int], Premise] = {}
    for statement in stated:
        read = ConditionalText.of(statement)
        if read is None:
            continue
        lines = [ConditionalText.of(name) for name in about(read.share)]
        nth = lines.index(read) if read in lines else 0
        found.setdefault((read.share, nth), Premise(read.share, read.lower, read.upper, nth=nth))
    return list(found.values())[:MOST_SLIDERS]


def whole(parts: Sequence[Premise], moved: Premise, to: Fraction) -> list[Fraction]:
    """The shares of parts of a whole when one of them moves: the others keep their proportions.

    They go in whole steps, and the largest of them takes what is left: the sum is one exactly.

    Examples:
        >>> parts = [Premise("(A | C)", Fraction(9, 10), Fraction(9, 10)),
        ...          Premise("(B | C)", Fraction(1, 10), Fraction(1, 10))]
        >>> [str(one) for one in whole(parts, parts[0], Fraction(7, 10))]
        ['7/10', '3/10']
    """
    others = [premise for premise in parts if premise is not moved]
    rest = sum((premise.lower for premise in others), Fraction(0))
    shares = {moved.share: to}
    largest = max(others, key=lambda premise: premise.lower)
    for other in others:
        part = (1 - to) * (other.lower / rest if rest else Fraction(1, len(others)))
        shares[other.share] = part if part == other.lower else part // other.step * other.step
    shares[largest.share] += 1 - sum(shares.values())
    return [shares[premise.share] for premise in parts]
