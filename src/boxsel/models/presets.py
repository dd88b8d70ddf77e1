"""Presets: what belongs together when training, by name, and how it changes while that goes on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from boxsel.errors import BoxselError

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Cooling from a high temperature to a low one, and steps that become smaller.

    The temperature falls geometrically over the first `cooling` part of the run and then stays;
    the rate falls along a cosine to `last_rate` of what it was. A push, where there is one, fades
    to nothing over the first `pushing` part.
    """

    hot: float
    cold: float
    rate: float
    last_rate: float = 0.1
    cooling: float = 0.9
    push: float = 0.0
    pushing: float = 0.9

    def temperature(self, done: Floats) -> Floats:
        """The temperature when a part of the run is done.

        Examples:
            >>> Schedule(hot=1.0, cold=0.01, rate=0.1).temperature(np.array([0, 0.45, 1])).round(3)
            array([1.  , 0.1 , 0.01])
        """
        return self.hot * (self.cold / self.hot) ** np.minimum(1.0, done / self.cooling)

    def rates(self, done: Floats) -> Floats:
        """The learning rate when a part of the run is done."""
        falling = (1 + np.cos(np.pi * done)) / 2
        return self.rate * (self.last_rate + (1 - self.last_rate) * falling)

    def pushes(self, done: Floats) -> Floats:
        """The weight of the push when a part of the run is done."""
        return self.push * np.clip(1 - done / self.pushing, 0.0, 1.0)


Regularisers = Literal["none", "location", "volume", "both"]
"""Which of the paper's L_loc and L_vol are added to its loss."""

Polish = Literal["near", "always"]
"""When boxes are polished after training: if some member nearly satisfies everything, or always."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Schedules for training and for refining, the least number of steps, and the precision.

    `universe`: whether all boxes live in a universe, so that ⊤ has a measure.
    """

    schedule: Schedule
    least_steps: int
    refining: Schedule
    refining_steps: int
    universe: bool = True
    dtype: type = np.float32


PRESETS: Final[Mapping[str, Preset]] = {
    "default": Preset(
        Schedule(hot=0.1, cold=1e-3, rate=0.05),
        least_steps=2000,
        refining=Schedule(hot=0.1, cold=1e-3, rate=0.05, push=1.0),
        refining_steps=1000,
    ),
    "paper": Preset(
        Schedule(hot=1.0, cold=1e-2, rate=0.01, last_rate=1.0),
        least_steps=0,
        refining=Schedule(hot=1.0, cold=1e-2, rate=0.01, push=1.0),
        refining_steps=1000,
        universe=False,
        # Volumes up to β^n and their squares overflow single precision.
        dtype=np.float64,
    ),
}


def preset_of(name: str) -> Preset:
    """A preset by its name."""
    if name not in PRESETS:
        raise BoxselError(f"there is no preset {name!r}: there are {', '.join(PRESETS)}")
    return PRESETS[name]
