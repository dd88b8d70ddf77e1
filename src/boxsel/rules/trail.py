"""What was derived, when and from what: enough to retell every step.

The trail grows while bounds tighten. A bound refers to the entries that its premises had when
it was drawn, so that a later, tighter bound never explains an earlier one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Exists
from boxsel.rules.knowledge import Region
from boxsel.rules.rule import Rule
from boxsel.rules.shares import Certain

STATED: Final = -1
"""In place of an entry: the bound is as stated in the knowledge base, if it states one."""

NOTHING: Final = -2
"""In place of an entry: the bound is 0 or 1 and says nothing."""


@dataclass(frozen=True, slots=True)
class Premise:
    """A share, and the entries of the trail that its two ends had."""

    share: int
    lower: int
    upper: int


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
