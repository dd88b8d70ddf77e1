"""Models that have members of a body: where its share is one number, any of them attains it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf

from boxsel.exact.compile.problem import Goal
from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.exact.ladder import Ladder
from boxsel.exact.ladders import Ladders, masks
from boxsel.exact.lp.optimum import Impossible
from boxsel.logic.statements import Query
from boxsel.machine.budget import OutOfTimeError


class Attaining:
    """Finds weightings that have a body; the time for that is spent once.

    If it was not enough, later questions about as large a module give up at once.
    """

    def __init__(self, ladders: Ladders) -> None:
        self._ladders = ladders
        self._hard: float = inf  # the size of a module for which no model was found in time

    def find(self, query: Query) -> tuple[Ladder, Mapping[Type, Fraction]] | None:
        """The ladder of a query with a weighting that has the body; none if no model has it."""
        ladder = self._ladders.around(query.head, query.body)
        _, body = masks(ladder, query)
        known = (weights for weights in ladder.weightings if _meets(weights, body))
        weights = next(known, None)
        if weights is None:
            weights = self._realise(ladder, Goal(body))
        return None if weights is None else (ladder, weights)

    def try_again(self) -> None:
        """Forget for which modules no model was found in time: there is more of it now."""
        self._hard = inf

    def _realise(self, ladder: Ladder, goal: Goal) -> Mapping[Type, Fraction] | None:
        size = len(ladder.statements)
        if self._ladders.budget.seconds is not None and size >= self._hard:
            raise OutOfTimeError
        try:
            result = ladder.realise(goal)
        except OutOfTimeError:
            self._hard = min(size, self._hard)
            raise
        return None if isinstance(result, Impossible) else result.weights


def _meets(weights: Mapping[Type, Fraction], mask: Mask) -> bool:
    """Whether a weighting gives a mask weight."""
    return any(weight and has(kind, mask) for kind, weight in weights.items())
