"""Conflicts in groups, each relaxed as little as possible.

While some goal is impossible, the causes are found, and the conflict of each is joined with those
that it shares conditionals with; each such group is relaxed by itself. A group is a part of
the knowledge base, so that no repair of the whole is cheaper than those of its groups together:
when the whole leaves all goals possible, it is repaired at the least cost if they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from boxsel.exact.diagnosis.causes import Cause, find_causes
from boxsel.exact.diagnosis.least_relaxation import QUICK, LeastRelaxation, Relaxation
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.diagnosis.relaxation import relax
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import TOP, Name
from boxsel.logic.kb import KB
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.progress import note

CROWD: Final = 6
"""So many conditionals for each name are about the same few types: they are one group."""
Found = tuple[Name | None, tuple[int, ...]]
"""A goal that is impossible, or none if there is no model, and the conflict about it."""


@dataclass(frozen=True)
class Group:
    """Conflicts that share conditionals: the positions of their statements, and what changes."""

    numbers: tuple[int, ...]
    relaxation: Relaxation

    def relaxed(self, statements: Sequence[Statement]) -> dict[int, Statement]:
        """The new statements by their positions."""
        old = [statements[number] for number in self.numbers]
        new = relax(old, self.relaxation.ends, self.relaxation.levels)
        return {
            number: after
            for number, before, after in zip(self.numbers, old, new, strict=True)
            if before != after
        }


def find_conflicts(kb: KB, goals: Sequence[Name], budget: Budget) -> list[Found]:
    """Conflicts that leave goals empty, if any are; if there is no model, one about that.

    The easy ones are enough for now: others are found when these are relaxed.
    """
    reasoner = Reasoner(kb, budget=budget)
    parts = Parts(kb, budget)
    if not reasoner.consistent:
        numbers = parts.conflict(None, proof=parts.axioms(reasoner.behind_empty(TOP)))
        assert numbers is not None
        return [(None, numbers)]
    causes = find_causes(reasoner, goals, easy=True) if goals else ()
    found = [*_about_goals(causes, goals, parts)]
    return found if found or not causes else [*_about_goals(find_causes(reasoner), goals, parts)]


def _about_goals(causes: Iterable[Cause], goals: Sequence[Name], parts: Parts) -> Iterator[Found]:
    """The conflicts of causes, about names that must have members."""
    wanted = {*goals}
    for cause in causes:
        if cause.conflict.concept in wanted:
            assert isinstance(cause.conflict.concept, Name)
            yield cause.conflict.concept, cause.numbers
            continue
        # A body need not have members: the names that do may be helped in other ways.
        name = next((one for one in cause.names if one in wanted), None)
        if name is not None:
            conflict = parts.conflict(name)
            assert conflict is not None
            yield name, conflict


class Groups:
    """The groups of a knowledge base while they are found and relaxed.

    `result` is the best so far; it is `verified` if with it all goals are possible.
    """

    def __init__(
        self,
        kb: KB,
        goals: Sequence[Name],
        weights: Mapping[Conditional, Fraction],
        budget: Budget,
    ) -> None:
        self._kb, self._goals, self._weights, self._budget = kb, goals, weights, budget
        self._members: list[_Member] = []
        names, rows = kb.signature.concepts, sum(1 for _ in kb.conditionals)
        beside = kb.signature.roles or kb.signature.individuals
        self._is_crowd = rows >= CROWD * len(names) and not beside
        self.verified = False
        self._together: LeastRelaxation | None = None
        self._best: list[Group] = []

    @property
    def finished(self) -> bool:
        """Whether with the result all goals are known to be possible."""
        return self.verified or self._together is not None

    @property
    def result(self) -> list[Group]:
        """The groups: as they were when all goals were last possible, with what is proved now.

        What one population misses, as one group, if that is cheaper or if nothing else is enough.
        """
        least = {member.numbers: member.search.result.least for member in self._members}
        best = [
            replace(group, relaxation=replace(group.relaxation, least=least[group.numbers]))
            for group in self._best
        ]
        if self._together is None:
            return best if self.verified else self._now
        whole = self._together.result
        if self.verified and sum(group.relaxation.total for group in best) <= whole.total:
            return best
        proved = max(whole.least, sum(least.values(), Fraction(0)))
        return [Group(tuple(range(len(self._kb))), replace(whole, least=proved))]

    @property
    def _now(self) -> list[Group]:
        return [Group(member.numbers, member.search.result) for member in self._members]

    def relax(self) -> None:
        """Relax until all goals are possible and nothing cheaper is found, or the time is over."""
        try:
            if self._is_crowd and self._give_way_together():
                return
            while self._improve():
                pass
        except OutOfTimeError:
            return

    def _improve(self) -> bool:
        """Join the conflicts that are left; without any, look for something cheaper."""
        self._budget.check()  # a large knowledge base takes a while to be made
        now = self._now
        new = {
            n: statement
            for group in now
            for n, statement in group.relaxed(self._kb.statements).items()
        }
        relaxed = self._kb.with_statements(
            new.get(n, statement) for n, statement in enumerate(self._kb.statements)
        )
        self._budget.check()
        conflicts = find_conflicts(relaxed, self._goals, self._budget)
        if conflicts:
            for place, (goal, numbers) in enumerate(conflicts, 1):
                note(f"contradiction {place} of {len(conflicts)}")
                self._join(goal, numbers)
            return True  # a group grows with every conflict, so that this ends
        self._best, self.verified = now, True
        for member in self._members:
            member.search.prove()
        return [group.relaxation.levels for group in now] != [
            group.relaxation.levels for group in self._now
        ]

    def _give_way_together(self) -> bool:
        """Give way by what one population misses; whether more would take too long."""
        reasoner = Reasoner(self._kb, budget=self._budget)
        if all(map(reasoner.satisfiable, self._goals)):
            return False
        search = LeastRelaxation(self._kb.statements, self._goals, self._weights, self._budget)
        if not search.give_way_together():
            return False
        self._together = search
        if search.is_heavy:
            search.prove()
        return search.is_heavy

    def _join(self, goal: Name | None, numbers: Iterable[int]) -> None:
        """One more conflict, joined with the groups that it shares conditionals with."""
        statements = self._kb.statements
        inside = set(numbers)
        bounded = {one for one in inside if isinstance(statements[one].axiom, Conditional)}
        near = [member for member in self._members if not bounded.isdisjoint(member.numbers)]
        for one in near:
            inside.update(one.numbers)
        order = tuple(sorted(inside))
        occurring = {entity for number in order for entity in statements[number].axiom.entities()}
        about = [goal, *(name for member in near for name in member.goals)]
        about += [name for name in self._goals if name in occurring]
        distinct = tuple(dict.fromkeys(about))
        # A repair of the joined group repairs each of the parts, which share no conditional.
        known = sum((member.search.result.least for member in near), Fraction(0))
        chosen = [statements[number] for number in order]
        search = LeastRelaxation(chosen, distinct, self._weights, self._budget, known)
        self._members = [member for member in self._members if member not in near]
        self._members.append(_Member(order, distinct, search))
        search.start()
        search.prove(QUICK)


@dataclass(frozen=True, eq=False)
class _Member:
    """A group: its statements, what must be possible in it, and how that is searched for."""

    numbers: tuple[int, ...]
    goals: tuple[Name | None, ...]
    search: LeastRelaxation
