"""What lies beyond a region of bags, and when weights inside extend to all of it.

Beyond the region everybody behaves as in the base population, given what the bag before says: the
types of a bag divide each pattern that it shares with the bag before in fixed parts. Weights then
agree along the whole tree, whatever they are inside; and every line beyond becomes a linear
inequality of the patterns at the region's border. Those that hold whatever the patterns weigh are
dropped, and most are: what is far away rarely matters. Parts are fractions, and a line that holds
is proved to hold; that the base population is only nearly right does no harm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import frexp
from typing import Final

import numpy as np
from flint import fmpq

from boxsel.exact.ways.trees.bags import Bag, Bags
from boxsel.exact.ways.trees.bags import Line as Stated
from boxsel.exact.ways.trees.base import ROOM_WITHIN_BOUNDS
from boxsel.exact.ways.trees.levels import Floats
from boxsel.machine.budget import Budget

WEIGHT_DIGITS: Final = range(12, 30)
"""The binary digits of a weight: as many as the narrowest line of a bag needs."""
NEARLY_HOLDS: Final = 1e-3
"""A point that holds as nearly as this within a pattern is made to hold there."""
MOST_TYPES: Final = 200
"""In bags of more types points are not made to hold."""
MOST_NEEDS: Final = 20
"""More needs than these are joined, as far as the base meets them with room to spare."""
FACTOR_DIGITS: Final = 60
"""The binary digits after the point of a need's factors, of which the largest is one."""
SPARE_ROOM: Final = 0.2
"""Needs are joined while the base meets them together by this part of what it does each."""
ZERO: Final = fmpq(0)

Pattern = int
Vector = Mapping[Pattern, fmpq]
Line = dict[int, fmpq]


@dataclass(frozen=True)
class Need:
    """What the weights of patterns must meet: times some factors they sum to zero, or to more.

    `origin` is the bag whose line it comes from.
    """

    factors: Vector
    equal: bool
    origin: int

    def met(self, weights: Vector) -> bool:
        """Whether weights of patterns meet it."""
        total = sum((self.factors.get(place, ZERO) * w for place, w in weights.items()), ZERO)
        return not total if self.equal else bool(total >= 0)


@dataclass(frozen=True)
class _Demand:
    """What the types of a bag must meet: a need of it, or of a branch beyond it."""

    values: Sequence[fmpq]
    equal: bool
    origin: int


@dataclass(frozen=True)
class Message:
    """The patterns that can be extended into a branch, and what their weights must meet."""

    known: frozenset[Pattern]
    needs: tuple[Need, ...] = ()


