"""Populations as witnesses: whatever they certify lies within the exact bounds."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

import boxsel
from boxsel.logic.concepts import Exists, Name, Role
from boxsel.models.population_witness import PopulationModel

POINTS = """
DisjointClasses: DeptA, DeptB
(Admitted | DeptA)[0.75]
(Admitted | DeptB)[0.85]
(DeptA | Man)[0.1]
(DeptB | Man)[0.8]
"""
ROLES = """
A SubClassOf B
(r some A | B)[0.3]
(r some B | A)[0.4, 0.8]
(A | B)[0.5]
r Domain: B
r Range: B
A(a)
"""


@pytest.mark.parametrize(
    ("text", "query"), [(POINTS, "(Admitted | Man)"), (ROLES, "(r some A | A)")]
)
def test_what_witnesses_show_is_within_exact_bounds(text: str, query: str) -> None:
    kb = boxsel.parse(text)
    model = boxsel.fit(kb, members=6, dim=16, representation="populations")
    inner, bounds = model.inner(query), kb.bounds(query)
    assert inner is not None, "points are hit exactly, by the weights of cells"
    assert bounds.lower is not None
    assert bounds.upper is not None
    assert bounds.lower <= inner.lower <= inner.upper <= bounds.upper


A, B = Name("urn:boxsel:A"), Name("urn:boxsel:B")
R = Role("urn:boxsel:r")
ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)


def test_an_existential_needs_a_witness_and_what_includes_it() -> None:
    kb = boxsel.parse("A SubClassOf B\n(r some A | B)[0, 1]\n(r some B | B)[0, 1]")
    good = PopulationModel(
        (HALF, HALF),
        {(None, A): (HALF, ZERO), (None, B): (ONE, ONE), (R, A): (HALF, ZERO), (R, B): (HALF, ONE)},
    )
    assert good.satisfies(kb)
    larger = {**good.memberships, (R, A): (ONE, ZERO)}  # an A would be a B that is not there
    assert not replace(good, memberships=larger).satisfies(kb)
    nobody = {**good.memberships, (None, A): (ZERO, ZERO)}
    assert not replace(good, memberships=nobody).satisfies(kb)


def test_what_is_said_twice_counts_once() -> None:
    quarter = (Fraction(1, 4),)
    model = PopulationModel((ONE,), {(None, A): (HALF,), (R, A): (HALF,), (R, B): quarter})
    assert model.parts(A & A) == (HALF,)
    assert model.parts(Exists(R, A) & Exists(R, B)) == quarter
    assert model.parts(A & Exists(R, A)) == quarter
