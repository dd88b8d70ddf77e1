"""What is counted in a graph, and the counts, with ⊤ beside the chosen concepts if it is wanted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The concepts and roles that conditionals are about, by their names in the graph.

    `conjoined` are the places of the concepts over which conjunctions of two are counted.
    With `everything` the number of all entities is counted too: the size of ⊤.
    """

    concepts: tuple[str, ...]
    roles: tuple[str, ...] = ()
    conjoined: tuple[int, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How many entities there are of each kind that a conditional speaks of.

    With N chosen concepts, K conjoined ones and R roles, in the order in which they were chosen:

    - `pairs[A, B]` = |A ⊓ B|, and |A| on the diagonal: [N, N];
    - `triples[A1, A2, B]` = |A1 ⊓ A2 ⊓ B| over the conjoined concepts: [K, K, K];
    - `reached[r, A]` = |∃r.A|: [R, N];
    - `linked[r, A, B]` = |B ⊓ ∃r.A|: [R, N, N];
    - `subjects[r]` = |∃r.⊤|: [R], and `linked_subjects[r, B]` = |B ⊓ ∃r.⊤|: [R, N];
    - `entities` = |⊤|, if it was asked for; `members` is how many have a chosen concept.

    `patterns` is how many different rows the pattern tables have: of concepts, then of each role.
    """

    chosen: Chosen
    pairs: Integers
    triples: Integers
    reached: Integers
    linked: Integers
    subjects: Integers
    linked_subjects: Integers
    entities: int | None
    patterns: tuple[int, ...]
    members: int = 0


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
