"""Exact weights of a population: rounded, then corrected where ratios have no room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import frexp, lcm
from typing import Final

import numpy as np
from flint import fmpz_mat

from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.types.gibbs import Floats, Ints, obedient
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.populations.fitting import body_of
from boxsel.exact.ways.populations.layout import Layout

BITS: Final = 24
"""How many bits of a weight are kept."""
LONGEST: Final = 10_000
"""Weights of more bits are of no use: certificates could not spell them."""
Tight = Mapping[int, Fraction]
"""Ratios that have to meet a value exactly."""


def exact_weights(
    layout: Layout, columns: Bools, weights: Floats, tight: Tight
) -> dict[Type, Fraction] | None:
    """Whole weights near given ones with which every ratio is inside its bounds, if found.

    As many of the heaviest independent weights as there are tight ratios are solved for
    exactly. The room in the other ratios absorbs the change.
    """
    used = weights > 0
    columns, weights = columns[:, used], weights[used] / weights.max(initial=1e-300)
    met = {n: one for n, one in tight.items() if body_of(layout.ratios[n], columns).any()}
    values = _solved(layout, columns, weights, met)
    if values is None or not obedient(layout.clauses, columns).all():
        return None
    scale = lcm(*(one.denominator for one in values))
    if (
        max((one.numerator.bit_length() for one in values), default=0) + scale.bit_length()
        > LONGEST
    ):
        return None
    whole = [int(one * scale) for one in values]
    if not whole or min(whole) < 0 or not _obeys(layout, columns, whole):
        return None
    found: dict[Type, Fraction] = {}
    for kind, weight in zip(layout.kinds(columns), whole, strict=True):
        if weight:
            found[kind] = found.get(kind, Fraction(0)) + weight
    return found


def _solved(layout: Layout, columns: Bools, weights: Floats, tight: Tight) -> list[Fraction] | None:
    numbers = list(tight)
    if not numbers:
        return [_rounded(float(one)) for one in weights]
    lines = []
    for number in numbers:
        ratio = layout.ratios[number]
        body = body_of(ratio, columns)
        line = (body & columns[ratio.head]) - float(tight[number]) * body
        lines.append(line / max(1e-300, weights[body].sum()))
    matrix = np.array(lines)
    keep = np.sort(_independent((matrix * weights).T))  # tight ratios that say different things
    matrix = matrix[keep]
    for _ in range(3):  # spread the bulk of the correction over all types
        system = (matrix * weights) @ matrix.T
        change = matrix.T @ np.linalg.lstsq(system, matrix @ weights, rcond=None)[0]
        weights = weights * np.maximum(1 - change, 0.5)
    values = [_rounded(float(one)) for one in weights]
    basis = _independent(matrix * weights)
    if len(basis) < len(keep):
        return None
    solution = _corrections(
        layout, columns, values, basis, {numbers[k]: tight[numbers[k]] for k in keep}
    )
    if solution is None:
        return None
    for place, value in zip(basis, solution, strict=True):
        values[place] = value
    return values


def _corrections(
    layout: Layout, columns: Bools, values: Sequence[Fraction], basis: Ints, tight: Tight
) -> list[Fraction] | None:
    """Values of some weights, the others given, with which ratios are met exactly."""
    chosen = set(basis.tolist())
    system, right = [], []
    for number, value in tight.items():
        ratio = layout.ratios[number]
        body, head = body_of(ratio, columns), columns[ratio.head]
        having, lacking = (
            sum((values[j] for j in np.flatnonzero(some).tolist() if j not in chosen), Fraction(0))
            for some in (body & head, body & ~head)
        )
        system.append([(int(head[j]) - value) * int(body[j]) for j in basis])
        right.append(value * lacking - (1 - value) * having)
    return _solve(system, right)


def _solve(
    system: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
) -> list[Fraction] | None:
    """The solution of a square system, if there is exactly one."""
    lines = []
    for line, end in zip(system, right, strict=True):
        scale = lcm(*(one.denominator for one in (*line, end)))
        lines.append([int(one * scale) for one in (*line, end)])
    try:
        found = fmpz_mat([line[:-1] for line in lines]).solve(
            fmpz_mat([line[-1:] for line in lines])
        )
    except ZeroDivisionError:
        return None
    return [Fraction(int(found[k, 0].p), int(found[k, 0].q)) for k in range(len(lines))]


def _independent(matrix: Floats) -> Ints:
    """The columns of a well-conditioned largest independent set, by pivoted QR."""
    from scipy.linalg import qr  # it takes longer to load than most answers, and few need it

    triangle, pivots = qr(matrix, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > 1e-9 * max(diagonal[0], 1e-300)).sum())
    return np.asarray(pivots[:rank], np.intp)


def _rounded(weight: float) -> Fraction:
    mantissa, exponent = frexp(weight)
    return Fraction(round(mantissa * (1 << BITS))) * Fraction(2) ** (exponent - BITS)


def _obeys(layout: Layout, columns: Bools, weights: Sequence[int]) -> bool:
    """Whether every ratio is inside its bounds."""
    numbers = np.array(weights, dtype=object)
    for ratio in layout.ratios:
        body = body_of(ratio, columns)
        total = int(numbers[body].sum())
        part = int(numbers[body & columns[ratio.head]].sum())
        lower, upper = ratio.lower, ratio.upper
        if part * lower.denominator < lower.numerator * total:
            return False
        if part * upper.denominator > upper.numerator * total:
            return False
    return True
