"""The chosen concepts in the order of the taxonomy, as matrices, and as axioms."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxsel.build.graph.taxonomy import Taxonomy
from boxsel.logic.axioms import Axiom, Equivalence, Inclusion
from boxsel.logic.concepts import TOP, Concept

Truths = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Order:
    """Which of some concepts are below which, by the taxonomy alone.

    `below[a, b]`: a ⊑ b, every concept below itself. Of concepts that are the same, the first
    stands for all: it is their `leader`.
    """

    below: Truths

    @classmethod
    def of(cls, taxonomy: Taxonomy, concepts: Sequence[str | None]) -> Order:
        """The order of concepts given by their names in the graph; `None` is ⊤."""
        size = len(concepts)
        below = np.eye(size, dtype=bool)
        place = {name: number for number, name in enumerate(concepts)}
        for number, name in enumerate(concepts):
            if name is None:
                below[:, number] = True
                continue
            for higher in taxonomy.above(name):
                if higher in place:
                    below[number, place[higher]] = True
        return cls(below)

    @property
    def leaders(self) -> Truths:
        """The concepts that stand for themselves."""
        same = self.below & self.below.T
        first: Truths = np.argmax(same, axis=1) == np.arange(len(same))
        return first

    @property
    def strictly(self) -> Truths:
        """`strictly[a, b]`: a ⊑ b and not b ⊑ a."""
        return self.below & ~self.below.T

    def axioms(self, concepts: Sequence[Concept]) -> Iterator[Axiom]:
        """The fewest axioms that say the same: equivalences, and inclusions without detours."""
        same = self.below & self.below.T
        leaders = self.leaders
        for leader in np.flatnonzero(leaders).tolist():
            members = np.flatnonzero(same[leader]).tolist()
            if len(members) > 1:
                yield Equivalence(*(concepts[member] for member in members))
        strictly = self.strictly & leaders[:, None] & leaders[None, :]
        # An inclusion with something in between follows from two others.
        detours = (strictly.astype(np.int64) @ strictly.astype(np.int64)) > 0
        for low, high in np.argwhere(strictly & ~detours).tolist():
            if concepts[high] is not TOP:
                yield Inclusion(concepts[low], concepts[high])
