"""Data that a knowledge base was counted from, as weights of types."""

from __future__ import annotations

from fractions import Fraction

from boxsel.exact.compile.problem import Problem
from boxsel.exact.compile.vocabulary import Type
from boxsel.logic.interpretations import members
from boxsel.logic.population import Population


def as_weighting(problem: Problem, data: Population) -> dict[Type, Fraction]:
    """The weights of types in a population; names that the problem does not speak of are left out.

    It has to be a model of what the problem states: then the types obey its clauses and rows, and
    witness each other.
    """
    kinds: list[Type] = [0] * len(data.patterns)
    for position, basic in enumerate(problem.vocabulary.basics):
        for place in members(data.interpretation.places(basic)):
            kinds[place] |= 1 << position
    weights: dict[Type, Fraction] = {}
    for kind, pattern in zip(kinds, data.patterns, strict=True):
        weights[kind] = weights.get(kind, Fraction(0)) + pattern.members
    return weights
