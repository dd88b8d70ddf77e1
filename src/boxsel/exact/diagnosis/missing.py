"""What a population misses that misses least of what is stated: a guide to a cheap repair.

Where many conditionals are about few names, one conflict after the other says little about what is
wrong: nearly all of them are met by one population. A linear programme over the patterns of types
finds it. By how much a share misses its bound is a ratio, so it is counted over the size that the
body had in the population before, and a few rounds settle.
"""

from __future__ import annotations

from math import inf
from typing import Final

import numpy as np

from boxsel.exact.diagnosis.patterns import Patterns
from boxsel.exact.lp.solver import Floats, LinearProgramme
from boxsel.machine.budget import Budget

ROUNDS: Final = 4
MEMBERS: Final = 0.01
"""What every goal weighs at least, beside all that are in some body."""
SMALL: Final = 0.02
"""Bodies that weigh less count as if they weighed this: else the programme is ill-conditioned."""
NOTHING: Final = 1e-7
"""What is missed by less is met."""


def find_missing(
    patterns: Patterns, rows: Floats, weights: Floats, budget: Budget
) -> Floats | None:
    """By how much each end has to give way for one population with members of all goals.

    `rows` say what each pattern contributes to each end, `weights` what that costs. None if no
    population is found, as where a goal is excluded by other statements.
    """
    inside = patterns.inside.T.astype(float)
    programme = LinearProgramme()
    ends = [programme.add_row(0.0) for _ in range(len(inside))]
    goals = [programme.add_row(MEMBERS) for _ in range(patterns.goals.shape[1])]
    whole = programme.add_row(1.0, 1.0)
    kinds = []
    for row, body, member in zip(rows, patterns.inside, patterns.goals, strict=True):
        entries = [(ends[n], float(row[n])) for n in np.flatnonzero(row)]
        entries += [(goals[n], 1.0) for n in np.flatnonzero(member)]
        kinds.append(programme.add_column([*entries, (whole, 1.0)] if body.any() else entries))
    slack = [programme.add_column([(end, 1.0)]) for end in ends]
    sizes = np.ones(len(inside))
    best, cheapest = None, inf
    for _ in range(ROUNDS):
        for column, weight, size in zip(slack, weights, sizes, strict=True):
            programme.set_gain(column, -float(weight / size))
        if not programme.solve(budget):
            break
        population = programme.values[kinds]
        sizes = inside @ population
        missed = np.maximum(0.0, -(population @ rows)) / np.maximum(sizes, NOTHING)
        missed[missed < NOTHING] = 0.0
        cost = float(weights @ missed)
        if cost >= cheapest * (1 - NOTHING):
            break
        best, cheapest = missed, cost
        sizes = np.maximum(sizes, SMALL)
    return best
