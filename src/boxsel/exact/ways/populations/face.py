"""The types at which a proof is tight: only they can have weight where a bound is attained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Clause, Form, value
from boxsel.exact.compile.vocabulary import Mask, Type, bits
from boxsel.exact.types.gibbs import Chains, literals, placed
from boxsel.exact.types.space import relevant
from boxsel.exact.types.tables import Bools, kinds_of, table

LISTED: Final = 12
"""Over so many basic concepts all types are listed."""
CHAINS: Final = 200
TEMPERATURES: Final = (0.1, 0.02, 0.004)
SWEEPS: Final = 4


def tight_types(
    clauses: Sequence[Clause], about: Mask, form: Form, known: Sequence[Type], seed: int
) -> tuple[Mask, list[Type]]:
    """Types over the basic concepts that matter for some, at which a form is zero.

    All of them if these are few; else those that Gibbs moves find from known ones.
    """
    inside, chosen = relevant(clauses, about)
    places = list(bits(inside))
    place = {bit: n for n, bit in enumerate(places)}
    spelt = sorted({literals(clause, place) for clause in chosen})
    width = inside.bit_length()
    if len(places) <= LISTED:
        small = table(range(1 << len(places)), len(places))
        candidates = _spread(small, places, width)
        return inside, [
            kind
            for kind in candidates
            if value(form, kind) == 0 and all(clause.holds(kind) for clause in chosen)
        ]
    first = [kind for kind in dict.fromkeys(one & inside for one in known) if not value(form, kind)]
    if not first:
        return inside, []
    largest = max((abs(number) for _, number in form), default=1)
    terms = placed({mask: number / largest for mask, number in form}, place)
    chains = Chains(len(places), spelt, seed)
    found = dict.fromkeys(first)
    state = table(first, width)[places][:, np.resize(np.arange(len(first)), CHAINS)]
    for _ in range(SWEEPS):
        state = chains.run(terms, state, TEMPERATURES)
        for kind in _spread(state, places, width):
            if kind not in found and value(form, kind) == 0:
                found[kind] = None
    return inside, list(found)


def _spread(columns: Bools, places: Sequence[int], width: int) -> list[Type]:
    whole = np.zeros((width, columns.shape[1]), bool)
    whole[list(places)] = columns
    return kinds_of(whole)
