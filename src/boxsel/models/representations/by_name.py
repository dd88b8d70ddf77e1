"""Representations and maps of roles by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import Final, TypeVar

from boxsel.errors import BoxselError
from boxsel.models.representations.balls import Balls
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import Representation, RoleMap
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.dual_boxes import DualBoxes
from boxsel.models.roles.translation import Translation

ROLE_MAPS: Final[Mapping[str, Callable[[], RoleMap]]] = {
    Affine.kind: Affine,
    Translation.kind: Translation,
    DualBoxes.kind: DualBoxes,
}

REPRESENTATIONS: Final[Mapping[str, Callable[[int, RoleMap], Representation]]] = {
    Boxes.kind: Boxes,
    Balls.kind: Balls.over,
}

Entry = TypeVar("Entry")


def representation_of(kind: str, roles: str, dim: int) -> Representation:
    """A representation by its name and that of its map of roles.

    Raises:
        BoxselError: There is no such name, or these two do not go together.

    Examples:
        >>> representation_of("boxes", "affine", 2)
        Boxes(dim=2, roles=Affine(uniform=False))
    """
    return _entry(REPRESENTATIONS, kind, "representation")(dim, role_map_of(roles))


def role_map_of(kind: str) -> RoleMap:
    """A map of roles by its name."""
    return _entry(ROLE_MAPS, kind, "map of roles")()


def _entry(entries: Mapping[str, Entry], name: str, what: str) -> Entry:
    if name in entries:
        return entries[name]
    close = get_close_matches(name, entries, n=1)
    advice = f"did you mean {close[0]}?" if close else f"there are {', '.join(entries)}"
    raise BoxselError(f"there is no {what} {name!r}: {advice}")
