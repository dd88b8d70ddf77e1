"""Splits that remove the queries and nothing else, and splits that keep only a part of the rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from boxsel.evaluation.conditionals import Conditionals, Truths
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.premises import premises_for
from boxsel.evaluation.splits.split import Split

SHARE: Final = 0.3
"""The part of the conditionals about the root, and of those between plain concepts, that is asked.
"""


def strict_split(ontology: Ontology, seed: int) -> Split:
    """All conditionals but the queries: 30 % of `(Q | root)`, of `(∃r.A | root)`, of `(Q | B)`.

    The last are over the conjoined concepts, whose conjunctions give them premises.
    """
    random = np.random.default_rng([seed, 2])
    every = ontology.conditionals()
    asked = np.zeros(len(every), bool)
    for group in _groups(ontology, every):
        places = np.flatnonzero(group)
        number = round(SHARE * len(places))
        asked[random.choice(places, number, replace=False)] = True
    queries, learning = every.take(asked), every.take(~asked)
    pairs = premises_for(ontology, queries, learning)
    return Split(ontology, "strict", seed, "all", learning, queries, pairs)


def thin_split(ontology: Ontology, seed: int, percent: int) -> Split:
    """The same queries, and a random part of what else is known.

    That the concepts lie within a named root is always kept: it is what makes it a root.
    """
    whole = strict_split(ontology, seed)
    random = np.random.default_rng([seed, 3])
    known = whole.learning
    # One number for each conditional: what is kept of a smaller part is kept of a larger one.
    kept = random.random(len(known)) < percent / 100
    kept |= _says_root(ontology, known)
    learning = known.take(kept)
    pairs = premises_for(ontology, whole.queries, learning)
    return replace(whole, variant=f"thin-{percent}", learning=learning, pairs=pairs)


def _groups(ontology: Ontology, every: Conditionals) -> list[Truths]:
    """`(Q | root)`, `(∃r.A | root)`, and `(Q | B)` over the conjoined concepts."""
    of_root = every.has_body(ontology.root_row)
    conjoined = np.array(ontology.conjoined, np.int64) + 1
    plain = (every.shape == 1) & ~of_root
    between = np.isin(every.names[:, 0], conjoined) & np.isin(every.names[:, 2], conjoined)
    return [of_root & (every.shape == 1), of_root & (every.shape == 4), plain & between]


def _says_root(ontology: Ontology, known: Conditionals) -> Truths:
    """`(root | A)` that is 1."""
    if ontology.root is None:
        return np.zeros(len(known), bool)
    certain: Truths = (known.shape == 1) & (known.count == known.total)
    return certain & known.has_head(ontology.root_row)
