"""Roles by what has a successor: a membership of every `∃r.A` in every cell of a population."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boxsel.errors import BoxselError
from boxsel.models.arrays import Array, Corners, Parameters, Tables
from boxsel.models.representations.representation import Sizes


@dataclass(frozen=True, slots=True)
class Memberships:
    """A line of memberships for every role, those of `∃r.⊤`, `∃r.A`, `∃r.B` … one after the other.

    It is no map of a space: only populations have such roles.
    """

    kind: ClassVar[str] = "memberships"
    is_model: ClassVar[bool] = True
    complex_fillers: ClassVar[bool] = False
    links: ClassVar[bool] = False

    def initial(self, random: np.random.Generator, sizes: Sizes, dim: int) -> tuple[Tables, Tables]:
        """Levels of any kind: it is the cells that differ."""
        level = random.normal(0.0, 1.5, (sizes.roles, sizes.members, sizes.names * dim))
        level[0] = 0.0
        return {"level": level}, {}

    def inverse_image(
        self, parameters: Parameters, roles: Array, corners: Corners, names: Array | None
    ) -> Corners:
        """There is none: boxes need a map."""
        del parameters, roles, corners, names
        raise BoxselError("memberships do not take boxes to boxes: choose affine or translation")

    def image(self, parameters: Parameters, roles: Array, points: Array) -> None:
        """None: an element may have many successors."""

    def uniformly(self) -> None:
        """None: this is no map."""

    def tails(
        self, parameters: Parameters, roles: Array, corners: Corners, subjects: Array
    ) -> None:
        """None: what `∃r.C` is says all."""

    def size(self, roles: int, names: int, dim: int) -> int:
        """n|R|(|C| + 1)."""
        return roles * (names + 1) * dim
