"""What every map of roles can do."""

from __future__ import annotations

from typing import ClassVar, Protocol

import numpy as np

from boxsel.models.arrays import Array, Corners, Parameters, Tables


class RoleMap(Protocol):
    """A role as a function of the space: `∃r.C` is where it leads into C.

    `is_model`: whether it is indeed a function. `complex_fillers`: whether C may be any box, or
    only that of a name. `links`: whether assertions `r(a, b)` mean something to it.
    """

    kind: ClassVar[str]
    is_model: ClassVar[bool]
    complex_fillers: ClassVar[bool]
    links: ClassVar[bool]

    def initial(
        self, random: np.random.Generator, roles: int, names: int, members: int, dim: int
    ) -> tuple[Tables, Tables]:
        """Tables of roles, whose row 0 is the identity, and further tables of names."""

    def inverse_image(
        self, parameters: Parameters, roles: Array, corners: Corners, names: Array | None
    ) -> Corners:
        """The lower and upper corners of `∃r.C` for a box C, not yet cut with the universe."""

    def image(self, parameters: Parameters, roles: Array, points: Array) -> Array | None:
        """Where roles lead from some points; none if they are no functions."""

    def uniformly(self) -> Similarity | None:
        """This kind of map with one scale for all dimensions; none if there is no such map."""

    def tails(
        self, parameters: Parameters, roles: Array, corners: Corners, subjects: Array
    ) -> tuple[Corners, Corners] | None:
        """A box C as seen from names that have an r-successor in it, and what it must lie inside.

        None for functions: what `∃r.C` is says all.
        """

    def size(self, roles: int, names: int, dim: int) -> int:
        """How many numbers the roles take."""


class Similarity(RoleMap, Protocol):
    """A role as a function that keeps the shape of things: it takes balls to balls."""

    def scale_and_shift(self, parameters: Parameters, roles: Array) -> tuple[Array, Array]:
        """The numbers d and b of the map `x ↦ d·x + b`."""
