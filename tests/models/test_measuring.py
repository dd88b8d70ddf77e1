"""Shares of queries, one by one and many at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.logic.concepts import TOP, Concept, Role, names
from boxsel.models import measuring
from boxsel.models.arrays import Parameters
from boxsel.models.measuring import Floats, Members, batches
from boxsel.models.numbering import Numbering
from boxsel.models.representations.by_name import representation_of
from boxsel.models.representations.representation import Representation, Sizes
from tests.strategies import PLAIN_CONCEPTS, ROLES, concepts, plain_names

NUMBERING = Numbering(tuple(PLAIN_CONCEPTS), tuple(ROLES))
SIZES = Sizes(len(PLAIN_CONCEPTS) + 1, len(ROLES) + 1, 0, members=3)
A, B, C, D = names("A B C D")
r, s = Role("r"), Role("s")

REPRESENTATIONS = [("boxes", "affine"), ("balls", "affine"), ("boxes", "translation")]
queries = st.lists(st.tuples(concepts(plain_names), concepts(plain_names)), max_size=8)


def ensemble(kind: str, roles: str, seed: int = 0) -> tuple[Representation, Parameters]:
    how = representation_of(kind, roles, 2)
    parameters = how.initial(np.random.default_rng(seed), SIZES)
    extent = parameters["names"]["extent"]
    extent[1:] = np.random.default_rng(seed + 1).normal(-1.0, 0.5, extent[1:].shape)
    return how, parameters


def answers(
    how: Representation, parameters: Parameters, pairs: list[tuple[Concept, Concept]]
) -> Floats:
    found = np.full((len(pairs), SIZES.members), 7.0)
    for batch in batches(pairs, NUMBERING, how.complex_fillers):
        found[batch.places] = Members(how, parameters, NUMBERING).measured(batch)
    return found


@pytest.mark.parametrize("kind", REPRESENTATIONS, ids=str)
@given(pairs=queries)
def test_many_queries_are_answered_like_one(
    kind: tuple[str, str], pairs: list[tuple[Concept, Concept]]
) -> None:
    how, parameters = ensemble(*kind)
    found = answers(how, parameters, pairs)
    for place, (head, body) in enumerate(pairs):
        one = Members(how, parameters, NUMBERING).share(head, body)
        np.testing.assert_allclose(found[place], one, rtol=1e-12)
        whole = how.log_measure(Members(how, parameters, NUMBERING).region(body))
        assert np.array_equal(np.isnan(one), whole == -np.inf)
        some = one[~np.isnan(one)]
        assert np.all((some >= 0) & (some <= 1 + 1e-12))


@pytest.mark.parametrize("kind", REPRESENTATIONS, ids=str)
@given(concept=concepts(plain_names))
def test_every_concept_is_all_of_itself_and_inside_everything(
    kind: tuple[str, str], concept: Concept
) -> None:
    how, parameters = ensemble(*kind)
    for head in (concept, TOP):
        share = Members(how, parameters, NUMBERING).share(head, concept)
        np.testing.assert_allclose(share[~np.isnan(share)], 1.0, rtol=1e-9)


def test_an_empty_body_has_no_share() -> None:
    """And no division by zero: a warning would be an error here."""
    how, parameters = ensemble("boxes", "affine")
    tables = parameters["names"]
    tables["position"][1], tables["position"][2] = -40.0, 40.0
    tables["extent"][1:3] = -1.0
    assert np.all(np.isnan(Members(how, parameters, NUMBERING).share(C, A & B)))
    assert np.all(np.isnan(answers(how, parameters, [(C, A & B)])))
    assert np.all(Members(how, parameters, NUMBERING).share(B, A) == 0.0)


def test_batches_have_one_shape_and_keep_their_places() -> None:
    pairs: list[tuple[Concept, Concept]] = [(A, B), (r.some(A), B), (C, TOP), (A, B & C)]
    found = batches(pairs, NUMBERING)
    assert [batch.places.tolist() for batch in found] == [[0, 2], [1], [3]]
    assert found[0].names.tolist() == [[2, 1], [0, 3]]
    assert found[0].roles.shape == (2, 0)
    assert sum(map(len, found)) == len(pairs)
    assert batches([], NUMBERING) == []


@pytest.mark.parametrize("kind", REPRESENTATIONS[:2], ids=str)
def test_compiled_chunks_equal_numpy(
    kind: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last chunk is not full; some bodies are empty; all is in double precision."""
    how, parameters = ensemble(*kind)
    atoms: list[Concept] = [*PLAIN_CONCEPTS, TOP]
    pairs: list[tuple[Concept, Concept]] = [
        (one & r.some(other), other & s.some(third))
        for one in PLAIN_CONCEPTS[:3]
        for other in PLAIN_CONCEPTS
        for third in atoms
        if one != other
    ]
    expected = answers(how, parameters, pairs)
    assert np.isnan(expected).any()
    assert (expected > 0).any()
    numbers = SIZES.members * 2 * 5
    monkeypatch.setattr(measuring, "FEW_NUMBERS", 0)
    monkeypatch.setattr(measuring, "CHUNK", 7 * numbers)
    assert len(pairs) % 7
    np.testing.assert_allclose(answers(how, parameters, pairs), expected, rtol=1e-10, atol=1e-12)