class Beyond:
    """The branches of a tree, each seen from the bag before it."""

    def __init__(self, bags: Bags, weights: Sequence[Floats], budget: Budget) -> None:
        self._bags, self._weights, self._budget = bags, weights, budget
        self._messages: dict[tuple[int, int], Message] = {}
        self._parts: dict[tuple[int, int], list[fmpq]] = {}
        self._shares: dict[tuple[int, int], dict[int, fmpq]] = {}
        self._bare: dict[tuple[int, int], dict[int, fmpq]] = {}
        self._exact: dict[int, list[fmpq]] = {}

    def message(self, place: int, before: int) -> Message:
        """What a branch that starts with a bag demands of the bag before."""
        stack = [(place, before)]
        while stack:
            key = stack[-1]
            if key in self._messages:
                stack.pop()
                continue
            further = [(n, key[0]) for n in self._bags.beside[key[0]] if n != key[1]]
            waiting = [one for one in further if one not in self._messages]
            if waiting:
                stack += waiting
            else:
                self._budget.check()
                self._messages[key] = self._made(*key)
        return self._messages[place, before]

    def parts(self, place: int, before: int) -> list[fmpq]:
        """Which part of its pattern each type of a bag is.

        Points hold within each pattern, or if the patterns weigh what they do in the bag before.
        """
        key = place, before
        if key not in self._parts:
            self._parts[key] = self._found_parts(place, before)
        return self._parts[key]

    def _found_parts(self, place: int, before: int) -> list[fmpq]:
        border, weights = self._bags.border(place, before), self._weighed(place)
        own = border.own.tolist()
        totals, there = ([ZERO] * len(border.patterns) for _ in range(2))
        for pattern, weight in zip(own, weights, strict=True):
            totals[pattern] += weight
        for pattern, weight in zip(border.other.tolist(), self._weighed(before), strict=True):
            there[pattern] += weight
        parts = [
            weight / totals[pattern] if weight else ZERO
            for weight, pattern in zip(weights, own, strict=True)
        ]
        points = [demand.values for demand in self._demands(place, before) if demand.equal]
        if not points or len(parts) > MOST_TYPES:
            return parts
        lines: list[Line] = []
        for pattern in range(len(totals)):
            lines.append({n: fmpq(1) for n, one in enumerate(own) if one == pattern and parts[n]})
        for values in points:
            terms = {n: parts[n] * value for n, value in enumerate(values) if value and parts[n]}
            by_pattern: dict[int, dict[int, fmpq]] = {}
            for n, term in terms.items():
                by_pattern.setdefault(own[n], {})[n] = term
            if all(map(_is_even, (one.values() for one in by_pattern.values()))):
                lines += ({n: fmpq(values[n]) for n in one} for one in by_pattern.values())
            elif _is_even([there[own[n]] * term for n, term in terms.items()]):
                lines.append({n: there[own[n]] * values[n] for n in terms})
        return _corrected(parts, lines) or parts

    def shares(self, place: int, before: int) -> dict[int, fmpq]:
        """The same by type, where it is not nothing."""
        key = place, before
        if key not in self._shares:
            self._shares[key] = self._by_type(place, self.parts(place, before))
        return self._shares[key]

    def bare_shares(self, place: int, before: int) -> dict[int, fmpq]:
        """The same, but a pattern of which nothing is demanded has as little as possible.

        So populations that show something are easier to read, and to check.
        """
        key = place, before
        if key not in self._bare:
            self._bare[key] = self._by_type(place, self._made_bare(place, before))
        return self._bare[key]

    def _by_type(self, place: int, parts: Iterable[fmpq]) -> dict[int, fmpq]:
        kinds = self._bags.bags[place].kinds.tolist()
        return {kind: part for kind, part in zip(kinds, parts, strict=True) if part}

    def _made_bare(self, place: int, before: int) -> list[fmpq]:
        parts, demands = list(self.parts(place, before)), self._demands(place, before)
        own = self._bags.border(place, before).own.tolist()
        bound = {own[n] for demand in demands for n, value in enumerate(demand.values) if value}
        kinds = self._bags.bags[place].kinds.tolist()
        fewest: dict[int, int] = {}
        for n, pattern in enumerate(own):
            if pattern not in bound and parts[n]:
                least = fewest.setdefault(pattern, n)
                if kinds[n].bit_count() < kinds[least].bit_count():
                    fewest[pattern] = n
        for n, pattern in enumerate(own):
            if pattern in fewest:
                parts[n] = fmpq(int(n == fewest[pattern]))
        return parts

    def _weighed(self, place: int) -> list[fmpq]:
        """Exact weights near those of the base, with which the points of a bag hold."""
        if place not in self._exact:
            bag = self._bags.bags[place]
            floats = self._weights[place].tolist()
            digits = _digits(bag)
            weights = [_rounded(number, digits) for number in floats]
            lines = [
                {
                    n: fmpq(value)
                    for n, value in enumerate(next(line_values(bag, line)))
                    if value and weights[n]
                }
                for line in bag.lines
                if line.point is not None
            ]
            lines = [line for line in lines if _is_even([v * weights[n] for n, v in line.items()])]
            fits = len(weights) <= MOST_TYPES
            self._exact[place] = (_corrected(weights, lines) if fits else None) or weights
        return self._exact[place]

    def _made(self, place: int, before: int) -> Message:
        border = self._bags.border(place, before)
        patterns = border.patterns.tolist()
        own = [patterns[number] for number in border.own.tolist()]
        weights = self._weights[place].tolist()
        known = frozenset(one for one, weight in zip(own, weights, strict=True) if weight > 0)
        needs: dict[tuple[object, ...], Need] = {}
        for demand in self._demands(place, before):
            factors: dict[Pattern, fmpq] = {}
            parts = self.parts(place, before)
            for pattern, part, value in zip(own, parts, demand.values, strict=True):
                if value and part:
                    factors[pattern] = factors.get(pattern, ZERO) + part * value
            factors = {one: factor for one, factor in factors.items() if factor}
            if (demand.equal and factors) or min(factors.values(), default=ZERO) < 0:
                size = max(map(abs, factors.values()))
                even = {one: factor / size for one, factor in factors.items()}
                if not demand.equal:  # shorter numbers, from which the others follow
                    even = {one: _floor(factor) for one, factor in even.items()}
                need = Need(even, demand.equal, demand.origin)
                needs[demand.equal, *sorted(even.items())] = need
        found = list(needs.values())
        if len(found) > MOST_NEEDS:
            totals: dict[Pattern, float] = {}
            for pattern, weight in zip(own, weights, strict=True):
                totals[pattern] = totals.get(pattern, 0.0) + weight
            found = _joined(found, totals)
        return Message(known, tuple(found))

    def _demands(self, place: int, before: int) -> Iterator[_Demand]:
        """What the types of a bag must meet for its own lines, and for the branches beyond it."""
        bag = self._bags.bags[place]
        for line in bag.lines:
            for values in line_values(bag, line):
                yield _Demand([fmpq(value) for value in values], line.point is not None, place)
                if line.point is not None:
                    break
        for further in self._bags.beside[place]:
            if further == before:
                continue
            message = self.message(further, place)
            border = self._bags.border(place, further)
            patterns = border.patterns.tolist()
            there = [patterns[number] for number in border.own.tolist()]
            if any(pattern not in message.known for pattern in there):
                shut = [fmpq(-int(one not in message.known)) for one in there]
                yield _Demand(shut, False, further)
            for need in message.needs:
                factors = [need.factors.get(pattern, ZERO) for pattern in there]
                yield _Demand(factors, need.equal, need.origin)


