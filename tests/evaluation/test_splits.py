"""Splits: nothing asked is known, every premise is, and the numbers of the paper's table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Conditionals
from boxsel.evaluation.ontologies.synthetic import DRAWINGS, drawn
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.splits.split import premises_for
from boxsel.evaluation.splits.variants import (
    PUBLISHED_PARTS,
    THIN,
    VARIANTS,
    splits_of,
    strict_split,
    thin_split,
)
from boxsel.logic.axioms import Conditional
from tests.depth import cases
from tests.evaluation.populations import Counting, countings
from tests.evaluation.test_conditionals import said

SIZES = ("person", "country", "hybrid")


@pytest.fixture(scope="module")
def ontologies() -> dict[str, Ontology]:
    return {name: drawn(f"synthetic-{name}", DRAWINGS[f"synthetic-{name}"]) for name in SIZES}


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize(
    ("name", "first", "second", "third"),
    [
        ("person", (10_962, 3_480), (75_264, 17_856), 65_772),
        ("country", (638, 176), (17_864, 3_696), 638),
        ("hybrid", (120, 30), (1_320, 270), 2_160),
    ],
)
def test_the_papers_table(
    ontologies: dict[str, Ontology],
    name: str,
    first: tuple[int, int],
    second: tuple[int, int],
    third: int,
    seed: int,
) -> None:
    root, names = (split.numbers() for split in splits_of(ontologies[name], "paper", seed))
    assert (root["PNF1"]["learned"], root["PNF1"]["pairs"]) == first
    assert (names["PNF2"]["learned"], names["PNF2"]["pairs"]) == second
    assert root["PNF3"]["learned"] == third


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", ["country", "hybrid"])
def test_splits_are_as_they_should_be(
    ontologies: dict[str, Ontology], name: str, variant: str
) -> None:
    for seed in range(3):
        for split in splits_of(ontologies[name], variant, seed):
            assert split.problems() == []
            again = next(
                one for one in splits_of(ontologies[name], variant, seed) if one.part == split.part
            )
            np.testing.assert_array_equal(split.learning.keys, again.learning.keys)
            np.testing.assert_array_equal(split.queries.keys, again.queries.keys)
    one, other = (splits_of(ontologies[name], variant, seed)[0] for seed in (0, 1))
    assert set(one.queries.keys.tolist()) != set(other.queries.keys.tolist())


def test_query_concepts_of_the_paper_are_never_bodies(ontologies: dict[str, Ontology]) -> None:
    ontology = ontologies["country"]
    for split in splits_of(ontology, "paper", 0):
        asked = split.queries.names[:, 2]
        assert not np.isin(split.learning.names[:, 0], asked).any()
        if split.part == "root":
            assert split.queries.has_body(ontology.root_row).all()


def test_strict_removes_the_queries_and_nothing_else(ontologies: dict[str, Ontology]) -> None:
    for ontology in ontologies.values():
        split = strict_split(ontology, 1)
        every = ontology.conditionals()
        both = Conditionals.joined([split.learning, split.queries])
        assert sorted(both.keys.tolist()) == sorted(every.keys.tolist())
        of_root = every.has_body(ontology.root_row)
        asked_of_root = split.queries.has_body(ontology.root_row)
        for shape in (1, 4):
            number = int((of_root & (every.shape == shape)).sum())
            found = int((asked_of_root & (split.queries.shape == shape)).sum())
            assert found == round(0.3 * number)


def test_thin_is_nested_and_keeps_what_makes_a_root(ontologies: dict[str, Ontology]) -> None:
    ontology = ontologies["country"]
    splits = [thin_split(ontology, 2, percent) for percent in THIN]
    whole = strict_split(ontology, 2)
    for percent, smaller, larger in zip(THIN, splits, [*splits[1:], whole], strict=True):
        assert smaller.learning.within(larger.learning).all()
        np.testing.assert_array_equal(smaller.queries.keys, whole.queries.keys)
        about = ontology.about_root()
        inclusions = about.take(about.has_head(ontology.root_row) & (about.shape == 1))
        assert (inclusions.count == inclusions.total).all()
        assert inclusions.within(smaller.learning).all()
        rest = len(smaller.learning) - len(inclusions)
        expected = percent / 100 * (len(whole.learning) - len(inclusions))
        assert rest == pytest.approx(expected, abs=4 * expected**0.5)


def test_what_is_published_is_the_thinned_split_in_whole_per_cents(
    ontologies: dict[str, Ontology],
) -> None:
    ontology = ontologies["country"]
    for percent in PUBLISHED_PARTS:
        (split,), thinned = (
            splits_of(ontology, f"published-{percent}", 2),
            thin_split(ontology, 2, percent),
        )
        np.testing.assert_array_equal(split.learning.keys, thinned.learning.keys)
        np.testing.assert_array_equal(split.queries.keys, thinned.queries.keys)
        stated, points = [*split.kb().axioms], [*thinned.kb().axioms]
        assert len(stated) == len(points)
        for rounded, counted in zip(stated, points, strict=True):
            assert isinstance(rounded, Conditional)
            assert isinstance(counted, Conditional)
            assert (rounded.head, rounded.body) == (counted.head, counted.body)
            assert counted.bounds.lower in rounded.bounds
            if counted.bounds.lower in (0, 1):
                assert rounded.bounds == counted.bounds


@settings(max_examples=cases(60))
@given(countings(least=2), st.integers(0, 1 << 30))
def test_premises_against_a_search_one_by_one(counting: Counting, seed: int) -> None:
    ontology = counting.ontology
    every = ontology.conditionals()
    random = np.random.default_rng(seed)
    asked = random.random(len(every)) < 0.3
    queries = every.take(asked & np.isin(every.shape, (1, 4)))
    known = every.take(~every.within(queries) & (random.random(len(every)) < 0.8))
    pairs = premises_for(ontology, queries, known)
    firsts, seconds = said(pairs.first), said(pairs.second)
    found = list(zip(pairs.query.tolist(), firsts, seconds, strict=True))
    assert len(set(found)) == len(found)
    assert set(found) == set(_slowly(counting, queries, known))


def _slowly(counting: Counting, queries: Conditionals, known: Conditionals) -> list[object]:
    """Every pair of known premises `(D | C)` and `(E | C ⊓ D)`, the latter `(E | D)` in the root.

    D may be a concept, or a restriction where the query is about the root and a plain concept.
    """
    ontology = counting.ontology
    there = set(said(known))
    nothing, root = (0, 0), (ontology.root_row, 0)
    concepts = [(name, 0) for name in range(1, ontology.size + 1)]
    links = [
        (name, role)
        for name in range(1, ontology.size + 1)
        for role in range(1, len(ontology.roles) + 1)
    ]
    found: list[object] = []
    for place, (body, head) in enumerate(said(queries)):
        asked = next((part for part in body if part != nothing), nothing)
        for middle in [*concepts, *links]:
            if asked == root:
                if not counting.extension(*middle) or (middle[1] and head[1]) or middle == head:
                    continue
                second = (tuple(sorted((middle, nothing))), head)
            else:
                if middle[1] or head[1] or middle in (asked, head) or head == root:
                    continue
                second = (tuple(sorted((middle, asked))), head)
            first = (tuple(sorted((asked, nothing))), middle)
            if first in there and second in there:
                found.append((place, first, second))
    return found


@settings(max_examples=cases(60))
@given(countings(least=3), st.sampled_from(list(VARIANTS)), st.integers(0, 9))
def test_any_ontology_is_split_or_refused(counting: Counting, variant: str, seed: int) -> None:
    try:
        splits = splits_of(counting.ontology, variant, seed)
    except BoxselError as error:
        assert "too small" in str(error)
        return
    for split in splits:
        counting.check(split.learning)
        counting.check(split.queries)
        counting.check(split.pairs.first)
        counting.check(split.pairs.second)
        truth = split.queries.share[split.pairs.query]
        one, two = split.pairs.first.share, np.nan_to_num(split.pairs.second.share)
        assert (one * two <= truth + 1e-12).all()
        assert (truth <= one * two + 1 - one + 1e-12).all()


def test_an_unknown_variant_is_refused(ontologies: dict[str, Ontology]) -> None:
    with pytest.raises(BoxselError, match="choose one of paper, strict, thin-3"):
        splits_of(ontologies["hybrid"], "loose", 0)
