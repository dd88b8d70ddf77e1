"""What was derived, when and from what: enough to retell every step.

The trail grows while bounds tighten. A bound refers to the entries that its premises had when
it was drawn, so that a later, tighter bound never explains an earlier one. Emptiness spreads down
to what is included, and through roles to what needs it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Final

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Exists
from boxsel.rules.figures import Rule
from boxsel.rules.knowledge import Region
from boxsel.rules.shares import Certain, Shares

STATED: Final = -1
"""In place of an entry: the bound is as stated in the knowledge base, if it states one."""

NOTHING: Final = -2
"""In place of an entry: the bound is 0 or 1 and says nothing."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A share, and the entries of the trail that its lower and its upper end had."""

    share: int
    entries: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a share, as a rule concluded it."""

    share: int
    is_upper: bool
    value: Fraction
    rule: Rule
    premises: tuple[Premise, ...]


@dataclass(frozen=True, slots=True)
class NoPart:
    """A share is 0, because its part is included in a region that is empty."""

    share: int
    region: Region
    value: Fraction = Fraction(0)
    is_upper: bool = True


@dataclass(frozen=True, slots=True)
class Conflict:
    """A body is empty, because its share cannot be."""

    premise: Premise


@dataclass(frozen=True, slots=True)
class EmptyPart:
    """A part is empty, because its share is 0."""

    premise: Premise


@dataclass(frozen=True, slots=True)
class EmptyFiller:
    """An existential is empty, because its filler is included in a region that is empty."""

    existential: Exists
    region: Region


@dataclass(frozen=True, slots=True)
class Refuted:
    """A body is empty, because it was stated to be what it certainly is not."""

    axiom: Conditional
    certain: Certain


Cause = Conflict | EmptyPart | EmptyFiller | Refuted


@dataclass
class Trail:
    """The entries so far, and why each empty region is empty."""

    bounds: list[Bound | NoPart] = field(default_factory=list)
    empty: dict[Region, Cause] = field(default_factory=dict)


class Emptiness:
    """The regions that have no instance in any model, as found so far."""

    def __init__(self, shares: Shares, empty: dict[Region, Cause]) -> None:
        self._shares = shares
        self._empty = empty
        self._gone: set[int] = set()

    def cause(self, closure: Region) -> Region | None:
        """An empty region that includes the region with this closure."""
        if frozenset() in self._empty:
            return frozenset()
        return next((region for region in self._empty if region <= closure), None)

    def add(self, found: Iterable[tuple[Region, Cause]]) -> dict[int, Region]:
        """Add empty regions; the numbers of all regions that become empty, each with the cause."""
        queue = list(found)
        emptied: dict[int, Region] = {}
        for region, cause in queue:
            if region in self._empty:
                continue
            self._empty[region] = cause
            below = self._below(region)
            self._gone.update(below)
            emptied.update(dict.fromkeys(below, region))
            for existential, needing, filler in self._shares.knowledge.existentials:
                if region <= filler:
                    queue.append((needing, EmptyFiller(existential, region)))
        return emptied

    def _below(self, region: Region) -> list[int]:
        """The regions in play that are included in a region, and were not known to be empty."""
        if not region:
            return [n for n in range(len(self._shares.regions)) if n not in self._gone]
        rarest = min(region, key=lambda atom: len(self._regions_below[atom]))
        return [
            number
            for number in self._regions_below[rarest]
            if number not in self._gone and region <= self._closure(number)
        ]

    def _closure(self, number: int) -> Region:
        region = self._shares.regions[number]
        assert region is not None
        return self._shares.closure(region)

    @cached_property
    def _regions_below(self) -> dict[int, list[int]]:
        """The regions in play that are included in each atom."""
        below: dict[int, list[int]] = defaultdict(list)
        for number, region in enumerate(self._shares.regions):
            if region is not None:
                for atom in self._shares.knowledge.closure(region):
                    below[atom].append(number)
        return below
