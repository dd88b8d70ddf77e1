"""Programmes of sparse equations: from any basis, what is claimed is feasible and proved."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from flint import fmpq
from scipy.optimize import linprog

from boxsel.exact.lp import equalities
from boxsel.exact.lp.equalities import Balance, Equalities
from boxsel.exact.lp.solver import LinearProgramme
from boxsel.machine.budget import Budget
from tests.depth import some

Line = dict[int, int]


def programme(random: Random) -> tuple[list[Line], int, Line, Line]:
    """Lines, the number of columns, members and gains; the lines have a solution."""
    size = random.randint(3, 6)
    weights = [random.randint(0, 3) for _ in range(size)]
    lines: list[Line] = []
    for _ in range(random.randint(1, 3)):
        line = {n: random.randint(-3, 3) for n in range(size)}
        rest = sum(entry * weights[n] for n, entry in line.items())
        line[size] = -rest  # a column that makes the line zero at these weights
        lines.append({n: entry for n, entry in line.items() if entry})
    members = {n: 1 for n in range(size + 1) if random.random() < 0.6} | {size: 1}
    gains = {n: random.randint(-2, 2) for n in range(size + 1)}
    return [line for line in lines if line], size + 1, members, gains


def largest(lines: list[Line], size: int, members: Line, gains: Line) -> float | None:
    """The optimum by another solver; none if there is none."""
    table = np.array([[line.get(n, 0) for n in range(size)] for line in (*lines, members)], float)
    right = [0.0] * len(lines) + [1.0]
    cost = [-gains.get(n, 0) for n in range(size)]
    highs = linprog(cost, A_eq=table, b_eq=right)
    return None if highs.status != 0 or highs.fun is None else -float(highs.fun)


def check(balance: Balance, lines: list[Line], size: int, members: Line, gains: Line) -> None:
    """Amounts obey everything, and the worth of the lines proves that no others gain more."""
    amounts = balance.amounts
    assert all(amount >= 0 for amount in amounts.values())
    for line in lines:
        assert sum((entry * amounts.get(n, fmpq(0)) for n, entry in line.items()), fmpq(0)) == 0
    assert sum((amounts.get(n, fmpq(0)) for n in members), fmpq(0)) == 1
    total = sum((gain * amounts.get(n, fmpq(0)) for n, gain in gains.items()), fmpq(0))
    assert total == balance.value
    for column in range(size):
        cost = balance.value * members.get(column, 0) - gains.get(column, 0)
        for number, worth in balance.worth.items():
            cost += worth * lines[number].get(column, 0)
        assert cost >= 0


@pytest.mark.parametrize("seed", some(range(60)))
def test_from_any_basis_only_optima_are_claimed(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines, size, members, gains = programme(Random(seed))
    best = largest(lines, size, members, gains)
    claimed = 0
    for chosen in combinations(range(size), len(lines) + 1):
        monkeypatch.setattr(LinearProgramme, "solve", lambda *_, **__: True)
        monkeypatch.setattr(LinearProgramme, "basic_columns", list(chosen))
        monkeypatch.setattr(LinearProgramme, "basic_rows", [])
        balance = Equalities(lines, size, Budget()).maximise(members, gains)
        if balance is not None:
            claimed += 1
            check(balance, lines, size, members, gains)
            assert best is not None
            assert float(balance.value) == pytest.approx(best, abs=1e-6)
    monkeypatch.undo()
    balance = Equalities(lines, size, Budget()).maximise(members, gains)
    if balance is not None:
        check(balance, lines, size, members, gains)
    assert (balance is None) == (best is None)


def test_steps_lead_from_a_wrong_basis_to_the_optimum(monkeypatch: pytest.MonkeyPatch) -> None:
    lines, members, gains = [{0: 1, 1: -1, 2: 1}], {0: 1, 1: 1, 2: 1}, {0: 1, 1: 3, 2: 0}
    for basis in ([0, 1], [1, 2]):
        with monkeypatch.context() as patch:
            patch.setattr(LinearProgramme, "basic_columns", basis)
            balance = Equalities(lines, 3, Budget()).maximise(members, gains)
        assert balance is not None
        assert balance.value == 2
    monkeypatch.setattr(equalities, "PIVOTS", 1)
    monkeypatch.setattr(LinearProgramme, "basic_columns", [1, 2])
    assert Equalities(lines, 3, Budget()).maximise(members, gains) is None
