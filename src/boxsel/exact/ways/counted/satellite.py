"""One satellite over a base of fixed weights: a small linear programme.

Within each type over the base, clauses make everybody or nobody have the satellite, or leave it
open: then the weight of those who have it is a variable, at most the type's weight. Equations
about the satellite are equations between these variables. Every optimum comes with multipliers of
rows that prove it for all types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from flint import fmpq

from boxsel.exact.compile.problem import Clause, Form
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.lp.box import Box
from boxsel.exact.ways.counted.equations import Equation, FixedWeights, independent

ZERO = fmpq(0)
Values = dict[int, fmpq]


@dataclass(frozen=True)
class Halves:
    """A form on types over the base and the satellite.

    Its value is `without` at the type over the base, and `more` on top of it for whoever has the
    satellite; zeros are left out.
    """

    without: Mapping[int, fmpq]
    more: Mapping[int, fmpq]

    def plus(self, factor: fmpq, other: Halves) -> Halves:
        """The sum with a multiple of another form."""
        return Halves(
            _plus(self.without, factor, other.without), _plus(self.more, factor, other.more)
        )


@dataclass(frozen=True)
class SatelliteOptimum:
    """How much of each type over the base has the satellite, and multipliers of its equations."""

    shares: Mapping[int, fmpq]
    multipliers: tuple[fmpq, ...]


class Satellite:
    """How a satellite can be spread over the types of the base."""

    def __init__(
        self,
        bit: Mask,
        base: FixedWeights,
        clauses: Iterable[Clause],
        equations: Iterable[Equation],
    ) -> None:
        self.bit, self._base = bit, base
        never = self._decided(clauses, "never")
        always = self._decided(clauses, "always")
        self._absent = never & always  # types that do not exist
        self._always = always - never
        everywhere = range(len(base.weights)) if bit else ()
        self._open = [place for place in everywhere if place not in never | always]
        self._equations: list[Equation] = []
        self._halves: list[Halves] = []
        self.feasible = all(base.weights[place] == 0 for place in self._absent)
        self._box = self._make_box(list(equations))
        self.feasible &= self._box.feasible
        if self.feasible:
            self.resting = self.maximise(Halves({}, {}))

    def halves(self, form: Form) -> Halves:
        """A form on types, with the satellite apart."""
        own = tuple((mask & ~self.bit, number) for mask, number in form if mask & self.bit)
        plain = tuple((mask, number) for mask, number in form if not mask & self.bit)
        extents = self._base.extents
        return Halves(_rational(extents.values(plain)), _rational(extents.values(own)))

    def total(self, form: Halves, shares: Mapping[int, fmpq]) -> fmpq:
        """The sum of a form's values in all weights."""
        more = sum(
            (form.more[place] * shares[place] for place in form.more if place in shares), ZERO
        )
        return self._base.total(form.without) + more

    def maximise(self, gains: Halves) -> SatelliteOptimum:
        """The shares with the largest total of a form."""
        best = self._box.maximise([gains.more.get(place, ZERO) for place in self._open])
        shares = dict(zip(self._open, best.values, strict=True))
        shares |= {place: self._base.weights[place] for place in self._always}
        return SatelliteOptimum(shares, best.multipliers)

    def prove(self, gains: Halves, best: SatelliteOptimum) -> dict[int, Fraction]:
        """Multipliers y of rows with c + y·a ≤ 0 on all types, for an optimum of the total zero.

        The satellite's own equations leave a form that is largest at one choice for each type
        over the base. These maxima have the total zero too, so the base's equations cancel them.
        """
        form = gains
        multipliers: dict[int, Fraction] = {}
        for equation, halves, number in zip(
            self._equations, self._halves, best.multipliers, strict=True
        ):
            if number:
                form = form.plus(number, halves)
                row, multiplier = equation.multiplier(number)
                multipliers[row] = multiplier
        largest = dict(form.without)
        undecided = set(self._open)
        for place, number in form.more.items():
            if place in self._always or (place in undecided and number > 0):
                largest[place] = largest.get(place, ZERO) + number
        left = {place: -number for place, number in largest.items() if place not in self._absent}
        if self._base.total(left) != 0:
            raise ArithmeticError("a form that is to be cancelled has a total that is not zero")
        return multipliers | self._base.combine(left)

    def _decided(
        self, clauses: Iterable[Clause], how: Literal["never", "always"]
    ) -> frozenset[int]:
        """The types over the base of which clauses say that nobody, or everybody, has it."""
        decided: set[int] = set()
        kinds = self._base.extents.kinds
        for clause in clauses:
            if clause.body & self.bit if how == "never" else clause.heads & self.bit:
                heads = clause.heads & ~self.bit
                places = self._base.extents.of(clause.body & ~self.bit)
                decided.update(place for place in places if not kinds[place] & heads)
        return frozenset(decided)

    def _make_box(self, equations: Sequence[Equation]) -> Box:
        """The open weights, bounded by the weights of their types, under independent equations."""
        lines: dict[tuple[fmpq, ...], tuple[Equation, Halves]] = {}
        for equation in equations:
            halves = self.halves(equation.form)
            fixed = self._base.total(halves.without) + sum(
                (
                    halves.more.get(place, ZERO) * self._base.weights[place]
                    for place in self._always
                ),
                ZERO,
            )
            line = tuple(halves.more.get(place, ZERO) for place in self._open)
            if any(line):
                lines.setdefault((*line, -fixed), (equation, halves))
            elif fixed:
                self.feasible = False
        known = list(lines)
        chosen = independent(known)
        self._equations = [lines[known[number]][0] for number in chosen]
        self._halves = [lines[known[number]][1] for number in chosen]
        left = [known[number][:-1] for number in chosen]
        if len(independent(left)) < len(left):
            self.feasible = False  # the same combination is to have two values
            left = []
        return Box(
            left,
            [known[number][-1] for number in chosen][: len(left)],
            [self._base.weights[place] for place in self._open],
        )


def _plus(form: Mapping[int, fmpq], factor: fmpq, other: Mapping[int, fmpq]) -> dict[int, fmpq]:
    sums = dict(form)
    for place, number in other.items():
        sums[place] = sums.get(place, ZERO) + factor * number
    return sums


def _rational(values: Mapping[int, int]) -> dict[int, fmpq]:
    return {place: fmpq(number) for place, number in values.items()}


def satellites(about: Iterable[Mask], among: Mask) -> Mask:
    """Some of the given basic concepts, of which no two occur together in a statement.

    They are *satellites* of the rest, the *base*: within each type over the base they vary
    independently, since whatever shares of it two of them have, no axiom looks at what they have in
    common. In a counted graph, whatever occurs in no body is a satellite. Those that meet the
    fewest others are taken first.

    Examples:
        >>> f"{satellites([0b0111, 0b1011], 0b1111):b}"
        '1100'
    """
    meets = dict.fromkeys(bits(among), 0)
    for mask in about:
        for position in bits(mask & among):
            meets[position] |= mask
    chosen = 0
    for position in sorted(meets, key=lambda one: ((meets[one] & among).bit_count(), -one)):
        if not meets[position] & chosen:
            chosen |= 1 << position
    return chosen
