"""Representations and maps of roles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from boxsel.errors import BoxselError
from boxsel.models.representations.balls import Balls
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Representation, RoleMap
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.dual_boxes import DualBoxes
from boxsel.models.roles.memberships import Memberships
from boxsel.models.roles.translation import Translation
from boxsel.wording import expect_known

ROLE_MAPS: Final[Mapping[str, Callable[[], RoleMap]]] = {
    Affine.kind: Affine,
    Translation.kind: Translation,
    DualBoxes.kind: DualBoxes,
    Memberships.kind: Memberships,
}

REPRESENTATIONS: Final[Mapping[str, Callable[[int, RoleMap], Representation]]] = {
    Boxes.kind: Boxes,
    Balls.kind: Balls.over,
    Populations.kind: Populations,
}


def representation_of(kind: str, roles: str, dim: int) -> Representation:
    """A representation by its name and that of its map of roles.

    Raises:
        BoxselError: There is no such name, or these two do not go together.

    Examples:
        >>> representation_of("boxes", "affine", 2)
        Boxes(dim=2, roles=Affine(uniform=False))
    """
    expect_known("representation", kind, REPRESENTATIONS)
    expect_known("map of roles", roles, ROLE_MAPS)
    if (kind == Populations.kind) != (roles == Memberships.kind):
        raise BoxselError(
            f"{kind} do not go with {roles} for roles: populations have memberships for roles,"
            " and nothing else has"
        )
    return REPRESENTATIONS[kind](dim, role_map_of(roles))


def role_map_of(kind: str) -> RoleMap:
    """A map of roles by its name."""
    expect_known("map of roles", kind, ROLE_MAPS)
    return ROLE_MAPS[kind]()
