"""The certain side of an answer, in growing slices of time.

What was found in one slice is kept, and the next is twice as long. So more time means all that less
time would have done, and then some: intervals only ever get closer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from boxsel.exact.anytime import CHAINED, Partial, within
from boxsel.exact.bounds import Bounds, completed
from boxsel.exact.reasoner import Reasoner
from boxsel.inner import Inner
from boxsel.logic.statements import Query

FIRST: Final = 0.5
"""The seconds of the first slice."""

FIRST_LARGE: Final = 2.0
"""The same for a large knowledge base, where every slice looks at the neighbourhood first."""

EVIDENCE: Final = 0.5
"""The seconds that minimal evidence may take where no more are left."""


@dataclass(frozen=True)
class Known:
    """What is known at the end of a slice: an interval, and the whole answer if it was found."""

    partial: Partial
    bounds: Bounds | None = None

    @property
    def inner(self) -> Inner | None:
        """What models that were met show to be possible."""
        inner = self.partial.inner
        return None if inner is None else Inner.between(inner.lower, inner.upper)


def proved(
    reasoner: Reasoner, query: Query, seconds: float | None, *, minimal: bool = True
) -> Iterator[Known]:
    """What is known after each slice, until all is, or the time is over, or somebody stops it.

    `minimal` evidence is worth as much time as an answer.
    """
    budget = reasoner.budget
    end = inf if seconds is None else time.monotonic() + seconds
    length = FIRST if len(reasoner.kb) < CHAINED else FIRST_LARGE
    known = Partial()
    while True:
        left = end - time.monotonic()
        budget.seconds = None if end == inf else max(0.0, min(length, left))
        budget.renew()
        reasoner.try_again()
        found = within(reasoner, query)
        left = end - time.monotonic()
        if not isinstance(found, Partial):
            budget.seconds = None if end == inf else max(EVIDENCE, left)
            budget.renew()
            yield Known(known, completed(reasoner, found, minimal=minimal))
            return
        known = replace(known.tightened(found.lower, found.upper), inner=found.inner or known.inner)
        yield Known(known)
        if budget.stopped or left <= 0:
            return
        length *= 2
