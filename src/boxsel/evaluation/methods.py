"""What is compared: baselines, and ensembles with their settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from boxsel.evaluation.published import HYPERPARAMETERS, PublishedHyperparameters, kin_of
from boxsel.models.settings import Settings


@dataclass(frozen=True, slots=True)
class Method:
    """A way to predict intervals: a baseline by its name, or an ensemble if it has settings.

    With `directed`, that many members are trained on for each query of a sample, half of them
    pushed down by it and half up. The seed of the settings is that of the split.
    """

    name: str
    settings: Settings | None = None
    directed: int = 0

    def seeded(self, seed: int) -> Method:
        """The method for a split."""
        if self.settings is None:
            return self
        return replace(self, settings=replace(self.settings, seed=seed))

    def to_json(self) -> dict[str, Any]:
        """What there is to know about it, for a key and for a report."""
        settings = None if self.settings is None else self.settings.to_json()
        return {"name": self.name, "settings": settings, "directed": self.directed}


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
    return next((one for one in HYPERPARAMETERS if one.kin == kin), ELSEWHERE)


def ours(ontology: str, members: int) -> Method:
    """Our preset, with the paper's dimension and batches, and a last phase in any case.

    Few members satisfy all that is counted from real data, so that without `always` there would
    mostly be none. `docs/evaluation.md` says how this was chosen.
    """
    chosen = published_for(ontology)
    settings = Settings(members=members, dim=chosen.dim, batch=chosen.batch, polish="always")
    return Method("boxsel", settings)


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


def varied(method: Method, **changes: Any) -> Method:
    """A method with some settings changed."""
    assert method.settings is not None
    return replace(method, settings=replace(method.settings, **changes))
