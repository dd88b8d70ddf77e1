"""The paper's splits: some concepts are query concepts, and never occur as bodies.

Queries about the root and queries about conjunctions need each a learning set of their own: a query
`(Q | B)` of the second kind is a premise of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from boxsel.evaluation.conditionals import Conditionals, Ints
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.premises import premises_for
from boxsel.evaluation.splits.split import Split

PUBLISHED: Final = {127: 40, 50: 18, 30: 8, 13: 3}
"""How many query concepts there are of how many: what the paper's table of splits implies."""

SHARE: Final = 0.3
"""The part that become query concepts elsewhere."""


def paper_splits(ontology: Ontology, seed: int) -> Iterator[Split]:
    """The splits of one seed: `root` for PNF1, PNF3 and PNF4, `names` for PNF2."""
    random = np.random.default_rng([seed, 1])
    yield _of_root(ontology, seed, _drawn(random, np.arange(ontology.size)))
    if len(ontology.conjoined) > 2:
        yield _of_names(ontology, seed, _drawn(random, np.array(ontology.conjoined)))


def _drawn(random: np.random.Generator, concepts: Ints) -> Ints:
    """The rows of query concepts."""
    number = PUBLISHED.get(len(concepts), max(1, round(SHARE * len(concepts))))
    return np.sort(random.choice(concepts, number, replace=False)) + 1


def _of_root(ontology: Ontology, seed: int, chosen: Ints) -> Split:
    about = ontology.about_root()
    asked = about.has_body(ontology.root_row) & np.isin(about.names[:, 2], chosen)
    queries = about.take(asked)
    return _split(ontology, seed, "root", chosen, about.take(~asked), queries)


def _of_names(ontology: Ontology, seed: int, chosen: Ints) -> Split:
    about = ontology.about_root()
    asked = about.has_body(ontology.root_row) & np.isin(about.names[:, 2], chosen)
    others = np.setdiff1d(np.array(ontology.conjoined) + 1, chosen)
    listed = ontology.listed()
    of_names = (
        (listed.shape == 1)
        & np.isin(listed.names[:, 2], chosen)
        & np.isin(listed.names[:, 0], others)
        & listed.defined
    )
    queries = listed.take(of_names)
    return _split(ontology, seed, "names", chosen, about.take(~asked), queries)


def _split(
    ontology: Ontology,
    seed: int,
    part: str,
    chosen: Ints,
    about_root: Conditionals,
    queries: Conditionals,
) -> Split:
    every = Conditionals.joined([ontology.listed(), about_root])
    kept = ~np.isin(every.names[:, 0], chosen)
    learning = every.take(kept & ~every.within(queries))
    pairs = premises_for(ontology, queries, learning)
    return Split(ontology, "paper", seed, part, learning, queries, pairs)
