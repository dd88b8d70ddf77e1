"""One weighting that realises many goals: a population that starts with some of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Clause, Goal, Row
from boxsel.exact.ways.populations.extension import PARTICLES, Weighting, rings
from boxsel.exact.ways.populations.layout import Layout
from boxsel.exact.ways.populations.population import Frame, Population
from boxsel.exact.ways.populations.rounding import exact_weights
from boxsel.machine.budget import Budget

EACH: Final = 10
"""How many particles a goal gets, where that makes no more than PARTICLES in all."""
SHARE: Final = 1e-3
"""The weight of all goals in the beginning: too little to be in the way of ratios."""


def realise(
    width: int,
    clauses: Sequence[Clause],
    rows: Sequence[Row],
    goals: Sequence[Goal],
    shy: Iterable[int],
    budget: Budget,
) -> Weighting | None:
    """A weighting that obeys rows and gives goals weight, all if possible, if one is found."""
    layout = Layout(width, clauses, rows)
    marks = [layout.goal(goal) for goal in goals]
    seeds = 0
    for goal in goals:
        seeds |= goal.require
    names = layout.reach(seeds)
    each = max(2, min(EACH, PARTICLES // len(goals)))
    count = PARTICLES + each * len(goals)
    columns = np.zeros((layout.size, count), bool)
    for place, mark in enumerate(marks):
        columns[mark, PARTICLES + each * place : PARTICLES + each * (place + 1)] = True
    weights = np.full(count, (1 - SHARE) / PARTICLES)
    weights[PARTICLES:] = SHARE / (each * len(goals))
    points = {n: one.lower for n, one in enumerate(layout.ratios) if one.lower == one.upper}
    population = Population(Frame(layout, shy), columns, weights, marks, points, budget)
    if population.extend(rings(layout, seeds, names), layout.names(names)):
        return None
    return exact_weights(layout, population.columns, population.weights, points)
