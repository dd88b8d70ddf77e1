"""How to train: what users choose, and the presets of what belongs together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from boxsel.errors import BoxselError
from boxsel.models.representations.by_name import representation_of, role_map_of
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Representation
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.memberships import Memberships
from boxsel.wording import expect_known

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

Weighting = Literal["epoch", "step"]
"""How often L_loc and L_vol are paid in full: once an epoch, as the sum over all axioms is, or in
every step."""

Polish = Literal["never", "near", "always"]
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

POPULATIONS: Final = Preset(
    Schedule(hot=0.05, cold=1e-4, rate=0.1, last_rate=0.01),
    least_steps=1000,
    refining=Schedule(hot=1e-3, cold=1e-4, rate=0.05, last_rate=0.01, push=1.0),
    refining_steps=500,
)
"""The default preset, for populations: each step takes all rows, so that there are fewer."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training run.

    `members` embeddings of dimension `dim` are trained at once, on mini-batches of `batch` rows,
    for `epochs` passes over the axioms; none means 20, or more if that is too few steps. A member
    whose largest violation is at most `tolerance` counts for estimates. `rate` is that of learning,
    if not the preset's. `side` (β) and `margin` (ε) are those of the paper's regularisers;
    `regularisers` says which of them the paper's preset has: both, `location`, `volume` or `none`;
    `weighting`, whether they are paid in full once an epoch, as printed, or in every step.
    `polish` says when there is a last phase: `never`, if some member is `near`, or `always`.
    """

    members: int = 60
    dim: int = 32
    epochs: int | None = None
    batch: int = 512
    seed: int = 0
    preset: str = "default"
    representation: str = "boxes"
    roles: str = "affine"
    rate: float | None = None
    tolerance: float = 0.01
    side: float = 1.0
    margin: float = 1e-3
    regularisers: Regularisers = "both"
    weighting: Weighting = "epoch"
    polish: Polish = "near"

    def __post_init__(self) -> None:
        if self.representation == Populations.kind and self.roles == Affine.kind:
            # The default is for boxes; populations have only one kind of roles.
            object.__setattr__(self, "roles", Memberships.kind)
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise BoxselError(f"{name} must be at least {least}, not {value}")
        for name in ("rate", "side"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise BoxselError(f"{name} must be a positive number, not {value}")
        object.__setattr__(self, "side", float(self.side))  # βⁿ overflows as an integer
        for name, options in _OPTIONS.items():
            value = getattr(self, name)
            if value not in options:
                known = ", ".join(options)
                raise BoxselError(f"{name} cannot be {value!r}: choose one of {known}")
        self.chosen_preset()
        self.chosen_representation()

    def chosen_preset(self) -> Preset:
        """The preset by its name."""
        expect_known("preset", self.preset, PRESETS)
        preset = PRESETS[self.preset]
        if self.representation == Populations.kind and preset.universe:
            return POPULATIONS
        return preset

    def chosen_representation(self) -> Representation:
        """The representation by its name, that of the map of roles, and the preset."""
        representation = representation_of(self.representation, self.roles, self.dim)
        if self.chosen_preset().universe:
            return representation
        if self.representation != "boxes" or self.roles == "dual-boxes":
            raise BoxselError(
                f"the preset {self.preset!r} is for boxes with affine roles or translations,"
                f" not for {self.representation} with {self.roles}"
            )
        return FreeBoxes(self.dim, role_map_of(self.roles), self.side)

    def to_json(self) -> dict[str, Any]:
        """The settings by name."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Settings from what `to_json` gave."""
        return cls(**data)


_OPTIONS: Final = {
    "regularisers": get_args(Regularisers),
    "weighting": get_args(Weighting),
    "polish": get_args(Polish),
}

_LEAST: Final = {
    "members": 1,
    "dim": 1,
    "epochs": 0,
    "batch": 1,
    "seed": 0,
    "tolerance": 0,
    "margin": 0,
}
