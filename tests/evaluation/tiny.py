"""A tiny evaluation: methods that are trained in a moment, and splits and predictions for them."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
import pytest

from boxsel.evaluation import studies
from boxsel.evaluation.cells import Prediction, Work, counts_for
from boxsel.evaluation.methods import Method
from boxsel.evaluation.ontologies.synthetic import DRAWINGS, drawn
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.scopes import Choices
from boxsel.models.settings import Settings

SETTINGS: Final = Settings(members=3, dim=2, epochs=1, batch=64)

CHOICES: Final = Choices.fast(
    variants=("paper", "thin-10"), studies=("main",), seeds=1, members=3, queries=1, budget=0.2
)


def small() -> Ontology:
    return drawn("small", DRAWINGS["small"])


def quickly_trained(patch: pytest.MonkeyPatch) -> None:
    """Let both presets be one that is compiled once; they differ in a setting without effect."""

    def ours(_: str, members: int) -> Method:
        return Method("boxsel", replace(SETTINGS, members=members))

    def papers(_: str, members: int) -> Method:
        return Method("paper", replace(SETTINGS, members=members, side=2.0))

    patch.setattr(studies, "ours", ours)

    def papers_by_step(_: str, members: int) -> Method:
        return Method("paper step", replace(SETTINGS, members=members, side=3.0))

    patch.setattr(studies, "_ensembles", lambda *place: [ours(*place)])
    patch.setattr(studies, "papers", papers)
    patch.setattr(studies, "papers_by_step", papers_by_step)


def work(name: str = "fixed", seed: int = 0, variant: str = "paper") -> Work:
    """The work of a baseline on the small ontology."""
    return Work("small", small().digest(), variant, seed, Method(name))


def random_prediction(queries: int, members: int, seed: int, missing: float = 0.2) -> Prediction:
    """Intervals that nobody has computed; some are missing, some were not asked."""
    random = np.random.default_rng(seed)
    counts = counts_for(members)
    # Files keep single precision: these numbers have no more than that.
    drawn_ends = random.random((len(counts) + 1, queries, 2), np.float32).astype(np.float64)
    ends = np.sort(drawn_ends, axis=2)
    ends[random.random(ends.shape[:2]) < missing] = np.nan
    effort = {
        "mae": float(random.random()),
        "counted": float(random.random()),
        "members": members,
        "kept": int(random.integers(members + 1)),
        "epochs": int(random.integers(1, 50)),
        "settled": None if random.random() < 0.3 else int(random.integers(1, 50)),
        "parameters": 60,
        "seconds": float(random.random()),
        "last_seconds": float(random.random()),
        "milliseconds_per_query": float(random.random()),
    }
    return Prediction(counts, ends[:-1], ends[-1], random.random(queries) < 0.8, effort)
