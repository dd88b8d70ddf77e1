"""Extends what attains a bound under few conditionals to all names and conditionals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.exact.compile.problem import Form
from boxsel.exact.compile.vocabulary import Mask, Type
from boxsel.exact.types.gibbs import Floats
from boxsel.exact.types.space import Space, relevant
from boxsel.exact.ways.populations.attaining import Attained, Question, attain
from boxsel.exact.ways.populations.face import tight_types
from boxsel.exact.ways.populations.layout import Layout
from boxsel.exact.ways.populations.population import Frame, Population, fitted
from boxsel.exact.ways.populations.rounding import exact_weights
from boxsel.machine.budget import Budget

PARTICLES: Final = 1000
ATTEMPTS: Final = 6
CULPRITS: Final = 30
"""So many conditionals join after a failure, where more than MANY are in question."""
MANY: Final = 90
WHOLE: Final = 200
"""Over so many basic concepts everything is solved at once when populations keep failing."""
Weighting = dict[Type, Fraction]


class Extension:
    """Looks for weightings over all names of a layout."""

    def __init__(self, layout: Layout, frame: Frame, space: Space, budget: Budget) -> None:
        self._layout, self._frame, self._space, self._budget = layout, frame, space, budget
        self._points = {
            number: ratio.lower
            for number, ratio in enumerate(layout.ratios)
            if ratio.lower == ratio.upper
        }

    def attain(
        self,
        question: Question,
        tight: Mapping[int, Fraction],
        form: Form,
        known: Sequence[Type],
        seed: int,
    ) -> Weighting | set[int]:
        """A weighting of everything that attains a bound; else ratios that stand in the way.

        `tight` are the ratios that the bound's proof uses, `form` is its inequality.
        """
        layout = self._layout
        held: dict[int, Fraction] = {**self._points, **tight}
        core = question.about
        seeds = question.goal.require
        for number in tight:
            core |= layout.ratios[number].mask
            seeds |= layout.ratios[number].mask
        if question.value:
            seeds |= core
        names = layout.reach(seeds)
        inside, found = tight_types(layout.source, core, form, known, seed)
        small = [kind for kind in found if not kind & ~names]
        weights = np.full(len(small), 1 / max(1, len(small)))
        stubborn = set(tight)
        for attempt in range(ATTEMPTS):
            self._budget.check()
            if not any(question.goal.has(kind) for kind in small):
                return stubborn
            population, off = self._extend(inside, small, weights, names, held, seed + attempt)
            if not off:
                exact = exact_weights(layout, population.columns, population.weights, held)
                if exact is not None and question.is_met(exact):
                    return exact
                off = population.off(population.complete(), 0.1)
            stubborn = self._stubborn(stubborn, population, off, question)
            attained = attain(
                layout,
                self._space,
                self._budget,
                question,
                {**self._points, **tight},
                stubborn,
                known,
            )
            if isinstance(attained, set):
                return attained
            held.update(attained.held)
            if self._holds(attained.weights):
                return dict(attained.weights)
            inside, small, weights = self._restart(question, attained, form, stubborn, held, seed)
            names |= layout.reach(_union(small))
            if attempt and names.bit_count() <= WHOLE:
                stubborn = layout.inside(names)
        return stubborn

    def _extend(
        self,
        inside: Mask,
        small: Sequence[Type],
        weights: Floats,
        names: Mask,
        held: Mapping[int, Fraction],
        seed: int,
    ) -> tuple[Population, list[int]]:
        """A population over all names from weighted types over some; the ratios it is off."""
        layout, first = self._layout, self._layout.names(inside)
        columns = layout.columns(small)
        weights, _ = fitted(self._frame, columns, weights, first, held, self._budget)
        share = weights / weights.sum()
        copies = np.maximum(2, np.round(PARTICLES * share)).astype(int)
        copies = np.where(share < 1e-9, 1, copies)
        picked = np.repeat(np.arange(len(share)), copies)
        population = Population(
            self._frame,
            columns[:, picked],
            (share / copies)[picked],
            first,
            held,
            self._budget,
            seed,
        )
        stages = rings(layout, inside, names)
        return population, population.extend(stages, layout.names(names))

    def _stubborn(
        self, known: set[int], population: Population, off: list[int], question: Question
    ) -> set[int]:
        """The ratios to solve for next: what is off, what pulls hardest, and all among those."""
        layout = self._layout
        seen = population.complete()
        if len(seen) > MANY:
            seen.sort(key=lambda number: -population.pressure.get(number, 0.0))
            del seen[CULPRITS:]
        found = {*known, *seen, *off[:CULPRITS]}
        masks = _union(layout.ratios[number].mask for number in found)
        around, _ = relevant(layout.source, question.about | masks)
        found |= layout.inside(around)
        if found == known:
            found |= layout.touching(_union(layout.ratios[number].mask for number in off))
        return found

    def _restart(
        self,
        question: Question,
        attained: Attained,
        form: Form,
        stubborn: set[int],
        held: Mapping[int, Fraction],
        seed: int,
    ) -> tuple[Mask, list[Type], Floats]:
        """Where to start again: a weighting under more ratios, and more types if it has room."""
        layout = self._layout
        masks = _union(layout.ratios[number].mask for number in stubborn)
        inside, _ = relevant(layout.source, question.about | masks)
        small = list(dict.fromkeys(kind & inside for kind in attained.weights))
        total = sum(attained.weights.values())
        whole = dict.fromkeys(small, 0.0)
        for kind, weight in attained.weights.items():
            whole[kind & inside] += float(weight / total)
        weights = np.array([whole[kind] for kind in small])
        if attained.held:
            return inside, small, weights
        _, more = tight_types(layout.source, inside, form, small, seed)
        fresh = [kind for kind in more if kind not in whole]
        wide = np.concatenate([weights, np.full(len(fresh), 0.5 / max(1, len(fresh)))])
        names = layout.names(inside)
        columns = layout.columns([*small, *fresh])
        tuned, off = fitted(self._frame, columns, wide, names, held, self._budget)
        return (inside, small, weights) if off else (inside, [*small, *fresh], tuned)

    def _holds(self, weights: Mapping[Type, Fraction]) -> bool:
        """Whether a weighting obeys every ratio."""
        for ratio in self._layout.ratios:
            body = sum(1 << bit for bit in ratio.body)
            total = sum((w for kind, w in weights.items() if kind & body == body), Fraction(0))
            part = sum(
                (w for kind, w in weights.items() if kind & ratio.mask == ratio.mask), Fraction(0)
            )
            if not ratio.lower * total <= part <= ratio.upper * total:
                return False
        return True


def rings(layout: Layout, first: Mask, names: Mask) -> Iterator[set[int]]:
    """The names around some, those around these, and all."""
    reached = first
    for _ in range(2):
        near = _union(layout.ratios[number].mask for number in layout.touching(reached)) & names
        reached, _ = relevant(layout.source, reached | near)
        yield layout.names(reached)
    yield layout.names(names)


def _union(masks: Iterable[Mask]) -> Mask:
    found = 0
    for mask in masks:
        found |= mask
    return found
