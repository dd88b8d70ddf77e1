"""What is compared: baselines, and ensembles with their settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from boxsel.errors import BoxselError
from boxsel.evaluation.conditionals import Floats
from boxsel.evaluation.published import HYPERPARAMETERS, PublishedHyperparameters, kin_of
from boxsel.evaluation.splits.split import Split
from boxsel.models.settings import Settings


@dataclass(frozen=True, slots=True)
class Method:
    """A way to predict intervals: a baseline by its name, or an ensemble if it has settings.

    With `directed`, that many members are trained on for each query of a sample, half of them
    pushed down by it and half up. The seed of the settings is that of the split. With `seconds`, it
    is what `ask` says within so many for each query of a sample.
    """

    name: str
    settings: Settings | None = None
    directed: int = 0
    seconds: float | None = None

    def seeded(self, seed: int) -> Method:
        """The method for a split."""
        if self.settings is None:
            return self
        return replace(self, settings=replace(self.settings, seed=seed))

    def to_json(self) -> dict[str, Any]:
        """What there is to know about it, for a key and for a report."""
        settings = None if self.settings is None else self.settings.to_json()
        return {
            "name": self.name,
            "settings": settings,
            "directed": self.directed,
            "seconds": self.seconds,
        }


ELSEWHERE: Final = PublishedHyperparameters(
    "Person", dim=16, epochs=20, batch=256, rate=0.01, side=1.0
)
"""What is chosen for ontologies that the paper does not have."""


def published_for(ontology: str) -> PublishedHyperparameters:
    """The paper's choices for an ontology like this one.

    Examples:
        >>> published_for("yago-hybrid").dim, published_for("hpo").dim
        (8, 16)
    """
    kin = kin_of(ontology)
    return next(
        (hyperparameter for hyperparameter in HYPERPARAMETERS if hyperparameter.kin == kin),
        ELSEWHERE,
    )


def ours(ontology: str, members: int) -> Method:
    """Our preset, with the paper's dimension and batches, and a last phase in any case.

    Few members satisfy all that is counted from real data, so that without `always` there would
    mostly be none. `docs/evaluation.md` says how this was chosen.
    """
    chosen = published_for(ontology)
    settings = Settings(members=members, dim=chosen.dim, batch=chosen.batch, polish="always")
    return Method("boxsel", settings)


SUBPOPULATIONS: Final = 512
"""How many weighted sub-populations a population has."""


def populations(ontology: str, members: int) -> Method:  # noqa: ARG001 - one for all ontologies
    """Weighted sub-populations in the place of boxes."""
    settings = Settings(members=members, dim=SUBPOPULATIONS, representation="populations")
    return Method("populations", settings)


def papers(ontology: str, members: int) -> Method:
    """The paper's preset, with the paper's hyperparameters."""
    chosen = published_for(ontology)
    settings = Settings(
        members=members,
        dim=chosen.dim,
        epochs=chosen.epochs,
        batch=chosen.batch,
        rate=chosen.rate,
        side=chosen.side,
        preset="paper",
    )
    return Method("paper", settings)


def papers_by_step(ontology: str, members: int) -> Method:
    """The same with its regularisers paid in full in every step, as they are often implemented."""
    return replace(varied(papers(ontology, members), weighting="step"), name="paper step")


def answers(seconds: float) -> Method:
    """What `ask` says in so many seconds a query.

    Examples:
        >>> answers(10.0).name
        'ask 10s'
    """
    return Method(f"ask {seconds:g}s", seconds=seconds)


def varied(method: Method, **changes: Any) -> Method:
    """A method with some settings changed."""
    assert method.settings is not None
    return replace(method, settings=replace(method.settings, **changes))


Baseline = Callable[[Split, int], Floats]
"""Predicts intervals for the queries of a split, of shape [queries, 2]; chance has a seed."""


def fixed(split: Split, seed: int) -> Floats:  # noqa: ARG001 - every baseline is given one
    """[0, 1] for each query: what is known without any premise."""
    intervals: Floats = np.tile([0.0, 1.0], (len(split.queries), 1))
    return intervals


def random(split: Split, seed: int) -> Floats:
    """Two uniform numbers for each query, in order."""
    intervals: Floats = np.random.default_rng(seed).random((len(split.queries), 2))
    return np.sort(intervals, axis=1)


def kde(split: Split, seed: int) -> Floats:
    """An interval for each query, drawn from the density of the learning set's intervals.

    The intervals [l, u] of the learning set are taken for samples of a density, estimated with
    Gaussian kernels. Scott's rule gives the bandwidths: σ₁·m^(−1/6) for l and σ₂·m^(−1/6) for u,
    where m is the number of intervals and σ their standard deviation. The paper writes these as the
    entries of H, whose place in its kernel is that of a covariance; we read them as standard
    deviations, as Scott's rule has them. H is diagonal: the noise of l and that of u are
    independent. Nothing keeps such a sample within [0, 1] or its ends in order: we clip it, and
    then order it. The counted conditionals are points, l = u, unless they are rounded. Those that
    are undefined have none.

    Raises:
        BoxselError: There is no interval to learn from.
    """
    said = split.learning.take(split.learning.defined)
    if not len(said):
        raise BoxselError(f"{split.ontology.name}, {split.variant}: no conditional is defined")
    intervals = np.stack(said.bounds(split.rounded), axis=1)
    found = drawn(intervals, len(split.queries), np.random.default_rng(seed))
    return np.sort(found.clip(0, 1), axis=1)


def drawn(intervals: Floats, number: int, chance: np.random.Generator) -> Floats:
    """Samples of the density: an interval of those given, and noise for each of its ends."""
    chosen = intervals[chance.integers(len(intervals), size=number)]
    sample: Floats = chosen + bandwidths(intervals) * chance.standard_normal((number, 2))
    return sample


def bandwidths(intervals: Floats) -> Floats:
    """The standard deviations of a kernel in both directions; none for a single interval."""
    size = len(intervals)
    spread = intervals.std(axis=0, ddof=1) if size > 1 else np.zeros(2)
    widths: Floats = spread * float(size) ** (-1 / 6)
    return widths


BASELINES: Final[Mapping[str, Baseline]] = MappingProxyType(
    {"fixed": fixed, "random": random, "kde": kde}
)
"""Every baseline by its name."""
