"""Types that totals leave empty are those that weigh nothing, whatever the weights."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest
from scipy.optimize import linprog

from boxsel.exact.compile.problem import Clause
from boxsel.exact.possible import find_possible
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.types.tables import table
from boxsel.exact.ways.samples.shares import Names, Ratio
from boxsel.exact.ways.samples.totals import find_left_over, find_totals
from boxsel.machine.budget import Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import some

DISJOINT = (0b0110, 0b1010, 0b1100)


@pytest.mark.parametrize("seed", some(range(30)))
def test_types_that_are_left_over_weigh_nothing(seed: int) -> None:
    """A body of up to three disjoint parts, some with bounds that make up all of it."""
    random = Random(seed)
    parts = [Fraction(random.randint(0, 3), 6) for _ in range(2)]
    sizes = [*parts, max(Fraction(0), 1 - sum(parts))]
    ratios = [
        Ratio(1, 1 | 2 << place, max(Fraction(0), size - room), min(Fraction(1), size + room))
        for place, size in enumerate(sizes)
        for room in [Fraction(random.randint(0, 1), 100)]
    ]
    clauses = [Clause(body, 0) for body in DISJOINT]
    totals = find_totals(clauses, ratios)
    kinds = [kind for kind in range(16) if all(clause.holds(kind) for clause in clauses)]
    columns, names = table(kinds, 4), Names(0b1111)
    sides = []
    for ratio in ratios:
        body, both = names.has(columns, ratio.body), names.has(columns, ratio.both)
        sides += [float(ratio.lower) * body - both, 1.0 * both - float(ratio.upper) * body]
    left_over = find_left_over(totals, names, columns)
    for place, is_left_over in enumerate(left_over):
        most = linprog(
            -np.eye(len(kinds))[place],
            A_ub=np.array(sides),
            b_ub=np.zeros(len(sides)),
            A_eq=np.ones((1, len(kinds))),
            b_eq=[1.0],
        )
        if most.fun is not None:
            assert not is_left_over or most.fun > -1e-9
    assert left_over.any() == (sum(ratio.lower for ratio in ratios) >= 1)


def test_parts_make_up_a_head_of_known_size() -> None:
    """Of A, B is a half, and C and D, parts of B that are disjoint, are a quarter each."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    sizes = {0b0011: half, 0b0101: quarter, 0b1001: quarter}
    ratios = [Ratio(1, both, size, size) for both, size in sizes.items()]
    clauses = [Clause(0b0100, 0b0010), Clause(0b1000, 0b0010), Clause(0b1100, 0)]
    totals = find_totals(clauses, ratios)
    columns = table([0b0001, 0b0011, 0b0111, 0b1011, 0b0010], 4)
    left_over = find_left_over(totals, Names(0b1111), columns)
    assert left_over.tolist() == [False, True, False, False, False]


def test_groups_that_make_up_everybody_have_a_population() -> None:
    lines = ["DisjointClasses: G0, G1, G2", "G0 SubClassOf P", "G1 SubClassOf P", "G2 SubClassOf P"]
    lines += ["(G0 | P)[1 of 3]", "(G1 | P)[1 of 3]", "(G2 | P)[1 of 3]", "(T | P)[0.4, 0.5]"]
    lines += [f"(T | G{n})[0.{n + 3}, 0.{n + 4}]" for n in range(3)]
    kb = parse_kb("\n".join(lines))
    *_, (inner, _) = find_possible(Reasoner(kb, budget=Budget()), kb.query("(G0 | P and T)"))
    assert 0 < inner.lower < inner.upper < 1
