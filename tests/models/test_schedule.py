"""Schedules: where they start, where they end, and that they fall."""

from __future__ import annotations

import numpy as np
import pytest

from boxsel.models.settings import PRESETS, Schedule

DONE = np.linspace(0, 1, 101)
SCHEDULES = [*(preset.schedule for preset in PRESETS.values()), Schedule(2.0, 0.5, 0.1, push=3.0)]


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_all_knobs_fall_between_their_ends(schedule: Schedule) -> None:
    temperature, rate, push = (
        schedule.temperature(DONE),
        schedule.rates(DONE),
        schedule.pushes(DONE),
    )
    for knob in (temperature, rate, push):
        assert (np.diff(knob) <= 0).all()
    np.testing.assert_allclose(temperature[[0, -1]], [schedule.hot, schedule.cold])
    np.testing.assert_allclose(rate[[0, -1]], [schedule.rate, schedule.rate * schedule.last_rate])
    np.testing.assert_allclose(push[[0, -1]], [schedule.push, 0.0])


def test_cooling_is_geometric_and_ends_early() -> None:
    schedule = Schedule(hot=1.0, cold=1e-4, rate=0.1, cooling=0.5)
    found = schedule.temperature(np.array([0.0, 0.125, 0.25, 0.5, 0.7]))
    np.testing.assert_allclose(found, [1.0, 0.1, 0.01, 1e-4, 1e-4])


def test_a_push_is_gone_before_the_end() -> None:
    schedule = Schedule(hot=1.0, cold=0.1, rate=0.1, push=2.0, pushing=0.5)
    np.testing.assert_allclose(schedule.pushes(np.array([0.0, 0.25, 0.5, 0.9])), [2, 1, 0, 0])
