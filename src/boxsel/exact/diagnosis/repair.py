"""Repair: the least change of bounds that makes a knowledge base coherent.

Only the bounds of conditionals change, and only outwards; inclusions, disjointness, roles and
assertions stay, and so do the conditionals that have no part in a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from boxsel.errors import InvalidStatementError
from boxsel.exact.certificate import written
from boxsel.exact.diagnosis.conflicts import Conflict
from boxsel.exact.diagnosis.groups import Group, Groups, find_conflicts
from boxsel.exact.diagnosis.parts import Parts
from boxsel.exact.diagnosis.relaxation import GRID
from boxsel.exact.diagnosis.trust import weigh
from boxsel.logic.axioms import Conditional
from boxsel.logic.concepts import Name
from boxsel.logic.expecting import expect, expect_several
from boxsel.logic.html import Told
from boxsel.logic.kb import KB
from boxsel.logic.names import Prefixes
from boxsel.logic.proportions import Number, exact, number_text
from boxsel.logic.rounding import in_formula
from boxsel.logic.statements import Statement
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.normal.saturation import saturate
from boxsel.sampling import Reading, read_counts


@dataclass(frozen=True)
class Change:
    """A conditional before and after, by how much its ends gave way, and what that weighs."""

    old: Statement
    new: Statement
    amount: Fraction
    weight: Fraction

    @property
    def cost(self) -> Fraction:
        """The amount times the weight."""
        return self.amount * self.weight

    def to_json(self, spelt: Prefixes) -> dict[str, Any]:
        """The change as a JSON object."""
        return {
            "old": self.old.text(spelt),
            "new": self.new.text(spelt),
            "amount": written(self.amount),
            "weight": written(self.weight),
        }


@dataclass(frozen=True)
class Repair(Told):
    """The changes that make a knowledge base coherent, if relaxing bounds can.

    `total` is what the changes cost, and no repair costs less than `least`. If a `conflict` is
    given, there is no repair, since its statements have no bounds to relax. If it is not
    `finished`, the time was over before the changes were known to be enough. `readings` are counts
    that were read as confidence intervals, which costs nothing.
    """

    kb: KB
    changes: tuple[Change, ...] = ()
    least: Fraction = Fraction(0)
    conflict: Conflict | None = None
    gap: Fraction = Fraction(0)
    finished: bool = True
    readings: tuple[Change, ...] = ()
    names: Prefixes | None = field(default=None, repr=False, compare=False)
    """How its text spells names, if not as the knowledge base does."""

    @property
    def possible(self) -> bool:
        """Whether relaxing bounds is enough."""
        return self.conflict is None

    @property
    def unit(self) -> str:
        """What the total is counted in."""
        weighed = any(change.weight != 1 for change in self.changes)
        return "shares times weights" if weighed else "shares"

    @property
    def total(self) -> Fraction:
        """What all changes cost."""
        return sum((change.cost for change in self.changes), Fraction(0))

    @property
    def optimal(self) -> bool:
        """Whether it is proved that no repair is cheaper, but for a few millionths."""
        return self.possible and self.finished and self.total - self.least <= self.gap

    @property
    def text(self) -> str:
        """The repair for people."""
        spelt = self.kb.prefixes if self.names is None else self.names
        if self.conflict is not None:
            return f"No change of bounds helps. {replace(self.conflict, prefixes=spelt).text}"
        changed = (*self.readings, *self.changes)
        if not changed and self.finished:
            return "Nothing has to change.\n"
        if not changed:
            return "The time was over before it was known whether anything has to change.\n"
        lines = [f"{change.old.text(spelt)} -> {change.new.text(spelt)}" for change in changed]
        if not self.finished:
            lines.append("The time was over before these changes were known to be enough.")
        verdict = f"total change {in_formula(self.total)} in {self.unit}"
        if self.optimal:
            verdict += ", the least possible"
        else:
            verdict += f"; the least possible is not below {in_formula(self.least)}"
        if any(_is_long(change) for change in self.changes):
            verdict += " (new bounds are rounded outwards to six decimals)"
        return "".join(f"{line}\n" for line in (*lines, verdict))

    def to_json(self) -> dict[str, Any]:
        """The repair as a JSON object; statements are lines of `.sel`, numbers are fractions."""
        spelt = self.kb.prefixes
        return {
            "possible": self.possible,
            "finished": self.finished,
            "changes": [change.to_json(spelt) for change in self.changes],
            "readings": [reading.to_json(spelt) for reading in self.readings],
            "unit": self.unit,
            "total": written(self.total) if self.possible else None,
            "least": written(self.least) if self.possible else None,
            "optimal": self.optimal,
            "conflict": self.conflict and self.conflict.to_json(),
        }


def repair(
    kb: KB,
    *,
    names: Iterable[Name | str] | None = None,
    weights: Mapping[Conditional, Number] | Mapping[str, Number] | None = None,
    trust: Mapping[str, Number] | None = None,
    reading: Reading | None = None,
    budget: Budget | None = None,
) -> Repair:
    r"""Relax bounds as little as possible, so that every name (or each of some) can be non-empty.

    The knowledge base will also have a model. The changes are weighed: a count by the size of its
    sample, any other conditional by 1, unless `weights` says something else; and times the `trust`
    in its source, or in itself, which a comment such as "trust 0.5" says. With a `reading`, counts
    in conflicts are read as intervals before anything is changed. When the budget is spent, the
    best so far is the result.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("(B | A)[0.2]\n(B | A)[7 of 10]\n(C | A)[0.5]")
        >>> print(repair(kb).text, end="")
        (B | A)[0.2] -> (B | A)[0.2, 0.7]
        total change 0.5 in shares, the least possible
    """
    limit = budget or Budget()
    given = weigh(kb, _checked_weights(kb, weights or {}), trust or {})
    goals = _checked_names(kb, names)
    once = dict.fromkeys(kb.statements)
    distinct = kb if len(once) == len(kb.statements) else kb.with_statements(once)
    read: dict[Statement, Statement] = {}
    try:
        strict = _strict_conflict(distinct, goals, limit)
        if strict is not None:
            return Repair(kb, conflict=strict)
        if reading is not None:
            distinct, read = _read_conflicting(distinct, goals, reading, limit)
    except OutOfTimeError:
        return Repair(kb, finished=False)
    groups = Groups(distinct, goals, given, limit)
    groups.relax()
    stated = (read.get(statement, statement) for statement in kb.statements)
    result = _result(kb.with_statements(stated) if read else kb, groups.result)
    return replace(
        result,
        kb=result.kb if result.changes or read else kb,
        finished=groups.finished,
        readings=tuple(_reading(old, new) for old, new in read.items()),
    )


def _read_conflicting(
    kb: KB, goals: Sequence[Name], reading: Reading, budget: Budget
) -> tuple[KB, dict[Statement, Statement]]:
    """Read the counts in conflicts as intervals until no conflict has any; old and new ones."""
    read: dict[Statement, Statement] = {}
    while True:
        conflicts = find_conflicts(kb, goals, budget)
        counted = {number for _, numbers in conflicts for number in numbers}
        old = [kb.statements[number] for number in sorted(counted)]
        new, _ = read_counts(KB(tuple(old)), reading)
        fresh = {one: other for one, other in zip(old, new, strict=True) if one != other}
        if not fresh:
            return kb, read
        read |= fresh
        kb = kb.with_statements(fresh.get(statement, statement) for statement in kb.statements)


def _reading(old: Statement, new: Statement) -> Change:
    """A count that became an interval."""
    assert isinstance(old.axiom, Conditional)
    assert isinstance(new.axiom, Conditional)
    bounds = new.axiom.bounds
    return Change(old, new, bounds.upper - bounds.lower, Fraction(0))


def _result(kb: KB, groups: Sequence[Group]) -> Repair:
    distinct = tuple(dict.fromkeys(kb.statements))
    changes: dict[int, Change] = {}
    for group in groups:
        new = group.relaxed(distinct)
        for end, level in zip(group.relaxation.ends, group.relaxation.levels, strict=True):
            if level:
                number = group.numbers[end.number]
                before = changes[number].amount if number in changes else Fraction(0)
                changes[number] = Change(
                    distinct[number],
                    new[number],
                    before + end.amount(level),
                    end.weight,
                )
    by_old = {change.old: change.new for change in changes.values()}
    return Repair(
        kb.with_statements(by_old.get(statement, statement) for statement in kb.statements)
        if by_old
        else kb,
        tuple(changes[number] for number in sorted(changes)),
        sum((group.relaxation.least for group in groups), Fraction(0)),
        gap=sum((group.relaxation.gap for group in groups), Fraction(0)),
    )


def _strict_conflict(kb: KB, goals: Iterable[Name], budget: Budget) -> Conflict | None:
    """A minimal conflict among the statements that are not conditionals, if there is one."""
    strict = kb.with_statements(
        statement for statement in kb.statements if not isinstance(statement.axiom, Conditional)
    )
    saturation = saturate(strict, budget=budget)
    goal = next((name for name in goals if saturation.is_empty(name)), None)
    if saturation.consistent and goal is None:
        return None
    about = goal if saturation.consistent else None
    parts = Parts(strict, budget)
    conflict = parts.conflict(about)
    assert conflict is not None  # the saturation and the reasoner agree
    return Conflict(parts.statements(conflict), about, kb.prefixes)


def _checked_weights(
    kb: KB, weights: Mapping[Conditional, Number] | Mapping[str, Number]
) -> dict[Conditional, Fraction]:
    expect(Mapping, "weights are by conditional, {conditional: weight}", weights)
    given: dict[Conditional, Fraction] = {}
    for said, number in weights.items():
        axiom, weight = kb.axiom(said), exact(number)
        if not isinstance(axiom, Conditional):
            raise InvalidStatementError(f"only conditionals have weights, and {axiom} is none")
        if weight <= 0:
            raise InvalidStatementError(
                f"the weight of {axiom} is {number_text(weight)}: a weight is above 0"
            )
        given[axiom] = weight
    return given


def _checked_names(kb: KB, names: Iterable[Name | str] | None) -> tuple[Name, ...]:
    if names is None:
        return kb.signature.concepts
    return tuple(dict.fromkeys(map(kb.name, expect_several("names", names))))


def _is_long(change: Change) -> bool:
    """Whether a new bound has all six decimals."""
    old, new = (statement.axiom for statement in (change.old, change.new))
    assert isinstance(old, Conditional)
    assert isinstance(new, Conditional)
    ends = {new.bounds.lower, new.bounds.upper} - {old.bounds.lower, old.bounds.upper}
    return any((end * GRID).denominator == 1 and end * GRID % 10 for end in ends)
