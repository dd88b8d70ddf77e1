"""What an ensemble says, as numbers and words that need no ensemble to be read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boxsel.models.estimate import Estimate


@dataclass(frozen=True)
class Estimated:
    """Between which shares the members of an ensemble lie that were kept: approximate, no bound.

    `violation` is how far the worst of them is from satisfying a statement. In `undefined` of
    them the body is empty.
    """

    lower: float
    upper: float
    members: int
    kept: int
    undefined: int
    violation: float
    directed: bool

    @classmethod
    def of(cls, estimate: Estimate) -> Estimated | str:
        """What an estimate says; if it has no numbers, why not."""
        found = estimate.to_json()
        return estimate.missing if found is None else cls(**found)

    @property
    def text(self) -> str:
        """The estimate for people."""
        how = "directed members" if self.directed else "members"
        undefined = f", undefined in {self.undefined}" if self.undefined else ""
        return (
            f"estimated between {self.lower:.4g} and {self.upper:.4g} (approximate, no bound:"
            f" {self.kept} of {self.members} {how}, violation at most"
            f" {self.violation:.2g}{undefined})"
        )

    def to_json(self) -> dict[str, Any]:
        """The estimate as a JSON object."""
        return {
            "lower": self.lower,
            "upper": self.upper,
            "members": self.members,
            "kept": self.kept,
            "undefined": self.undefined,
            "violation": self.violation,
            "directed": self.directed,
        }
