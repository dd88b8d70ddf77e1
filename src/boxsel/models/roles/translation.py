"""Roles as translations `x ↦ x + b`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boxsel.models.arrays import Array, Corners, Parameters, Tables, bounded, namespace
from boxsel.models.representations.representation import Sizes


@dataclass(frozen=True, slots=True)
class Translation:
    """A shift for every dimension."""

    kind: ClassVar[str] = "translation"
    is_model: ClassVar[bool] = True
    complex_fillers: ClassVar[bool] = True
    links: ClassVar[bool] = True

    def initial(self, random: np.random.Generator, sizes: Sizes, dim: int) -> tuple[Tables, Tables]:
        """Small shifts."""
        shift = random.normal(0.0, 0.1, (sizes.roles, sizes.members, dim))
        shift[0] = 0.0
        return {"shift": shift}, {}

    def inverse_image(
        self, parameters: Parameters, roles: Array, corners: Corners, names: Array | None
    ) -> Corners:
        """`(m − b, M − b)`."""
        del names
        shift = self._shift(parameters, roles)
        return corners[0] - shift, corners[1] - shift

    def scale_and_shift(self, parameters: Parameters, roles: Array) -> tuple[Array, Array]:
        """1 and b."""
        shift = self._shift(parameters, roles)
        return namespace(shift).ones_like(shift[..., :1]), shift

    def image(self, parameters: Parameters, roles: Array, points: Array) -> Array:
        """`x + b`."""
        return points + self._shift(parameters, roles)

    def uniformly(self) -> Translation:
        """Translations as they are."""
        return self

    def tails(
        self, parameters: Parameters, roles: Array, corners: Corners, subjects: Array
    ) -> None:
        """None: a function needs no tail."""

    def size(self, roles: int, names: int, dim: int) -> int:
        """n|R|."""
        del names
        return roles * dim

    def _shift(self, parameters: Parameters, roles: Array) -> Array:
        return bounded(parameters["roles"]["shift"][roles])
