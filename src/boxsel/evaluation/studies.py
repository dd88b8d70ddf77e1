"""What is compared with what: the cells of the main table and of every study."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from types import MappingProxyType
from typing import Any, Final, get_args

from boxsel.errors import BoxselError
from boxsel.evaluation.cells import Reading, Work, counts_for
from boxsel.evaluation.methods import (
    BASELINES,
    Method,
    answers,
    ours,
    papers,
    papers_by_step,
    populations,
    varied,
)
from boxsel.evaluation.records import Cell, Study
from boxsel.evaluation.splits.variants import VARIANTS
from boxsel.wording import expect_known

STUDIES: Final[tuple[Study, ...]] = get_args(Study)

TUNING_SEED: Final = 1000
"""The split of the hyperparameter search: none of those that anything is reported of."""

DIMENSIONS: Final = (8, 16, 32, 64, 128)
RATES: Final = (0.001, 0.01, 0.05, 0.1)
SIDES: Final = (1.0, 10.0)
"""The paper's grid."""


_PUBLISHED: Final = tuple(name for name in VARIANTS if name.startswith("published-"))


@dataclass(frozen=True)
class Scope:
    """How much is compared: of which ontologies (with their digests), variants and splits.

    Studies beside the main table are about the `studied` ontologies and have `few` seeds. `pushed`
    queries of each kind are asked of `directed` members each, and of `ask`, which has `patience`
    seconds for each of them on the `answered_variants`. The hyperparameters of the `tuned`
    ontologies are searched for. `light` is for a quick look.
    """

    digests: Mapping[str, str]
    variants: tuple[str, ...]
    seeds: tuple[int, ...]
    members: int
    studied: tuple[str, ...]
    few: tuple[int, ...]
    tuned: tuple[str, ...]
    epochs: tuple[int, ...] = (1, 2, 5, 10, 20, 40)
    directed: int = 30
    pushed: int = 10
    directed_variants: tuple[str, ...] = ("paper", "thin-3", "thin-10", "thin-20")
    answered_variants: tuple[str, ...] = ("paper", "strict", *_PUBLISHED)
    patience: tuple[float, ...] = (1.0, 10.0)
    tuned_members: int = 10
    dimensions: tuple[int, ...] = DIMENSIONS
    rates: tuple[float, ...] = RATES
    sides: tuple[float, ...] = SIDES
    light: bool = False

    def eased(self, method: Method) -> Method:
        """A method with less work to do, if the whole is only a quick look.

        Small batches keep all shapes of conditionals in one: all splits share a compiled program.
        """
        settings = method.settings
        if not self.light or settings is None:
            return method
        if settings.representation == "populations":
            return varied(method, dim=16, epochs=200)
        epochs = settings.epochs or 20
        polish = "near" if settings.polish == "always" else settings.polish
        return varied(method, batch=64, epochs=epochs, polish=polish)


@dataclass(frozen=True)
class Planned:
    """A cell of a table: the run that it needs, and which members it reads.

    With a `sample`, only so many queries of each kind are compared: those that are asked of
    directed members, so that others are compared on the same.
    """

    cell: Cell
    work: Work
    reading: Reading
    sample: int | None = None


Maker = Callable[[Scope], Iterator[Planned]]


def planned(scope: Scope, studies: Sequence[str]) -> list[Planned]:
    """All cells of some studies, in the order in which they should be computed.

    Raises:
        BoxselError: There is no such study.
    """
    plans: list[Planned] = []
    for study in studies:
        expect_known("study", study, _MAKERS)
    for name, maker in _MAKERS.items():
        if name in studies:
            plans += maker(scope)
    return list(dict.fromkeys(plans))


def _planned(
    scope: Scope,
    study: Study,
    ontology: str,
    variant: str,
    seed: int,
    method: Method,
    setting: str = "",
    reading: Reading | None = None,
) -> Planned:
    """A cell of an ensemble or a baseline."""
    seeded = scope.eased(method).seeded(seed)
    members = 0 if method.settings is None else method.settings.members
    sample = scope.pushed if method.directed or method.seconds is not None else None
    return Planned(
        Cell(study, ontology, variant, seed, method.name, setting),
        Work(ontology, scope.digests[ontology], variant, seed, seeded, sample),
        members if reading is None else reading,
    )


