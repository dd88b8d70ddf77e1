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
    With `everything` all entities are counted too: ⊤ is one more concept.
    """

    concepts: tuple[str, ...]
    roles: tuple[str, ...] = ()
    conjoined: tuple[int, ...] = ()
    everything: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """How many entities there are of each kind that a conditional speaks of.

    With K conjoined concepts, R roles, and N chosen concepts, or one more if ⊤ was asked for, which
    is then the last, in the order in which they were chosen:

    - `pairs[A, B]` = |A ⊓ B|, and |A| on the diagonal: [N, N];
    - `triples[A1, A2, B]` = |A1 ⊓ A2 ⊓ B| over the conjoined concepts: [K, K, K];
    - `linked[r, A, B]` = |B ⊓ ∃r.A|: [R, N, N];
    - `reached[r, A]` = |∃r.A|: [R, N];
    - `members` is how many have a chosen concept.

    `patterns` is how many different rows the pattern tables have: of concepts, then of each role.
    """

    chosen: Chosen
    pairs: Integers
    triples: Integers
    reached: Integers
    linked: Integers
    patterns: tuple[int, ...] = ()
    members: int = 0

    @property
    def sizes(self) -> Integers:
        """|A| for every concept."""
        return np.diagonal(self.pairs)
