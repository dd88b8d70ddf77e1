"""A split of an ontology's conditionals into what is learned and what is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.evaluation.conditionals import Aligned, Conditionals, Ints
from boxsel.evaluation.ontology import Ontology


@dataclass(frozen=True, eq=False)
class Pairs(Aligned):
    """Premises for queries `(E | C)`: `first` is `(D | C)`, and `second` is `(E | C ⊓ D)`.

    `query` is the place of the query that they are for. A pair has the shape of its second premise.
    Where D lies within C, the second premise is written `(E | D)`.
    """

    query: Ints
    first: Conditionals
    second: Conditionals

    def __post_init__(self) -> None:
        assert len(self.query) == len(self.first) == len(self.second)

    @property
    def shape(self) -> NDArray[np.int8]:
        """The shape that each pair belongs to."""
        return self.second.shape


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


ROOT: Final = "urn:boxsel:everything"
"""The name of the root where ⊤ has none: some representations have no box for everything."""


def with_named_root(split: Split) -> Split:
    """The same split with a named root in the place of ⊤, and all concepts within it.

    The queries and the pairs stay in their order, so that answers to the one are answers to the
    other.
    """
    ontology = split.ontology
    if ontology.root is not None:
        return split
    named = replace(ontology, root=ROOT)
    row = named.root_row

    def renamed(given: Conditionals) -> Conditionals:
        names = given.names.copy()
        names[given.has_body(0), 0] = row
        return replace(given, names=names)

    every = np.arange(1, named.size + 1)
    sizes = np.diagonal(ontology.pairs)[:-1]
    within = Conditionals.of(1, body=every, head=np.full(named.size, row), count=sizes, total=sizes)
    return replace(
        split,
        ontology=named,
        learning=Conditionals.joined([renamed(split.learning), within]),
        queries=renamed(split.queries),
        pairs=Pairs(split.pairs.query, renamed(split.pairs.first), renamed(split.pairs.second)),
    )
