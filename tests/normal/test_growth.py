"""The normal form is linear in the size of the knowledge base, whatever its statements."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import linear_regression

import pytest
from hypothesis import given

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    conditional,
)
from boxsel.logic.concepts import Concept, Individual, Name, Role, conjunction
from boxsel.logic.kb import KB
from boxsel.normal.normalize import normalize
from tests.strategies import kbs

GROWTH = 8
"""Both definitions of `∃r.A` have four symbols, for the one symbol that `∃r` adds."""


@given(kbs(max_size=20))
def test_size_is_bounded_by_a_constant_factor(kb: KB) -> None:
    assert normalize(kb).kb.size <= GROWTH * kb.size


r = Role("r")


def name(number: int, letter: str = "A") -> Name:
    return Name(f"{letter}{number}")


def wide(size: int, letter: str = "A") -> Concept:
    return conjunction(*(name(n, letter) for n in range(size)))


def wide_some(size: int, letter: str = "A") -> Concept:
    return conjunction(*(r.some(name(n, letter)) for n in range(size)))


def nested(depth: int, n: int) -> Concept:
    concept: Concept = name(n)
    for level in range(depth):
        concept = r.some(concept & name(level, "B"))
    return concept


FAMILIES: dict[str, Callable[[int], list[Axiom]]] = {
    "wide conjunction on both sides": lambda n: [Inclusion(wide(n), wide(n, "B"))],
    "wide existentials on both sides": lambda n: [Inclusion(wide_some(n), wide_some(n, "B"))],
    "wide head and body": lambda n: [conditional(wide(n), given=wide_some(n), exactly=0.5)],
    "wide equivalence": lambda n: [Equivalence(wide(n), wide_some(n), wide(n, "B"))],
    "equivalence of many names": lambda n: [Equivalence(*(name(i) for i in range(n)))],
    "equivalence of many complex": lambda n: [
        Equivalence(wide(n, "B"), *(r.some(name(i)) for i in range(n)))
    ],
    "disjointness of many names": lambda n: [Disjointness(*(name(i) for i in range(n)))],
    "disjointness of many complex": lambda n: [Disjointness(*(r.some(name(i)) for i in range(n)))],
    "domains and ranges": lambda n: [Domain(r, wide_some(n)), Range(r, wide_some(n, "B"))],
    "assertions": lambda n: [ConceptAssertion(wide_some(n), Individual("a"))],
    "nested fillers": lambda n: [
        conditional(nested(20, i), given=name(i, "C"), exactly=0.5) for i in range(n // 8)
    ],
    "many statements": lambda n: [
        conditional(name(i), given=name(i, "B") & r.some(name(i)), exactly=0.5) for i in range(n)
    ],
}


@pytest.mark.parametrize("family", FAMILIES)
def test_fitted_exponent_is_one(family: str) -> None:
    sizes = []
    for n in (64, 128, 256, 512):
        kb = KB.of(*FAMILIES[family](n))
        normal = normalize(kb).kb
        assert normal.size <= GROWTH * kb.size
        sizes.append((math.log(kb.size), math.log(normal.size)))
    exponent = linear_regression(*zip(*sizes, strict=True)).slope
    assert 0.9 < exponent < 1.05
