"""Disjoint heads: shares of heads that exclude each other add up to at most 1.

From (D1 | B)[l1, u1], …, (Dn | B)[ln, un], where no two of D1, …, Dn and D share an instance
in B, follows (D | B)[0, 1 − (l1 + … + ln)].

Proof. Let B be non-empty. The parts of B in D and in the Di are disjoint, so their shares sum
up to at most 1. Tight: take each Di at its lower end, and D as the rest of B, or empty. If
the lower ends sum up to more than 1, B is empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.rules.amounts import Bounds
from boxsel.rules.figures import Floats, Rule, exclusive
from boxsel.rules.index import Numbers, Rows


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(D | B) from (D1 | B), …, (Dn | B).

    Examples:
        >>> from fractions import Fraction as F
        >>> conclude([Bounds(F(1, 4), F(1, 2)), Bounds(F(1, 2), F(1))])
        Bounds(lower=0, upper=Fraction(1, 4))
    """
    return Bounds(0, 1 - sum(lower for lower, _ in premises))


class Complements:
    """One application for each member of a family: its premises are the other members."""

    def __init__(self, members: Numbers, families: Numbers) -> None:
        self.conclusions = members
        self._families = families
        self._rows = Rows(families)

    def touched(self, changed: NDArray[np.bool_]) -> Numbers:
        """All members of families with a member that changed."""
        if not len(self.conclusions):
            return self.conclusions
        dirty = np.bincount(self._families, weights=changed[self.conclusions]) > 0
        return np.flatnonzero(dirty[self._families])

    def screen(self, which: Numbers, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:  # noqa: ARG002
        """One minus the sum of the family without the member itself."""
        own = lower[self.conclusions]
        others = np.bincount(self._families, weights=own)[self._families] - own
        return np.zeros(len(which)), 1 - others[which]

    def premises(self, application: int) -> tuple[int, ...]:
        """The other members of the family."""
        rows = self._rows[int(self._families[application])]
        return tuple(int(self.conclusions[row]) for row in rows if row != application)


DISJOINT_HEADS: Final = Rule(
    name="disjoint heads",
    statement="(Di | B)[li, ui], D and all Di disjoint ⊢ (D | B)[0, 1 − Σ li]",
    tight=True,
    conclude=conclude,
    find=lambda index: Complements(*index.families),
    conditions=lambda premises, conclusion: exclusive((conclusion, *premises)),
)
