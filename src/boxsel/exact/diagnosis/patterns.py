"""How elements can stand to some conditionals, however far these are relaxed.

A *pattern* says of each end of a conditional whether an element is in its body, and in its head
as well. Whatever the bounds are, the types of the deterministic statements have these patterns
and no others, and any model that gives every goal an instance gives weight to one of the goal's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import and_
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boxsel.exact.compile.problem import Demand, Goal, Problem
from boxsel.exact.compile.vocabulary import Mask, Type, has
from boxsel.exact.diagnosis.relaxation import Relaxable
from boxsel.exact.ladder import Ladder
from boxsel.exact.types.enumeration import enumerate_types
from boxsel.logic.axioms import ConceptAssertion, Conditional, RoleAssertion
from boxsel.logic.concepts import Concept, Individual
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget

MOST_TYPES: Final = 20_000
"""No more types than this are listed."""
Table = NDArray[np.bool_]


@dataclass(frozen=True)
class Patterns:
    """Tables with a row for each pattern and a column for each end, or for each goal."""

    inside: Table
    both: Table
    goals: Table


def list_patterns(
    statements: Sequence[Statement],
    ends: Sequence[Relaxable],
    goals: Iterable[Concept | None],
    budget: Budget,
) -> Patterns | None:
    """The patterns of some statements, unless there are too many types to list.

    A goal is a concept that must have an instance, or none if only a model must exist.
    """
    numbered = [(number, statement.axiom) for number, statement in enumerate(statements)]
    conditionals = dict.fromkeys(one for _, one in numbered if isinstance(one, Conditional))
    assertions = [one for _, one in numbered if isinstance(one, ConceptAssertion | RoleAssertion)]
    wanted = [goal for goal in goals if goal is not None]
    also = [concept for one in (*conditionals, *assertions) for concept in one.concepts()]
    strict = [(n, axiom) for n, axiom in numbered if not isinstance(axiom, Conditional)]
    ladder = Ladder(strict, (*also, *wanted), budget)
    problem = ladder.problem
    masks = [problem.vocabulary.mask(goal) or 0 for goal in wanted]
    for mask in masks:
        ladder.survivors.maximise(Goal(mask))  # eliminates what lacks witnesses on the way
    everything = (1 << len(problem.vocabulary)) - 1
    kinds = enumerate_types(ladder.survivors.clauses, everything, MOST_TYPES)
    if kinds is None:
        return None
    kinds = _witnessed(problem, kinds)
    needed = _needed(problem, kinds, [0, *masks, *_individuals(problem, kinds, assertions)])
    return _tabulate(problem, kinds, statements, ends, needed)


def _tabulate(
    problem: Problem,
    kinds: Sequence[Type],
    statements: Sequence[Statement],
    ends: Sequence[Relaxable],
    goals: Sequence[Mask],
) -> Patterns:
    bodies, boths = [], []
    for end in ends:
        axiom = statements[end.number].axiom
        assert isinstance(axiom, Conditional)
        body, head = (problem.vocabulary.mask(concept) for concept in (axiom.body, axiom.head))
        assert body is not None  # ⊥ is kept out of conditionals
        assert head is not None
        bodies.append(body)
        boths.append(body | head)
    columns = (*bodies, *boths, *goals)
    rows = dict.fromkeys(tuple(has(kind, mask) for mask in columns) for kind in kinds)
    table = np.array(list(rows), bool).reshape(len(rows), len(columns))
    inside, both, members = np.split(table, [len(ends), 2 * len(ends)], axis=1)
    return Patterns(inside, both, members)


def _witnessed(problem: Problem, kinds: Sequence[Type]) -> list[Type]:
    """The types whose existentials have witnesses among them: no model has others."""
    left = list(kinds)
    while True:
        known: dict[Goal, bool] = {}
        kept = [kind for kind in left if _has_witnesses(problem, kind, left, known)]
        if len(kept) == len(left):
            return kept
        left = kept


def _has_witnesses(
    problem: Problem, kind: Type, among: Sequence[Type], known: dict[Goal, bool]
) -> bool:
    for demand in problem.demands(kind):
        if not isinstance(demand, Demand):
            return False
        if demand.goal not in known:
            known[demand.goal] = any(map(demand.goal.has, among))
        if not known[demand.goal]:
            return False
    return True


def _needed(problem: Problem, kinds: Sequence[Type], goals: Iterable[Mask]) -> list[Mask]:
    """Goals, with what the witnesses of all their types must be."""
    found: dict[Mask, None] = {}
    queue = list(goals)
    while queue:
        goal = queue.pop(0)
        if goal in found:
            continue
        found[goal] = None
        known = _known(kinds, goal)
        for existential in problem.existentials:
            if known & existential.bit:
                demand = problem.demand(existential, lambda _: False)
                if isinstance(demand, Demand):
                    queue.append(demand.goal.require)
    return list(found)


def _individuals(
    problem: Problem,
    kinds: Sequence[Type],
    assertions: Iterable[ConceptAssertion | RoleAssertion],
) -> list[Mask]:
    """What each individual is known to be, as far as links show it one by one."""
    known: dict[Individual, Mask] = {}
    links: list[RoleAssertion] = []
    for axiom in assertions:
        for individual in axiom.individuals():
            known.setdefault(individual, 0)
        if isinstance(axiom, RoleAssertion):
            links.append(axiom)
            known[axiom.object] |= problem.range(axiom.role) or 0
        else:
            known[axiom.individual] |= problem.vocabulary.mask(axiom.concept) or 0
    before: dict[Individual, Mask] = {}
    while before != known:
        before = dict(known)
        known = {one: _known(kinds, mask) for one, mask in known.items()}
        for link in links:
            for duty in problem.duties(link.role):
                if duty.filler is not None and has(known[link.object], duty.filler):
                    known[link.subject] |= duty.bit
    return list(known.values())


def _known(kinds: Iterable[Type], mask: Mask) -> Mask:
    """What all types that have a mask have."""
    return reduce(and_, (kind for kind in kinds if has(kind, mask)), -1) | mask
