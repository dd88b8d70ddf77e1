"""Small taxonomies of random populations, counted; not everything in them lies within the root."""

from __future__ import annotations

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from boxsel.errors import BoxselError
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.splits.variants import splits_of


def counted(
    seed: int, *, entities: int = 9, concepts: int = 4, roles: int = 1, rooted: bool = True
) -> Ontology:
    """A random population and its counts; some concepts are narrowed to others, as in taxonomies.

    All concepts lie within the root, but not all that has a role does.
    """
    random = np.random.default_rng(seed)
    member = random.random((entities, concepts)) < random.uniform(0.3, 0.9, concepts)
    for concept in range(1, concepts):
        if random.random() < 0.4:
            member[:, concept] &= member[:, random.integers(concept)]
    root = np.ones(entities, bool)
    if rooted:
        root[-2:] = False
    member &= root[:, None]
    links = random.random((roles, entities, entities)) < 1.5 / entities
    reaching = np.einsum("rxy,ya->rxa", links, member) > 0
    whole = np.column_stack([member, root]).astype(np.int64)
    part = member.astype(np.int64)
    return Ontology(
        name=f"population-{seed}",
        concepts=tuple("ABCDEFGH"[:concepts]),
        root="Root" if rooted else None,
        roles=tuple("rst"[:roles]),
        conjoined=tuple(range(concepts)),
        pairs=whole.T @ whole,
        triples=np.einsum("xa,xb,xc->abc", part, part, part),
        reached=reaching.sum(axis=1),
        linked=np.einsum("rxa,xb->rab", reaching.astype(np.int64), whole),
    )


populations = st.builds(counted, st.integers(0, 10**6), rooted=st.booleans())


def possible_splits(ontology: Ontology, variant: str, seed: int) -> tuple[Split, ...]:
    """Splits; a population whose concepts are too small for them is no example."""
    try:
        return splits_of(ontology, variant, seed)
    except BoxselError:
        reject()