def _joined(needs: Iterable[Need], weights: Mapping[Pattern, float]) -> list[Need]:
    """Fewer needs from which some follow: the least factor for each pattern, of several needs.

    Each is taken relative to by how much the base meets it; those that it does not are kept. Floats
    tell which go together, for there may be hundreds with thousands of patterns each.
    """
    kept: list[Need] = []
    joined: list[Need] = []
    masses = np.fromiter(weights.values(), float, len(weights))
    rows = np.empty((0, len(weights)))
    for need in needs:
        row = np.array([float(need.factors.get(one, ZERO)) for one in weights])
        room = float(row @ masses)
        if need.equal or room <= 0:
            kept.append(need)
            continue
        scale = _rounded(1 / room, WEIGHT_DIGITS.stop)
        scaled = {one: factor * scale for one, factor in need.factors.items()}
        row *= float(scale)
        fitting = np.flatnonzero(np.minimum(rows, row) @ masses >= SPARE_ROOM)
        if not len(fitting):
            joined.append(Need(scaled, False, need.origin))
            rows = np.vstack([rows, row])
            continue
        first = int(fitting[0])
        rows[first] = np.minimum(rows[first], row)
        joined[first] = Need(_least(scaled, joined[first].factors), False, joined[first].origin)
    return kept + joined


def _least(one: Vector, other: Vector) -> Vector:
    """The smaller factor of each pattern; what is not named is zero."""
    return {
        place: min(one.get(place, ZERO), other.get(place, ZERO))
        for place in one.keys() | other.keys()
    }


def line_values(bag: Bag, line: Stated) -> Iterator[list[int]]:
    """The sides of a line as integers at the types of a bag: their sum is not negative."""
    body, both = bag.have(line.body).tolist(), bag.have(line.both).tolist()
    for side, sign in ((line.lower, 1), (line.upper, -1)):
        if side is not None:
            share, whole = sign * side[1].numerator, sign * side[1].denominator
            yield [has * whole - is_in * share for has, is_in in zip(both, body, strict=True)]


def _is_even(terms: Iterable[fmpq]) -> bool:
    """Whether terms sum to zero, nearly."""
    floats = [float(term) for term in terms]
    return abs(sum(floats)) <= NEARLY_HOLDS * sum(map(abs, floats))


def _corrected(numbers: Sequence[fmpq], lines: Sequence[Line]) -> list[fmpq] | None:
    """Numbers near some that are not negative; each line keeps its sum if it is 1, else it is 0.

    None if there are none. The largest of a line is changed that no line before it changes.
    """
    table = [dict(line) for line in lines]
    rest = [sum((entry * numbers[n] for n, entry in line.items()), ZERO) for line in lines]
    rest = [ZERO if total == 1 else total for total in rest]
    if not any(rest):
        return list(numbers)
    pivots: list[int | None] = []
    for k, line in enumerate(table):
        free = [n for n in line if n not in pivots]
        pivot = max(free, key=lambda n: numbers[n], default=None)
        pivots.append(pivot)
        if pivot is None:
            if rest[k]:
                return None
            continue
        for m, other in enumerate(table):
            if m != k and pivot in other:
                factor = other.pop(pivot) / line[pivot]
                rest[m] -= factor * rest[k]
                for n, entry in line.items():
                    if n != pivot:
                        changed = other.get(n, ZERO) - factor * entry
                        if changed:
                            other[n] = changed
                        else:
                            other.pop(n, None)
    found = list(numbers)
    for k, pivot in enumerate(pivots):
        if pivot is not None:
            found[pivot] -= rest[k] / table[k][pivot]
    return found if min(found) >= 0 else None


def _digits(bag: Bag) -> int:
    """How many binary digits weights need if each line is to keep half of its room."""
    sides = [(line.lower, line.upper) for line in bag.lines if line.point is None]
    rooms = [
        ROOM_WITHIN_BOUNDS * float((upper[1] if upper else 1) - (lower[1] if lower else 0))
        for lower, upper in sides
    ]
    return min(
        WEIGHT_DIGITS.stop,
        max(WEIGHT_DIGITS.start, 2 - frexp(max(min(rooms, default=1.0), 1e-9))[1]),
    )


def _floor(number: fmpq) -> fmpq:
    """The next number below that has few binary digits."""
    return fmpq((number.p << FACTOR_DIGITS) // number.q, 1 << FACTOR_DIGITS)


def _rounded(number: float, digits: int) -> fmpq:
    mantissa, exponent = frexp(number)
    whole = round(mantissa * (1 << digits))
    if exponent >= digits:
        return fmpq(whole << (exponent - digits))
    return fmpq(whole, 1 << (digits - exponent))
