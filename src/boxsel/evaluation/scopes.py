"""How much is evaluated: all of it, or a quick look at everything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from boxsel.errors import BoxselError
from boxsel.evaluation.ontologies.folder import read_manifest
from boxsel.evaluation.ontologies.registry import ONTOLOGIES, recipe_of
from boxsel.evaluation.splits.variants import VARIANTS
from boxsel.evaluation.studies import STUDIES, TUNING_SEED, Scope
from boxsel.wording import expect_options

BUNDLED: Final = "small"
"""The ontology for a quick look: it needs no data, and is not part of a whole run."""


@dataclass(frozen=True)
class Choices:
    """What is evaluated, and how thoroughly.

    `budget` are the seconds that the exact reasoner has for a query, `queries` how many of each
    kind it is asked in each split. Studies beside the main table have the first `study_seeds` of
    the seeds. `trials` are those of a search for hyperparameters; none stands for the whole grid.
    """

    ontologies: tuple[str, ...] = tuple(name for name in ONTOLOGIES if name != BUNDLED)
    variants: tuple[str, ...] = tuple(VARIANTS)
    studies: tuple[str, ...] = STUDIES
    seeds: int = 5
    members: int = 60
    budget: float = 5.0
    queries: int = 10
    trials: int | None = None
    study_seeds: int = 3
    quick: bool = False

    def __post_init__(self) -> None:
        for name in self.ontologies:
            recipe_of(name)
        for option, given, known in (
            ("ontology", self.ontologies, tuple(ONTOLOGIES)),
            ("variant", self.variants, tuple(VARIANTS)),
            ("study", self.studies, STUDIES),
        ):
            expect_options(option, given, known)
            if len({*given}) < len(given):
                raise BoxselError(f"--{option}: one of {', '.join(given)} is given twice")
        for option in ("seeds", "members", "queries", "trials", "study_seeds"):
            value = getattr(self, option)
            if value is not None and value < 1:
                name = option.replace("_", "-")
                raise BoxselError(f"--{name} must be at least 1, not {value}")
        if self.seeds > TUNING_SEED:  # the split of that seed is for tuning alone
            raise BoxselError(f"--seeds must be at most {TUNING_SEED}, not {self.seeds}")

    @staticmethod
    def without_data(folder: Path) -> tuple[str, ...]:
        """The ontologies of a whole run that need no data sets, or are in the folder already."""
        counted = read_manifest(folder)
        return tuple(
            name
            for name in Choices.ontologies
            if name in counted or ONTOLOGIES[name].sources is None
        )

    @classmethod
    def fast(cls, **changes: Any) -> Choices:
        """A quick look: every step and every study, on one small ontology."""
        quick = cls(
            ontologies=(BUNDLED,),
            variants=("paper", "strict", "thin-10", "published-10"),
            seeds=2,
            members=12,
            budget=2.0,
            queries=4,
            study_seeds=1,
            quick=True,
        )
        return replace(quick, **changes)

    @property
    def searches(self) -> bool:
        """Whether hyperparameters are searched for, instead of running the whole grid."""
        return self.trials is not None and "tuning" in self.studies

    def scope(self, digests: Mapping[str, str]) -> Scope:
        """What there is to compare, of ontologies with these digests."""
        seeds = tuple(range(self.seeds))
        whole = Scope(
            digests=digests,
            variants=self.variants,
            seeds=seeds,
            members=self.members,
            studied=_studied(digests) or tuple(digests),
            few=seeds[: self.study_seeds],
            pushed=self.queries,
            tuned=tuple(digest for digest in digests if digest.startswith("yago"))
            or tuple(digests)[:1],
        )
        if not self.quick:
            return whole
        return replace(
            whole,
            epochs=(1, 5, 20),
            directed=8,
            patience=(0.5,),
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
            name: list(value) if isinstance(value, tuple) else value
            for name, value in vars(self).items()
        }


def _studied(names: Iterable[str]) -> tuple[str, ...]:
    """The ontologies that the studies are about: those like the paper's.

    One of the size of Person is enough: it takes as long as all the others together.
    """
    known = [name for name in names if name.partition("-")[0] in ("yago", "synthetic")]
    if "yago-person" in known:
        known = [name for name in known if name != "synthetic-person"]
    return tuple(known)
