"""Mixtures: their slopes are right, what is drawn from them is too, and they find populations."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, prod
from random import Random

import numpy as np
import pytest

from boxsel.evaluation.ontologies.synthetic import DRAWINGS, drawn
from boxsel.evaluation.splits.variants import splits_of
from boxsel.exact.possible import find_possible
from boxsel.exact.reasoner import Reasoner
from boxsel.exact.types.gibbs import Literals
from boxsel.exact.ways.samples import opening
from boxsel.exact.ways.samples.circuit import Circuit
from boxsel.exact.ways.samples.mixture import Mixture, mix
from boxsel.exact.ways.samples.shares import Names, Ratio, Shares
from boxsel.logic.kb import KB
from boxsel.machine.budget import NO_LIMIT, Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import some


def some_conjunctions(random: Random, size: int) -> list[tuple[int, ...]]:
    count = random.randint(1, 30)
    return [
        tuple(random.sample(range(size), random.randint(0, min(5, size)))) for _ in range(count)
    ]


@pytest.mark.parametrize("seed", some(range(60)))
def test_a_circuit_multiplies_what_conjunctions_join(seed: int) -> None:
    random = Random(seed)
    size = random.randint(1, 9)
    conjunctions = some_conjunctions(random, size)
    circuit = Circuit(size, conjunctions)
    literals = np.random.default_rng(seed).random((size, 4)).astype(np.float32)
    found = circuit.multiply(literals)[circuit.rows]
    for row, conjunction in zip(found, conjunctions, strict=True):
        wanted = [prod(float(literals[v, cell]) for v in conjunction) for cell in range(4)]
        assert row == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("seed", some(range(60)))
def test_slopes_are_what_a_literal_changes_from_0_to_1(seed: int) -> None:
    """A sum of products in which no literal occurs twice is linear in each of them."""
    random = Random(seed)
    size = random.randint(1, 7)
    circuit = Circuit(size, some_conjunctions(random, size))
    numbers = np.random.default_rng(seed)
    literals = numbers.random((size, 3)).astype(np.float32)
    factors = numbers.normal(size=len(circuit.rows)).astype(np.float32)

    def total(changed: np.ndarray) -> np.ndarray:
        return np.asarray(factors @ circuit.multiply(changed)[circuit.rows])

    values = circuit.multiply(literals)
    slopes = np.zeros_like(values)
    np.add.at(slopes, circuit.rows, factors[:, None])
    found = circuit.back(values, slopes)
    for v in range(size):
        ends = []
        for value in (0, 1):
            changed = literals.copy()
            changed[v] = value
            ends.append(total(changed))
        assert found[v] == pytest.approx(ends[1] - ends[0], rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("seed", some(range(20)))
def test_what_is_drawn_has_the_memberships_of_cells_and_obeys_clauses(seed: int) -> None:
    random = np.random.default_rng(seed)
    memberships = random.random((5, 6)).round(1).astype(np.float32)
    weights = random.random(6)
    weights /= weights.sum()
    columns, drawn = Mixture(memberships, weights, 0.0).draw(1000, 8, ())
    assert drawn.sum() == pytest.approx(1.0)
    counts = np.maximum(8, np.rint(1000 * weights))
    # Within a cell at most one type too many, or too few, has a name.
    off = np.abs(columns @ drawn - memberships @ weights)
    assert (off <= float((weights / counts).sum()) + 1e-6).all()
    clauses: list[Literals] = [(-1, 2), (-3, -4)]
    obeying, left = Mixture(memberships, weights, 0.0).draw(1000, 8, clauses)
    assert not (obeying[0] & ~obeying[1]).any()
    assert not (obeying[2] & obeying[3]).any()
    assert left.sum() <= 1 + 1e-9


@pytest.mark.parametrize("seed", some(range(12)))
def test_a_mixture_comes_nearer_to_shares_that_a_population_has(seed: int) -> None:
    random = np.random.default_rng(seed)
    population = random.random((8, 300)) < random.random((8, 1))
    ratios = []
    for _ in range(25):
        first, second, head = random.permutation(8)[:3].tolist()
        inside = population[first] & population[second]
        if inside.any():
            share = Fraction(int((population[head] & inside).sum()), int(inside.sum()))
            lower, upper = max(Fraction(0), share - Fraction(1, 50)), share + Fraction(1, 50)
            body = 1 << first | 1 << second
            ratios.append(Ratio(body, body | 1 << head, lower, min(upper, Fraction(1))))
    shares = Shares([*ratios, Ratio(1, 1, Fraction(0), Fraction(1))], Names((1 << 8) - 1))
    start = random.random((8, 40)) < 0.5
    found = mix(shares, (), start, np.ones(40) / 40, 1.0, NO_LIMIT)
    columns, weights = found.draw(2000, 8, ())
    assert _missed(shares, columns, weights) < 0.5 * _missed(shares, start, np.ones(40))


def _missed(shares: Shares, columns: np.ndarray, weights: np.ndarray) -> float:
    masses = shares.having(columns) @ weights
    found = masses[shares.boths] / np.maximum(masses[shares.bodies], 1e-12)
    return float(np.maximum(np.maximum(shares.lower - found, found - shares.upper), 0).mean())


def dense_kb(seed: int) -> KB:
    """Three hundred shares to whole per cents of a population of two hundred with twelve names."""
    random = Random(seed)
    kinds = [[random.random() < 0.5 for _ in range(12)] for _ in range(9)]
    people = [[bit ^ (random.random() < 0.15) for bit in random.choice(kinds)] for _ in range(200)]
    lines: dict[str, None] = {}
    while len(lines) < 300:
        first, second, head = random.sample(range(12), 3)
        inside = [one for one in people if one[first] and one[second]]
        if not inside:
            continue
        share = Fraction(sum(one[head] for one in inside), len(inside))
        lower, upper = floor(share * 100) / 100, ceil(share * 100) / 100
        lines[f"(N{head} | N{first} and N{second})[{lower}, {upper}]"] = None
    return parse_kb("\n".join(lines), "dense")


@pytest.mark.parametrize("seed", some(range(4)))
@pytest.mark.parametrize("far", [0.0, 1.0])
def test_populations_of_dense_shares_are_found(
    seed: int, far: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a mixture at once, and where chains go on first: whatever is found is checked."""
    monkeypatch.setattr(opening, "FAR", far)
    reasoner = Reasoner(dense_kb(seed), budget=Budget())
    inner, _ = next(iter(find_possible(reasoner, reasoner.kb.query("(N1 | N0)"))))
    assert 0 <= inner.lower <= inner.upper <= 1


@pytest.mark.parametrize("place", some(range(0, 12, 4)))
def test_populations_are_found_where_chains_by_themselves_find_none(place: int) -> None:
    """Shares to whole per cents of an ontology whose names and links all overlap."""
    ontology = drawn("synthetic-hybrid", DRAWINGS["synthetic-hybrid"])
    (split,) = splits_of(ontology, "published-10", 0)
    query = ontology.queries(split.queries)[place]
    reasoner = Reasoner(split.kb(), budget=Budget())
    inner, _ = next(iter(find_possible(reasoner, query)))
    assert 0 <= inner.lower <= inner.upper <= 1
