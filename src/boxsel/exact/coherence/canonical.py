"""One population of a problem's types that have nothing but what they must, as far as one is found.

Its types witness each other's existentials, and most of what other types need. So where there are
roles it is found once, before questions are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import chain

from boxsel.exact.coherence.elements import Elements
from boxsel.exact.coherence.realising import Realised, Realising
from boxsel.exact.compile.problem import Problem
from boxsel.exact.compile.vocabulary import Basic, Type
from boxsel.exact.lp.floats import as_fraction
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Boolean
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget


def find_canonical(
    axioms: Iterable[Axiom], problem: Problem, budget: Budget
) -> Mapping[Type, Fraction]:
    """The weights of types that are elements of a canonical model; nothing if none is found."""
    elements = Elements(KB.of(*axioms), budget, possible_basics(problem))
    while (empty := next(chain(elements.headless, elements.clashing), None)) is not None:
        elements.exclude(empty)
    return as_types(elements, Realising(elements, budget).run(), problem)


def possible_basics(problem: Problem) -> tuple[Basic, ...]:
    """The basic concepts that saturation has to know.

    Nobody has `∃r.⊥`, and what combinations mean is seen of each type.
    """
    return tuple(
        basic
        for basic in problem.vocabulary.basics
        if not basic.mentions_bottom and not isinstance(basic, Boolean)
    )


def as_types(elements: Elements, population: Realised, problem: Problem) -> dict[Type, Fraction]:
    """A population of elements that know a problem's basic concepts, as weights of its types."""
    vocabulary = problem.vocabulary
    bits = {elements.number(basic): vocabulary.bit(basic) for basic in possible_basics(problem)}
    weights: dict[Type, Fraction] = {}
    for element, weight in population.weights.items():
        kind = sum(bits[number] for number in elements.members(element) & bits.keys())
        kind = vocabulary.combined(kind)
        weights[kind] = weights.get(kind, Fraction(0)) + as_fraction(weight)
    return weights
