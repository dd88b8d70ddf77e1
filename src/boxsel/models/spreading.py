"""Members that differ: each goes as far as it can in a direction of its own.

Weights of kinds that give all known sizes are a polytope, and members that stay near to what was
trained meet in one place of it. What nobody said is how large other regions are: names alone, and
pairs of names. A *direction* says of each of them whether more or less is wanted. A linear
programme finds the corner that lies there; its prices tell which neighbours of kinds would lead
farther. Whatever the direction, all that is known stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from scipy import linalg, sparse

from boxsel.models.kinds import EXACT, Floats, Ints, Kinds, Laws, Sizes, Truths, cheapest
from boxsel.models.known_sizes import KnownSizes

ROUNDS: Final = 6
"""How often neighbours are looked for that lead farther."""

MANY: Final = 500
"""With more known sizes of names than this, directions take too long: members stay near."""

WELCOME: Final = 300
"""How many of them are taken at once."""

RANK: Final = 1e-10
"""A row that is so near to others, beside the largest, follows from them."""

PULLS: Final = (1.0, 0.01)
"""What the kind that is wanted most is worth, where it costs 100 to miss a size by all of it. If
sizes are missed, a direction is tried once more with less."""


class Open:
    """The names, and pairs of names, of which nobody said how many there are, and there may be."""

    def __init__(self, known: KnownSizes, sizes: Sizes, laws: Laws) -> None:
        count = len(known.names)
        alone = np.zeros(count)
        is_open = ~(laws.apart | laws.never | laws.never[:, None])
        is_open &= ~(known.is_existential | known.is_existential[:, None])
        # What lies within another has with it the size that it has alone.
        is_open &= ~(laws.above | laws.above.T) | np.eye(count, dtype=bool)
        for region, size in zip(sizes.regions, sizes.sizes.tolist(), strict=True):
            if len(region) == 1:
                alone[list(region)] = size
            if len(region) in (1, 2):
                one, other = min(region), max(region)
                is_open[one, other] = is_open[other, one] = False
        # A pair counts as a share of the smaller one, or of the one that is known: so rare names
        # differ as much as others.
        least = np.minimum(alone, alone[:, None])
        whole = np.where(least > 0, least, np.maximum(alone, alone[:, None]))
        self._scale = np.where(is_open, 1 / np.where(whole > 0, whole, 1.0), 0.0)

    def __bool__(self) -> bool:
        return bool(self._scale.any())

    def direction(self, member: int) -> Floats:
        """How much more of each pair a member wants: the next one of an even one the contrary.

        The first two want more of all, and less. For the others chance decides, for names and for
        pairs: a pair of two liked names is liked.
        """
        random, count = np.random.default_rng(member // 2), len(self._scale)
        wish = np.ones((count, count))
        if member > 1:
            liked = random.standard_normal(count)
            pairs = np.triu(random.standard_normal((count, count)), 1)
            wish = pairs + pairs.T + liked + liked[:, None]
        return (1.0 if member % 2 else -1.0) * self._scale * wish


def wanted(direction: Floats, has: Truths) -> Floats:
    """How much every kind is wanted: the sum over its names and its pairs of names."""
    numbers = has.astype(float)
    twice = (numbers @ direction * numbers).sum(axis=1) + numbers @ np.diag(direction)
    found: Floats = twice / 2
    return found


class Corner(NamedTuple):
    """Weights that lie far in a direction, for kinds; with those that were found on the way."""

    kinds: Kinds
    columns: sparse.csc_array
    weights: Floats


Demands = Callable[[Kinds], Floats]
"""What weights of 1 of each kind lack of what is demanded, a line for each demand."""


def corner(
    kinds: Kinds,
    columns: sparse.csc_array,
    sizes: Sizes,
    laws: Laws,
    direction: Floats,
    demands: Demands,
) -> Corner | None:
    """The weights that give all sizes and lie farthest in a direction; None if there are none.

    `columns` are those of the kinds. They say what is looked at first; then neighbours are.
    """
    for pull in PULLS:
        found = _corner(kinds, columns, sizes, laws, direction, demands, pull)
        if found is not None:
            return found
    return None


def _corner(
    kinds: Kinds,
    columns: sparse.csc_array,
    sizes: Sizes,
    laws: Laws,
    direction: Floats,
    demands: Demands,
    pull: float,
) -> Corner | None:
    values = _bounded(wanted(direction, kinds.has), columns)
    pull /= max(float(np.abs(values).max()), EXACT)
    best: Corner | None = None
    for _ in range(ROUNDS):
        within = sparse.csc_array(demands(kinds))
        rows = _independent(columns)
        found = cheapest(columns[rows], -pull * values, within=within if within.shape[0] else None)
        if found.missing > EXACT:
            break
        best = Corner(kinds, columns, found.numbers)
        more = laws.neighbours(kinds.at(found.numbers > 0))
        parts = sizes.columns(more)
        gains = found.prices @ parts[rows] + pull * _bounded(wanted(direction, more.has), parts)
        gains += found.limits @ demands(more)
        order = np.argsort(-gains, kind="stable")[:WELCOME]
        before = len(kinds)
        kinds = kinds.with_others(more.at(order[gains[order] > EXACT]))
        if len(kinds) == before:
            break
        new = kinds.at(np.arange(before, len(kinds)))
        columns = sparse.csc_array(sparse.hstack([columns, sizes.columns(new)]))
        values = np.concatenate([values, _bounded(wanted(direction, new.has), sizes.columns(new))])
    return best


def _bounded(values: Floats, columns: sparse.csc_array) -> Floats:
    """Nothing for kinds that are a part of no size: there may be any number of these."""
    found: Floats = np.where(np.diff(columns.indptr) > 0, values, 0.0)
    return found


def _independent(columns: sparse.csc_array) -> Ints:
    """Rows that all others follow from, if there are more of them than columns.

    Weights that give all sizes are known, so that no row contradicts others.
    """
    count, kinds = columns.shape
    if count <= kinds:
        return np.arange(count)
    corners, order = linalg.qr(columns.toarray().T, mode="r", pivoting=True, check_finite=False)
    pivots = np.abs(np.diag(corners))
    return np.sort(order[: int((pivots > RANK * pivots[0]).sum())])
