"""Types that join those that were drawn, where a programme over these says what they lack.

Its multipliers are factors of products. Chains climb towards types with large sums of them, and
those that help most join, until the programme is solved or nothing helps.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.drawing import Drawing
from boxsel.exact.ways.samples.optimising import Helping
from boxsel.exact.ways.samples.sample import Sample, merge, rarest
from boxsel.exact.ways.samples.shares import Names, Ratio
from boxsel.exact.ways.samples.weighing import Missed, Weighing

MOST_HELPS: Final = 12
PENALTY: Final = 2.0
"""How often types are looked for that would help; and how much more than the largest factor it
counts that types have nothing too rare, and allow the share to be at its edge."""
MOST_LEVELS: Final = 5
"""How many times types are looked for: what is rare has factors beside which others are nothing."""


class Completing:
    """Looks for types that programmes lack; those of a query, perhaps, at an edge of its share."""

    def __init__(self, weighing: Weighing, names: Names, query: Ratio) -> None:
        self._weighing, self._names, self._query = weighing, names, query

    def complete(
        self, columns: Bools, base: Floats, drawing: Drawing, sign: int = 0, helps: int = MOST_HELPS
    ) -> Sample | None:
        """Weights amid all that types allow; if there are none, types join that would help.

        If there is a sign, all of them allow the share to be 1, or 0.
        """
        if not len(base):  # no type is at the edge
            return None
        base = self._weighing.rake(columns, base)
        for left in reversed(range(helps)):
            found = self._weighing.centre(columns, base)
            if not isinstance(found, Missed):
                return found
            if not left:
                break
            further = self.find_helping(drawing, found.helping, sign)
            if not further.shape[1]:
                return None
            columns, base = self._weighing.renew(found, further)
        return None

    def find_helping(self, drawing: Drawing, helping: Helping, sign: int) -> Bools:
        """Types that help most, and allow the share to be 1, or 0, if there is a sign.

        They are looked for level by level, without what is rarer than that.
        """
        shares = self._weighing.shares
        units = rarest(shares.having(drawing.columns), helping.means, helping.mean)
        found = []
        for level in list_levels(helping.means):
            is_there = helping.means >= level
            most = float(np.abs(helping.factors[is_there]).max(initial=0.0))
            chains = units >= level
            if most > 0 and chains.any():
                towards = np.where(is_there, helping.factors, -PENALTY * most)
                towards[shares.boths[-1]] += sign * PENALTY * most
                if sign > 0:
                    towards[shares.bodies[-1]] -= PENALTY * most
                found.append(drawing.climb(towards, chains))
        columns = np.hstack([drawing.columns[:, :0], *found])  # where nothing is missed, none
        columns = columns[:, self.at_edge(columns, sign)]
        columns, _ = merge(columns, np.ones(columns.shape[1]))
        gains = helping.gains(shares.having(columns))
        best = np.argsort(-gains)[: 1 + len(shares) // 2]  # with more, programmes are slow
        return columns[:, best[gains[best] > 0]]

    def at_edge(self, columns: Bools, sign: int) -> Bools:
        """The types that allow the share to be 1, or 0; without a sign, all of them."""
        body, both = (self._names.has(columns, mask) for mask in self._query.masks)
        return np.asarray(both | ~body if sign > 0 else ~both if sign < 0 else both | ~both)


def list_levels(means: Floats) -> Floats:
    """Numbers that are evenly spread, as powers, between the least and the largest of means."""
    known = np.log10(means[np.isfinite(means)])
    if not len(known):
        return np.zeros(0)
    low, high = float(known.min()), float(known.max())
    count = int(np.clip(np.ceil(high - low), 1, MOST_LEVELS))
    return np.asarray(10 ** (low + (high - low) * np.arange(count) / count))
