"""Time limits: long work asks now and then whether it may go on.

One budget goes with a question through all of its parts. What cannot be interrupted, such as a
solver, is told how much is left.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, isinf, isnan
from typing import Final, Protocol, TypeAlias, TypeVar

from boxsel.errors import BoxselError, WrongKindError

UNLIMITED_MILLISECONDS: Final = 10**9
"""The milliseconds that a solver may take where there is no limit: eleven days."""
Item = TypeVar("Item")
Seconds: TypeAlias = float | Fraction | str | None
"""Seconds as users say them, as a number or as text with a unit; none is no limit."""


class OutOfTimeError(Exception):
    """The budget is spent, or somebody wants to stop."""


class _Parameters(Protocol):
    max_time_in_seconds: float


@dataclass
class Budget:
    """A number of seconds from now on; without a number, no limit. It may be stopped any time.

    Whoever does a part of the work gets the same budget, and stops with it. `clock` tells the time.
    """

    seconds: float | None = None
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    _deadline: float = field(init=False)
    _stopped: bool = False
    _ended: bool = False
    _stop_solver: Callable[[], object] | None = None

    def __post_init__(self) -> None:
        self.renew()

    @classmethod
    def of(cls, said: Limit) -> Budget:
        """A budget as it is said; one that runs already stays what it is.

        Examples:
            >>> Budget.of("5s").seconds, Budget.of("2m").seconds, Budget.of(0.5).seconds
            (5.0, 120.0, 0.5)
            >>> Budget.of(None).limited
            False
        """
        if isinstance(said, Budget):
            return said
        if said is None or isinstance(said, str):
            return cls() if said is None else cls._read(said)
        if isinstance(said, bool) or not isinstance(said, int | float | Fraction):
            raise WrongKindError(f"a budget is seconds, such as 5 or '5s', and not {said!r:.80}")
        if isnan(said) or said < 0:
            raise BoxselError(f"{said} is not a budget: give seconds, such as 5 or '5s'")
        return cls(None if isinf(said) else float(said))

    @classmethod
    def _read(cls, text: str) -> Budget:
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
        if self._stopped or self._ended:
            return 0.0
        return max(0.0, self._deadline - self.clock())

    @property
    def limited(self) -> bool:
        """Whether it can be spent."""
        return self._stopped or self._ended or self._deadline < inf

    @property
    def spent(self) -> bool:
        """Whether nothing is left."""
        return self.left <= 0

    @property
    def milliseconds(self) -> int:
        """What is left, for a linear solver: it takes 0 for no limit."""
        return max(1, int(min(UNLIMITED_MILLISECONDS, 1000 * self.left)))

    @property
    def stopped(self) -> bool:
        """Whether somebody stopped the work."""
        return self._stopped

    def renew(self) -> None:
        """Start again, for the next question."""
        self._deadline = inf if self.seconds is None else self.clock() + self.seconds
        self._ended = False

    def end(self) -> None:
        """Let this question be the end of it: nothing is left for it; from any thread."""
        self._ended = True
        if self._stop_solver is not None:
            self._stop_solver()

    def shortened(self, part: float) -> AbstractContextManager[None]:
        """For a while, only a part of what is left: the deadline comes earlier, and goes back."""
        return self._until(self._deadline - self.left * (1 - part) if self.limited else inf)

    def at_most(self, seconds: float) -> AbstractContextManager[None]:
        """For a while, no more than some seconds, also where there is no limit."""
        return self._until(min(self._deadline, self.clock() + seconds))

    @contextmanager
    def _until(self, deadline: float) -> Iterator[None]:
        kept, self._deadline = self._deadline, deadline
        try:
            yield
        finally:
            self._deadline = kept

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
        if self.spent:
            raise OutOfTimeError

    def watched(self, items: Iterable[Item], every: int = 1) -> Iterator[Item]:
        """The items of a long loop, which stops when the budget is spent."""
        for number, item in enumerate(items):
            if number % every == 0:
                self.check()
            yield item

    def limit(self, parameters: _Parameters) -> None:
        """Give a solver no more than what is left."""
        self.check()
        if self.limited:
            parameters.max_time_in_seconds = self.left


Limit: TypeAlias = Budget | Seconds
"""The same, or a budget that runs already, and that others share."""
NO_LIMIT: Final = Budget()
"""For whoever has all the time in the world."""
