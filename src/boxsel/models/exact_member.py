"""A member of an ensemble as a model in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from boxsel.models.arrays import Parameters
from boxsel.models.numbering import Numbering
from boxsel.models.representations.boxes import Boxes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.translation import Translation
from boxsel.models.witness import BoxModel, ExactBox, ExactMap, Vector


def exact_member(
    boxes: Boxes, parameters: Parameters, numbering: Numbering, member: int
) -> BoxModel:
    """The boxes, maps and points of one member, as the fractions that their floats are.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> from boxsel.models.representations.representation import Sizes
        >>> A, B = names("A B")
        >>> boxes = Boxes(2)
        >>> parameters = boxes.initial(np.random.default_rng(0), Sizes(3, 1, 0, 4))
        >>> model = exact_member(boxes, parameters, Numbering((A, B)), member=3)
        >>> 0 < model.boxes[A].volume < 1
        True
    """
    found = boxes.names(parameters, np.arange(1, len(numbering.names) + 1))
    lower, upper = found.lower[:, member], found.upper[:, member]
    points = boxes.points(parameters, np.arange(len(numbering.individuals)))[:, member]
    return BoxModel(
        boxes.dim,
        {
            name: ExactBox(_fractions(lower[row]), _fractions(upper[row]))
            for row, name in enumerate(numbering.names)
        },
        {
            role: _exact_map(boxes, parameters, row, member)
            for row, role in enumerate(numbering.roles, start=1)
        },
        {one: _fractions(points[row]) for row, one in enumerate(numbering.individuals)},
    )


def _exact_map(boxes: Boxes, parameters: Parameters, row: int, member: int) -> ExactMap:
    assert isinstance(boxes.roles, Affine | Translation)
    scale, shift = boxes.roles.scale_and_shift(parameters, np.array(row))
    shape = shift[member].shape
    return ExactMap(
        _fractions(np.broadcast_to(scale, shift.shape)[member].reshape(shape)),
        _fractions(shift[member]),
    )


def _fractions(numbers: NDArray[np.float64]) -> Vector:
    return tuple(map(Fraction, numbers.tolist()))
