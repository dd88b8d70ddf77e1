"""The random estimator: two numbers between 0 and 1."""

from __future__ import annotations

import numpy as np

from boxsel.evaluation.conditionals import Floats
from boxsel.evaluation.splits.split import Split


def random(split: Split, seed: int) -> Floats:
    """Two uniform numbers for each query, in order."""
    found: Floats = np.random.default_rng(seed).random((len(split.queries), 2))
    return np.sort(found, axis=1)
