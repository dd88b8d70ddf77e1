"""The paper's theorem on runtime: a share takes O((c + d)·n) operations, counted and not timed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.logic.concepts import And, Concept, Exists, conjunction, names
from boxsel.models.measuring import Members
from boxsel.models.numbering import Numbering
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.representation import Sizes
from tests.depth import cases
from tests.strategies import PLAIN_CONCEPTS, ROLES, concepts, plain_names

MANY = names(" ".join(f"X{number}" for number in range(40)))
NUMBERING = Numbering((*PLAIN_CONCEPTS, *MANY), tuple(ROLES))
SIZES = Sizes(len(NUMBERING.names) + 1, len(ROLES) + 1, 0, members=1)
KINDS = [Boxes, FreeBoxes]


class Counted(np.ndarray[Any, Any]):
    """Arrays that count how many numbers are computed from them."""

    operations = 0

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **more: Any) -> Any:
        plain = [np.asarray(one) if isinstance(one, Counted) else one for one in inputs]
        found = getattr(ufunc, method)(*plain, **more)
        Counted.operations += max(np.size(one) for one in (*plain, found))
        return np.asarray(found).view(Counted)

    def __array_function__(self, function: Any, types: Any, args: Any, more: Any) -> Any:
        plain = [np.asarray(one) if isinstance(one, Counted) else one for one in args]
        found = function(*plain, **more)
        Counted.operations += max(np.size(one) for one in (*plain, found))
        return np.asarray(found).view(Counted)


def operations(kind: type[Boxes | FreeBoxes], dim: int, head: Concept, body: Concept) -> int:
    """How many operations one share takes in one member."""
    boxes = kind(dim)
    tables = boxes.initial(np.random.default_rng(0), SIZES)
    counting = {
        key: {name: table.view(Counted) for name, table in group.items()}
        for key, group in tables.items()
    }
    Counted.operations = 0
    Members(boxes, counting, NUMBERING).share(head, body)
    return Counted.operations


def size(concept: Concept) -> int:
    """How many names and constructors a concept has."""
    if isinstance(concept, And):
        return len(concept.operands) - 1 + sum(map(size, concept.operands))
    return 1 + size(concept.filler) if isinstance(concept, Exists) else 1


@pytest.mark.parametrize("kind", KINDS)
@given(concepts(plain_names), concepts(plain_names), st.integers(1, 40))
@settings(max_examples=cases(60))
def test_a_share_takes_linear_time(
    kind: type[Boxes | FreeBoxes], head: Concept, body: Concept, dim: int
) -> None:
    least = operations(kind, 1, PLAIN_CONCEPTS[0], PLAIN_CONCEPTS[1])
    assert 0 < operations(kind, dim, head, body) <= least * (size(head) + size(body)) * dim


@pytest.mark.parametrize("kind", KINDS)
def test_every_conjunct_every_role_and_every_dimension_costs_the_same(
    kind: type[Boxes | FreeBoxes],
) -> None:
    head = PLAIN_CONCEPTS[0]
    wide = [operations(kind, 8, head, conjunction(*MANY[:count])) for count in range(1, 40)]
    nested: Concept = MANY[0]
    deep = []
    for _ in range(20):
        nested = Exists(ROLES[0], nested)
        deep.append(operations(kind, 8, head, nested))
    sized = [operations(kind, dim, head, nested & MANY[1]) for dim in range(1, 40)]
    for counts in (wide, deep, sized):
        assert len({*np.diff(counts).tolist()}) == 1
