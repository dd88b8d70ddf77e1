"""Populations of canonical elements are models, and what they leave out is not called empty."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import chain
from random import Random

import pytest

from boxsel.exact.coherence import members
from boxsel.exact.coherence.elements import Elements
from boxsel.exact.coherence.realising import Realised, Realising
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.ways.way import Limits
from boxsel.logic.axioms import ConceptAssertion, Inclusion, RoleAssertion, RoleInclusion
from boxsel.logic.concepts import Name
from boxsel.logic.interpretations import Interpretation, Weights
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.normal.tables import RoleHierarchy
from boxsel.syntax.parser import parse_kb
from tests.depth import some
from tests.exact.brute_force import empty_names, is_consistent
from tests.exact.knowledge_bases import random_kb


def surveyed(kb: KB) -> tuple[Elements, Realised]:
    elements = Elements(kb, Budget())
    while (body := next(chain(elements.headless, elements.clashing), None)) is not None:
        elements.exclude(body)
    return elements, Realising(elements, Budget()).run()


def check_model(kb: KB, elements: Elements, found: Realised) -> None:
    """The population, read literally, satisfies everything and has the names that it claims."""
    roles = RoleHierarchy()
    for axiom in kb.axioms:
        if isinstance(axiom, RoleInclusion):
            roles.include(axiom.sub, axiom.sup)
    places = {element: place for place, element in enumerate(found.weights)}
    edges: dict[object, set[tuple[int, int]]] = {}
    for element, place in places.items():
        for role, target in elements.links(element):
            for above in roles.above(role):
                edges.setdefault(above, set()).add((place, places[target]))
    numbers = {name: elements.number(name) for name in elements.named}
    model = Interpretation(
        tuple(
            frozenset(name for name, number in numbers.items() if number in elements.members(one))
            for one in places
        ),
        {role: frozenset(pairs) for role, pairs in edges.items()},  # type: ignore[misc]
    )
    fractions = [Fraction(int(weight.p), int(weight.q)) for weight in found.weights.values()]
    assert all(weight > 0 for weight in fractions)
    weights = Weights(fractions)
    for axiom in kb.axioms:
        if not isinstance(axiom, ConceptAssertion | RoleAssertion):
            assert model.satisfies(axiom, weights), axiom
    assert found.names == {name for name in numbers if model.extension(name)}


@pytest.mark.parametrize("seed", some(range(400)))
def test_populations_are_models_and_excluded_names_are_empty(seed: int) -> None:
    kb, _ = random_kb(Random(seed), 5)
    kb = kb.with_statements(
        statement
        for statement in kb
        if not isinstance(statement.axiom, ConceptAssertion | RoleAssertion)
    )
    elements, found = surveyed(kb)
    check_model(kb, elements, found)
    if is_consistent(kb):
        empty = empty_names(kb)
        assert found.names.isdisjoint(empty)
        assert empty.issuperset(
            name for name, element in elements.named.items() if not elements.possible(element)
        )


def taxonomy(seed: int, size: int) -> KB:
    """Classes below earlier ones, with shares of them that say little about each other."""
    random = Random(seed)
    lines = []
    for number in range(1, size):
        parent = random.randrange(number)
        low = random.randrange(0, 500)
        lines.append(f"C{number} SubClassOf C{parent}")
        bounds = f"{low / 1000}, {(low + random.randrange(1, 200)) / 1000}"
        if number % 5 == 0:
            bounds = str(low / 1000 + 0.001)
        lines.append(f"(C{number} | C{parent})[{bounds}]")
        if number % 7 == 0:
            lines.append(f"C{number} SubClassOf r some C{random.randrange(size)}")
    return parse_kb("\n".join(lines))


@pytest.mark.parametrize("seed", some(range(6)))
def test_all_names_of_a_large_taxonomy_are_realised_at_once(seed: int) -> None:
    kb = taxonomy(seed, 300)
    elements, found = surveyed(kb)
    check_model(kb, elements, found)
    assert found.names == set(kb.signature.concepts)


def test_bounds_without_room_are_met_as_equations() -> None:
    # At least 0.81 of A is C by the first two, and at most by the third.
    kb = parse_kb(
        "B SubClassOf A\n(B | A)[0.9, 1]\n(C | B)[0.9, 1]\n(C | A)[0, 0.81]\nD SubClassOf A"
    )
    elements, found = surveyed(kb)
    check_model(kb, elements, found)
    assert found.names == set(kb.signature.concepts)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        ("(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A", "AC"),
        ("A SubClassOf B\n(B | A)[0.2]", "A"),
        ("(B | A)[0.2]\nB SubClassOf owl:Nothing\n(A | C)[0.3]\nD SubClassOf r some C", "ABCD"),
        ("D SubClassOf E\n(D | A)[0.8]\n(E | A)[0.1, 0.7]", "A"),
        ("(B | A and C)[0.2]\n(B | A and C)[0.8]\nD EquivalentTo A and C", "D"),
    ],
)
def test_obvious_contradictions_are_seen_without_a_programme(text: str, empty: str) -> None:
    kb = parse_kb(text)
    elements, _ = surveyed(kb)
    gone = {name for name, element in elements.named.items() if not elements.possible(element)}
    assert gone == {Name(letter) for letter in empty} == set(Reasoner(kb).empty_names)


def test_what_needs_what_cannot_be_is_not_realised() -> None:
    kb = parse_kb(
        "A SubClassOf r some B\nD SubClassOf B\n(C | B)[0.2]\n(D | B)[0.9]\n(C | D)[0.5, 0.6]\nE(e)"
    )
    _, found = surveyed(kb)
    assert Name("A") not in found.names
    assert Name("E") in found.names
    assert set(Reasoner(kb).empty_names) == empty_names(kb)


def test_a_budget_is_kept() -> None:
    kb = KB.of(Inclusion(Name("A"), Name("B")))
    with pytest.raises(OutOfTimeError):
        Elements(kb, Budget(0.0))


@pytest.mark.parametrize("seed", some(range(200), 40))
def test_a_population_drawn_of_a_crowd_has_nobody_who_must_be_empty(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "CROWD", 0)  # so that one is always drawn
    kb, _ = random_kb(Random(seed), 5)
    reasoner = Reasoner(replace(kb, data=None), limits=Limits(large=0))
    if is_consistent(kb):
        empty = empty_names(kb)
        assert reasoner.realise_along_tree() in {False, not empty}
        assert reasoner.realised.isdisjoint(empty)


def test_one_population_shows_all_names_where_one_along_the_tree_shows_nobody() -> None:
    groups = [f"G{n}" for n in range(4)]
    said = "".join(
        f"{group} SubClassOf Person\n({group} | Person)[0.2, 0.3]\n"
        + "".join(f"(T{n} | {group})[0.{n + 2}, 0.{n + 4}]\n" for n in range(3))
        for group in groups
    )
    kb = parse_kb(f"DisjointClasses: {', '.join(groups)}\n{said}")
    reasoner = Reasoner(kb, limits=Limits(listed=1))
    reasoner.realise_together(*kb.signature.concepts)
    assert reasoner.realised == {*kb.signature.concepts}
