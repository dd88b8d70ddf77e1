"""Representations by name."""

from __future__ import annotations

import pytest

from boxsel.errors import BoxselError
from boxsel.models.representations.by_name import (
    REPRESENTATIONS,
    ROLE_MAPS,
    representation_of,
)
from tests.models.representations.cases import PAIRS


def test_representations_know_their_names() -> None:
    for kind, roles in PAIRS:
        representation = representation_of(kind, roles, 3)
        assert (representation.kind, representation.dim) == (kind, 3)
    assert {kind for kind, _ in PAIRS} == set(REPRESENTATIONS)
    assert {roles for _, roles in PAIRS} == set(ROLE_MAPS)


@pytest.mark.parametrize(
    ("kind", "roles", "message"),
    [
        (
            "box",
            "affine",
            "no representation 'box': choose one of boxes, balls, populations\n"
            "  help: did you mean boxes",
        ),
        ("boxes", "dualboxes", "no map of roles 'dualboxes': (.|\n)*did you mean dual-boxes"),
        ("mixtures", "affine", "no representation 'mixtures': choose one of boxes, balls"),
    ],
)
def test_unknown_names_are_answered_with_known_ones(kind: str, roles: str, message: str) -> None:
    with pytest.raises(BoxselError, match=message):
        representation_of(kind, roles, 2)
