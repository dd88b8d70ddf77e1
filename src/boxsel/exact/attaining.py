"""Shares that are one number: what proves it is small, and any model that has the body attains it.

A share that is stated is proved by its statement. Where the data are kept that a knowledge base
was counted from, that model is known beforehand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf

from boxsel.exact.answers import End, Multiplier, Outcome, Proof
from boxsel.exact.compile.problem import Goal, Side
from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.exact.ladder import Ladder
from boxsel.exact.ladders import Ladders
from boxsel.exact.lp.optimum import Impossible, Route
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import OutOfTimeError


def find_stated(kb: KB, query: Query, model: WeightedModel) -> Outcome | None:
    """The answer to a query whose number is stated, if a model has members of its body.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> from boxsel.logic.population import Pattern, Population
        >>> from boxsel.exact.weighted_model import build_data
        >>> from boxsel.syntax.parser import parse_kb
        >>> A, B = names("A B")
        >>> data = Population((A, B), (), (Pattern(3, (0,)), Pattern(1, (0, 1))))
        >>> find_stated(parse_kb("(B | A)[1 of 4]"), Query(B, A), build_data(data)).lower.bound
        Fraction(1, 4)
    """
    axiom = next((axiom for axiom in kb.conditionals if _states(axiom, query)), None)
    if axiom is None or model.share(query) is None:
        return None
    bound, route = axiom.bounds.lower, Route("stated")
    obvious = {*conjuncts(query.head)} <= {TOP, *conjuncts(query.body)}

    def end(side: Side, *, trivial: bool) -> End:
        said = (Multiplier(axiom, side, Fraction(1)),)
        proof = Proof(()) if trivial else Proof((axiom,), multipliers=said)
        return End(bound, proof, lambda: model, route)

    lower = end("lower", trivial=obvious or bound == 0)
    return Outcome(query, "bounded", lower, end("upper", trivial=bound == 1))


def complete(
    query: Query, lower: End, upper: End, build: Callable[[], WeightedModel], start: float
) -> Outcome:
    """The answer if both ends are one number: a model that has the body attains both."""
    ends = [replace(end, build=build, build_parts=lambda: None) for end in (lower, upper)]
    seconds = time.perf_counter() - start
    return Outcome(query, "bounded", ends[0], ends[1], seconds=seconds)


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
        body = ladder.mask(query.body)
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


def _states(axiom: Conditional, query: Query) -> bool:
    """Whether a conditional says that a query has one number."""
    return axiom.body == query.body and axiom.head == query.head and axiom.bounds.is_point


def _meets(weights: Mapping[Type, Fraction], mask: Mask) -> bool:
    """Whether a weighting gives a mask weight."""
    return any(weight and has(kind, mask) for kind, weight in weights.items())
