"""Concepts as axis-parallel boxes inside a universe box, and what all boxes can do."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from boxsel.models.arrays import Array, Parameters, hard_log, largest, namespace, sigmoid
from boxsel.models.representations.representation import RoleMap, Sizes
from boxsel.models.roles.affine import Affine


class Box(NamedTuple):
    """The lower and the upper corner; empty where an upper coordinate is not above the lower."""

    lower: Array
    upper: Array


class BoxGeometry:
    """What all representations by boxes share: boxes are closed under intersection."""

    __slots__ = ()
    roles: RoleMap

    @property
    def links(self) -> bool:
        """Whether roles lead from points to points."""
        return self.roles.links

    @property
    def complex_fillers(self) -> bool:
        """Whether the map of roles takes any box."""
        return self.roles.complex_fillers

    def meet(self, one: Box, other: Box) -> Box:
        """The larger lower and the smaller upper corner."""
        array = namespace(one.lower)
        return Box(array.maximum(one.lower, other.lower), array.minimum(one.upper, other.upper))

    def log_measure(self, region: Box, temperature: Array | None = None) -> Array:
        """The logarithm of the volume: the sum of those of the sides, hard or softened."""
        length = region.upper - region.lower
        array = namespace(length)
        if temperature is None:
            return array.sum(hard_log(array.maximum(length, 0.0)), axis=-1)
        from boxsel.models.softness import log_soft_length

        return array.sum(log_soft_length(length, temperature), axis=-1)

    def distance(self, region: Box, points: Array) -> Array:
        """The largest distance over dimensions."""
        array = namespace(points)
        outside = array.maximum(region.lower - points, points - region.upper)
        return largest(array.maximum(outside, 0.0), axis=-1)

    def link_distance(
        self, parameters: Parameters, roles: Array, one: Array, other: Array
    ) -> Array:
        """The largest distance over dimensions between where the role leads and the other point."""
        image = self.roles.image(parameters, roles, one)
        if image is None:
            return namespace(one).zeros_like(one[..., 0])
        return largest(abs(image - other), axis=-1)

    def log_tail_share(
        self,
        parameters: Parameters,
        roles: Array,
        filler: Box,
        subjects: Array,
        temperature: Array | None = None,
    ) -> Array | None:
        """The part of the filler, moved by the bumps of the subjects, that is in the tails."""
        tails = self.roles.tails(parameters, roles, filler, subjects)
        if tails is None:
            return None
        moved, tail = Box(*tails[0]), Box(*tails[1])
        part = self.log_measure(self.meet(moved, tail), temperature)
        return part - self.log_measure(moved, temperature)


def box_inside(position: Array, extent: Array) -> Box:
    """A box inside the unit cube, from any two numbers for each dimension."""
    width = sigmoid(extent)
    lower = sigmoid(position) * (1 - width)
    return Box(lower, lower + width)


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
        roles, more = self.roles.initial(random, sizes, self.dim)
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
