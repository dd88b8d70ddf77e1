"""What is left out of a counted graph follows from what stays."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.build.graphs.choice import Chosen, Counts
from boxsel.build.graphs.shapes import (
    NOTHING_KNOWN,
    SHAPES,
    Listing,
    Reason,
    Setting,
    Shape,
    Speller,
    listings,
    paper_listings,
)
from boxsel.build.graphs.taxonomy import Order, Taxonomy
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Axiom, Conditional, Disjointness, Inclusion
from boxsel.logic.concepts import TOP, Concept, Exists, Name, Role, conjunction, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.proportions import Count
from tests.depth import cases

NAMES = ("A", "B", "C", "D")
ROLES = ("r", "s")
ENTITIES = range(6)


@dataclass(frozen=True)
class Small:
    """A graph that can be counted by looking at every entity."""

    links: tuple[tuple[str, str], ...]
    types: tuple[frozenset[str], ...]
    facts: frozenset[tuple[int, str, int]]

    @property
    def taxonomy(self) -> Taxonomy:
        return Taxonomy.of(self.links)

    def closed(self, entity: int) -> set[str]:
        return {high for name in self.types[entity] for high in self.taxonomy.above(name)}

    def members(self, concept: Concept) -> set[int]:
        """The extension of a concept of one of the four shapes."""
        if concept is TOP:
            return set(ENTITIES)
        if isinstance(concept, Name):
            return {e for e in ENTITIES if str(concept) in self.closed(e)}
        assert isinstance(concept, Exists)
        return {
            subject
            for subject, role, reached in self.facts
            if role == str(concept.role) and reached in self.members(concept.filler)
        }


small_graphs = st.builds(
    Small,
    st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), min_size=1, max_size=4).map(
        tuple
    ),
    st.tuples(*(st.frozensets(st.sampled_from(NAMES), max_size=2) for _ in ENTITIES)),
    st.frozensets(
        st.tuples(st.sampled_from(ENTITIES), st.sampled_from(ROLES), st.sampled_from(ENTITIES)),
        max_size=7,
    ),
)


def setting(graph: Small, shapes: tuple[Shape, ...], *, top: bool, ordered: bool = True) -> Setting:
    """The graph counted entity by entity."""
    names: list[Concept] = [Name(name) for name in NAMES]
    own = [graph.members(name) for name in names]
    some = [[graph.members(Role(role).some(name)) for name in names] for role in ROLES]
    if top:
        own.append(graph.members(TOP))
        for role, ends in zip(ROLES, some, strict=True):
            ends.append(graph.members(Role(role).some(TOP)))
    conjoined = (0, 1, 3)
    counts = Counts(
        Chosen(NAMES, ROLES, conjoined, everything=top),
        pairs=np.array([[len(a & b) for b in own] for a in own]),
        triples=np.array(
            [
                [[len(own[a] & own[b] & own[c]) for c in conjoined] for b in conjoined]
                for a in conjoined
            ]
        ),
        reached=np.array([[len(ends) for ends in role] for role in some]),
        linked=np.array([[[len(ends & b) for b in own] for ends in role] for role in some]),
    )
    taxonomy = graph.taxonomy if ordered else Taxonomy.of(())
    order = Order.of(taxonomy, [*NAMES, None] if top else NAMES)
    return Setting(counts, order, shapes)


def speller(top: bool) -> Speller:
    concepts: list[Concept] = [Name(name) for name in NAMES]
    return Speller(concepts + [TOP] * top, (0, 1, 3), [Role(role) for role in ROLES])


def extension(graph: Small, concept: Concept) -> set[int]:
    return set.intersection(*(graph.members(part) for part in conjuncts(concept)))


shape_sets = st.lists(st.sampled_from(SHAPES), min_size=1, unique=True).map(tuple)


@given(small_graphs, shape_sets, st.booleans(), st.booleans())
@settings(max_examples=cases(100), deadline=None)
def test_everything_left_out_follows_from_what_stays(
    graph: Small, shapes: tuple[Shape, ...], top: bool, ordered: bool
) -> None:
    about = setting(graph, shapes, top=top, ordered=ordered)
    spell = speller(top)
    found = listings(about)
    kept: list[Axiom] = list(about.order.axioms(spell.concepts))
    left_out: list[Axiom] = []
    for listing in found.values():
        kept.extend(spell.axioms(listing))
        redundant = np.isin(listing.codes, (Reason.TAXONOMY, Reason.DISJOINT, Reason.INCLUDED))
        codes = np.where(redundant, Reason.KEPT, Reason.UNLISTED).astype(np.int8)
        left_out.extend(spell.axioms(replace(listing, codes=codes)))
    assert not [str(one) for one in kept if isinstance(one, Conditional) and one.head is TOP]
    reasoner = Reasoner(KB.of(*kept))
    for axiom in left_out:
        assert isinstance(axiom, Conditional)
        assert reasoner.entails(axiom), str(axiom)


def below(graph: Small, low: Concept, high: Concept) -> bool:
    """Whether the taxonomy says that a name or a restriction is below another."""
    if high is TOP or low == high:
        return True
    if isinstance(low, Name) and isinstance(high, Name):
        return str(high) in graph.taxonomy.above(str(low))
    if isinstance(low, Exists) and isinstance(high, Exists):
        return low.role == high.role and below(graph, low.filler, high.filler)
    return False


def follows(graph: Small, one: Conditional, other: Conditional) -> bool:
    """Whether the first of two zeros, or of two ones, follows from the second, a simpler one.

    From one about more concepts it may follow too, where one of its concepts lies below two of
    those: that is not looked for.
    """
    if len(conjuncts(other.body)) > len(conjuncts(one.body)):
        return False
    if one.bounds.lower == 0:
        parts = {one.head, *conjuncts(one.body)}
        general = {other.head, *conjuncts(other.body)}
        return all(any(below(graph, low, high) for low in parts) for high in general)
    return below(graph, other.head, one.head) and all(
        any(below(graph, low, high) for low in conjuncts(one.body))
        for high in conjuncts(other.body)
    )


@given(small_graphs, st.booleans())
@settings(max_examples=cases(150), deadline=None)
def test_of_what_stays_no_zero_or_one_follows_from_another(graph: Small, top: bool) -> None:
    # A chosen concept has an instance; of an empty one every zero follows from another.
    peopled = (types | {name} for types, name in zip(graph.types, (*NAMES, *NAMES), strict=False))
    graph = replace(graph, types=tuple(peopled))
    spell = speller(top)
    found = listings(setting(graph, SHAPES, top=top))
    kept = [axiom for listing in found.values() for axiom in spell.axioms(listing)]
    for value in (0, 1):
        sure = [one for one in kept if isinstance(one, Conditional) and one.bounds.lower == value]
        for conditional in sure:
            assert conditional.head is not TOP
            assert not [
                str(other)
                for other in sure
                if other is not conditional and follows(graph, conditional, other)
            ], str(conditional)


@given(small_graphs, st.booleans())
@settings(deadline=None)
def test_every_defined_combination_is_kept_or_has_a_reason(graph: Small, top: bool) -> None:
    about = setting(graph, SHAPES, top=top)
    spell = speller(top)
    size = len(spell.concepts)
    expected = {
        "PNF1": size * (size - 1),
        "PNF2": 3 * 2 // 2 * 1,
        "PNF3": len(ROLES) * size**2,
        "PNF4": len(ROLES) * size**2,
    }
    for shape, listing in listings(about).items():
        listed = int((listing.codes != Reason.UNLISTED).sum())
        assert listed == expected[shape]
        assert sum(listing.number(reason) for reason in Reason) == listing.codes.size
        for axiom in spell.axioms(listing):
            assert isinstance(axiom, Conditional)
            body = extension(graph, axiom.body)
            assert axiom.proportion == Count(len(body & extension(graph, axiom.head)), len(body))


@given(small_graphs)
@settings(deadline=None)
def test_the_papers_enumeration_has_ordered_pairs_of_different_concepts(graph: Small) -> None:
    about = setting(graph, SHAPES, top=False)
    spell = speller(top=False)
    sides = {
        shape: [(axiom.head, axiom.body, axiom.proportion) for axiom in spell.axioms(listing)]  # type: ignore[attr-defined]
        for shape, listing in paper_listings(about).items()
    }
    names = [Name(name) for name in NAMES]
    assert len(sides["PNF1"]) == 4 * 3
    assert [(head, body) for head, body, _ in sides["PNF2"]] == [
        (names[c], conjunction(names[a], names[b])) for a, b, c in permutations((0, 1, 3))
    ]
    assert len(sides["PNF3"]) == len(sides["PNF4"]) == len(ROLES) * 4 * 3
    for rows in sides.values():
        for head, body, proportion in rows:
            members = extension(graph, body)
            expected = (
                Count(len(members & extension(graph, head)), len(members)) if members else None
            )
            assert proportion == (expected or NOTHING_KNOWN)


@given(small_graphs, st.booleans())
@settings(deadline=None)
def test_as_axioms_zeros_are_disjointness_and_ones_are_inclusions(graph: Small, top: bool) -> None:
    about, spell = setting(graph, SHAPES, top=top), speller(top)
    for listing in listings(about).values():
        plain = list(spell.axioms(listing))
        strict = list(spell.axioms(listing, deterministic=True))
        assert len(plain) == len(strict)
        for conditional, axiom in zip(plain, strict, strict=True):
            assert isinstance(conditional, Conditional)
            share = conditional.bounds.lower
            if share == 0:
                assert axiom == Disjointness(conditional.head, conditional.body)
            elif share == 1:
                assert axiom == Inclusion(conditional.body, conditional.head)
            else:
                assert axiom == conditional


@pytest.mark.parametrize(
    ("shape", "reason"),
    [("PNF1", Reason.DISJOINT), ("PNF1", Reason.TAXONOMY), ("PNF4", Reason.DISJOINT)],
)
def test_a_disjoint_pair_speaks_for_its_subconcepts(shape: Shape, reason: Reason) -> None:
    graph = Small(
        (("C", "A"), ("D", "B")),
        tuple(frozenset(one) for one in ("A", "C", "B", "D", "B", "A")),
        frozenset(),
    )
    listing: Listing = listings(setting(graph, SHAPES, top=False))[shape]
    assert listing.number(reason) > 0
    if shape == "PNF1":
        kept = {str(axiom) for axiom in speller(top=False).axioms(listing)}
        assert "(B | A)[0 of 3]" in kept
        assert not {"(A | B)[0 of 3]", "(D | C)[0 of 1]", "(A | C)[1 of 1]"} & kept
