"""Exact weights where shares have one value, by whole numbers.

Each product of names that such a share is about should have a certain weight. Where there is a type
that has no product but one and others that come before, and so on for all products, one weight
after the other puts what is left of a product right, by additions alone: a matrix of zeros and ones
that is triangular. Types with nothing but what a product entails stand like that. So weights stay
short, where solving for them over the rational numbers makes them as long as a determinant.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import frexp, lcm
from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.entangled import Rest, Step, find_rest, tie
from boxsel.exact.ways.samples.shares import Shares

BITS: Final = 64
"""How many bits weights have beyond those that shares need to be whole."""
LIMB: Final = 24
"""So many bits at once are added up in floats, which have 53."""
NOBODY: Final = 1e-9
"""Types that weigh a smaller part of each of their products weigh nothing."""
HEAVY: Final = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)
"""The part of a product that a type weighs at least which puts it right: heavy ones first."""


def balance(shares: Shares, having: Bools, weights: Floats) -> list[Fraction] | None:
    """Exact weights near given ones with which shares of one value have it, if found."""
    products = _Products(shares, having)
    if not products.is_possible or not len(products.having):
        return None
    weights = weights / weights.sum()
    least = np.where(having, (having @ weights)[:, None], np.inf).min(0)  # of any share, not points
    weights = np.where(weights < NOBODY * np.where(least < np.inf, least, 0.0), 0.0, weights)
    having = products.having
    steps = find_steps(having, weights)
    rest = find_rest(having, weights, steps)
    if rest is None:
        return None
    wanted = products.wanted(weights, rest)
    if wanted is None:
        return None
    targets, bits, times = wanted
    whole = [_scale(weight, bits) * times for weight in weights.tolist()]
    sums = _sums(having, whole)
    left = [target - found for target, found in zip(targets, sums, strict=True)]
    _put_right(having, steps, rest, left, whole)
    return [Fraction(number) for number in whole] if not any(left) and min(whole) >= 0 else None


def _put_right(
    having: Bools, steps: Sequence[Step], rest: Rest, left: list[int], whole: list[int]
) -> None:
    """Change some weights so that nothing is left of products, as far as steps lead."""
    changes: dict[int, Fraction] = {}
    for line, column in reversed(rest.steps):
        whole_left = sum(int(line.factors[k]) * left[k] for k in np.flatnonzero(line.factors))
        known = sum((int(line.having[k]) * own for k, own in changes.items()), Fraction(0))
        changes[column] = (whole_left - known) / int(line.having[column])
    times = lcm(*(change.denominator for change in changes.values()))
    whole[:] = [number * times for number in whole]
    left[:] = [number * times for number in left]
    for column, change in changes.items():
        _add(having, column, int(change * times), left, whole)
    for product, column in reversed(steps):
        _add(having, column, left[product], left, whole)


def _add(having: Bools, column: int, change: int, left: list[int], whole: list[int]) -> None:
    whole[column] += change
    for product in np.flatnonzero(having[:, column]).tolist():
        left[product] -= change


def list_steps(shares: Shares, having: Bools, weights: Floats) -> list[Step]:
    """The steps that make weights exact; none where no share has one value."""
    products = _Products(shares, having)
    return find_steps(products.having, weights) if len(products.having) else []


def find_steps(having: Bools, weights: Floats) -> list[Step]:
    """An order of products, each with a type that has it, and else only those before it.

    Products that stand in the way are left out: they may follow from the others.
    """
    own = np.flatnonzero(weights > 0)
    masses, weights = having @ weights, weights[own]
    values = having[:, own].astype(np.float64)
    counts, sums = values.sum(0), np.arange(len(having)) @ values
    is_left = np.ones(len(having), bool)
    steps: list[Step] = []
    level = 0
    while is_left.any():
        single = np.flatnonzero(counts == 1)
        products = sums[single].astype(np.intp)
        heavy = weights[single] > HEAVY[level] * masses[products]
        single, products = single[heavy], products[heavy]
        if len(single):
            order = np.argsort(-weights[single], kind="stable")
            fresh, first = np.unique(products[order], return_index=True)
            steps += zip(fresh.tolist(), own[single[order][first]].tolist(), strict=True)
            level = 0
        elif level + 1 < len(HEAVY):
            level += 1
            continue
        else:
            blocked = values[:, counts == 2].sum(1) * is_left
            if not blocked.any():
                break
            fresh = np.array([np.argmax(blocked)])
        is_left[fresh] = False
        counts -= values[fresh].sum(0)
        sums -= fresh @ values[fresh]
    return steps


class _Products:
    """The products that shares of one value are about; those that the same types have are one."""

    def __init__(self, shares: Shares, having: Bools) -> None:
        rows = np.packbits(having, axis=1)
        places: dict[bytes, int] = {}
        chosen: list[int] = []
        self._links: list[list[tuple[int, Fraction]]] = []
        self.is_possible = True
        for number, ratio in enumerate(shares.ratios):
            body, both = int(shares.bodies[number]), int(shares.boths[number])
            if ratio.lower != ratio.upper or not having[body].any():
                continue
            if bool(ratio.lower) != bool(having[both].any()):
                self.is_possible = False
            elif ratio.lower:
                ends = []
                for product in (body, both):
                    key = rows[product].tobytes()
                    if key not in places:
                        places[key] = len(places)
                        chosen.append(product)
                        self._links.append([])
                    ends.append(places[key])
                self._links[ends[0]].append((ends[1], ratio.lower))
                self._links[ends[1]].append((ends[0], 1 / ratio.lower))
        self.having = having[np.array(chosen, np.intp)]

    def wanted(self, weights: Floats, rest: Rest) -> tuple[list[int], int, int] | None:
        """What products should weigh, in whole numbers: a weight of 1 is a multiple of 2**bits."""
        masses = (self.having @ weights).tolist()
        parts = self._parts()
        if parts is None:
            return None
        units = [lcm(*(factor.denominator for factor in part.values())) for part in parts]
        bits = BITS + max((unit.bit_length() for unit in units), default=0)
        scales: list[Fraction] | None = [
            Fraction(max(1, _scale(masses[next(iter(part))], bits) // unit) * unit)
            for part, unit in zip(parts, units, strict=True)
        ]
        assert scales is not None
        scales = tie(rest.ties, parts, scales)
        if scales is None:
            return None
        targets = [Fraction(0)] * len(masses)
        for part, scale in zip(parts, scales, strict=True):
            for product, factor in part.items():
                targets[product] = factor * scale
        times = lcm(*(target.denominator for target in targets))
        return [int(target * times) for target in targets], bits, times

    def _parts(self) -> list[dict[int, Fraction]] | None:
        """The products that hang together by shares, each as a multiple of the first."""
        known: set[int] = set()
        parts = []
        for start in range(len(self._links)):
            if start in known:
                continue
            part, queue = {start: Fraction(1)}, [start]
            while queue:
                product = queue.pop()
                for other, ratio in self._links[product]:
                    if other not in part:
                        part[other] = part[product] * ratio
                        queue.append(other)
                    elif part[other] != part[product] * ratio:
                        return None
            known |= part.keys()
            parts.append(part)
        return parts


def _scale(number: float, bits: int) -> int:
    """A number times a power of two, rounded."""
    mantissa, exponent = frexp(number)
    shift = exponent - 53 + bits
    digits = int(mantissa * (1 << 53))
    return digits << shift if shift >= 0 else digits >> -shift


def _sums(having: Bools, whole: Sequence[int]) -> list[int]:
    """The sums of whole numbers over sets, a few bits of all of them at a time."""
    longest = max((number.bit_length() for number in whole), default=0)
    mask = (1 << LIMB) - 1
    shifts = range(0, longest, LIMB)
    limbs = np.array([[number >> shift & mask for shift in shifts] for number in whole], np.float64)
    parts = (having.astype(np.float64) @ limbs).astype(np.int64).tolist()
    return [sum(part << shift for part, shift in zip(line, shifts, strict=True)) for line in parts]