def _ensembles(ontology: str, members: int) -> list[Method]:
    """The ensembles of ours: one for each representation that is trained for itself."""
    return [ours(ontology, members), populations(ontology, members)]


def _main(scope: Scope) -> Iterator[Planned]:
    """Baselines and both presets: all members, and those that fit."""
    for variant, ontology, seed in product(scope.variants, scope.digests, scope.seeds):
        for name in BASELINES:
            yield _planned(scope, "main", ontology, variant, seed, Method(name))
        for mine in _ensembles(ontology, scope.members):
            yield _planned(scope, "main", ontology, variant, seed, mine)
            kept = _planned(scope, "main", ontology, variant, seed, mine, reading="kept")
            yield replace(kept, cell=replace(kept.cell, method=f"{mine.name} kept"))
        if variant == "paper":
            for theirs in (papers, papers_by_step):
                method = theirs(ontology, scope.members)
                yield _planned(scope, "main", ontology, variant, seed, method)


def _answers(scope: Scope) -> Iterator[Planned]:
    """What `ask` says, beside baselines and ensembles, on the same queries."""
    variants = [one for one in scope.answered_variants if one in scope.variants]
    for variant, ontology, seed in product(variants, scope.digests, scope.few):
        readings: dict[str, tuple[Method, Reading | None]] = {
            name: (Method(name), None) for name in BASELINES
        }
        for mine in _ensembles(ontology, scope.members):
            readings[f"{mine.name}, random members"] = mine, None
        for seconds in scope.patience:
            method = answers(seconds)
            readings[f"ask, {seconds:g} s"] = method, 0
            readings[f"ask, {seconds:g} s, outer"] = method, "outer"
        for setting, (method, reading) in readings.items():
            place = (ontology, variant, seed, method, setting, reading)
            yield replace(_planned(scope, "answers", *place), sample=scope.pushed)


def _members(scope: Scope) -> Iterator[Planned]:
    """The intervals that some of the members span."""
    for variant, ontology, seed in product(("paper", "thin-10"), scope.digests, scope.seeds):
        if variant in scope.variants:
            methods = _ensembles(ontology, scope.members)
            if variant == "paper":
                methods.append(papers(ontology, scope.members))
            for method, count in product(methods, counts_for(scope.members)):
                yield _planned(
                    scope, "members", ontology, variant, seed, method, str(count), reading=count
                )


def _epochs(scope: Scope) -> Iterator[Planned]:
    """How errors fall with the epochs alone: there is no last phase after them."""
    for ontology, seed, epochs in product(scope.studied, scope.few, scope.epochs):
        for base in (_without_last_phase, _papers):
            method = varied(base(ontology, scope.members), epochs=epochs)
            yield _planned(scope, "epochs", ontology, "paper", seed, method, str(epochs))


Base = Callable[[str, int], Method]
"""What a study changes: a method for an ontology, with so many members."""

Options = Mapping[str, Mapping[str, Any]]
"""The changes that each setting of a study makes."""


def _papers(ontology: str, members: int) -> Method:
    """The paper's preset, looked up when it is asked for."""
    return papers(ontology, members)


def _without_last_phase(ontology: str, members: int) -> Method:
    """Our preset without what only boxes with some maps of roles get."""
    return varied(ours(ontology, members), polish="never")


def _with_translations(ontology: str, members: int) -> Method:
    """The same with the map of roles that balls can have."""
    return varied(_without_last_phase(ontology, members), roles="translation")


def _changed(study: Study, *changes: tuple[Base, Options]) -> Maker:
    """A study that changes one setting of a method, one option after the other."""

    def maker(scope: Scope) -> Iterator[Planned]:
        for ontology, seed in product(scope.studied, scope.few):
            for base, options in changes:
                for setting, change in options.items():
                    method = varied(base(ontology, scope.members), **change)
                    yield _planned(scope, study, ontology, "paper", seed, method, setting)

    return maker


