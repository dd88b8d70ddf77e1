"""Roles as affine maps `x ↦ d·x + b` with a positive diagonal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boxsel.models.arrays import Array, Corners, Parameters, Tables, bounded, namespace
from boxsel.models.representations.representation import Sizes

STEEPEST = 20.0
"""The largest logarithm of a scale: half a thousand millions, more than any space needs."""


@dataclass(frozen=True, slots=True)
class Affine:
    """A scale and a shift for every dimension; the scale is stored as its logarithm.

    With `uniform`, one scale serves all dimensions: it maps balls to balls.
    """

    uniform: bool = False
    kind: ClassVar[str] = "affine"
    is_model: ClassVar[bool] = True
    complex_fillers: ClassVar[bool] = True
    links: ClassVar[bool] = True

    def initial(self, random: np.random.Generator, sizes: Sizes, dim: int) -> tuple[Tables, Tables]:
        """Maps near the identity."""
        scale = random.normal(0.0, 0.1, (sizes.roles, sizes.members, 1 if self.uniform else dim))
        shift = random.normal(0.0, 0.1, (sizes.roles, sizes.members, dim))
        scale[0] = shift[0] = 0.0
        return {"scale": scale, "shift": shift}, {}

    def inverse_image(
        self, parameters: Parameters, roles: Array, corners: Corners, names: Array | None
    ) -> Corners:
        """`((m − b) / d, (M − b) / d)`."""
        del names
        stretch, shift = self._logarithm_and_shift(parameters, roles)
        shrink = namespace(shift).exp(-stretch)
        lower, upper = corners
        return bounded((lower - shift) * shrink), bounded((upper - shift) * shrink)

    def scale_and_shift(self, parameters: Parameters, roles: Array) -> tuple[Array, Array]:
        """The numbers d, one for each dimension or a single one, and b."""
        stretch, shift = self._logarithm_and_shift(parameters, roles)
        return namespace(shift).exp(stretch), shift

    def image(self, parameters: Parameters, roles: Array, points: Array) -> Array:
        """`d·x + b`."""
        scale, shift = self.scale_and_shift(parameters, roles)
        return points * scale + shift

    def uniformly(self) -> Affine:
        """The affine maps with one scale for all dimensions."""
        return Affine(uniform=True)

    def tails(
        self, parameters: Parameters, roles: Array, corners: Corners, subjects: Array
    ) -> None:
        """None: a function needs no tail."""

    def size(self, roles: int, names: int, dim: int) -> int:
        """2n|R|."""
        del names
        return roles * ((1 if self.uniform else dim) + dim)

    def _logarithm_and_shift(self, parameters: Parameters, roles: Array) -> tuple[Array, Array]:
        tables = parameters["roles"]
        return bounded(tables["scale"][roles], STEEPEST), bounded(tables["shift"][roles])
