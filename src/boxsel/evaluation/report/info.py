"""What a report says about the run itself: when, with what, and on which ontologies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Objective = Literal["gap", "error", "mae"]
"""What hyperparameters are chosen by: AG, SE, or the embedding's mean absolute error."""


@dataclass(frozen=True, slots=True)
class SplitSize:
    """How much of one shape a split has to learn and to ask, beside the paper's numbers.

    `learned` leaves out what is said about the root, which is in `root`.
    """

    ontology: str
    variant: str
    seed: int
    part: str
    shape: str
    learned: int
    root: int
    pairs: int
    published_learned: int | None = None
    published_pairs: int | None = None


@dataclass(frozen=True)
class RunInfo:
    """All that a reader needs to repeat a run.

    `ontologies` are the entries of the manifest: `name`, `origin`, `digest` and `sizes`. `settings`
    may be nested. `objective` is what the hyperparameters were chosen by.
    """

    title: str
    date: str
    versions: Mapping[str, str] = field(default_factory=dict)
    device: str = ""
    seeds: tuple[int, ...] = ()
    ontologies: tuple[Mapping[str, Any], ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    splits: tuple[SplitSize, ...] = ()
    quick: bool = False
    objective: Objective = "gap"
