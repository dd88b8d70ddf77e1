"""Linear programmes in floats: what the wrapper finds is what another solver finds."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from boxsel.exact.lp.master import Master
from boxsel.exact.lp.solver import LinearProgramme

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> tuple[Master, tuple[int, ...]]:
    """A programme as column generation met it, without its types, and these."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    programme = importlib.import_module("lp_engines").load("few")
    return Master(programme.rows, programme.goal, ()), programme.kinds


def least_violation(master: Master) -> float:
    """The optimum by SciPy's HiGHS."""
    count, width = len(master.rows), len(master.kinds)
    table = np.zeros((count, width + count))
    for column, entries in enumerate(master.coefficients):
        for row, entry in entries.items():
            table[row, column] = entry / master.rows[row].bound.denominator
    table[:, width:] = np.eye(count)
    norm = np.array([[*map(float, master.members), *([0.0] * count)]])
    cost = np.concatenate([np.zeros(width), np.ones(count)])
    highs = linprog(cost, A_ub=-table, b_ub=np.zeros(count), A_eq=norm, b_eq=[1.0])
    assert highs.fun is not None
    return float(highs.fun)


def test_a_programme_that_grows_has_the_optimum_that_another_solver_finds(
    stored: tuple[Master, tuple[int, ...]],
) -> None:
    master, kinds = stored
    for kind in kinds[:200]:
        master.add(kind)
    first = master.solve()
    assert first is not None
    assert -first.value == pytest.approx(least_violation(master), abs=1e-6)
    for kind in kinds[200:]:
        assert master.add(kind)
    assert not master.add(kinds[0])
    last = master.solve()
    assert last is not None
    assert -last.value == pytest.approx(least_violation(master), abs=1e-6)
    assert last.value >= first.value
    basic = len(last.basis.columns) + len(last.basis.slack) + len(last.basis.violated)
    assert basic == len(master.rows) + 1


def test_rows_and_columns_may_change() -> None:
    programme = LinearProgramme()
    columns = [programme.add_column(gain=1.0), programme.add_column(gain=2.0, upper=3.0)]
    row = programme.add_row(0.0, 4.0, [(column, 1.0) for column in columns])
    assert programme.solve()
    assert (programme.value, programme.values.tolist()) == (7.0, [1.0, 3.0])
    assert programme.duals.tolist() == [1.0]
    programme.set_upper(columns[1], 0.5)
    programme.set_entry(row, columns[0], 2.0)
    assert programme.solve()
    assert programme.values.tolist() == [1.75, 0.5]
    programme.clear_gains()
    programme.set_gain(columns[0], 1.0)
    assert programme.solve()
    assert programme.value == 2.0
    assert programme.basic_rows == []
    assert programme.basic_columns == [columns[0]]


def test_a_programme_without_a_solution_is_told() -> None:
    programme = LinearProgramme()
    column = programme.add_column(gain=1.0)
    assert not programme.solve()  # it is unbounded
    programme.add_row(1.0, 2.0, [(column, -1.0)])
    assert not programme.solve()
