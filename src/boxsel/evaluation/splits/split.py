"""A split of an ontology's conditionals into what is learned and what is asked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boxsel.evaluation.conditionals import Conditionals, Ints
from boxsel.evaluation.ontology import Ontology


@dataclass(frozen=True, eq=False)
class Pairs:
    """Premises for queries `(E | C)`: `first` is `(D | C)`, and `second` is `(E | C ⊓ D)`.

    `query` is the place of the query that they are for. A pair has the shape of its second premise.
    Where D lies within C, the second premise is written `(E | D)`.
    """

    query: Ints
    first: Conditionals
    second: Conditionals

    def __post_init__(self) -> None:
        assert len(self.query) == len(self.first) == len(self.second)

    def __len__(self) -> int:
        return len(self.query)

    @property
    def shape(self) -> NDArray[np.int8]:
        """The shape that each pair belongs to."""
        return self.second.shape

    def take(self, which: NDArray[np.bool_]) -> Pairs:
        """Those of which something is true."""
        return Pairs(self.query[which], self.first.take(which), self.second.take(which))


@dataclass(frozen=True, eq=False)
class Split:
    """What is learned, what is asked, and the pairs of premises that bear on what is asked.

    `part` names the split among those that one seed gives: most variants have one, `all`.
    The queries are conditionals with their true shares, which nobody who learns may see.
    """

    ontology: Ontology
    variant: str
    seed: int
    part: str
    learning: Conditionals
    queries: Conditionals
    pairs: Pairs

    def problems(self) -> list[str]:
        """What is wrong with it, in words: nothing, if it is a split as it should be."""
        found = []
        known = self.queries.within(self.learning)
        if known.any():
            found.append(f"{int(known.sum()):,} queries are in the learning set")
        if len(self.queries.unique()) < len(self.queries):
            found.append("a query is asked twice")
        for words, premises in (("first", self.pairs.first), ("second", self.pairs.second)):
            missing = ~premises.within(self.learning)
            if missing.any():
                found.append(f"{int(missing.sum()):,} {words} premises are not in the learning set")
        if len(self.pairs) and not (self.pairs.query < len(self.queries)).all():
            found.append("a pair is for no query")
        return found

    def numbers(self) -> dict[str, dict[str, int]]:
        """By shape: how many conditionals are learned, without the root's, and how many pairs."""
        root = self.ontology.root_row
        learned = self.learning
        about_root = learned.has_body(root) | learned.has_head(root)
        return {
            f"PNF{shape}": {
                "learned": int(((learned.shape == shape) & ~about_root).sum()),
                "root": int(((learned.shape == shape) & about_root).sum()),
                "pairs": int((self.pairs.shape == shape).sum()),
            }
            for shape in (1, 2, 3, 4)
        }
