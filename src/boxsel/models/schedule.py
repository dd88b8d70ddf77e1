"""How temperature, learning rate and push change while training goes on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
