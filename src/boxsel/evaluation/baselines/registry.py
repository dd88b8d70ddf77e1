"""Every baseline by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from boxsel.evaluation.baselines.fixed import fixed
from boxsel.evaluation.baselines.kde import kde
from boxsel.evaluation.baselines.random import random
from boxsel.evaluation.conditionals import Floats
from boxsel.evaluation.splits.split import Split

Baseline = Callable[[Split, int], Floats]
"""Predicts intervals for the queries of a split, of shape [queries, 2]; chance has a seed."""

BASELINES: Final[Mapping[str, Baseline]] = MappingProxyType(
    {"fixed": fixed, "random": random, "kde": kde}
)
