"""Random knowledge bases about two groups and their strata, and random models of them.

A random population is described by intervals around some of its shares, so that it is a model. More
models are mixtures of models at the ends of random shares. Whether a population reverses is spelt
out here once more, in sizes and without any of the code that is tested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from random import Random

from boxsel.exact.reasoner import Reasoner
from boxsel.exact.weighted_model import WeightedModel
from boxsel.logic.axioms import Axiom, Conditional, Disjointness
from boxsel.logic.concepts import Concept, Name, conjunction, names
from boxsel.logic.interpretations import Interpretation
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Interval
from boxsel.logic.statements import Query
from boxsel.reversals.question import Question, ask
from boxsel.reversals.search import Population

OUTCOME, FIRST, SECOND = names("O G H")
STRATA = names("S T U")

Size = Callable[[Concept], Fraction]


@dataclass(frozen=True)
class Case:
    """A knowledge base, the question, and the population that it describes."""

    kb: KB
    question: Question
    population: Population


def random_case(random: Random) -> Case:
    """A described population.

    Examples:
        >>> random_case(Random(1)).kb == random_case(Random(1)).kb
        True
    """
    strata = STRATA[: random.choice([1, 2, 2, 2, 3])]
    parted = random.random() < 0.6
    declared = frozenset({OUTCOME, FIRST, SECOND, *strata})
    question = ask(KB(declared=declared), OUTCOME, (FIRST, SECOND), strata)
    wanted = random.random() < 0.6
    for _ in range(300):
        population = _population(random, strata, parted=parted)
        there = population.size(FIRST) and population.size(SECOND)
        if there and (not wanted or reverses(question, population.size)[0]):
            break
    axioms: list[Axiom] = []
    if parted:
        axioms += (Disjointness(*two) for two in combinations(strata, 2))
        if random.random() < 0.7:
            axioms.append(Disjointness(FIRST, SECOND))
    width = random.choice([0, 0, 1, 2, 4, 8, 16])
    for query in _queries(random, strata):
        share = population.share(query)
        if share is not None and random.random() < 0.9:
            axioms.append(Conditional(query.head, query.body, _around(random, share, width)))
    kb = KB(KB.of(*axioms).statements, declared=declared)
    return Case(kb, question, population)


def random_models(case: Case, random: Random, number: int) -> Iterator[Population]:
    """Mixtures of models at the ends of random shares, in which both groups have members."""
    reasoner = Reasoner(case.kb)
    ends: list[WeightedModel] = []
    for query in _queries(random, case.question.strata):
        outcome = reasoner.bounds(query)
        ends += (end.model for end in (outcome.lower, outcome.upper) if end is not None)
    for _ in range(number):
        chosen = random.sample(ends, random.randint(1, min(len(ends), 5)))
        mixed = Population.of(chosen)
        weights = list[Fraction]()
        for model in chosen:
            factor = Fraction(random.choice([1, 1, 2, 5, 30]))
            part = mixed.weights[len(weights) : len(weights) + len(model.elements)]
            weights += (factor * weight for weight in part)
        population = Population(mixed.interpretation, tuple(weights))
        if population.size(FIRST) and population.size(SECOND):
            yield population


def reverses(question: Question, size: Size) -> tuple[bool, bool]:
    """Whether a population reverses: in full, and in part."""

    def rate(group: Concept) -> Fraction:
        return size(conjunction(group, question.outcome)) / size(group)

    first, second = question.groups
    if not all(
        size(conjunction(group, concept))
        for group in (first, second)
        for concept in question.strata
    ):
        return False, False
    total = rate(first) - rate(second)
    differences, weights = [], []
    for stratum in question.strata:
        one, other = conjunction(first, stratum), conjunction(second, stratum)
        differences.append(rate(one) - rate(other))
        weights.append(
            size(conjunction(question.standard, stratum))
            if question.standard is not None
            else size(one) + size(other)
        )
    adjusted = sum(
        (weight * difference for weight, difference in zip(weights, differences, strict=True)),
        Fraction(0),
    )
    return all(difference * total < 0 for difference in differences), adjusted * total < 0


def _population(random: Random, strata: tuple[Name, ...], *, parted: bool) -> Population:
    kinds: dict[frozenset[Name], int] = {}
    for _ in range(random.choice([6, 12, 30])):
        kind = {random.choice([FIRST, SECOND])}
        if parted and len(strata) > 1:
            kind.add(random.choice(strata))
        else:
            kind |= {stratum for stratum in strata if random.random() < 0.5}
        if not parted and random.random() < 0.15:
            kind |= {FIRST, SECOND}
        if random.random() < 0.5:
            kind.add(OUTCOME)
        key = frozenset(kind)
        kinds[key] = kinds.get(key, 0) + random.choice([1, 1, 2, 10])
    return Population(Interpretation(tuple(kinds)), tuple(map(Fraction, kinds.values())))


def _queries(random: Random, strata: tuple[Concept, ...]) -> Iterator[Query]:
    for group in random.sample([FIRST, SECOND], 2):
        if random.random() < 0.3:
            yield Query(OUTCOME, group)
        for stratum in strata:
            yield Query(OUTCOME, conjunction(group, stratum))
            yield Query(stratum, group)


def _around(random: Random, share: Fraction, width: int) -> Interval:
    below, above = (Fraction(random.randint(0, width), 50) for _ in range(2))
    return Interval(max(Fraction(0), share - below), min(Fraction(1), share + above))
