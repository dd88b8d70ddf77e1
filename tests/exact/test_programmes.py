"""Programmes over drawn types: their forms, and the types that they ask for."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from boxsel.exact.compile.problem import Goal, Problem
from boxsel.exact.compile.vocabulary import bits
from boxsel.exact.types.tables import table
from boxsel.exact.ways.samples.completing import MOST_LEVELS, list_levels
from boxsel.exact.ways.samples.forms import forms_of
from boxsel.exact.ways.samples.shares import Names, Ratio, Shares
from boxsel.exact.ways.samples.starting import Starting
from boxsel.exact.ways.samples.weighing import Weighing
from boxsel.exact.ways.way import Task
from boxsel.logic.concepts import Name
from boxsel.machine.budget import NO_LIMIT, Budget
from boxsel.syntax.parser import parse_kb
from tests.depth import some


def some_shares(random: Random) -> tuple[Shares, np.ndarray]:
    """Shares of all sizes, points and intervals, and types of six names."""
    ratios: dict[tuple[int, int], Ratio] = {}
    for _ in range(10):
        body, head = random.sample(range(6), 2)
        lower = Fraction(random.choice([0, 1, 30, 50, 70, 99, 100]), 100)
        upper = random.choice([lower, min(Fraction(1), lower + Fraction(1, 10)), Fraction(1)])
        ratios[body, head] = Ratio(1 << body, 1 << body | 1 << head, lower, upper)
    shares = Shares(ratios.values(), Names(0b111111))
    return shares, table([random.randrange(1, 64) for _ in range(50)] + [63, 62], 6)


@pytest.mark.parametrize("seed", some(range(30)))
def test_forms_of_products_are_those_that_are_spelt_out(seed: int) -> None:
    random, numbers = Random(seed), np.random.default_rng(seed)
    shares, columns = some_shares(random)
    having = shares.having(columns)
    base = np.power(10.0, numbers.uniform(-4, 0, columns.shape[1]))
    forms = forms_of(shares, having, base)
    spelt = []
    for number, bound, scale in zip(forms.numbers, forms.bounds, forms.scales, strict=True):
        body, both = (having[places[number]] for places in (shares.bodies, shares.boths))
        spelt.append(scale * (both - float(bound) * body))
    spelt += [1.0 * having[shares.bodies[-1]], np.full(len(base), forms.every)]
    dense = np.array(spelt) * forms.units
    slack = np.zeros((len(dense), len(forms.slack)))
    slack[forms.slack, np.arange(len(forms.slack))] = forms.signs
    whole = np.hstack([dense, slack])
    point, multiples = numbers.random(whole.shape[1]), numbers.normal(size=len(whole))
    assert np.allclose(forms.of(point), whole @ point)
    assert np.allclose(forms.back(multiples), multiples @ whole)
    squares = (whole * point) @ whole.T
    size = np.sqrt(np.outer(squares.diagonal(), squares.diagonal()))
    for is_rough, near in ((False, 1e-9), (True, 1e-4)):
        assert (np.abs(forms.squares(point, is_rough=is_rough) - squares) <= near * size).all()
    assert np.allclose(
        forms.factors(shares, multiples) @ having * forms.units, multiples[:-1] @ dense[:-1]
    )


@pytest.mark.parametrize("seed", some(range(20)))
def test_levels_are_between_the_rarest_product_and_the_most_frequent(seed: int) -> None:
    random = np.random.default_rng(seed)
    means = np.append(10 ** random.uniform(-random.integers(1, 20), 0, 30), np.inf)
    levels = list_levels(means)
    assert levels[0] == pytest.approx(means.min())
    assert (np.diff(levels) > 0).all()
    assert 1 <= len(levels) <= MOST_LEVELS
    assert levels[-1] <= means[:-1].max()
    assert not len(list_levels(np.array([np.inf])))


def test_only_the_chains_that_are_chosen_climb() -> None:
    kb = parse_kb("(B | A)[0.2, 0.4]\n(C | A)[0.2, 0.4]")
    problem = Problem(enumerate(kb.axioms))
    a, b = (problem.vocabulary.bit(Name(letter)) for letter in "AB")
    task = Task(problem, Budget(), listing=False)
    starting = Starting(task, [Goal(a)], Ratio(a, a | b, Fraction(0), Fraction(1)), 0)
    drawing = starting.start()
    factors = np.zeros(len(starting.shares.products))
    factors[starting.shares.boths[-1]] = 1.0
    chosen = np.arange(drawing.columns.shape[1]) % 3 == 0
    found = drawing.climb(factors, chosen)
    assert found.shape[1] == np.count_nonzero(chosen)
    marks = drawing.columns[len(starting.names) :]
    assert (found[len(starting.names) :] == marks[:, chosen]).all()
    place = [starting.names.place[bit] for bit in bits(a | b)]
    assert found[place].all(0).mean() > 0.9 * (~marks.any(0)).mean()


def test_types_that_go_on_are_those_that_matter_and_some_of_all_that_is_rare() -> None:
    kb = parse_kb("\n".join(f"(B{n} | A)[0.1, 0.2]" for n in range(3)))
    problem = Problem(enumerate(kb.axioms))
    whole = (1 << len(problem.vocabulary)) - 1
    names = Names(whole)
    ratios = [Ratio(row.body, row.both, Fraction(1, 10), Fraction(1, 5)) for row in problem.rows]
    shares = Shares(dict.fromkeys(ratios), names)
    weighing = Weighing(problem, names, shares, 0, NO_LIMIT)
    random = np.random.default_rng(0)
    columns = np.unique(random.random((len(names), 400)) < 0.5, axis=1)
    weights = np.where(
        columns[names.place[next(bits(ratios[0].both & ~ratios[0].body))]], 1e-9, 1.0
    )
    assert weighing.weigh(columns, weights / weights.sum(), 0.0, 1.0) is not None
    kept, base = weighing.renew(weighing.missed, columns[:, :0])
    having = shares.having(kept)
    assert (np.count_nonzero(having, 1) >= 2).all()
    assert (base > 0).all()
    assert {*map(tuple, kept.T)} <= {*map(tuple, columns.T)}
