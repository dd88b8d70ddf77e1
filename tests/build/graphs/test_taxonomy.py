"""The taxonomy's order is reachability, cycles included; its axioms say no more and no less."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boxsel.build.graphs.taxonomy import Order, Taxonomy
from boxsel.logic.axioms import Equivalence, Inclusion
from boxsel.logic.concepts import TOP, Concept, Name
from boxsel.logic.names import TOP_IRI

NAMES = tuple("ABCDEFG")
links = st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), max_size=14)


def reachable(pairs: Sequence[tuple[str, str]], start: str) -> set[str]:
    """What can be reached from a class, by trying every link again and again."""
    seen = {start}
    for _ in NAMES:
        seen |= {high for low, high in pairs if low in seen}
    return seen


@given(links)
def test_above_is_reachability_and_below_is_its_inverse(pairs: list[tuple[str, str]]) -> None:
    taxonomy = Taxonomy.of(pairs)
    for name in NAMES:
        assert taxonomy.above(name) == reachable(pairs, name)
        assert taxonomy.below(name) == {low for low in NAMES if name in reachable(pairs, low)}


@given(links)
def test_cycles_are_the_classes_that_reach_each_other(pairs: list[tuple[str, str]]) -> None:
    found = {frozenset(cycle) for cycle in Taxonomy.of(pairs).cycles}
    expected = set()
    for name in NAMES:
        same = {other for other in reachable(pairs, name) if name in reachable(pairs, other)}
        if len(same) > 1:
            expected.add(frozenset(same))
    assert found == expected


def test_everything_is_below_the_top_without_a_link_to_it() -> None:
    taxonomy = Taxonomy.of([("A", TOP_IRI), ("A", "A")])
    assert "A" not in taxonomy.group_of
    assert taxonomy.above("A") == {"A"}


@given(links, st.permutations(NAMES), st.integers(2, 7), st.booleans())
def test_the_axioms_of_an_order_have_its_closure(
    pairs: list[tuple[str, str]], shuffled: list[str], size: int, top: bool
) -> None:
    chosen: list[str | None] = [*shuffled[:size], *([None] if top else [])]
    order = Order.of(Taxonomy.of(pairs), chosen)
    concepts: list[Concept] = [TOP if name is None else Name(name) for name in chosen]
    axioms = list(order.axioms(concepts))
    said = np.eye(len(chosen), dtype=bool)
    if top:
        said[:, -1] = True
    for axiom in axioms:
        if isinstance(axiom, Inclusion):
            assert axiom.right is not TOP
            said[concepts.index(axiom.left), concepts.index(axiom.right)] = True
        else:
            assert isinstance(axiom, Equivalence)
            members = [concepts.index(member) for member in axiom.members]
            said[np.ix_(members, members)] = True
    for _ in chosen:
        said = (said.astype(int) @ said.astype(int)) > 0
    assert np.array_equal(said, order.below)
    # None of them can be spared.
    for spare in axioms:
        if isinstance(spare, Inclusion):
            low, high = concepts.index(spare.left), concepts.index(spare.right)
            between = order.strictly[low] & order.strictly[:, high]
            assert not between.any()
