"""Concepts by shape mean what they mean one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.errors import BoxselError, InvalidStatementError
from boxsel.logic.concepts import BOTTOM, TOP, And, Concept, Exists, Name, Role, names
from boxsel.models.concept_shapes import LEAF, existentials, leaves, region, shaped
from boxsel.models.numbering import Numbering
from boxsel.models.representations.boxes import Box, Boxes
from boxsel.models.representations.representation import Sizes
from tests.strategies import PLAIN_CONCEPTS, ROLES, concepts, plain_names

NUMBERING = Numbering(tuple(PLAIN_CONCEPTS), tuple(ROLES))
BOXES = Boxes(2)
PARAMETERS = BOXES.initial(
    np.random.default_rng(0), Sizes(len(PLAIN_CONCEPTS) + 1, len(ROLES) + 1, 0, members=3)
)
A, B = names("A B")
r = Role("r")


def recursive(concept: Concept) -> Box:
    """The box of a concept, straight from the definitions."""
    match concept:
        case Exists():
            row = NUMBERING.role(concept.role)
            tables = PARAMETERS["roles"]
            scale, shift = np.exp(tables["scale"][row]), tables["shift"][row]
            lower, upper = recursive(concept.filler)
            return Box(
                np.maximum((lower - shift) / scale, 0), np.minimum((upper - shift) / scale, 1)
            )
        case And():
            boxes = [recursive(operand) for operand in concept.operands]
            return Box(
                np.max([box.lower for box in boxes], axis=0),
                np.min([box.upper for box in boxes], axis=0),
            )
    return BOXES.names(PARAMETERS, NUMBERING.name(concept))


@given(concepts(plain_names, leaves=8))
def test_regions_by_shape_are_those_by_recursion(concept: Concept) -> None:
    shape, rows, roles = shaped(concept, NUMBERING)
    assert (len(rows), len(roles)) == (leaves(shape), existentials(shape))
    found = region(BOXES, PARAMETERS, shape, rows, roles)
    np.testing.assert_allclose(found, recursive(concept), atol=1e-12)


@given(st.lists(concepts(plain_names), min_size=1, max_size=4))
def test_many_concepts_of_one_shape_at_once(given_concepts: list[Concept]) -> None:
    shape = shaped(given_concepts[0], NUMBERING).shape
    same = [one for one in given_concepts if shaped(one, NUMBERING).shape == shape]
    rows = [shaped(one, NUMBERING) for one in same]
    table = np.array([row.names for row in rows]).T
    roles = np.array([row.roles for row in rows], int).reshape(len(same), -1).T
    found = region(BOXES, PARAMETERS, shape, [*table], [*roles])
    for place, concept in enumerate(same):
        np.testing.assert_allclose(found.lower[place], recursive(concept).lower, atol=1e-12)


@given(st.permutations([A, B, r.some(A), r.some(B & r.some(A))]))
def test_the_order_of_conjuncts_does_not_matter(parts: list[Concept]) -> None:
    one, other = shaped(And(*parts), NUMBERING), shaped(And(*sorted(parts, key=str)), NUMBERING)
    assert one.shape == other.shape
    found = region(BOXES, PARAMETERS, *one)
    np.testing.assert_allclose(found, region(BOXES, PARAMETERS, *other))


def test_names_and_everything_have_one_shape() -> None:
    assert shaped(A, NUMBERING).shape == shaped(TOP, NUMBERING).shape == LEAF
    assert shaped(r.some(TOP), NUMBERING) == (("r", LEAF), (0,), (1,))


def test_a_complex_filler_is_read_by_its_fresh_name() -> None:
    fresh = Name("Fresh")
    numbering = Numbering((A, B, fresh), (r,), atoms={A & B: fresh})
    assert shaped(r.some(A & B), numbering, complex_fillers=False) == (("r", LEAF), (3,), (1,))
    assert shaped(r.some(A & B), numbering).names == (1, 2)
    assert shaped(A & B, numbering, complex_fillers=False).names == (1, 2)
    with pytest.raises(BoxselError, match="only for names, not for r some A"):
        shaped(r.some(r.some(A)), numbering, complex_fillers=False)


@pytest.mark.parametrize(
    ("concept", "error", "message"),
    [
        (BOTTOM, BoxselError, "owl:Nothing cannot be asked about"),
        (A & BOTTOM, BoxselError, "owl:Nothing cannot be asked about"),
        (Name("Unheard"), InvalidStatementError, "no concept Unheard"),
        (Role("unheard").some(A), InvalidStatementError, "no role unheard"),
    ],
)
def test_what_has_no_shape(concept: Concept, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        shaped(concept, NUMBERING)
