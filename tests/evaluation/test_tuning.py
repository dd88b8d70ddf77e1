"""The search over the grid: few points, the same ones each time, and never a look at queries."""

from __future__ import annotations

import sys
from dataclasses import replace
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boxsel.errors import BoxselError
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.studies import (
    TUNING_SEED,
    Planned,
    Scope,
    planned,
    required_optuna,
    searched,
)
from tests.depth import cases

pytest.importorskip("optuna")

SCOPE: Scope = replace(
    Choices.fast().scope({"small": "0"}),
    dimensions=(2, 4, 8),
    rates=(0.01, 0.1),
    sides=(1.0, 10.0),
)
AXES = sum(map(len, (SCOPE.dimensions, SCOPE.rates, SCOPE.sides)))


def numbers(point: Planned) -> tuple[int, float | None, float]:
    chosen = point.work.method.settings
    assert chosen is not None
    return chosen.dim, chosen.rate, chosen.side


def error(point: Planned) -> float:
    dim, rate, side = numbers(point)
    assert rate is not None
    return abs(dim - 4) + abs(rate - 0.1) + abs(side - 1)


def found_by(trials: int) -> tuple[list[Planned], list[Planned], Planned]:
    asked: list[Planned] = []

    def counted(point: Planned) -> float:
        asked.append(point)
        return error(point)

    search = searched(SCOPE, "small", trials, counted)
    return asked, list(search.visited), search.best


def tried(visited: list[Planned], best: Planned) -> list[Planned]:
    """The points that differ from the best in more than one number: those are of trials."""
    far = []
    for point in visited:
        pairs = zip(numbers(point), numbers(best), strict=True)
        if sum(one != other for one, other in pairs) > 1:
            far.append(point)
    return far


@settings(max_examples=cases(8))
@given(st.integers(1, 20))
def test_few_points_each_run_once_and_all_of_the_grid(trials: int) -> None:
    asked, visited, best = found_by(trials)
    assert asked == visited
    assert len({*visited}) == len(visited) <= trials + AXES
    grid = planned(SCOPE, ["tuning"])
    assert {*visited} <= {*grid}
    assert {point.work.seed for point in visited} == {TUNING_SEED}
    assert best in visited[:trials]
    assert all(error(best) <= error(point) for point in tried(visited, best))


def test_around_the_best_each_axis_is_varied_alone() -> None:
    _, visited, best = found_by(6)
    dim, rate, side = numbers(best)
    there = {numbers(point) for point in visited}
    assert {(dimension, rate, side) for dimension in SCOPE.dimensions} <= there
    assert {(dim, one, side) for one in SCOPE.rates} <= there
    assert {(dim, rate, one) for one in SCOPE.sides} <= there


def test_the_same_points_again() -> None:
    assert found_by(7) == found_by(7)


def test_a_search_that_was_stopped_visits_the_same_points() -> None:
    straight, _, _ = found_by(7)
    finished: dict[Planned, float] = {}

    class StoppedError(Exception):
        pass

    def stopping(point: Planned) -> float:
        if point not in finished:
            if len(finished) == 3:
                raise StoppedError
            finished[point] = error(point)
        return finished[point]

    with pytest.raises(StoppedError):
        searched(SCOPE, "small", 7, stopping)
    assert list(finished) == straight[:3]
    computed = []

    def resumed(point: Planned) -> float:
        if point not in finished:
            computed.append(point)
        return error(point)

    assert list(searched(SCOPE, "small", 7, resumed).visited) == straight
    assert computed == straight[3:]


def test_points_without_a_run_are_never_the_best() -> None:
    grid = planned(SCOPE, ["tuning"])

    def some(point: Planned) -> float:
        return error(point) if numbers(point)[0] == 8 else inf

    assert numbers(searched(SCOPE, "small", 12, some).best)[0] == 8
    nothing = searched(SCOPE, "small", 4, lambda _: inf)
    assert nothing.best in grid


def test_without_optuna_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    for call in (required_optuna, lambda: searched(SCOPE, "small", 1, error)):
        with pytest.raises(BoxselError, match=r"install the extra boxsel\[tuning\], or leave"):
            call()
