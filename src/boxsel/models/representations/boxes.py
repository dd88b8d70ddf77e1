"""Concepts as axis-parallel boxes inside a universe box."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from boxsel.models.arrays import Array, Parameters, namespace, sigmoid
from boxsel.models.representations.box import Box, BoxGeometry, box_inside
from boxsel.models.representations.representation import Sizes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.role_map import RoleMap

WHOLE = 40.0
"""Its sigmoid is 1 in any precision: the width of the universe."""


@dataclass(frozen=True, slots=True)
class Boxes(BoxGeometry):
    """Boxes in the unit cube: the width is σ(extent), the lower corner σ(position)·(1 − width).

    So every box lies inside the universe, whatever its numbers are, and ⊤ has the volume 1.
    """

    dim: int
    roles: RoleMap = field(default_factory=Affine)
    kind: ClassVar[str] = "boxes"

    @property
    def is_model(self) -> bool:
        """Whether the map of roles is a function of the space."""
        return self.roles.is_model

    @property
    def complex_fillers(self) -> bool:
        """Whether the map of roles takes any box."""
        return self.roles.complex_fillers

    def initial(self, random: np.random.Generator, sizes: Sizes) -> Parameters:
        """Boxes anywhere, of very different volumes, whatever the dimension is.

        The logarithm of a side is that of a uniform number, times c / n; c is between 1/3 and 3.
        """
        shape = (sizes.names, sizes.members, self.dim)
        power = np.exp(random.uniform(-np.log(3), np.log(3), (*shape[:2], 1))) / self.dim
        side = np.clip(random.uniform(1e-3, 1.0, shape) ** power, 1e-3, 1 - 1e-4)
        place = random.uniform(0.02, 0.98, shape)
        position, extent = (np.log(part / (1 - part)) for part in (place, side))
        position[0], extent[0] = 0.0, WHOLE
        roles, more = self.roles.initial(random, sizes.roles, sizes.names, sizes.members, self.dim)
        place = random.normal(0.0, 1.5, (sizes.individuals, sizes.members, self.dim))
        return {
            "names": {"position": position, "extent": extent, **more},
            "roles": roles,
            "individuals": {"place": place},
        }

    def names(self, parameters: Parameters, ids: Array) -> Box:
        """The boxes of names, by their rows."""
        tables = parameters["names"]
        return box_inside(tables["position"][ids], tables["extent"][ids])

    def some(self, parameters: Parameters, roles: Array, filler: Box, names: Array | None) -> Box:
        """The inverse image of a box, cut with the universe."""
        lower, upper = self.roles.inverse_image(parameters, roles, filler, names)
        array = namespace(lower)
        return Box(array.maximum(lower, 0.0), array.minimum(upper, 1.0))

    def points(self, parameters: Parameters, ids: Array) -> Array:
        """Points of the unit cube."""
        return sigmoid(parameters["individuals"]["place"][ids])
