"""What a method predicts for the queries of a split."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray

from boxsel.evaluation.conditionals import Floats, Truths

Reading = int | Literal["kept"]
"""Which members an interval is spanned by: so many of the first, or those that fit."""

COUNTS: Final = (10, 20, 40, 60)
"""The numbers of members of which the paper shows the approximation gap."""


def counts_for(members: int) -> tuple[int, ...]:
    """The numbers of members that intervals are kept for: the paper's, and all.

    Examples:
        >>> counts_for(60), counts_for(16)
        ((10, 20, 40, 60), (10, 16))
    """
    return (*(count for count in COUNTS if count < members), members)


@dataclass(frozen=True, eq=False)
class Prediction:
    """Intervals for the queries of a split: NaN where there is none.

    `ends[c, q]` is spanned by the first `counts[c]` members, `kept_ends[q]` by those that satisfy
    what was learned up to the tolerance. `asked` are the queries that were asked at all. `effort`
    has what the run took and how well it fits; `reason` says why it failed, if it did.
    """

    counts: tuple[int, ...]
    ends: Floats
    kept_ends: Floats
    asked: Truths
    effort: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    def interval(self, reading: Reading) -> Floats:
        """The predicted interval of each query."""
        if reading == "kept":
            return self.kept_ends
        found: Floats = self.ends[self.counts.index(reading)]
        return found

    @classmethod
    def of(cls, ends: Floats) -> Self:
        """Intervals without members: those of a baseline."""
        return cls((0,), ends[None], ends, np.ones(len(ends), bool))

    @classmethod
    def failed(cls, queries: int, counts: tuple[int, ...], reason: str) -> Self:
        """No interval for any query."""
        nothing = np.full((len(counts), queries, 2), np.nan)
        return cls(counts, nothing, nothing[0], np.ones(queries, bool), reason=reason)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The prediction as arrays by name, for a file; single precision is enough for shares."""
        words = {"counts": self.counts, "effort": dict(self.effort), "reason": self.reason}
        return {
            "words": np.array(json.dumps(words)),
            "ends": self.ends.astype(np.float32),
            "kept_ends": self.kept_ends.astype(np.float32),
            "asked": self.asked,
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """A prediction from what `arrays` gave."""
        words = json.loads(str(arrays["words"]))
        words["counts"] = tuple(words["counts"])
        words |= {key: arrays[key].astype(np.float64) for key in ("ends", "kept_ends")}
        words["asked"] = arrays["asked"]
        return cls(**words)