def _presets(scope: Scope) -> Iterator[Planned]:
    """The paper's preset and ours; members at random and directed ones."""
    for ontology, seed in product(scope.studied, scope.few):
        for variant in (one for one in scope.directed_variants if one in scope.variants):
            mine = ours(ontology, scope.members)
            # Directed members are copies of random ones, each of a different one.
            directed = min(scope.directed, scope.members)
            chosen = {
                "paper": papers(ontology, scope.members),
                "ours, random": mine,
                "ours, no last phase": _without_last_phase(ontology, scope.members),
                "ours, directed": replace(mine, name="boxsel directed", directed=directed),
            }
            for setting, method in chosen.items():
                plan = _planned(scope, "presets", ontology, variant, seed, method, setting)
                yield replace(plan, sample=scope.pushed)


def _tuning(scope: Scope) -> Iterator[Planned]:
    """The paper's grid, on a split of its own."""
    for ontology in scope.tuned:
        for point in product(scope.dimensions, scope.rates, scope.sides):
            yield _tuned(scope, ontology, *point)


def _tuned(scope: Scope, ontology: str, dim: int, rate: float, side: float) -> Planned:
    """The cell of a point of the grid."""
    method = varied(papers(ontology, scope.tuned_members), dim=dim, rate=rate, side=side)
    setting = f"dim={dim}, rate={rate}, side={side:g}"
    return _planned(scope, "tuning", ontology, "paper", TUNING_SEED, method, setting)


_MAKERS: Final[Mapping[str, Maker]] = MappingProxyType(
    {
        "main": _main,
        "answers": _answers,
        "members": _members,
        "presets": _presets,
        "epochs": _epochs,
        "concepts": _changed(
            "concepts",
            (
                _with_translations,
                {name: {"representation": name} for name in ("boxes", "balls")},
            ),
        ),
        "roles": _changed(
            "roles",
            (
                _without_last_phase,
                {name: {"roles": name} for name in ("translation", "affine", "dual-boxes")},
            ),
            (_papers, {name: {"roles": name} for name in ("translation", "affine")}),
        ),
        "regularisers": _changed(
            "regularisers",
            (
                _papers,
                {name: {"regularisers": name} for name in ("none", "location", "volume", "both")},
            ),
            (papers_by_step, {"both, every step": {}}),
        ),
        "tuning": _tuning,
    }
)


@dataclass(frozen=True)
class Search:
    """The points that a search has visited, and the best of its trials."""

    visited: tuple[Planned, ...]
    best: Planned


def required_optuna() -> Any:
    """The module, which is an extra.

    Raises:
        BoxselError: Optuna is not installed.
    """
    try:
        import optuna
    except ImportError:
        raise BoxselError(
            "a search with --trials needs Optuna: install the extra boxsel[tuning],"
            " or leave --trials out to run the whole grid"
        ) from None
    return optuna


def searched(scope: Scope, ontology: str, trials: int, error: Callable[[Planned], float]) -> Search:
    """Look for the point of the grid with the least error, and then around it.

    `error` runs a point and gives its mean absolute error on what was learned: no query is looked
    at. After the trials, each hyperparameter is varied on its own around the best point, as in the
    paper's table of sensitivities. Chance has a fixed seed, so that a search that was stopped
    visits the same points again, which are finished by then.

    Raises:
        BoxselError: Optuna is not installed.
    """
    optuna = required_optuna()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=0))
    errors: dict[Planned, float] = {}

    def point(dim: int, rate: float, side: float) -> Planned:
        plan = _tuned(scope, ontology, dim, rate, side)
        if plan not in errors:
            errors[plan] = error(plan)
        return plan

    for _ in range(trials):
        trial = study.ask()
        planned = point(
            trial.suggest_categorical("dim", scope.dimensions),
            trial.suggest_categorical("rate", scope.rates),
            trial.suggest_categorical("side", scope.sides),
        )
        study.tell(trial, errors[planned])
    best = min(errors, key=lambda plan: errors[plan])
    chosen = best.work.method.settings
    assert chosen is not None
    assert chosen.rate is not None
    for dim in scope.dimensions:
        point(dim, chosen.rate, chosen.side)
    for rate in scope.rates:
        point(chosen.dim, rate, chosen.side)
    for side in scope.sides:
        point(chosen.dim, chosen.rate, side)
    return Search(tuple(errors), best)
