"""Programmes over types over names, and for each existential what part of them has it.

In a thinned counted graph few rows speak of an existential, and each of one name or two. So what
matters of an existential is how much of each *pattern* of these names has it, and patterns are few.
Existentials that a clause joins make a group; a group's choices are listed for each pattern.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final

from flint import fmpq

from boxsel.exact.counted.deferred import DeferredWeights
from boxsel.exact.counted.equations import Equation, Extents, as_equations, as_fraction
from boxsel.exact.counted.numbered import Numbered
from boxsel.exact.counted.pair_programme import PairOptimum, PairProgramme
from boxsel.exact.counted.pairs import ZERO, side_by_side
from boxsel.exact.enumeration import enumerate_types, without_subsumed
from boxsel.exact.guide import Guide
from boxsel.exact.problem import Clause, Form, Goal, Problem
from boxsel.exact.programme import Impossible, Optimum, Programme
from boxsel.exact.vocabulary import Mask, Type, bits, has
from boxsel.machine.budget import Budget

if TYPE_CHECKING:
    from boxsel.exact.search import SearchedSpace

LISTED_NAMES: Final = 3_000
LISTED_CHOICES: Final = 20_000
"""How many types over names, and how many choices for patterns, are listed."""


class MergedProgramme(Programme):
    """A programme that is solved over patterns where it can be, else by column generation."""

    def __init__(
        self, problem: Problem, space: SearchedSpace, budget: Budget, guide: Guide
    ) -> None:
        super().__init__(problem.rows, space, budget, guide)
        self._searched = space
        self._existentials = reduce(or_, (one.bit for one in problem.existentials), 0)
        self._names = ((1 << len(problem.vocabulary)) - 1) & ~self._existentials
        self._equations = as_equations(problem.rows) or []
        self._known: dict[
            tuple[int, frozenset[Mask]], tuple[MergedPairs, PairProgramme] | None
        ] = {}

    def maximise(self, goal: Goal, objective: Form = ()) -> Optimum | Impossible:
        """The largest value of a form over weightings that give a goal the weight 1."""
        found = self._merged(goal, objective)
        return super().maximise(goal, objective) if found is None else found

    def _merged(self, goal: Goal, objective: Form) -> Optimum | Impossible | None:
        """The same over patterns, if it is about one group at most and floats find it."""
        asked = [goal.require, *(mask for mask, _ in objective)]
        told_apart = (*goal.exclude, *((goal.require,) if goal.exclude else ()))
        if any(mask & self._existentials for mask in told_apart):
            return None  # exclusions are looked up among names
        pair = self._pairs(asked)
        if pair is None:
            return None
        pairs, programme = pair
        members = pairs.members(goal)
        if members and objective:
            best = programme.maximise(members, pairs.values(objective))
            if best is not None:
                return _optimum(pairs, best, as_fraction(best.value))
        best = programme.maximise(pairs.members(Goal(0)), members)
        if best is None:
            return None
        if best.value == 0:
            return Impossible(best.multipliers)
        if objective:
            return None
        return replace(_optimum(pairs, best, Fraction(0)), multipliers={})

    def _pairs(self, asked: Sequence[Mask]) -> tuple[MergedPairs, PairProgramme] | None:
        """Types and patterns for the clauses as they are now, that tell what is asked apart."""
        clauses = self._searched.clauses
        key = (len(clauses), frozenset(mask for mask in asked if mask & self._existentials))
        if key not in self._known:
            if any(number != len(clauses) for number, _ in self._known):
                self._known.clear()
            pairs = merge(
                clauses, self._equations, asked, self._names, self._existentials, self._budget
            )
            self._known[key] = (
                None
                if pairs is None
                else (pairs, PairProgramme(pairs, self._equations, self._budget))
            )
        return self._known[key]


def _optimum(pairs: MergedPairs, best: PairOptimum, value: Fraction) -> Optimum:
    weights = DeferredWeights(lambda: pairs.weights(best.amounts))
    return Optimum(value, best.multipliers, weights)


class MergedPairs(Numbered):
    """Types over names, and the choices of groups for patterns, numbered after them."""

    def __init__(self, kinds: Sequence[Type], groups: Sequence[Group]) -> None:
        self.extents = Extents(kinds)
        self.groups = groups
        self.size = len(kinds)
        self.links: list[tuple[tuple[int, ...], list[int]]] = []
        self._numbers: list[dict[tuple[Mask, Mask], int]] = []
        for group in groups:
            numbers: dict[tuple[Mask, Mask], int] = {}
            for pattern, choices in group.choices.items():
                first = self.size
                self.size += len(choices)
                numbers |= {(pattern, choice): first + n for n, choice in enumerate(choices)}
                self.links.append((group.places[pattern], list(range(first, self.size))))
            self._numbers.append(numbers)

    def having(self, mask: Mask) -> list[int]:
        """The numbers of the choices, or types over names, that have a mask."""
        for group, numbers in zip(self.groups, self._numbers, strict=True):
            if mask & group.existentials:
                return [
                    n for (pattern, choice), n in numbers.items() if has(pattern | choice, mask)
                ]
        return list(self.extents.of(mask))

    def weights(self, amounts: Mapping[int, fmpq]) -> dict[Type, Fraction]:
        """Whole types: each type over names has its part of its patterns' choices."""
        parts: dict[int, list[list[tuple[fmpq, Mask]]]] = {}
        for group, numbers in zip(self.groups, self._numbers, strict=True):
            divided: dict[Mask, list[tuple[fmpq, Mask]]] = {}
            for (pattern, choice), number in numbers.items():
                if amount := amounts.get(number, ZERO):
                    divided.setdefault(pattern, []).append((amount, choice))
            for pattern, own in divided.items():
                total = sum((amount for amount, _ in own), ZERO)
                for place in group.places[pattern]:
                    if weight := amounts.get(place, ZERO):
                        mine = [(amount * weight / total, choice) for amount, choice in own]
                        parts.setdefault(place, []).append(mine)
        found: dict[Type, Fraction] = {}
        for place, kind in enumerate(self.extents.kinds):
            if weight := amounts.get(place, ZERO):
                found |= side_by_side(kind, weight, parts.get(place, []))
        return found


