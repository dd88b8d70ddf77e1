"""Splits for representations without a box for everything: the root gets a name."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.splits.split import Pairs, Split

ROOT: Final = "urn:boxsel:everything"


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
