"""Shares of conditionals in members, straight from their rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from boxsel.evaluation.conditionals import Conditionals, Floats
from boxsel.models.arrays import Parameters, members_in
from boxsel.models.concept_shapes import LEAF, Shape
from boxsel.models.measuring import Batch, ends, shares
from boxsel.models.representations.representation import Representation

_EXISTS: Final[Shape] = ("r", LEAF)

SHAPES: Final[dict[int, tuple[tuple[Shape, Shape], list[int], list[int]]]] = {
    1: ((LEAF, LEAF), [0, 2], []),
    2: ((("and", LEAF, LEAF), LEAF), [0, 1, 2], []),
    3: ((_EXISTS, LEAF), [0, 2], [0]),
    4: ((LEAF, _EXISTS), [0, 2], [2]),
}
"""For each of the four normal forms: its shape, and the slots of its names and of its roles."""

AT_ONCE: Final = 256
"""How many queries are in work at once."""


def batches_of(asked: Conditionals) -> Iterator[Batch]:
    """Conditionals by their shape, as what representations measure."""
    for number, (shape, names, roles) in SHAPES.items():
        places = np.flatnonzero(asked.shape == number)
        if len(places):
            yield Batch(
                shape,
                asked.names[places][:, names].astype(np.int32),
                asked.roles[places][:, roles].astype(np.int32).reshape(len(places), -1),
                places,
            )


def asked_shares(
    representation: Representation, parameters: Parameters, asked: Conditionals
) -> Floats:
    """The share of each conditional in each member; NaN where its body is empty."""
    found: Floats = np.full((len(asked), members_in(parameters)), np.nan)
    for batch in batches_of(asked):
        for start in range(0, len(batch), AT_ONCE):
            some = slice(start, start + AT_ONCE)
            rows = ([*batch.names[some].T], [*batch.roles[some].T])
            found[batch.places[some]] = shares(representation, parameters, batch.shape, *rows)
    return found


def spanned(values: Floats, counts: Sequence[int]) -> Floats:
    """The intervals that the first members span, for several numbers of members: [c, q, 2]."""
    found: Floats = np.stack([ends(values[:, :count]) for count in counts])
    return found
