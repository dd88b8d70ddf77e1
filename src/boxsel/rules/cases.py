"""Cases: the law of total probability over cases that exclude each other.

From (Ai | B)[li, ui] and (Q | Ai ⊓ B)[mi, vi] for i = 1, …, n, where no two of the Ai share an
instance in B, follows (Q | B)[Σ li·mi, 1 − Σ li·(1 − vi)].

Proof. Let B be non-empty and |B| = 1. In case i at least li·mi of B is in Q, and at least
li·(1 − vi) is not (as in modus ponens, which is the case n = 1). The cases are disjoint, so
these amounts add up. Tight: take each Ai at its lower end, and the rest of B outside Q, or
inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom
from boxsel.logic.statements import Query
from boxsel.rules.amounts import Bounds
from boxsel.rules.figures import Floats, Rule, diamond, exclusive
from boxsel.rules.index import Numbers, Rows


def conclude(premises: Sequence[Bounds]) -> Bounds:
    """(Q | B) from (A1 | B), (Q | A1 ⊓ B), (A2 | B), (Q | A2 ⊓ B), ….

    Examples:
        >>> from fractions import Fraction as F
        >>> point = lambda number: Bounds(number, number)
        >>> conclude([point(F(9, 10)), point(F(4, 5)), point(F(1, 10)), point(F(9, 10))])
        Bounds(lower=Fraction(81, 100), upper=Fraction(81, 100))
    """
    cases = list(zip(premises[::2], premises[1::2], strict=True))
    return Bounds(
        sum(first.lower * inside.lower for first, inside in cases),
        1 - sum(first.lower * (1 - inside.upper) for first, inside in cases),
    )


class Distinctions:
    """One application for each share that several cases say something about."""

    def __init__(self, first: Numbers, inside: Numbers, which: Numbers, conclusions: Numbers):
        self.conclusions = conclusions
        self._first = first
        self._inside = inside
        self._which = which
        self._rows = Rows(which)

    def touched(self, changed: NDArray[np.bool_]) -> Numbers:
        """The applications with a case that changed."""
        if not len(self.conclusions):
            return self.conclusions
        dirty = changed[self._first] | changed[self._inside]
        return np.flatnonzero(np.bincount(self._which, weights=dirty) > 0)

    def screen(self, which: Numbers, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """The sums over the cases."""
        share = lower[self._first]
        low = self._sums(share * lower[self._inside])
        high = 1 - self._sums(share * (1 - upper[self._inside]))
        return low[which], high[which]

    def _sums(self, amounts: Floats) -> Floats:
        return np.bincount(self._which, weights=amounts).astype(np.float64)

    def premises(self, application: int) -> tuple[int, ...]:
        """The two shares of each case."""
        rows = self._rows[application]
        return tuple(int(row[case]) for case in rows for row in (self._first, self._inside))


def _rests_on(premises: Sequence[Query], conclusion: Query) -> Iterable[Axiom]:
    yield from exclusive(premises[::2])
    for first, inside in zip(premises[::2], premises[1::2], strict=True):
        yield from diamond(first, inside, conclusion)


CASES: Final = Rule(
    name="cases",
    statement="(Ai | B)[li, ui], (Q | Ai ⊓ B)[mi, vi], all Ai disjoint ⊢ "
    "(Q | B)[Σ li·mi, 1 − Σ li·(1 − vi)]",
    tight=True,
    conclude=conclude,
    find=lambda index: Distinctions(*index.distinctions),
    conditions=_rests_on,
)
