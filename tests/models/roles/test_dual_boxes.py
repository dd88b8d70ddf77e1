"""Roles as head and tail boxes, with bumps."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel.errors import BoxselError
from boxsel.models.representations.boxes import Box, Boxes, box_inside
from boxsel.models.roles.dual_boxes import DualBoxes
from tests.models.representations.cases import case

BOXES = Boxes(3, DualBoxes())
PARAMETERS = case("boxes", "dual-boxes", 3).parameters


def end(kind: str, role: int) -> Box:
    tables = PARAMETERS["roles"]
    return box_inside(tables[f"{kind}_position"][role], tables[f"{kind}_extent"][role])


def test_an_existential_is_the_head_moved_back_by_the_bump() -> None:
    head = end("head", 2)
    bump = PARAMETERS["names"]["bump"][3]
    box = BOXES.some(PARAMETERS, 2, BOXES.names(PARAMETERS, 3), 3)
    np.testing.assert_allclose(box.lower, np.maximum(head.lower - bump, 0))
    np.testing.assert_allclose(box.upper, np.minimum(head.upper - bump, 1))
    assert np.any(box.lower != head.lower)


def test_everything_has_no_bump() -> None:
    box = BOXES.some(PARAMETERS, 1, BOXES.names(PARAMETERS, 0), 0)
    np.testing.assert_allclose(box, end("head", 1))


def test_rows_with_and_without_a_role_may_be_mixed() -> None:
    roles, names = np.array([[0, 1], [2, 0]]), np.array([[1, 2], [3, 4]])
    filler = BOXES.names(PARAMETERS, names)
    box = BOXES.some(PARAMETERS, roles, filler, names)
    np.testing.assert_allclose(box.lower[0, 0], filler.lower[0, 0])
    np.testing.assert_allclose(box.upper[1, 1], filler.upper[1, 1])
    alone = BOXES.some(PARAMETERS, 2, BOXES.names(PARAMETERS, 3), 3)
    np.testing.assert_allclose(box.lower[1, 0], alone.lower)


def test_fillers_are_names() -> None:
    assert not BOXES.complex_fillers
    with pytest.raises(BoxselError, match="only for names"):
        BOXES.some(PARAMETERS, 1, BOXES.names(PARAMETERS, 1), None)


def test_fillers_moved_by_the_bumps_of_subjects_belong_into_the_tail() -> None:
    filler, tail = BOXES.names(PARAMETERS, 3), end("tail", 1)
    bump = PARAMETERS["names"]["bump"][4]
    moved = Box(filler.lower + bump, filler.upper + bump)
    sides = np.minimum(moved.upper, tail.upper) - np.maximum(moved.lower, tail.lower)
    share = np.prod(np.maximum(sides, 0), -1) / np.prod(moved.upper - moved.lower, -1)
    found = BOXES.log_tail_share(PARAMETERS, 1, filler, 4)
    assert found is not None
    np.testing.assert_allclose(np.exp(found), share)
    assert np.any(share < 1)


def test_role_assertions_are_ignored() -> None:
    assert not BOXES.links
    points = BOXES.points(PARAMETERS, np.arange(2))
    assert np.all(BOXES.link_distance(PARAMETERS, np.array([1, 2]), points, points[::-1]) == 0)


def test_the_number_of_parameters() -> None:
    assert DualBoxes().size(6, 127, 32) == 4 * 32 * 6 + 32 * 127
