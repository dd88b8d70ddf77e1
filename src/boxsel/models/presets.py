"""Presets: what belongs together when training, by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from boxsel.errors import BoxselError
from boxsel.models.schedule import Schedule

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
