"""The paper's boxes: a lower corner anywhere, and sides exp(δ). There is no universe."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from boxsel.models.arrays import Array, Parameters, namespace
from boxsel.models.representations.boxes import Box, BoxGeometry
from boxsel.models.representations.representation import RoleMap, Sizes
from boxsel.models.roles.affine import Affine


@dataclass(frozen=True, slots=True)
class FreeBoxes(BoxGeometry):
    """Boxes `[m, m + exp(δ)]`, which a regulariser only encourages to stay in `[0, side]`.

    ⊤ has the box `[0, side]`: good enough for axioms like `∃r.⊤ ⊑ A`, but no number that a
    conditional could be about. So members are no models with a domain of their own.
    """

    dim: int
    roles: RoleMap = field(default_factory=Affine)
    side: float = 1.0
    kind: ClassVar[str] = "free-boxes"
    is_model: ClassVar[bool] = False

    def initial(self, random: np.random.Generator, sizes: Sizes) -> Parameters:
        """Boxes whose sides are about as long as the region, near its lower corner, as in BoxEL."""
        shape = (sizes.names, sizes.members, self.dim)
        position = self.side * random.uniform(1e-4, 0.2, shape)
        extent = np.log(self.side) + random.uniform(-0.1, 0.0, shape)
        position[0], extent[0] = 0.0, np.log(self.side)
        roles, more = self.roles.initial(random, sizes, self.dim)
        place = self.side * random.uniform(0.0, 1.0, (sizes.individuals, sizes.members, self.dim))
        return {
            "names": {"position": position, "extent": extent, **more},
            "roles": roles,
            "individuals": {"place": place},
        }

    def names(self, parameters: Parameters, ids: Array) -> Box:
        """The boxes of names, by their rows."""
        tables = parameters["names"]
        lower, extent = tables["position"][ids], tables["extent"][ids]
        return Box(lower, lower + namespace(extent).exp(extent))

    def some(self, parameters: Parameters, roles: Array, filler: Box, names: Array | None) -> Box:
        """The inverse image of a box."""
        return Box(*self.roles.inverse_image(parameters, roles, filler, names))

    def image(self, parameters: Parameters, roles: Array, box: Box) -> Box:
        """Where roles lead from a box."""
        return Box(
            self.roles.image(parameters, roles, box.lower),
            self.roles.image(parameters, roles, box.upper),
        )

    def points(self, parameters: Parameters, ids: Array) -> Array:
        """Points anywhere."""
        return parameters["individuals"]["place"][ids]
