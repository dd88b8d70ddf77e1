"""Exact weights near calibrated ones: rounded, then corrected where shares have no room."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from flint import fmpz_mat

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools, Ints
from boxsel.exact.ways.samples.shares import Shares
from boxsel.exact.ways.samples.staircase import balance
from boxsel.logic.interpretations import Places, Weights
from boxsel.machine.threads import one_thread

BITS: Final = 24
"""How many bits of a weight are kept."""
LONGEST_WEIGHT: Final = 10_000
"""Weights of more bits are of no use: certificates could not spell them."""
FOLLOWS: Final = 1e-6
"""How far a form of one point may be from that of others that it follows from, relatively."""
NOBODY: Final = 1e-6
"""What types that points leave empty weigh at the most, calibrated."""
CHOICE: Final = 2
SPARE: Final = 4
"""How many types for each point, and in a head, and in the rest of its body, may be corrected."""


def round_weights(shares: Shares, having: Bools, weights: Floats) -> list[Fraction] | None:
    """Exact weights near given ones with which every share is inside its bounds, if found.

    Where shares have one value, weights are put right by steps. If there are none, as many of the
    heaviest independent weights as there are such shares are solved for exactly. The room in the
    other shares absorbs the change.
    """
    values = balance(shares, having, weights)
    if values is None:
        values = _solve_points(shares, having, weights / weights.max(initial=1e-300))
    if values is None:
        return None
    scale = lcm(*(value.denominator for value in values))
    longest = max((value.numerator.bit_length() for value in values), default=0)
    if longest + scale.bit_length() > LONGEST_WEIGHT:
        return None
    if min(values, default=Fraction(-1)) < 0 or not _obeys(shares, having, Weights(values)):
        return None
    return values


def _solve_points(shares: Shares, having: Bools, weights: Floats) -> list[Fraction] | None:
    points = [
        n
        for n, ratio in enumerate(shares.ratios)
        if ratio.lower == ratio.upper and having[shares.bodies[n]].any()
    ]
    if not points:
        return _round(weights)
    bodies, boths = having[shares.bodies[points]], having[shares.boths[points]]
    matrix = boths - shares.lower[points, None] * bodies
    matrix /= np.maximum(bodies @ weights, 1e-300)[:, None]
    heavy = _find_heavy(bodies, boths, weights)
    weighed = (matrix * weights)[:, heavy]
    kept, chosen = np.arange(len(points)), _independent(weighed)
    if len(chosen) < len(points):
        kept = np.sort(_independent(weighed.T))  # points that say different things
        chosen = _independent(weighed[kept])
    basis = heavy[chosen]
    if len(basis) < len(kept):
        return None
    empty = _find_empty(matrix, weighed, kept)
    if weights[empty].sum() > NOBODY * weights.sum():  # they only seem to follow
        return None
    values = _round(np.where(empty, 0.0, weights))
    targets = [shares.ratios[points[k]].lower for k in kept]
    solution = _correct(bodies[kept], boths[kept], targets, values, basis)
    if solution is None:
        return None
    for place, value in zip(basis, solution, strict=True):
        values[place] = value
    return values


def _find_heavy(bodies: Bools, boths: Bools, weights: Floats) -> Ints:
    """The heaviest types in and outside the heads of some bodies, and of all enough to choose."""
    order = np.argsort(-weights, kind="stable")
    chosen = {*order[: CHOICE * len(bodies)].tolist()}
    for some in (*boths, *(bodies & ~boths)):
        chosen.update(order[some[order]][:SPARE].tolist())
    return np.array(sorted(chosen), np.intp)


def _find_empty(matrix: Floats, weighed: Floats, kept: Ints) -> Bools:
    """The types that points leave empty: there one says more than those that it follows from.

    Elsewhere it follows from those kept. Calibrated weights of such types are small, not zero.
    """
    others = np.setdiff1d(np.arange(len(matrix)), kept)
    if not len(others):
        return np.zeros(matrix.shape[1], bool)
    multiples = np.linalg.lstsq(weighed[kept].T, weighed[others].T)[0]
    more = np.abs(matrix[others] - multiples.T @ matrix[kept])
    most = np.abs(matrix[others]).max(1, keepdims=True)
    return np.asarray((more > FOLLOWS * most).any(0))


def _correct(
    bodies: Bools,
    boths: Bools,
    targets: Sequence[Fraction],
    values: Sequence[Fraction],
    basis: Ints,
) -> list[Fraction] | None:
    """Values of some weights, the others given, with which shares have their values exactly."""
    given = list(values)
    for place in basis:
        given[place] = Fraction(0)
    weights = Weights(given)
    lines = []
    for body, both, target in zip(bodies, boths, targets, strict=True):
        having, lacking = (weights.whole(_places(some)) for some in (both, body & ~both))
        part, whole = target.numerator, target.denominator
        entries = (0, -part, whole - part)  # outside the body, in it, and in its head
        kinds = (body[basis].astype(int) + both[basis]).tolist()
        rest = part * lacking - (whole - part) * having
        lines.append([*(entries[kind] for kind in kinds), rest])
    try:
        left = fmpz_mat([line[:-1] for line in lines])
        found = left.solve(fmpz_mat([line[-1:] for line in lines]))
    except ZeroDivisionError:
        return None
    return [
        Fraction(int(found[k, 0].p), int(found[k, 0].q) * weights.unit) for k in range(len(lines))
    ]


def _independent(matrix: Floats) -> Ints:
    """The columns of a well-conditioned largest independent set, by pivoted QR."""
    from scipy.linalg import qr  # it takes longer to load than most answers, and few need it

    with one_thread():
        triangle, pivots = qr(matrix, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    rank = int((diagonal > 1e-9 * diagonal.max(initial=1e-300)).sum())
    return np.asarray(pivots[:rank], np.intp)


def _round(weights: Floats) -> list[Fraction]:
    """Weights of at most 1, to so many bits."""
    mantissas, exponents = np.frexp(weights)
    numbers = np.rint(mantissas * (1 << BITS)).astype(np.int64)
    return [
        Fraction(number, 1 << BITS - exponent)
        for number, exponent in zip(numbers.tolist(), exponents.tolist(), strict=True)
    ]


def _obeys(shares: Shares, having: Bools, weights: Weights) -> bool:
    """Whether every share is inside its bounds."""
    sums = [weights.whole(_places(types)) for types in having]
    for body, both, ratio in zip(
        shares.bodies.tolist(), shares.boths.tolist(), shares.ratios, strict=True
    ):
        whole, part, lower, upper = sums[body], sums[both], ratio.lower, ratio.upper
        if part * lower.denominator < lower.numerator * whole:
            return False
        if part * upper.denominator > upper.numerator * whole:
            return False
    return True


def _places(types: Bools) -> Places:
    return int.from_bytes(np.packbits(types, bitorder="little").tobytes(), "little")
