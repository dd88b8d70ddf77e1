"""Roles as two boxes, with a bump for every name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from boxsel.errors import BoxselError
from boxsel.models.arrays import Array, Corners, Parameters, Tables, bounded, namespace
from boxsel.models.numbering import NO_ROLE
from boxsel.models.representations.boxes import box_inside
from boxsel.models.representations.representation import Sizes


@dataclass(frozen=True, slots=True)
class DualBoxes:
    """A head and a tail box for every role: `∃r.C` is the head, moved back by the bump of C.

    So it is known for names and ⊤ only, whose bump is zero, and it is no model: `∃r.C` does not
    grow with C. `A ⊑ ∃r.B` also asks that B, moved by the bump of A, lies inside the tail.
    Individuals have no bumps, so role assertions say nothing here.
    """

    kind: ClassVar[str] = "dual-boxes"
    is_model: ClassVar[bool] = False
    complex_fillers: ClassVar[bool] = False
    links: ClassVar[bool] = False

    def initial(self, random: np.random.Generator, sizes: Sizes, dim: int) -> tuple[Tables, Tables]:
        """Wide heads and tails, and small bumps."""
        tables = {
            f"{end}_{part}": random.normal(mean, 0.5, (sizes.roles, sizes.members, dim))
            for end in ("head", "tail")
            for part, mean in (("position", 0.0), ("extent", 2.0))
        }
        for table in tables.values():
            table[NO_ROLE] = 0.0
        bump = random.normal(0.0, 0.1, (sizes.names, sizes.members, dim))
        bump[0] = 0.0
        return tables, {"bump": bump}

    def inverse_image(
        self, parameters: Parameters, roles: Array, corners: Corners, names: Array | None
    ) -> Corners:
        """`Head(r) − bump(C)`; where there is no role, C itself."""
        if names is None:
            raise BoxselError("dual boxes know `some` only for names: give the filler a name")
        bump = bounded(parameters["names"]["bump"][names])
        array = namespace(bump)
        lower, upper = _end(parameters, "head", roles)
        itself = array.asarray(roles)[..., None, None] == NO_ROLE
        return (
            array.where(itself, corners[0], lower - bump),
            array.where(itself, corners[1], upper - bump),
        )

    def image(self, parameters: Parameters, roles: Array, points: Array) -> None:
        """None: heads and tails are no function of points."""

    def uniformly(self) -> None:
        """None: these are boxes."""

    def tails(
        self, parameters: Parameters, roles: Array, corners: Corners, subjects: Array
    ) -> tuple[Corners, Corners]:
        """`C + bump(A)`, and the tail."""
        bump = bounded(parameters["names"]["bump"][subjects])
        return (corners[0] + bump, corners[1] + bump), _end(parameters, "tail", roles)

    def size(self, roles: int, names: int, dim: int) -> int:
        """4n|R| + n|C|."""
        return dim * (4 * roles + names)


def _end(parameters: Parameters, end: str, roles: Array) -> Corners:
    tables = parameters["roles"]
    return box_inside(tables[f"{end}_position"][roles], tables[f"{end}_extent"][roles])
