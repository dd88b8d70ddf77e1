"""What makes a reversal, full or partial, and what makes none: conditions on shares."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from boxsel.logic.statements import Query
from boxsel.reversals.conditions import Below, Condition
from boxsel.reversals.question import FIRST, GROUPS, SECOND, Question
from boxsel.reversals.standard import Shift, Standardised


@dataclass(frozen=True)
class Goal:
    """Conditions that are to hold together, in a model in which some concepts are not empty."""

    conditions: tuple[Condition, ...]
    present: tuple[Query, ...] = ()

    @property
    def queries(self) -> tuple[Query, ...]:
        """All shares that it is about: their bodies are not to be empty."""
        asked = (query for one in self.conditions for query in one.queries)
        return tuple(dict.fromkeys((*self.present, *asked)))

    def holds(self, shares: Mapping[Query, Fraction | None]) -> bool:
        """Whether shares are all there, and meet all conditions."""
        there = {one: share for one in self.queries if (share := shares.get(one)) is not None}
        if len(there) < len(self.queries):
            return False
        return all(condition.holds(there) for condition in self.conditions)


def full(question: Question, above: int, *, parted: bool = False) -> Goal:
    """The group `above` has the lower rate in total, and the higher one in every stratum.

    If strata are known to part both groups, the mixtures have to differ.
    """
    strata = (
        Below(question.rate(1 - above, one), question.rate(above, one)) for one in question.strata
    )
    shifts = (Shift(question, above, group) for group in GROUPS) if parted else ()
    return Goal((Below(question.total(above), question.total(1 - above)), *strata, *shifts))


def partial(question: Question, above: int, *, parted: bool = False) -> Goal:
    """The group `above` has the lower rate in total, and the higher one when standardised.

    With one stratum, weighed by both groups, that is the rate in the stratum.
    """
    if len(question.strata) == 1 and question.standard is None:
        return full(question, above, parted=parted)
    total = Below(question.total(above), question.total(1 - above))
    pooled = parted and question.standard is None
    shifts = (Shift(question, above),) if pooled else ()
    return Goal((total, Standardised(question, above), *shifts))


def not_full(question: Question) -> tuple[Goal, ...]:
    """Some stratum does not go against the total: one of these is met, if no stratum is empty."""
    return tuple(
        Goal(
            (
                Below(question.total(low), question.total(1 - low), strict=False),
                Below(question.rate(low, one), question.rate(1 - low, one), strict=False),
            )
        )
        for one in question.strata
        for low in (FIRST, SECOND)
    )


def not_partial(question: Question) -> tuple[Goal, ...]:
    """The standardised rates do not go against the total: one of these, if no stratum is empty."""
    if len(question.strata) == 1 and question.standard is None:
        return not_full(question)
    return tuple(
        Goal(
            (
                Below(question.total(low), question.total(1 - low), strict=False),
                Standardised(question, 1 - low, strict=False),
            )
        )
        for low in (FIRST, SECOND)
    )
