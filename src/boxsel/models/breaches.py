"""Breaches: the part of a name that breaks an inclusion or a disjointness.

As a share of its own body, a tiny overlap of two disjoint concepts is a tiny violation. But a
small concept may lie in just that overlap, and then all that is said about it is wrong. So what
must hold for everything is also measured in every name.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from boxsel.logic.concepts import Name, conjunction
from boxsel.logic.kb import KB
from boxsel.models.arrays import Parameters
from boxsel.models.emptiness import without_empty
from boxsel.models.measuring import Floats, batches, measured
from boxsel.models.numbering import Numbering
from boxsel.models.representations.representation import Representation
from boxsel.models.shares import RoleBox, shares_of

MOST: Final = 100_000
"""With more pairs of a deterministic share and a name, breaches are not looked for."""


def largest_breaches(
    kb: KB,
    numbering: Numbering,
    representation: Representation,
    parameters: Parameters,
    empty: frozenset[Name] = frozenset(),
) -> Floats:
    """For each member, the largest part of a name that breaks a deterministic statement.

    Zero if there are too many statements and names to look at all.
    """
    members = next(iter(parameters["names"].values())).shape[1]
    axioms = tuple(axiom for given in kb.axioms for axiom in without_empty(given, empty))
    roles = RoleBox.of(axioms)
    said = [
        share
        for axiom in axioms
        for share in shares_of(axiom, roles, split=False)
        if share.bounds.lower == 1 or share.bounds.upper == 0
    ]
    names = [name for name in kb.signature.concepts if name not in empty]
    if not said or len(said) * len(names) > MOST or not representation.complex_fillers:
        return np.zeros(members)
    # In each name: the body, and the body with the head.
    pairs = [
        (concept, name)
        for head, body, _ in said
        for name in names
        for concept in (body, conjunction(body, head))
    ]
    found = np.zeros((len(pairs), members))
    for batch in batches(pairs, numbering):
        found[batch.places] = measured(representation, parameters, batch)
    whole, both = np.nan_to_num(found).reshape(len(said), len(names), 2, members).swapaxes(0, 2)
    included = np.array([share.bounds.lower == 1 for share in said])[None, :, None]
    broken = np.where(included, whole - both, both)
    return np.asarray(np.max(broken, axis=(0, 1), initial=0.0))
