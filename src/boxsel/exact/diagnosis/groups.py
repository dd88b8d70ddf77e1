"""Conflicts in groups, each relaxed as little as possible.

While some goal is impossible, a minimal conflict about it is found and joined with the earlier
ones that it shares conditionals with; each such group is relaxed by itself. A group is a part of
the knowledge base, so that no repair of the whole is cheaper than those of its groups together:
when the whole leaves all goals possible, it is repaired at the least cost if they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from boxsel.exact.diagnosis.least_relaxation import QUICK, LeastRelaxation, Relaxation
from boxsel.exact.diagnosis.parts import NEAR, Parts
from boxsel.exact.diagnosis.relaxation import relax
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget


@dataclass(frozen=True)
class Group:
    """Conflicts that share conditionals: their statements, what must be possible, and how."""

    numbers: tuple[int, ...]
    goals: tuple[Name | None, ...]
    search: LeastRelaxation

    @property
    def relaxation(self) -> Relaxation:
        """The cheapest relaxation so far."""
        return self.search.result

    def relaxed(self, statements: Sequence[Statement]) -> dict[int, Statement]:
        """The new statements by their positions."""
        old = [statements[number] for number in self.numbers]
        new = relax(old, self.relaxation.ends, self.relaxation.levels)
        return {
            number: after
            for number, before, after in zip(self.numbers, old, new, strict=True)
            if before != after
        }


def relaxed_groups(
    kb: KB,
    goals: Sequence[Name | None],
    weights: Mapping[Conditional, Fraction],
    budget: Budget,
) -> list[Group]:
    """Groups of conflicts, relaxed so that the whole knowledge base leaves all goals possible."""
    groups: list[Group] = []
    now = _State.of(kb, groups, budget)
    nearby = list(goals)
    while True:
        complete = True
        # What stands near a goal comes first: it often empties goals that are far away, too.
        for goal, near in (*((one, True) for one in nearby), *((one, False) for one in goals)):
            if not near and not complete:
                break
            found = now.conflict(goal, near=near)
            if found is not None:
                groups = _join(kb, groups, found, [*now.about(goal), *goals], weights, budget)
                now = _State.of(kb, groups, budget)
                complete = False
            elif near:
                nearby.remove(goal)
        if not complete:
            continue  # a group grows with every conflict, so that this ends
        levels = [group.relaxation.levels for group in groups]
        for group in groups:
            group.search.prove()
        if levels == [group.relaxation.levels for group in groups]:
            return groups
        now = _State.of(kb, groups, budget)


@dataclass(frozen=True)
class _State:
    """The knowledge base as the groups have relaxed it."""

    reasoner: Reasoner
    parts: Parts

    @classmethod
    def of(cls, kb: KB, groups: Iterable[Group], budget: Budget) -> _State:
        new = {n: one for group in groups for n, one in group.relaxed(kb.statements).items()}
        relaxed = kb.with_statements(new.get(n, one) for n, one in enumerate(kb.statements))
        return cls(Reasoner(relaxed, budget=budget), Parts(relaxed, budget))

    def about(self, goal: Name | None) -> list[Name | None]:
        """What a conflict about a goal is about: where there is no model, that comes first."""
        return [goal if self.reasoner.consistent else None]

    def conflict(self, goal: Name | None, *, near: bool) -> tuple[int, ...] | None:
        """The positions of a minimal conflict about a goal, if it is not possible.

        Near a goal not every conflict is found.
        """
        if not self.reasoner.consistent:
            return self.parts.conflict(None)
        if goal is None or (not near and self.reasoner.satisfiable(goal)):
            return None
        return self.parts.conflict(goal, most=NEAR if near else None)


def _join(
    kb: KB,
    groups: Sequence[Group],
    numbers: Iterable[int],
    goals: Sequence[Name | None],
    weights: Mapping[Conditional, Fraction],
    budget: Budget,
) -> list[Group]:
    """The groups with one more conflict, joined with those that it shares conditionals with.

    The conflict is about the first goal; the others also matter, as far as they occur in it.
    """
    statements = kb.statements
    inside = set(numbers)
    bounded = {one for one in inside if isinstance(statements[one].axiom, Conditional)}
    near = [group for group in groups if not bounded.isdisjoint(group.numbers)]
    for group in near:
        inside.update(group.numbers)
    order = tuple(sorted(inside))
    occurring = {one for number in order for one in statements[number].axiom.entities()}
    about = [goals[0], *(one for group in near for one in group.goals)]
    about += [goal for goal in goals if goal in occurring]
    distinct = tuple(dict.fromkeys(about))
    # A repair of the joined group repairs each of the parts, which share no conditional.
    known = sum((group.relaxation.least for group in near), Fraction(0))
    chosen = [statements[number] for number in order]
    search = LeastRelaxation(chosen, distinct, weights, budget, known)
    search.prove(QUICK)
    return [*(group for group in groups if group not in near), Group(order, distinct, search)]
