"""What the violations of an ensemble come to: a few numbers for each member."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.statements import Statement
from boxsel.models.measuring import Floats
from boxsel.models.violations import Violations


@dataclass(frozen=True, eq=False)
class Scores:
    """The largest and the mean violation, and the mean absolute error, of each member.

    `breaches` are the largest parts of names that break an inclusion or a disjointness.
    `worst` are the statements that the members kept violate most, on average, with their violation;
    if none is kept, those of all members. It is what a model file remembers of `Violations`, whose
    table has a number for each statement in each member.
    """

    largest: Floats
    mean: Floats
    errors: Floats
    breaches: Floats
    worst: tuple[tuple[Statement, float], ...] = ()

    @classmethod
    def of(cls, violations: Violations, breaches: Floats, tolerance: float) -> Scores:
        """The scores of members by their violations and breaches."""
        scores = cls(violations.largest, violations.mean, violations.errors, breaches)
        kept = scores.kept(tolerance)
        chosen = kept if kept.any() else ~kept
        return replace(scores, worst=tuple(violations.worst(chosen)))

    def kept(self, tolerance: float) -> NDArray[np.bool_]:
        """Which members satisfy the knowledge base up to a tolerance."""
        return (self.largest <= tolerance) & (self.breaches <= tolerance)