class Group:
    """Existentials that clauses join, the patterns of names that matter for them, and choices."""

    def __init__(self, existentials: Mask, names: Mask, kinds: Sequence[Type]) -> None:
        self.existentials, self.names = existentials, names
        places: dict[Mask, list[int]] = {}
        for place, kind in enumerate(kinds):
            places.setdefault(kind & names, []).append(place)
        self.places = {pattern: tuple(own) for pattern, own in places.items()}
        self.choices: dict[Mask, list[Mask]] = {}

    def choose(self, clauses: Iterable[Clause], limit: int, budget: Budget) -> int | None:
        """List the choices that obey clauses; how many there are, none if beyond a limit."""
        known = [clause for clause in clauses if clause.about & self.existentials]
        count = 0
        for pattern in budget.watched(self.places):
            left = [
                Clause(clause.body & self.existentials, clause.heads & self.existentials)
                for clause in known
                if has(pattern, clause.body & ~self.existentials) and not pattern & clause.heads
            ]
            found = enumerate_types(left, self.existentials, limit)
            if found is None:
                return None
            self.choices[pattern] = found
            count += len(found)
        return count


def merge(
    clauses: Sequence[Clause],
    equations: Sequence[Equation],
    asked: Iterable[Mask],
    names: Mask,
    existentials: Mask,
    budget: Budget,
) -> MergedPairs | None:
    """The types over names and the groups of existentials; none if they are too many."""
    known = [clauses[number] for number in without_subsumed(clauses, budget)]
    about = [*(clause.about for clause in known), *(one.about for one in equations), *asked]
    groups = _components([mask & existentials for mask in about], existentials)
    kinds = enumerate_types(known, names, LISTED_NAMES, budget)
    while kinds:
        found = []
        total = 0
        for own in groups:
            matters = reduce(or_, (mask for mask in about if mask & own), 0) & names
            group = Group(own, matters, kinds)
            count = group.choose(known, LISTED_CHOICES, budget)
            total += count or 0
            if count is None or total > LISTED_CHOICES:
                return None
            found.append(group)
        dead = {
            place
            for group in found
            for pattern, choices in group.choices.items()
            if not choices
            for place in group.places[pattern]
        }
        if not dead:
            return MergedPairs(kinds, found)
        kinds = [kind for place, kind in enumerate(kinds) if place not in dead]
    return None


def _components(masks: Iterable[Mask], every: Mask) -> list[Mask]:
    """The bits, where those in one mask are together."""
    found = [1 << bit for bit in bits(every)]
    for mask in masks:
        if mask & (mask - 1):
            joined = [one for one in found if one & mask]
            found = [one for one in found if not one & mask] + [reduce(or_, joined)]
    return found
