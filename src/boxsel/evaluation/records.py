"""Results as flat records: what tables, figures and CSV files are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Study = Literal[
    "main",
    "answers",
    "members",
    "epochs",
    "concepts",
    "roles",
    "regularisers",
    "presets",
    "tuning",
]
"""What a comparison is about: the main table, and what is varied in each study."""

Truth = Literal["pmp", "exact"]
"""What predictions are compared with: an interval for each pair of premises, or for each query."""

TOTAL: Final = "total"
"""All shapes together."""

INFORMATIVE: Final = "informative"
"""Those of all shapes whose true interval is not all of [0, 1]."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One run of a method on one split of an ontology, and what it belongs to.

    `setting` is what its study varies: the members, the epochs, the representation, and so on.
    """

    study: Study
    ontology: str
    variant: str
    seed: int
    method: str
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Quality:
    """How good the predicted intervals of a run are, in total or for one shape.

    `items` are pairs of premises (for `pmp`) or queries (for `exact`). Those in `missing` got no
    prediction: they count as [0, 1]. `proved` is how many of the true intervals are exact; the
    others are outer intervals of a reasoner whose time was over. `width` is the mean width of the
    true intervals, `guessed` that of the predicted ones.
    """

    cell: Cell
    shape: str
    truth: Truth
    items: int
    missing: int
    proved: int
    soundness: float
    error: float
    gap: float
    width: float
    guessed: float


@dataclass(frozen=True, slots=True)
class Effort:
    """What a run took, and how well its members fit what they were taught.

    `reason` says why a run failed; then the numbers are none. `mae` is the mean absolute error over
    the members and those conditionals of the learning set whose bodies are not empty there:
    `counted` is their share. `kept` is how many members satisfy the learning set up to the
    tolerance, `settled` the epoch from which the mean loss stays within a twentieth of its last
    value. `seconds` are all that training took; `seconds_per_epoch` leaves the phase after the
    epochs out.
    """

    cell: Cell
    mae: float | None
    counted: float | None
    members: int
    kept: int
    epochs: int
    settled: int | None
    parameters: int
    seconds: float
    seconds_per_epoch: float
    milliseconds_per_query: float
    device: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """The queries whose exact intervals have a width in some band: how close predictions are."""

    cell: Cell
    least: float
    most: float
    items: int
    gap: float
    guessed: float


@dataclass(frozen=True, slots=True)
class Results:
    """All that a run of the evaluation found."""

    qualities: tuple[Quality, ...] = ()
    efforts: tuple[Effort, ...] = ()
    bands: tuple[Band, ...] = ()
