"""The counts that conditionals are made of, with ⊤ beside the chosen concepts if it is wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boxsel.build.graph.counts import Counts, Integers


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """|A ⊓ B|, |A1 ⊓ A2 ⊓ B|, |∃r.A| and |B ⊓ ∃r.A|, over N concepts of which the last may be ⊤.

    `pairs[A, B]`, `triples[A1, A2, B]` (over the conjoined concepts), `reached[r, A]` and
    `linked[r, A, B]`, as in `Counts`.
    """

    pairs: Integers
    triples: Integers
    reached: Integers
    linked: Integers

    @classmethod
    def of(cls, counts: Counts) -> Measures:
        """The measures of counts; ⊤ is the last concept if its size was counted."""
        if counts.entities is None:
            return cls(counts.pairs, counts.triples, counts.reached, counts.linked)
        sizes = np.diagonal(counts.pairs)
        pairs = np.pad(counts.pairs, ((0, 1), (0, 1)))
        pairs[-1, :-1] = pairs[:-1, -1] = sizes
        pairs[-1, -1] = counts.entities
        reached = np.concatenate([counts.reached, counts.subjects[:, None]], axis=1)
        linked = np.pad(counts.linked, ((0, 0), (0, 1), (0, 1)))
        linked[:, :-1, -1] = counts.reached
        linked[:, -1, :-1] = counts.linked_subjects
        linked[:, -1, -1] = counts.subjects
        return cls(pairs, counts.triples, reached, linked)

    @property
    def sizes(self) -> Integers:
        """|A| for every concept."""
        return np.diagonal(self.pairs)
