"""What drawn types lack where no weights of them bring every share inside its bounds.

Chains that are held in a body may all have one of its heads: then no weight makes room for the
others. A type with the heads that are too rare there and without those that are too frequent is
what would help most.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from boxsel.exact.compile.problem import Goal
from boxsel.exact.compile.vocabulary import Mask
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.samples.calibrating import Calibrated
from boxsel.exact.ways.samples.shares import Shares


def find_lacking(shares: Shares, having: Bools, found: Calibrated) -> Iterator[Goal]:
    """The goals whose types would help, body by body: those that help with all shares first."""
    masses: Floats = having @ found.weights
    rare: dict[Mask, list[Mask]] = {}
    frequent: dict[Mask, list[Mask]] = {}
    for number in np.flatnonzero(found.off).tolist():
        ratio = shares.ratios[number]
        body, both = masses[shares.bodies[number]], masses[shares.boths[number]]
        side = rare if both < shares.lower[number] * body else frequent
        side.setdefault(ratio.body, []).append(ratio.both)
    for body in dict.fromkeys((*rare, *frequent)):
        wanted, unwanted = rare.get(body, []), tuple(frequent.get(body, ()))
        together = body
        for mask in wanted:
            together |= mask
        yield Goal(together, unwanted)
        if len(wanted) > 1:
            yield from (Goal(mask, unwanted) for mask in wanted)
        if len(unwanted) > 1:
            yield from (Goal(body, (mask,)) for mask in unwanted)
