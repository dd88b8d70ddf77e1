"""Time limits: reasoning asks now and then whether it may go on."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Protocol


class OutOfTimeError(Exception):
    """The budget is spent, or the user wants to stop."""


class _Parameters(Protocol):
    max_time_in_seconds: float


@dataclass
class Budget:
    """A number of seconds from now on; without a number, no limit."""

    seconds: float | None = None
    _start: float = field(default_factory=time.monotonic)

    @property
    def left(self) -> float:
        """The seconds that are left."""
        if self.seconds is None:
            return float("inf")
        return max(0.0, self.seconds - (time.monotonic() - self._start))

    def check(self) -> None:
        """Stop if the budget is spent."""
        if self.left <= 0:
            raise OutOfTimeError

    def limit(self, parameters: _Parameters) -> None:
        """Give a solver no more than what is left."""
        self.check()
        if self.seconds is not None:
            parameters.max_time_in_seconds = self.left
