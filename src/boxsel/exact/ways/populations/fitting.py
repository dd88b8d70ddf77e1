"""The weights of a population: iterative proportional fitting to the ratios."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats, Ints
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.populations.layout import Layout, Ratio
from boxsel.machine.budget import NO_LIMIT, Budget

TINY: Final = 1e-12
STEP: Final = 1e6
"""How much a weight may grow at once."""


@dataclass(frozen=True)
class Targets:
    """The interval, inside its bounds, that each ratio is fitted to."""

    lower: Floats
    upper: Floats


def targets(layout: Layout, margin: float, tight: Mapping[int, Fraction]) -> Targets:
    """Intervals that are shrunk by a margin on both sides; points for tight ratios."""
    lower = np.array([float(one.lower) for one in layout.ratios])
    upper = np.array([float(one.upper) for one in layout.ratios])
    width = upper - lower
    low = np.where(lower <= 0, -1.0, lower + margin * width)
    high = np.where(upper >= 1, 2.0, upper - margin * width)
    for number, value in tight.items():
        low[number] = high[number] = float(value)
    return Targets(low, high)


def body_of(ratio: Ratio, columns: Bools) -> Bools:
    """The columns that have the body of a ratio."""
    found = np.ones(columns.shape[1], bool)
    for name in ratio.body:
        found &= columns[name]
    return found


@dataclass
class Fit:
    """What is left to do: the ratios that are off, and how hard each still pulls."""

    off: list[int]
    pressure: dict[int, float]


def fit(
    layout: Layout,
    goal: Targets,
    columns: Bools,
    weights: Floats,
    ratios: Sequence[int],
    cycles: int,
    tolerance: float = 1e-9,
    budget: Budget = NO_LIMIT,
) -> Fit:
    """Scale weights, in place, until ratios are in their intervals, or for some cycles."""
    result = Fit([], {})
    if not ratios:
        return result
    sides = _sides(layout, columns, ratios)
    # One gather for all sums; the extra last weight keeps empty segments in range.
    lengths = np.array([len(side) for side in sides])
    starts = np.concatenate([[0], np.cumsum(lengths)[:-1]])
    gathered = np.concatenate([*sides, [len(weights)]]).astype(np.intp)
    low, high = goal.lower[list(ratios)], goal.upper[list(ratios)]
    for cycle in budget.watched(range(cycles)):
        sums = np.add.reduceat(np.append(weights, 0.0)[gathered], starts)
        sums[lengths == 0] = 0.0
        total = sums[0::2] + sums[1::2]
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = sums[0::2] / total
            wrong = (shares < low - tolerance) | (shares > high + tolerance)
        off = np.flatnonzero(wrong & (total > 0)).tolist()
        result.off = [ratios[place] for place in off]
        if not off:
            break
        for place in off:
            pull = _scale(weights, sides[2 * place], sides[2 * place + 1], low[place], high[place])
            if cycle >= cycles - 10:
                number = ratios[place]
                result.pressure[number] = result.pressure.get(number, 0.0) + pull
    weights /= weights.sum() or 1.0
    return result


def _sides(layout: Layout, columns: Bools, ratios: Sequence[int]) -> list[Ints]:
    sides: list[Ints] = []
    for number in ratios:
        ratio = layout.ratios[number]
        where = np.flatnonzero(body_of(ratio, columns))
        head = columns[ratio.head, where]
        sides += (where[head], where[~head])
    return sides


def _scale(weights: Floats, inside: Ints, outside: Ints, low: float, high: float) -> float:
    """Move one ratio into its interval; how far that was, in logits."""
    here, there = weights[inside], weights[outside]
    part, rest = np.add.reduce(here), np.add.reduce(there)
    if part <= 0 or rest <= 0:
        return 0.0
    share = float(part / (part + rest))
    aim = min(max(share, low), high)
    if aim == share:
        return 0.0
    # Weights that all but vanished come back step by step, so that nothing overflows.
    up, down = min(aim / max(share, TINY), STEP), min((1 - aim) / max(1 - share, TINY), STEP)
    weights[inside] = here * up
    weights[outside] = there * down
    return abs(math.log(max(up, TINY) / max(down, TINY)))


def off_bounds(
    layout: Layout,
    goal: Targets,
    columns: Bools,
    weights: Floats,
    ratios: Sequence[int],
    room: float,
) -> list[int]:
    """Ratios that are not inside their bounds with some room; tight ones need only be close."""
    found = []
    for number in ratios:
        ratio = layout.ratios[number]
        body = body_of(ratio, columns)
        total = weights[body].sum()
        if total <= 0:
            continue
        share = weights[body & columns[ratio.head]].sum() / total
        if goal.lower[number] == goal.upper[number]:
            if abs(share - goal.lower[number]) > 1e-4:
                found.append(number)
            continue
        lower, upper = float(ratio.lower), float(ratio.upper)
        spare = room * (upper - lower)
        if (lower > 0 and share < lower + spare) or (upper < 1 and share > upper - spare):
            found.append(number)
    return found
