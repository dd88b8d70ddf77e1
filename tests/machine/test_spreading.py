"""Tasks over processes: results in order, and a process that dies loses its task alone."""

from __future__ import annotations

import os

import pytest

from boxsel.errors import BoxselError
from boxsel.machine.spreading import spread


def squared(number: int) -> int:
    return number * number


def dying(number: int) -> int:
    """What a process does whose memory runs out at one of the tasks."""
    if number == 3:
        os._exit(1)
    return number * number


def test_results_are_in_order() -> None:
    assert [*spread(squared, [3, 1, 2], jobs=1)] == [9, 1, 4]
    assert [*spread(squared, [], jobs=None)] == []
    with pytest.raises(BoxselError, match="at least 1, not 0"):
        spread(squared, [1], jobs=0)


@pytest.mark.deep  # each death starts all processes anew
def test_a_process_that_dies_loses_only_its_task() -> None:
    assert [*spread(dying, [*range(6)], jobs=2)] == [0, 1, 4, None, 16, 25]
