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
from boxsel.models.arrays import Parameters, members_in
from boxsel.models.measuring import Floats, measured_pairs
from boxsel.models.numbering import Numbering
from boxsel.models.representations.representation import Representation
from boxsel.models.violations import stated

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
    members = members_in(parameters)
    said = [
        share
        for _, share in stated(kb, empty)[0]
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
    found = measured_pairs(representation, parameters, numbering, pairs)
    whole, both = np.nan_to_num(found).reshape(len(said), len(names), 2, members).swapaxes(0, 2)
    included = np.array([share.bounds.lower == 1 for share in said])[None, :, None]
    broken = np.where(included, whole - both, both)
    return np.asarray(np.max(broken, axis=(0, 1), initial=0.0))
