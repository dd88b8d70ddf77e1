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
from boxsel.exact.ways.samples.sample import Sample, merge
from boxsel.exact.ways.samples.shares import Names, Ratio
from boxsel.exact.ways.samples.weighing import Weighing

MOST_HELPS: Final = 12
STEEP: Final = 100.0
MOSTLY: Final = 0.9
PENALTY: Final = 2.0
"""How often types are looked for that would help; how much more than all but the largest factors a
factor counts at most, since some are very large where bodies are rare; and how much more than that
it counts that types allow the share to be at its edge."""


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
        for left in reversed(range(helps)):
            found = self._weighing.centre(columns, base)
            if not isinstance(found, Helping):
                return found
            if not left:
                break
            further = self.find_helping(drawing, found, sign)
            if not further.shape[1]:
                return None
            columns, base = self._weighing.join(columns, base, further)
        return None

    def find_helping(self, drawing: Drawing, helping: Helping, sign: int) -> Bools:
        """Types that help most, and allow the share to be 1, or 0, if there is a sign."""
        shares, factors = self._weighing.shares, np.abs(helping.factors)
        most = STEEP * float(np.quantile(factors[factors > 0], MOSTLY))
        towards = np.clip(helping.factors, -most, most)
        towards[shares.boths[-1]] += sign * PENALTY * most
        if sign > 0:
            towards[shares.bodies[-1]] -= PENALTY * most
        columns = drawing.climb(towards)
        columns = columns[:, self.at_edge(columns, sign)]
        columns, _ = merge(columns, np.ones(columns.shape[1]))
        gains = helping.gains(shares.having(columns))
        best = np.argsort(-gains)[: 1 + len(shares) // 2]  # with more, programmes are slow
        return columns[:, best[gains[best] > 0]]

    def at_edge(self, columns: Bools, sign: int) -> Bools:
        """The types that allow the share to be 1, or 0; without a sign, all of them."""
        body, both = (self._names.has(columns, mask) for mask in self._query.masks)
        return np.asarray(both | ~body if sign > 0 else ~both if sign < 0 else both | ~both)
