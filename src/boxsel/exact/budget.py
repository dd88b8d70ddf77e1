"""Time limits: reasoning asks now and then whether it may go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from boxsel.errors import BoxselError


class OutOfTimeError(Exception):
    """The budget is spent, or somebody wants to stop."""


class _Parameters(Protocol):
    max_time_in_seconds: float


@dataclass
class Budget:
    """A number of seconds from now on; without a number, no limit. It may be stopped any time."""

    seconds: float | None = None
    _start: float = field(default_factory=time.monotonic)
    _stopped: bool = False
    _stop_solver: Callable[[], object] | None = None

    @classmethod
    def of(cls, text: str) -> Budget:
        """A budget as it is written: seconds, with or without a unit.

        Examples:
            >>> Budget.of("5s").seconds, Budget.of("2m").seconds
            (5.0, 120.0)
        """
        spelt = text.strip().lower()
        units = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
        number = spelt.rstrip("smhinu")
        unit = spelt[len(number) :] or "s"
        try:
            seconds = float(number) * units[unit]
        except (ValueError, KeyError):
            seconds = -1.0
        if not 0 < seconds < float("inf"):
            raise BoxselError(f"{text!r} is not a budget: write seconds, such as 5 or 5s or 2m")
        return cls(seconds)

    @property
    def left(self) -> float:
        """The seconds that are left."""
        if self._stopped:
            return 0.0
        if self.seconds is None:
            return float("inf")
        return max(0.0, self.seconds - (time.monotonic() - self._start))

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped the work."""
        return self._stopped

    def renew(self) -> None:
        """Start again, for the next question."""
        self._start = time.monotonic()

    @contextmanager
    def shortened(self, part: float) -> Iterator[None]:
        """For a while, only a part of what is left."""
        whole = self.seconds
        if whole is not None:
            self.seconds = whole - self.left * (1 - part)
        try:
            yield
        finally:
            self.seconds = whole

    def stop(self) -> None:
        """Stop whoever is working, and let whoever asks next stop; from any thread."""
        self._stopped = True
        if self._stop_solver is not None:
            self._stop_solver()

    @contextmanager
    def stopping(self, stop_solver: Callable[[], object]) -> Iterator[None]:
        """While a solver runs, let a stop reach it."""
        self._stop_solver = stop_solver
        try:
            self.check()
            yield
        finally:
            self._stop_solver = None

    def check(self) -> None:
        """Stop if the budget is spent."""
        if self.left <= 0:
            raise OutOfTimeError

    def limit(self, parameters: _Parameters) -> None:
        """Give a solver no more than what is left."""
        self.check()
        if self.seconds is not None:
            parameters.max_time_in_seconds = self.left
