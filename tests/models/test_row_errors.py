"""Errors of rows: against violations of the same knowledge base, and against a plain loop."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.evaluation.ontology import Ontology
from boxsel.models import compiled as module
from boxsel.models.arrays import Parameters
from boxsel.models.batching import NEVER, Batching, Stratum
from boxsel.models.compiled import row_errors
from boxsel.models.concept_shapes import LEAF, Shape
from boxsel.models.measuring import Members, shares
from boxsel.models.representations.representation import Representation, Sizes
from boxsel.models.settings import Settings
from boxsel.models.task import Rows
from boxsel.models.violations import violations
from tests.depth import cases
from tests.evaluation.truth_populations import counted

MEMBERS = 3
ONTOLOGY = counted(1, concepts=4, roles=2)

CHOSEN = {
    "boxes, affine": Settings(dim=2),
    "boxes, dual": Settings(dim=2, roles="dual-boxes"),
    "balls": Settings(dim=2, representation="balls", roles="translation"),
    "free boxes": Settings(dim=2, preset="paper"),
}


def started(how: Representation, ontology: Ontology, seed: int) -> Parameters:
    numbering = ontology.numbering
    sizes = Sizes(len(numbering.names) + 1, len(numbering.roles) + 1, 0, MEMBERS)
    found = how.initial(np.random.default_rng(seed), sizes)
    if "extent" in found["names"]:
        found["names"]["extent"] -= seed  # small boxes do not meet: some conjunctions are empty
    return found


def one_by_one(
    how: Representation, parameters: Parameters, rows: Rows, place: int
) -> list[float | None]:
    """What a row is off in each member, by its definition; none where its body is empty."""
    slots: list[tuple[Shape, int, list[int]]] = [
        (("r", LEAF), name, [role]) if role else (LEAF, name, [])
        for name, role in zip(rows.names[place].tolist(), rows.roles[place].tolist(), strict=True)
    ]
    (one, first, one_role), (two, second, two_role), (head, last, head_role) = slots
    shape, names, roles = one, [first], one_role
    if second:
        shape, names, roles = ("and", one, two), [first, second], [*one_role, *two_role]
    found = shares(how, parameters, (shape, head), [*names, last], [*roles, *head_role])
    lower, upper = rows.lower[place], rows.upper[place]
    return [
        None if np.isnan(share) else max(lower - share, 0.0) + max(share - upper, 0.0)
        for share in found
    ]


@pytest.mark.parametrize("name", CHOSEN)
def test_against_violations_and_a_loop(name: str) -> None:
    how = CHOSEN[name].chosen_representation()
    said = ONTOLOGY.conditionals().unique()
    rows, kb = said.rows(), ONTOLOGY.kb(said)
    assert len(rows) == len(kb)
    skipped = 0
    for seed in range(3):
        parameters = started(how, ONTOLOGY, seed)
        errors = row_errors(how, parameters, rows)
        wanted = violations(kb, Members(how, parameters, ONTOLOGY.numbering))
        np.testing.assert_allclose(errors.mean, wanted.errors, atol=1e-9)
        np.testing.assert_allclose(errors.largest, wanted.largest, atol=1e-9)
        table = [one_by_one(how, parameters, rows, place) for place in range(len(rows))]
        for member in range(MEMBERS):
            off = [line[member] for line in table]
            defined = [one for one in off if one is not None]
            skipped += len(off) - len(defined)
            assert errors.counted[member] == len(defined)
            assert errors.mean[member] == pytest.approx(np.mean(defined), abs=1e-9)
            assert errors.largest[member] == pytest.approx(max(defined), abs=1e-9)
    assert skipped or name != "boxes, affine", "no body was empty: nothing was left out"


def test_the_size_of_pieces_and_what_fills_them_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    how = CHOSEN["boxes, affine"].chosen_representation()
    rows = ONTOLOGY.conditionals().rows()
    parameters = started(how, ONTOLOGY, 5)
    whole = row_errors(how, parameters, rows)
    nothing = np.zeros((9, 3), np.int32)
    more = Rows(
        np.concatenate([nothing, rows.names]),
        np.concatenate([nothing, rows.roles]),
        np.concatenate([np.zeros(9), rows.lower]),
        np.concatenate([np.full(9, NEVER), rows.upper]),
    )
    monkeypatch.setattr(module, "AT_ONCE", 16)
    for some in (rows, more):
        errors = row_errors(how, parameters, some)
        np.testing.assert_allclose(errors.mean, whole.mean, atol=1e-12)
        np.testing.assert_array_equal(errors.largest, whole.largest)
        np.testing.assert_array_equal(errors.counted, whole.counted)


def test_without_rows_there_is_no_error() -> None:
    how = CHOSEN["boxes, affine"].chosen_representation()
    empty = ONTOLOGY.conditionals().rows().take(np.zeros(0, np.int64))
    errors = row_errors(how, started(how, ONTOLOGY, 0), empty)
    for part in errors:
        np.testing.assert_array_equal(part, np.zeros(MEMBERS))


def said_by(piece: Stratum) -> list[tuple[float, ...]]:
    """The rows of a piece, without those that fill it up."""
    nothing = np.zeros(len(piece.lower))
    columns = [
        nothing if column is None else column
        for column in (
            piece.body, piece.body_role, piece.second, piece.second_role,
            piece.head, piece.head_role, piece.lower, piece.upper,
        )
    ]  # fmt: skip
    return [
        row
        for row in zip(*(column.tolist() for column in columns), strict=True)
        if row[-1] != NEVER
    ]


@settings(max_examples=cases(60))
@given(st.integers(0, 300), st.integers(1, 70), st.integers(0, 999), st.booleans(), st.booleans())
def test_pieces_have_every_row_once(
    number: int, size: int, seed: int, whole: bool, universe: bool
) -> None:
    random = np.random.default_rng(seed)
    names = random.integers(0, 5, (number, 3), np.int32)
    roles = random.integers(0, 3, (number, 3), np.int32) * (random.random((number, 3)) < 0.4)
    lower, upper = np.sort(random.integers(0, 5, (2, number)) / 4, axis=0)
    rows = Rows(names, roles.astype(np.int32), lower, upper)
    batching = Batching(rows, 64, 0, np.float64, whole=whole, universe=universe)
    pieces = list(batching.pieces(size))
    found = Counter(row for piece in pieces for row in said_by(piece))
    slots = [names[:, 0], roles[:, 0], names[:, 1], roles[:, 1], names[:, 2], roles[:, 2]]
    wanted = Counter(zip(*(one.tolist() for one in (*slots, lower, upper)), strict=True))
    assert found == wanted
    assert {len(piece.lower) for piece in pieces} == {size}
