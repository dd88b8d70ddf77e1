"""Whole numbers of people: as a population has them, or as near to it as statements allow.

With main weights M and further weights F in whole numbers, both of which obey what is stated, so do
kM + F, for every k: with so many people nothing has to be rounded. For other numbers, people are
rounded by the largest remainder. If a statement then fails, an integer programme looks for numbers
near these with which all hold; where it is too large, or there are none, the deviation is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Final

from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.interpretations import Places, Weights, members
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.integers import Integers

EFFORT: Final = 10.0
"""What an integer programme may take, in units of work: about seconds, the same on all machines."""
ENTRIES: Final = 300_000
"""Larger programmes are not tried."""
LARGEST_NUMBER: Final = 1 << 20
MOST_PEOPLE: Final = 1 << 28
"""Neither are those with longer numbers in statements, or of more people: the solver could not hold
their products."""
MOST_KINDS: Final = 300
"""Of so many kinds of people, numbers as near as possible are looked for; of more, any."""


@dataclass(frozen=True)
class Row:
    """What a statement says: both·below − body·above is not negative, or is nothing at all."""

    body: Places
    both: Places
    above: int
    below: int
    sign: int


@dataclass(frozen=True)
class Demand:
    """What whole numbers have to obey; `least` is how many there must be of each kind."""

    rows: tuple[Row, ...]
    bodies: tuple[Places, ...]
    least: tuple[int, ...]

    @classmethod
    def of(
        cls, kb: KB, model: WeightedModel, query: Query | None, share: Fraction | None
    ) -> Demand:
        """That every statement holds, that the query has its share, and that links lead to someone.

        Bodies that have members keep some, and individuals who are alike are different people.
        """
        inside = model.interpretation
        rows: dict[Row, None] = {}
        bodies: dict[Places, None] = {}
        bounded = [
            (conditional.head, conditional.body, conditional.bounds.lower, conditional.bounds.upper)
            for conditional in kb.conditionals
        ]
        if query is not None:
            ends = (Fraction(0), Fraction(1)) if share is None else (share, share)
            bounded.append((query.head, query.body, *ends))
        for head, body, lower, upper in bounded:
            having = inside.places(body)
            both = having & inside.places(head)
            if having:
                bodies[having] = None
            if both != having and lower > 0:
                rows[Row(having, both, lower.numerator, lower.denominator, 1)] = None
            if both and upper < 1:
                rows[Row(having, both, upper.numerator, upper.denominator, -1)] = None
        least = [0] * len(model.elements)
        for edge in model.edges:
            least[edge.object] = 1
        named = list(model.individuals.values())
        for place in {*named}:
            least[place] = max(least[place], named.count(place))
        return cls(tuple(rows), tuple(bodies), tuple(least))

    def holds(self, counts: Sequence[int]) -> bool:
        """Whether whole numbers obey all of it."""
        weights = Weights(counts)
        return (
            all(count >= least for count, least in zip(counts, self.least, strict=True))
            and all(weights.whole(body) for body in self.bodies)
            and all(
                row.sign
                * (weights.whole(row.both) * row.below - weights.whole(row.body) * row.above)
                >= 0
                for row in self.rows
            )
        )


def whole_multiples(model: WeightedModel, least: Sequence[int]) -> tuple[list[int], list[int]]:
    """Main and further weights in the smallest whole numbers that are enough of each kind."""
    main = _whole([element.weight for element in model.elements])
    further = _whole([element.further for element in model.elements])
    few = zip(main, further, least, strict=True)
    times = max((-((own - low) // more) for own, more, low in few if more), default=1)
    return main, [number * max(1, times) for number in further]


def exact_counts(model: WeightedModel, size: int, least: Sequence[int]) -> list[int] | None:
    """As many people of each kind as the population has, if the size allows just that."""
    main, further = whole_multiples(model, least)
    times, rest = divmod(size - sum(further), sum(main))
    if rest or times < 1:
        return None
    return [times * one + other for one, other in zip(main, further, strict=True)]


def round_counts(model: WeightedModel, size: int, least: Sequence[int]) -> list[int]:
    """People by the largest remainder, with at least so many of each kind."""
    total = sum((element.weight for element in model.elements), Fraction(0))
    wanted = [size * element.weight / total for element in model.elements]
    counts = [max(int(share), low) for share, low in zip(wanted, least, strict=True)]
    # By what is missing most, or is there too much; of several alike, the first.
    order = sorted(range(len(counts)), key=lambda place: (counts[place] - wanted[place], place))
    while (missing := size - sum(counts)) > 0:
        for place in order[:missing]:
            counts[place] += 1
    while (excess := sum(counts) - size) > 0:
        can = [place for place in reversed(order) if counts[place] > least[place]]
        for place in can[:excess]:
            counts[place] -= 1
    return counts


def repair_counts(demand: Demand, wanted: Sequence[int], budget: Budget) -> list[int] | None:
    """Whole numbers near some that obey everything, with the same sum; none if not found."""
    with suppress(OutOfTimeError):
        programme = _programme(demand, sum(wanted))
        return None if programme is None else programme.near(wanted, budget)
    return None


def smallest_size(demand: Demand, most: int, budget: Budget) -> int | None:
    """The least number of people that obey everything; none if it is not found."""
    with suppress(OutOfTimeError):
        programme = _programme(demand, min(most, MOST_PEOPLE))
        return None if programme is None else programme.smallest(budget)
    return None


def _programme(demand: Demand, most: int) -> _Programme | None:
    """The integer programme, unless it is too large."""
    entries = sum(row.body.bit_count() for row in demand.rows)
    longest = max((row.below for row in demand.rows), default=0)
    return (
        _Programme(demand, most)
        if max(entries // ENTRIES, longest // LARGEST_NUMBER) < 1 and most <= MOST_PEOPLE
        else None
    )


class _Programme:
    """The integer programme over how many there are of each kind."""

    def __init__(self, demand: Demand, most: int) -> None:
        self._problem = Integers()
        self._counts = [self._problem.variable(low, max(low, most)) for low in demand.least]
        for body in demand.bodies:
            self._problem.require([(place, 1) for place in members(body)], 1)
        for row in demand.rows:
            factors = dict.fromkeys(members(row.body), -row.above)
            for place in members(row.both):
                factors[place] = factors.get(place, 0) + row.below
            self._problem.require(
                [(place, row.sign * factor) for place, factor in factors.items()], 0
            )

    def near(self, wanted: Sequence[int], budget: Budget) -> list[int] | None:
        """A solution with the sum of some numbers, as near to them as there is time for."""
        self._problem.require([(count, 1) for count in self._counts], sum(wanted), sum(wanted))
        self._problem.hint(wanted)
        if len(wanted) <= MOST_KINDS:
            self._problem.maximise([(distance, -1) for distance in self._distances(wanted)])
        status, values = self._problem.solve(budget, EFFORT)
        return list(values[: len(wanted)]) if status in ("OPTIMAL", "FEASIBLE") else None

    def smallest(self, budget: Budget) -> int | None:
        """The least sum, if it is known to be the least."""
        self._problem.require([(count, 1) for count in self._counts], 1)
        self._problem.maximise([(count, -1) for count in self._counts])
        status, values = self._problem.solve(budget, EFFORT)
        return sum(values[: len(self._counts)]) if status == "OPTIMAL" else None

    def _distances(self, wanted: Sequence[int]) -> Iterator[int]:
        for count, number in zip(self._counts, wanted, strict=True):
            distance = self._problem.variable(0, sum(wanted))
            self._problem.require([(distance, 1), (count, -1)], -number)
            self._problem.require([(distance, 1), (count, 1)], number)
            yield distance


def _whole(weights: Sequence[Fraction]) -> list[int]:
    unit = lcm(*(weight.denominator for weight in weights))
    numbers = [int(weight * unit) for weight in weights]
    common = gcd(*numbers) or 1
    return [number // common for number in numbers]
