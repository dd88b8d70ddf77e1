"""A search over the paper's grid with Optuna, where the whole grid would take too long."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from boxsel.errors import BoxselError
from boxsel.evaluation.methods import papers, varied
from boxsel.evaluation.studies import Planned, Scope, tuned


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
        base = papers(ontology, scope.tuned_members)
        found = tuned(scope, ontology, varied(base, "paper", dim=dim, rate=rate, side=side))
        if found not in errors:
            errors[found] = error(found)
        return found

    for _ in range(trials):
        trial = study.ask()
        planned = point(
            trial.suggest_categorical("dim", scope.dimensions),
            trial.suggest_categorical("rate", scope.rates),
            trial.suggest_categorical("side", scope.sides),
        )
        study.tell(trial, errors[planned])
    best = min(errors, key=lambda one: errors[one])
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
