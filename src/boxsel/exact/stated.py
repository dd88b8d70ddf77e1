"""Shares that are stated: one statement proves them, and any model that has the body attains them.

Where the data are kept that a knowledge base was counted from, that model is known beforehand.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial

from boxsel.exact.answers import End, Multiplier, Outcome, Proof
from boxsel.exact.compile.problem import Side
from boxsel.exact.lp.optimum import Route
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query


def as_stated(kb: KB, query: Query, model: WeightedModel) -> Outcome | None:
    """The answer to a query whose number is stated, if a model has members of its body.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> from boxsel.logic.population import Pattern, Population
        >>> from boxsel.exact.weighted_model import build_data
        >>> from boxsel.syntax.parser import parse_kb
        >>> A, B = names("A B")
        >>> data = Population((A, B), (), (Pattern(3, (0,)), Pattern(1, (0, 1))))
        >>> as_stated(parse_kb("(B | A)[1 of 4]"), Query(B, A), build_data(data)).lower.bound
        Fraction(1, 4)
    """
    axiom = next(filter(partial(_states, query), kb.conditionals), None)
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


def attained(
    query: Query, lower: End, upper: End, build: Callable[[], WeightedModel], start: float
) -> Outcome:
    """The answer if both ends are one number: a model that has the body attains both."""
    ends = [replace(end, build=build, build_parts=lambda: None) for end in (lower, upper)]
    seconds = time.perf_counter() - start
    return Outcome(query, "bounded", ends[0], ends[1], seconds=seconds)


def _states(query: Query, axiom: Conditional) -> bool:
    """Whether a conditional says that a query has one number."""
    return axiom.body == query.body and axiom.head == query.head and axiom.bounds.is_point
