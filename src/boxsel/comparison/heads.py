"""Two heads of one body: then no cells are needed for the difference and the ratio.

Both are one share of a population with coins (`checker.coins`), whose bounds are one linear
programme each. The odds ratio is not: but both ratios, of the shares and of what they leave, bound
it within each cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import inf
from typing import Final

from boxsel.checker.coins import DRAWN, FORMS, MARKED, Coins, toss
from boxsel.comparison.measures import Value
from boxsel.exact.answers import Outcome
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError

TOSSING: Final = 0.5
"""The part of the time that coins may take: what they do not say in it, cells do."""


@dataclass(frozen=True)
class Heads:
    """What is known of both shares by coins: answers about the marked, as far as there was time."""

    coins: Mapping[str, tuple[Coins, Outcome]] = field(default_factory=dict)

    def knows(self, form: str) -> bool:
        """Whether the bounds of a form are known."""
        return form in self.coins

    @property
    def without_odds(self) -> bool:
        """Whether both shares are 0 in every model, or both are 1: then no odds are compared."""
        return any(outcome.lower is None for _, outcome in self.coins.values())

    def bound(self, form: str, side: int) -> Value | None:
        """The largest or least value; none if it has none in any model."""
        coins, outcome = self.coins[form]
        end = outcome.upper if side > 0 else outcome.lower
        return None if end is None else coins.value(end.bound)

    def models(self) -> Iterable[WeightedModel]:
        """The models at the ends, without what the coins say."""
        for _, outcome in self.coins.values():
            for end in (outcome.lower, outcome.upper):
                if end is not None:
                    yield _without_coins(end.model)

    def odds(self, low: Fraction, high: Fraction, side: int) -> Value | None:
        """What the odds ratio does not pass if the second share lies between two numbers."""
        if not (self.knows("ratio") and self.knows("complement")):
            return None
        if side > 0:
            return odds_above(self.bound("ratio", 1), self.bound("complement", -1), low, high)
        # Of what both shares leave, the odds ratio is the other way round.
        turned = odds_above(self.bound("complement", 1), self.bound("ratio", -1), 1 - high, 1 - low)
        if turned is None or turned == inf:
            return None
        return 1 / Fraction(turned) if turned else inf


def odds_above(
    ratio: Value | None, complement: Value | None, low: Fraction, high: Fraction
) -> Value | None:
    """What the odds ratio is not above, by an upper and a lower bound of the two ratios.

    With a ≤ r·b it is at most r·(1 - b) / (1 - r·b), and with 1 - a ≥ q·(1 - b) it is at most
    1 + (1 - q) / (q·b): both rise or fall with b, so they are largest at an end.

    Examples:
        >>> odds_above(Fraction(1), Fraction(1), Fraction(1, 4), Fraction(1, 2))
        Fraction(1, 1)
        >>> print(odds_above(Fraction(2), Fraction(1, 2), Fraction(1, 4), Fraction(1, 3)))
        4
    """
    if ratio is None or complement is None:
        return None
    values: list[Value] = [inf]
    if ratio != inf:
        share = low if ratio <= 1 else high
        if ratio * share < 1:
            values.append(Fraction(ratio) * (1 - share) / (1 - Fraction(ratio) * share))
    if complement == inf:
        values.append(Fraction(0))
    elif complement > 0:
        share = low if complement <= 1 else high
        if complement == 1 or share > 0:
            rest = (1 - Fraction(complement)) / (Fraction(complement) * share) if share else 0
            values.append(max(Fraction(0), 1 + rest))
    return min(values)


def compare_heads(kb: KB, first: Query, second: Query, budget: Budget) -> Heads:
    """What coins say in a part of the time; nothing if the bodies are not the same."""
    if first.body != second.body or not {MARKED, DRAWN}.isdisjoint(kb.signature.concepts):
        return Heads()
    known: dict[str, tuple[Coins, Outcome]] = {}
    with suppress(OutOfTimeError), budget.shortened(TOSSING):
        for form in FORMS:
            coins = toss(form, first, second)
            tossed = KB((*kb.statements, *map(Statement, coins.supposed)), dropped=kb.dropped)
            known[form] = coins, Reasoner(tossed, budget=budget).bounds(coins.query)
    return Heads(known)


def _without_coins(model: WeightedModel) -> WeightedModel:
    elements = (
        replace(element, names=tuple(name for name in element.names if name not in (MARKED, DRAWN)))
        for element in model.elements
    )
    return replace(model, elements=tuple(elements))
