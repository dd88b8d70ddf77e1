"""Branch and bound: a model whose shares meet a goal, or the proof that no model does.

Comparisons of shares are bilinear in the sizes of a population, so that no single linear programme
decides them. But that a share lies in an interval is a conditional: a box of shares is a knowledge
base with more conditionals, of which exact bounds are known. They narrow the box, or show that
nothing is in it. Models are closed under disjoint union, so that the models at the ends of all
bounds, side by side, are a model in the box in which no body is empty: that is the candidate.
What is found is a population: weighted elements, in which shares are exact fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from boxsel.exact.reasoner import Reasoner
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.interpretations import Interpretation, Weights
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query, Statement
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.reversals.conditions import Below, Box
from boxsel.reversals.standard import Goal

MIXED_IN: Final = Fraction(1, 1000)
"""How much of the further weights of a model is mixed in."""


@dataclass(frozen=True)
class Population:
    """Elements with weights: how many members they stand for, up to a common factor."""

    interpretation: Interpretation
    weights: tuple[Fraction, ...]

    @classmethod
    def of(cls, models: Sequence[WeightedModel]) -> Population:
        """Models side by side, each with the same weight."""
        together, weights = WeightedModel(), list[Fraction]()
        for model in models:
            whole = sum((element.weight for element in model.elements), Fraction(0)) or Fraction(1)
            weights += (
                element.weight / whole + MIXED_IN * element.further for element in model.elements
            )
            together += model
        return cls(together.interpretation, tuple(weights))

    def share(self, query: Query) -> Fraction | None:
        """The share of a query; none if its body is empty."""
        return self.interpretation.share(query.head, query.body, self._weights)

    def size(self, concept: Concept) -> Fraction:
        """The weight of a concept."""
        return self._weights.total(self.interpretation.places(concept))

    def is_model(self, kb: KB) -> bool:
        """Whether every axiom is true, and every element is there."""
        return min(self.weights, default=Fraction(0)) > 0 and all(
            self.interpretation.satisfies(axiom, self._weights) for axiom in kb.axioms
        )

    @cached_property
    def _weights(self) -> Weights:
        return Weights(self.weights)

    def to_json(self, prefixes: Prefixes, hidden: Name) -> dict[str, Any]:
        """The population as a JSON object; one name is left out."""
        shown = self.interpretation
        return {
            "elements": [
                {
                    "names": sorted(name.text(prefixes) for name in names if name != hidden),
                    "weight": str(weight),
                }
                for names, weight in zip(shown.names, self.weights, strict=True)
            ],
            "edges": [
                [role.text(prefixes), *pair]
                for role, pairs in shown.edges.items()
                for pair in sorted(pairs)
            ],
            "individuals": {
                individual.text(prefixes): place for individual, place in shown.individuals.items()
            },
        }


ANYTHING: Final = Interval(Fraction(0), Fraction(1))
FINEST: Final = 10**6
"""The largest denominator of a bound that a box adds to the knowledge base."""


@dataclass(frozen=True)
class Found:
    """What a search came to: a population that meets the goal, or none.

    Without one, `complete` says that there is none in any model; otherwise nobody knows.
    """

    population: Population | None = None
    complete: bool = True

    @property
    def shown(self) -> bool:
        """Whether the goal can be met."""
        return self.population is not None

    @property
    def refuted(self) -> bool:
        """Whether the goal cannot be met."""
        return self.population is None and self.complete


def search_any(kb: KB, goals: Sequence[Goal], known: Box, budget: Budget) -> Found:
    """A model that meets one of some goals; the time is shared out."""
    found = Found()
    for number, goal in enumerate(goals):
        with budget.shortened(1 / (len(goals) - number)):
            result = search(kb, goal, known, budget)
        if result.shown:
            return result
        found = replace(found, complete=found.complete and result.complete)
    return found


def search(kb: KB, goal: Goal, known: Box, budget: Budget) -> Found:
    """A model that meets a goal, or that there is none, if the time is enough to tell.

    `known` are intervals that shares are known to lie in. What is found is still to be checked.
    """
    start = {query: known.get(query, ANYTHING) for query in goal.queries}
    if any(condition.judged(start) is False for condition in goal.conditions):
        return Found()
    try:
        budget.check()
        if _ties(kb, goal, budget):
            return Found()
        complete, places = True, [_Place(start, {})]
        while places:
            budget.check()
            node = _Node.of(kb, goal, places.pop(), budget)
            if node is None:
                continue
            population = node.candidate(goal)
            if population is not None:
                return Found(population)
            parts = node.parts(goal)
            complete = complete and bool(parts)
            places.extend(reversed(parts))
    except OutOfTimeError:
        return Found(complete=False)
    return Found(complete=complete)


def extended(kb: KB, axioms: Iterable[Axiom]) -> KB:
    """A knowledge base with further axioms."""
    return KB((*kb.statements, *map(Statement, axioms)))


@dataclass(frozen=True)
class _Place:
    """A box, and the intervals in it that do not follow from the knowledge base."""

    box: Box
    limits: Box

    def within(self, box: Box) -> _Place:
        """A box inside this one."""
        changed = {
            query: interval for query, interval in box.items() if interval != self.box[query]
        }
        return _Place(box, {**self.limits, **changed})

    def narrowed(self, goal: Goal) -> _Place | None:
        """The place without shares that a condition excludes; none if nothing is left."""
        box = self.box
        for condition in goal.conditions:
            if condition.judged(box) is False:
                return None
            box = condition.narrowed(box)
        return self.within(box)


@dataclass(frozen=True)
class _Node:
    """A place in which there are models, with the models at the ends of its shares."""

    place: _Place
    models: tuple[WeightedModel, ...]

    @classmethod
    def of(cls, kb: KB, goal: Goal, place: _Place, budget: Budget) -> _Node | None:
        """The place as narrow as it gets; none if no model in it can meet the goal."""
        start = place.narrowed(goal)
        if start is None:
            return None
        box = start.box
        limits = (
            Conditional(query.head, query.body, interval.shortened(FINEST))
            for query, interval in start.limits.items()
        )
        reasoner = Reasoner(extended(kb, limits), budget=budget)
        tight: dict[Query, Interval] = {}
        models: list[WeightedModel] = []
        bodies: set[Concept] = set()
        for query in sorted(goal.queries, key=lambda one: box[one].is_point):
            if box[query].is_point and query.body in bodies:
                tight[query] = box[query]  # nothing is to be learnt from it
                continue
            outcome = reasoner.bounds(query)
            bodies.add(query.body)
            if outcome.lower is None or outcome.upper is None:
                return None
            lower = max(outcome.lower.bound, box[query].lower)
            upper = min(outcome.upper.bound, box[query].upper)
            if lower > upper:
                return None
            tight[query] = Interval(lower, upper)
            models += (outcome.lower.model, outcome.upper.model)
        end = _Place(tight, start.limits).narrowed(goal)
        return None if end is None else cls(end, tuple(models))

    def candidate(self, goal: Goal) -> Population | None:
        """All models side by side, or as few of them as meet the goal too."""
        chosen = list(self.models)
        best = _meeting(chosen, goal)
        if best is None:
            return None
        for model in chosen:
            alone = _meeting([model], goal)
            if alone is not None:
                return alone
        for model in self.models:
            fewer = [one for one in chosen if one is not model]
            population = _meeting(fewer, goal)
            if population is not None:
                chosen, best = fewer, population
        return best

    def parts(self, goal: Goal) -> tuple[_Place, ...]:
        """Smaller places, by the condition that is most open; none if there are none."""
        box = self.place.box
        undecided = (condition for condition in goal.conditions if condition.judged(box) is None)
        by_gap = sorted(undecided, key=lambda condition: -condition.gap(box))
        parted = next((parts for condition in by_gap if (parts := condition.parts(box))), ())
        return tuple(self.place.within(part) for part in parted)


def meets(population: Population, goal: Goal) -> bool:
    """Whether the shares of a population meet a goal."""
    return goal.holds({query: population.share(query) for query in goal.queries})


def _meeting(models: Sequence[WeightedModel], goal: Goal) -> Population | None:
    population = Population.of(models)
    return population if meets(population, goal) else None


def _ties(kb: KB, goal: Goal, budget: Budget) -> bool:
    """Whether shares that are to differ are always equal, since their bodies are."""
    reasoner = Reasoner(kb, budget=budget)
    return any(
        isinstance(condition, Below)
        and condition.strict
        and condition.low.head == condition.high.head
        and reasoner.subsumes(condition.low.body, condition.high.body)
        and reasoner.subsumes(condition.high.body, condition.low.body)
        for condition in goal.conditions
    )
