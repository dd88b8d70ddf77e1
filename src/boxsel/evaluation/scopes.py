"""How much is evaluated: all of it, or a quick look at everything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies.registry import ONTOLOGIES, recipe_of
from boxsel.evaluation.splits.variants import VARIANTS
from boxsel.evaluation.studies import STUDIES, Scope

BUNDLED: Final = "small"
"""The ontology for a quick look: it needs no data, and is not part of a whole run."""


@dataclass(frozen=True)
class Choices:
    """What is evaluated, and how thoroughly.

    `budget` are the seconds that the exact reasoner has for a query, `queries` how many of each
    kind it is asked in each split. `trials` are those of a search for hyperparameters; none stands
    for the whole grid.
    """

    ontologies: tuple[str, ...] = tuple(name for name in ONTOLOGIES if name != BUNDLED)
    variants: tuple[str, ...] = tuple(VARIANTS)
    studies: tuple[str, ...] = STUDIES
    seeds: int = 5
    members: int = 60
    budget: float = 5.0
    queries: int = 10
    trials: int | None = None
    quick: bool = False

    def __post_init__(self) -> None:
        for name in self.ontologies:
            recipe_of(name)
        for option, given, known in (
            ("variant", self.variants, tuple(VARIANTS)),
            ("study", self.studies, STUDIES),
        ):
            for one in given:
                if one not in known:
                    raise BoxselError(f"--{option} {one}: choose one of {', '.join(known)}")
        for option in ("seeds", "members", "queries", "trials"):
            value = getattr(self, option)
            if value is not None and value < 1:
                raise BoxselError(f"--{option} must be at least 1, not {value}")

    @staticmethod
    def without_data() -> tuple[str, ...]:
        """The ontologies of a whole run that need no data sets."""
        return tuple(name for name in Choices.ontologies if ONTOLOGIES[name].sources is None)

    @classmethod
    def fast(cls, **changes: Any) -> Choices:
        """A quick look: every step and every study, on one small ontology."""
        quick = cls(
            ontologies=(BUNDLED,),
            variants=("paper", "strict", "thin-10"),
            seeds=2,
            members=12,
            budget=2.0,
            queries=4,
            quick=True,
        )
        return replace(quick, **changes)

    def scope(self, digests: Mapping[str, str]) -> Scope:
        """What there is to compare, of ontologies with these digests."""
        seeds = tuple(range(self.seeds))
        whole = Scope(
            digests=digests,
            variants=self.variants,
            seeds=seeds,
            members=self.members,
            studied=tuple(name for name in digests if _is_studied(name)) or tuple(digests),
            few=seeds[:FEW],
            pushed=self.queries,
            tuned=tuple(name for name in digests if _is_tuned(name)) or tuple(digests)[:1],
        )
        if not self.quick:
            return whole
        return replace(
            whole,
            few=seeds[:1],
            epochs=(1, 5, 20),
            directed=8,
            pushed=2,
            tuned_members=4,
            dimensions=(8, 16),
            rates=(0.01,),
            sides=(1.0,),
            light=True,
        )

    def to_json(self) -> dict[str, Any]:
        """The choices by name."""
        return {
            "ontologies": list(self.ontologies),
            "variants": list(self.variants),
            "studies": list(self.studies),
            "seeds": self.seeds,
            "members": self.members,
            "budget": self.budget,
            "queries": self.queries,
            "trials": self.trials,
            "quick": self.quick,
        }


FEW: Final = 3
"""How many of the seeds the studies have."""


def _is_studied(name: str) -> bool:
    """Whether the studies are about an ontology: those that the paper has studies of."""
    family, _, kind = name.partition("-")
    return family in ("yago", "synthetic") and kind in ("person", "country", "hybrid")


def _is_tuned(name: str) -> bool:
    """Whether hyperparameters are searched for: as in the paper, on YAGO's."""
    return _is_studied(name) and name.startswith("yago")
