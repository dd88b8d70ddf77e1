"""A clock that goes on by one each time that somebody looks at it: the same in every run."""

from __future__ import annotations

from boxsel.machine.budget import Budget


class Ticks:
    """Counts how often it was asked."""

    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> float:
        self.now += 1
        return float(self.now)


def ticking(looks: float | None) -> Budget:
    """A budget of so many looks at the clock."""
    return Budget(looks, Ticks())


def spent() -> Budget:
    """A budget of which nothing is left."""
    return ticking(0)
