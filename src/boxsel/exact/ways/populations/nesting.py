"""Weightings without search: a name goes to the first types, in one order, that may have it.

So the extents of names are nested as far as clauses and the types to start with allow. Where many
conditionals have one body, such as the phenotypes of a disease, that mostly meets all of them at
once, in exact arithmetic and with hardly more types than conditionals. Where it does not, the
conditionals that are off are known, and can join the programme that the types come from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm

from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.exact.ways.populations.layout import Consequences, Layout


@dataclass(frozen=True)
class _Head:
    """A head of ratios: what follows from it, what it cannot be with, and how much is wanted.

    A ratio wants its own lower bound, and those of ratios with the same body whose heads imply
    this one.
    """

    mask: Mask
    implied: Mask
    apart: tuple[Mask, ...]
    wanted: Mapping[int, Fraction]


class Nesting:
    """Extends weightings over some basic concepts to all ratios of a layout."""

    def __init__(self, layout: Layout, consequences: Consequences) -> None:
        self._layout, self._consequences = layout, consequences
        self._bodies = [sum(1 << bit for bit in ratio.body) for ratio in layout.ratios]
        self._units = lcm(*(b.denominator for one in layout.ratios for b in (one.lower, one.upper)))

    def counted(self, core: Mask) -> frozenset[int] | None:
        """The ratios that types over a core must obey; none if a body goes beyond the core."""
        reached = self._layout.reach(core)
        found = frozenset(n for n, body in enumerate(self._bodies) if not body & ~reached)
        return None if any(self._bodies[n] & ~core for n in found) else found

    def extend(
        self, weights: Mapping[Type, Fraction], core: Mask, counted: Set[int]
    ) -> dict[Type, Fraction] | list[int] | None:
        """A weighting that obeys all ratios and is as given over a core, or the ratios off.

        The core is closed: a type over it alone is a type. The ratios that are farthest off come
        first. None if clauses go beyond what is looked at here.
        """
        # In such units every split gives whole numbers.
        units = lcm(*(one.denominator for one in weights.values())) * self._units
        crowd = _Crowd(weights, core, units)
        for head in self._heads:
            numbers = [number for number in head.wanted if number in counted]
            for number in numbers:
                share = min(head.wanted[number], self._layout.ratios[number].upper)
                crowd.give(head, self._bodies[number], share)
            if numbers:
                crowd.decided |= head.mask
        found: dict[Type, int] = {}
        for kind, weight in crowd.members:
            whole = self._consequences.of(kind)
            found[whole] = found.get(whole, 0) + weight
        off = self._off(found)
        if off:
            return sorted(off, key=lambda number: (-off[number], number))
        obeyed = all(one.holds(kind) for one in self._layout.source for kind in found)
        return {kind: Fraction(one, units) for kind, one in found.items()} if obeyed else None

    def _off(self, weights: Mapping[Type, int]) -> dict[int, Fraction]:
        """The ratios outside their bounds, and how far."""
        found = {}
        for number, ratio in enumerate(self._layout.ratios):
            total = weight_of(weights.items(), self._bodies[number])
            if total:
                share = Fraction(weight_of(weights.items(), ratio.mask), total)
                if not ratio.lower <= share <= ratio.upper:
                    found[number] = max(ratio.lower - share, share - ratio.upper)
        return found

    @cached_property
    def _heads(self) -> list[_Head]:
        """The heads, each after those that it implies."""
        ratios = self._layout.ratios
        users: dict[Mask, list[int]] = {}
        for number, ratio in enumerate(ratios):
            users.setdefault(ratio.mask & ~self._bodies[number], []).append(number)
        implied = {head: self._consequences.of(head) for head in users}
        excluding = [clause.body for clause in self._layout.source if not clause.heads]
        largest: dict[tuple[Mask, Mask], Fraction] = {}
        for lower in users:
            for number in users[lower]:
                body, least = self._bodies[number], ratios[number].lower
                for head in users if least else ():
                    if has(implied[lower], head):
                        known = largest.get((head, body), least)
                        largest[head, body] = max(known, least)
        found = []
        for head, numbers in users.items():
            wanted = {n: largest.get((head, self._bodies[n]), Fraction(0)) for n in numbers}
            apart = tuple(mask for mask in excluding if mask & implied[head])
            found.append(_Head(head, implied[head], apart, wanted))
        return sorted(found, key=lambda one: one.implied.bit_count())


class _Crowd:
    """Weighted types in a fixed order; those that have most come first."""

    def __init__(self, weights: Mapping[Type, Fraction], core: Mask, units: int) -> None:
        small: dict[Type, int] = {}
        for kind, weight in weights.items():
            small[kind & core] = small.get(kind & core, 0) + int(weight * units)
        self.members = sorted(small.items(), key=lambda one: (-one[0].bit_count(), one[0]))
        self.decided = core
        """The basic concepts that nobody gets any more."""

    def give(self, head: _Head, body: Mask, share: Fraction) -> None:
        """Give a head to the first who may have it, until it has some share of a body."""
        total, part = (weight_of(self.members, mask) for mask in (body, body | head.mask))
        missing = total // share.denominator * share.numerator - part
        if missing <= 0:
            return
        members: list[tuple[Type, int]] = []
        for kind, weight in self.members:
            if missing > 0 and has(kind, body) and self._may_have(kind, head):
                members.append((kind | head.implied, min(weight, missing)))
                if weight > missing:
                    members.append((kind, weight - missing))
                missing -= weight
            else:
                members.append((kind, weight))
        self.members = members

    def _may_have(self, kind: Type, head: _Head) -> bool:
        if has(kind, head.mask) or head.implied & self.decided & ~kind:
            return False
        whole = kind | head.implied
        return not any(has(whole, mask) for mask in head.apart)


def weight_of(weights: Iterable[tuple[Type, int]], mask: Mask) -> int:
    """The weight of the types that have a concept."""
    return sum(weight for kind, weight in weights if kind & mask == mask)
