"""Types over names, and for each existential what part of them has it: for thinned counted graphs.

Few rows speak of an existential there, and each of one name or two. So what matters of an
existential is how much of each pattern of these names has it, and patterns are few. Existentials
that a clause joins make a group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.compile.vocabulary import Mask, bits
from boxsel.exact.lp.optimum import Impossible, Optimum, Result
from boxsel.exact.types.enumeration import enumerate_types, without_subsumed
from boxsel.exact.types.space import ListedSpace
from boxsel.exact.ways.counted.deferred import DeferredWeights
from boxsel.exact.ways.counted.equations import Equation, as_fraction
from boxsel.exact.ways.counted.parts import Group, Parts, divide
from boxsel.exact.ways.counted.parts_programme import PartsOptimum, PartsProgramme
from boxsel.exact.ways.way import Passed, Task


class Merged:
    """Answers questions over patterns, for the clauses as they are at the time."""

    def __init__(self, task: Task, equations: Sequence[Equation]) -> None:
        self._task, self._equations = task, equations
        self._existentials = reduce(or_, (one.bit for one in task.problem.existentials), 0)
        self._known: dict[tuple[int, frozenset[Mask]], tuple[Parts, PartsProgramme] | None] = {}

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        asked = [goal.require, *(mask for mask, _ in objective)]
        told_apart = (*goal.exclude, *((goal.require,) if goal.exclude else ()))
        if any(mask & self._existentials for mask in told_apart):
            return Passed("existentials are excluded")  # exclusions are looked up among names
        merged = self._merged(asked)
        if merged is None:
            return Passed("types over names, or choices of existentials, are too many")
        parts, programme = merged
        members = parts.members(goal)
        if members and objective:
            best = programme.maximise(members, parts.values(objective))
            if best is not None:
                return _optimum(parts, best, as_fraction(best.value))
        best = programme.maximise(parts.members(Goal(0)), members)
        if best is not None and best.value == 0:
            return Impossible(best.multipliers)
        if best is None or objective:
            return Passed("floats led to no exact optimum")
        return replace(_optimum(parts, best, Fraction(0)), multipliers={})

    def _merged(self, asked: Sequence[Mask]) -> tuple[Parts, PartsProgramme] | None:
        """Types and patterns for the clauses as they are now, that tell what is asked apart."""
        task, clauses = self._task, self._task.clauses
        key = (len(clauses), frozenset(mask for mask in asked if mask & self._existentials))
        if key not in self._known:
            if any(number != len(clauses) for number, _ in self._known):
                self._known.clear()
            parts = self._divide(asked)
            self._known[key] = (
                None
                if parts is None
                else (parts, PartsProgramme(parts, self._equations, task.budget))
            )
        return self._known[key]

    def _divide(self, asked: Sequence[Mask]) -> Parts | None:
        """The types over names and the groups of existentials; none if they are too many."""
        task, existentials = self._task, self._existentials
        kept = [task.clauses[number] for number in without_subsumed(task.clauses, task.budget)]
        about = [*(one.about for one in kept), *(one.about for one in self._equations), *asked]
        names = ((1 << task.width) - 1) & ~existentials
        kinds = enumerate_types(kept, names, task.limits.base, task.budget)
        if not kinds:
            return None
        groups = [
            Group(own, reduce(or_, (mask for mask in about if mask & own), 0) & names)
            for own in _components([mask & existentials for mask in about], existentials)
        ]
        parts = divide(kinds, groups, kept, task.limits.parts, task.budget)
        return parts if parts is not None and parts.extents.kinds else None


def offer(task: Task) -> Merged | Passed:
    """Where rows look like those of a counted graph."""
    if isinstance(task.space, ListedSpace):
        return Passed("types are listed")
    if task.equations is None:
        return Passed("some conditionals are intervals")
    if not task.is_counted:
        return Passed(f"only {len(task.problem.rows)} rows")
    return Merged(task, task.equations)


def _optimum(parts: Parts, best: PartsOptimum, value: Fraction) -> Optimum:
    weights = DeferredWeights(lambda: parts.weights(best.amounts))
    return Optimum(value, best.multipliers, weights)


def _components(masks: Iterable[Mask], every: Mask) -> list[Mask]:
    """The bits, where those in one mask are together."""
    found = [1 << bit for bit in bits(every)]
    for mask in masks:
        if mask & (mask - 1):
            joined = [one for one in found if one & mask]
            found = [one for one in found if not one & mask] + [reduce(or_, joined)]
    return found
