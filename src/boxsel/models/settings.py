"""How to train: what users choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self, get_args

from boxsel.errors import BoxselError
from boxsel.models.presets import Polish, Preset, Regularisers, preset_of
from boxsel.models.representations.by_name import representation_of, role_map_of
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.representation import Representation


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training run.

    `members` embeddings of dimension `dim` are trained at once, on mini-batches of `batch` rows,
    for `epochs` passes over the axioms; none means 20, or more if that is too few steps. A member
    whose largest violation is at most `tolerance` counts for estimates. `rate` is that of learning,
    if not the preset's. `side` (β) and `margin` (ε) are those of the paper's regularisers;
    `regularisers` says which of them the paper's preset has: both, `location`, `volume` or `none`.
    `polish` says when there is a last phase: if some member is `near`, or `always`.
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
    polish: Polish = "near"

    def __post_init__(self) -> None:
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
        return preset_of(self.preset)

    def chosen_representation(self) -> Representation:
        """The representation by its name, that of the map of roles, and the preset."""
        found = representation_of(self.representation, self.roles, self.dim)
        if self.chosen_preset().universe:
            return found
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


_OPTIONS: Final = {"regularisers": get_args(Regularisers), "polish": get_args(Polish)}

_LEAST: Final = {
    "members": 1,
    "dim": 1,
    "epochs": 0,
    "batch": 1,
    "seed": 0,
    "tolerance": 0,
    "margin": 0,
}
