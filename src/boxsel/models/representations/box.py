"""Axis-parallel boxes: two corners, and what can be done with them."""

from __future__ import annotations

from typing import NamedTuple

from boxsel.models.arrays import Array, Parameters, hard_log, largest, namespace, sigmoid
from boxsel.models.roles.role_map import RoleMap


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
        found = self.roles.tails(parameters, roles, filler, subjects)
        if found is None:
            return None
        moved, tail = Box(*found[0]), Box(*found[1])
        part = self.log_measure(self.meet(moved, tail), temperature)
        return part - self.log_measure(moved, temperature)


def box_inside(position: Array, extent: Array) -> Box:
    """A box inside the unit cube, from any two numbers for each dimension."""
    width = sigmoid(extent)
    lower = sigmoid(position) * (1 - width)
    return Box(lower, lower + width)
