"""From a knowledge base to a trained ensemble.

Every name must be able to have members. Contradictory proportions empty a name in ways that no
simple rule finds. The exact reasoner does, in no time for small knowledge bases; others get a
little time, and then training starts.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

import numpy as np

from boxsel.errors import BoxselError
from boxsel.logic.kb import KB
from boxsel.models.choosing import Choice, settings_for
from boxsel.models.emptiness import NO_MODEL, NoModelError, contradiction
from boxsel.models.further_runs import polished
from boxsel.models.model import Model
from boxsel.models.objective import Objective
from boxsel.models.representations.representation import Sizes
from boxsel.models.run import REST, Run, begun, completed, planned
from boxsel.models.settings import Settings
from boxsel.models.task import Task
from boxsel.normal.saturation import unsafe

EPOCHS = 20
"""Passes over the axioms, unless that is too few steps."""


def fit(kb: KB, settings: Settings | None = None, **choices: Any) -> Model:
    """Train an ensemble of embeddings of a knowledge base.

    The settings are given as one value or one by one, by name. By name they may leave open what
    the members are: then the shape of the knowledge base decides, and `provenance` says why.

    Raises:
        NoModelError: The knowledge base has no model, or its numbers empty a name.
        BoxselError: It has no statements; or a setting is wrong.

    Examples:
        >>> from boxsel import examples
        >>> model = fit(examples.load("applicant"), members=4, dim=2, epochs=1)
        >>> model.settings.members
        4
    """
    chosen, choice = (
        settings_for(kb, choices) if settings is None else (replace(settings, **choices), None)
    )
    task = Task.of(kb)
    require_coherent(task)
    model = finished(task, chosen, completed(prepared(task, chosen)))
    return replace(model, provenance=told(choice))


def told(choice: Choice | None) -> dict[str, str]:
    """What a model remembers of a choice, if there was one."""
    return {} if choice is None else {"chosen": choice.why}


def prepared(task: Task, settings: Settings) -> Run:
    """A run before its first step, by the settings."""
    preset = settings.chosen_preset()
    representation = settings.chosen_representation()
    if not preset.universe:
        _require_safe(task.kb, settings.preset)
    schedule = preset.schedule
    if settings.rate is not None:
        schedule = replace(schedule, rate=settings.rate)
    plan = planned(
        task,
        Objective(
            representation,
            margin=settings.margin,
            regularisers=settings.regularisers,
            weighting=settings.weighting,
        ),
        schedule,
        members=settings.members,
        batch=settings.batch,
        epochs=EPOCHS if settings.epochs is None else settings.epochs,
        least_steps=preset.least_steps if settings.epochs is None else 0,
        seed=settings.seed,
        target=settings.tolerance / REST,
        dtype=preset.dtype,
    )
    random, sizes = np.random.default_rng(settings.seed), Sizes.of(task.numbering, settings.members)
    return begun(plan, representation.initial(random, sizes))


def finished(task: Task, settings: Settings, run: Run) -> Model:
    """The model that a run has led to, after a last phase of polishing."""
    last = completed(polished(run, settings.polish))
    return Model(task, settings, last.parameters, run.losses)


def _require_safe(kb: KB, preset: str) -> None:
    wrong = unsafe(kb)
    if wrong:
        raise BoxselError(
            f"the preset {preset!r} has no box for everything, but {wrong[0].text(kb.prefixes)}"
            " is a proportion of it: use the default preset"
        )


COHERENCE_SECONDS: Final = 5.0
"""How long training waits for the exact reasoner."""

COHERENCE_MOST: Final = 5000
"""Knowledge bases with more statements are not worth the try."""


def require_coherent(task: Task) -> str:
    """Refuse a knowledge base in which numbers empty a name; say how far that was checked.

    Raises:
        NoModelError: There is no model, or one of the names to be trained is empty in all.
    """
    if len(task.kb) > COHERENCE_MOST:
        return "not checked: the knowledge base is large"
    try:
        from boxsel.exact.reasoner import Reasoner
        from boxsel.machine.budget import Budget, OutOfTimeError
    except ImportError:  # training needs no solver
        return "not checked: the exact reasoner is not installed"
    reasoner = Reasoner(task.kb, budget=Budget(COHERENCE_SECONDS))
    try:
        if not reasoner.consistent:
            raise NoModelError(NO_MODEL)
        empty = set(reasoner.empty_names) - task.empty
    except OutOfTimeError:
        return f"not checked to the end: that takes more than {COHERENCE_SECONDS:.0f} s"
    if empty:
        raise contradiction(task.kb, empty)
    return "checked"
