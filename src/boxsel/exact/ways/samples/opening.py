"""The first weights of drawn types with which all shares are inside.

Chains draw types, which are weighed. If no weights do, chains go on by the factors that say what is
lacking; types come from a mixture instead where chains do not come near, or have gone on in vain.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.calibrating import MOST_STEPS
from boxsel.exact.ways.samples.completing import MOST_HELPS, Completing
from boxsel.exact.ways.samples.drawing import Drawing
from boxsel.exact.ways.samples.mixture import mix
from boxsel.exact.ways.samples.sample import Sample, pad
from boxsel.exact.ways.samples.starting import Starting
from boxsel.exact.ways.samples.weighing import Missed, Weighing
from boxsel.machine.budget import Budget

MOVES_MORE: Final = 20
POOLS: Final = 2
MOST_TURNS: Final = 12
"""How often names move before types are taken once more; how often types are taken before weights
are tried; and how often weights are tried at the most."""
FAR: Final = 0.02
MANY: Final = 1500
FOLLOWED: Final = 3
"""How far shares are outside on average where chains do not come near, and how many are so many
that it takes long to weigh types, which are only raked then: then these come from a mixture at
once, else after chains have followed factors so many times, and again."""
FEW_HELPS: Final = 3
"""How often programmes are told types that would help where a mixture may do so, too."""
RARE: Final = 1e-5
PART: Final = 0.1
"""Where such a part of the bodies is so rare, or more, chains that are held go on for ever."""
CELLS: Final = 128
SURE: Final = (3.0, 1.0)
TYPES_EACH: Final = 8
MOST_TYPES: Final = 8000
OF_CELL: Final = 8
"""About how many cells a mixture has; how large the log-odds are that types begin with as cells,
and where they are far; how many types are drawn for each share, of all, and of each cell."""


class Opening:
    """Looks for the first weights, and has the chains that go on from there."""

    def __init__(
        self, starting: Starting, weighing: Weighing, completing: Completing, budget: Budget
    ) -> None:
        self._starting, self._weighing = starting, weighing
        self._completing, self._budget = completing, budget

    def find(self) -> tuple[Drawing, Sample | None]:
        """Weights of drawn types with which all shares are inside, and the chains behind them."""
        weighing, drawing = self._weighing, self._starting.start()
        pools: list[Bools] = []
        for _ in range(POOLS):
            drawing.run(MOVES_MORE, self._budget)
            pools.append(drawing.columns.copy())
        pool, base = self._with_modest(np.hstack(pools))
        due, has_mixed = FOLLOWED, False
        for turn in range(MOST_TURNS):
            are_many = not turn and len(weighing.shares) > MANY
            first = weighing.weigh(pool, base, 0.0, 1.0, steps=0 if are_many else MOST_STEPS)
            missed = weighing.missed
            is_far = are_many or (not turn and missed.off > FAR)
            mixes = first is None and (is_far or not due) and self._is_common(missed)
            is_last_resort = not due if turn else not weighing.is_loose
            if first is None and is_last_resort:
                first = self._complete(
                    missed, drawing, FEW_HELPS if mixes and not has_mixed else MOST_HELPS
                )
            if first is not None:
                return drawing, first
            if mixes:
                drawing, pool, base = self._draw_mixture(missed, drawing, SURE[is_far])
                due, has_mixed = FOLLOWED, True
                continue
            due = due or FOLLOWED
            if due == FOLLOWED:
                drawing = self._starting.hold(drawing, weighing.lacking)
            drawing.follow(missed.factors, self._budget)
            helping = self._completing.find_helping(drawing, missed.helping, 0)
            modest = pad(self._starting.modest, len(drawing.columns))
            pool, base = weighing.renew(missed, np.hstack([drawing.columns, modest, helping]))
            due -= 1
        return drawing, None

    def _is_common(self, missed: Missed) -> bool:
        """Whether hardly any body is so rare that a mixture would have nobody in it."""
        shares = self._weighing.shares
        masses = shares.having(missed.columns) @ missed.weights
        rarest = float(np.quantile(masses[shares.bodies], PART))
        return bool(rarest > RARE * missed.weights.sum())

    def _complete(self, missed: Missed, drawing: Drawing, helps: int) -> Sample | None:
        """Weights by programmes: of few types where shares have one value, since these have steps.

        Else of many: where a body is rare, few are missed, and fewer would miss more.
        """
        weighing = self._weighing
        if weighing.is_loose:
            some = weighing.renew(missed, missed.columns[:, :0])
        else:
            some = weighing.thin(missed.columns, missed.weights)
        return self._completing.complete(*some, drawing, helps=helps)

    def _draw_mixture(
        self, missed: Missed, drawing: Drawing, sure: float
    ) -> tuple[Drawing, Bools, Floats]:
        """Types of a mixture whose shares are nearly inside, and chains that go on from them."""
        weighing, clauses, names = self._weighing, self._starting.clauses, len(self._starting.names)
        cells, light = weighing.choose(missed, CELLS)
        mixture = mix(weighing.shares, clauses, cells[:names], light, sure, self._budget)
        count = min(TYPES_EACH * len(weighing.shares), MOST_TYPES)
        columns, base = mixture.draw(count, OF_CELL, clauses)
        if not len(base):
            return drawing, missed.columns, missed.weights
        drawing = self._starting.move(drawing, columns)
        held = drawing.columns[:, drawing.columns[names:].any(0)]
        further = np.hstack([held, pad(self._starting.modest, len(held))])
        return drawing, *weighing.join(pad(columns, len(held)), base / base.sum(), further)

    def _with_modest(self, pool: Bools) -> tuple[Bools, Floats]:
        """The same types and modest ones, and what all of them weigh at first."""
        modest = pad(self._starting.modest, len(pool))
        return self._weighing.join(pool, self._weighing.base(pool), modest)
