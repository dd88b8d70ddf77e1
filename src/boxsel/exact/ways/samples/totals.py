"""Types that totals leave empty: in a body whose disjoint parts make up all of it, but in no part.

Tables are published like that: a group and its parts, with counts that add up. Weights of such
types come to zero only in the limit, if nobody says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.compile.consequences import Consequences
from boxsel.exact.compile.problem import Clause
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.shares import Names, Ratio

MOST_PARTS: Final = 1000
"""A body with more heads is not looked at: pairs of them are compared."""


@dataclass(frozen=True)
class Total:
    """A body in which everybody has one of some products."""

    body: Mask
    parts: tuple[Mask, ...]


def find_totals(clauses: Iterable[Clause], ratios: Iterable[Ratio]) -> list[Total]:
    """What lower bounds of disjoint parts leave nothing beside, in a body or a head of known size.

    Examples:
        >>> half = Fraction(1, 2)
        >>> ratios = [Ratio(1, both, half, half) for both in (0b011, 0b101)]
        >>> find_totals([Clause(0b110, 0)], ratios)
        [Total(body=1, parts=(3, 5))]
    """
    clauses = list(clauses)
    following = Consequences(clauses)
    excluded: dict[int, Mask] = {}
    for clause in clauses:
        if not clause.heads and clause.body.bit_count() == 2:
            one, other = bits(clause.body)
            excluded[one] = excluded.get(one, 0) | 1 << other
            excluded[other] = excluded.get(other, 0) | 1 << one
    if not excluded:
        return []
    grouped: dict[Mask, list[Ratio]] = {}
    for ratio in ratios:
        if ratio.lower > 0:
            grouped.setdefault(ratio.body, []).append(ratio)
    found: dict[Total, None] = {}
    for body, some in grouped.items():
        if len(some) <= MOST_PARTS:
            parts = [_Part.of(ratio, following, excluded) for ratio in some]
            parts.sort(key=lambda part: -part.ratio.lower)
            wholes = [(body, Fraction(1))]
            wholes += [(part.ratio.both, part.ratio.upper) for part in parts]
            for whole, size in wholes:
                inside = [part for part in parts if not whole & ~part.kind]
                found |= dict.fromkeys(_make_up(whole, size, inside))
    return list(found)


def find_left_over(totals: Sequence[Total], names: Names, columns: Bools) -> Bools:
    """Which types are in a body that others make up."""
    left_over = np.zeros(columns.shape[1], bool)
    for total in totals:
        left_over |= names.has(columns, total.body) & ~names.have(columns, total.parts).any(0)
    return left_over


@dataclass(frozen=True)
class _Part:
    """A share of a body, all that members of the head have, and what these cannot have."""

    ratio: Ratio
    kind: Mask
    excluded: Mask

    @classmethod
    def of(cls, ratio: Ratio, following: Consequences, excluded: dict[int, Mask]) -> _Part:
        kind, without = following.of(ratio.both), 0
        for bit in bits(kind):
            without |= excluded.get(bit, 0)
        return cls(ratio, kind, without)


def _make_up(whole: Mask, size: Fraction, parts: Sequence[_Part]) -> Iterable[Total]:
    """The totals of disjoint parts: the largest left, and each that is disjoint from all before."""
    left = [part for part in parts if part.ratio.both != whole]
    if sum(part.ratio.lower for part in left) < size:
        return
    while left:
        chosen: list[_Part] = []
        for part in left:
            if all(part.kind & one.excluded for one in chosen):
                chosen.append(part)
        if sum(part.ratio.lower for part in chosen) >= size:
            yield Total(whole, tuple(part.ratio.both for part in chosen))
        left = [part for part in left if part not in chosen]
