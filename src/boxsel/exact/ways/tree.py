"""Programmes along a tree of bags: exact in polynomial time where statements hang together so.

Of each bag of a tree decomposition the types over its basic concepts are listed that obey the
clauses inside it. Neighbouring bags agree on the weight of every pattern of what they share; each
row stands in a bag that has its concepts, and so does the question. Weights that agree along a tree
of bags extend to weights of whole types: pattern by pattern, what is chosen below is filled into
what is there already, as in a transport plan. So the programme is exact, with as many variables as
the bags have types, not two to the number of names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final

from flint import fmpq

from boxsel.exact.compile.problem import Form, Goal, Row, by_bound, value
from boxsel.exact.compile.vocabulary import Mask, Type, bits, has
from boxsel.exact.lp.equalities import Balance, Equalities
from boxsel.exact.lp.floats import as_float
from boxsel.exact.lp.optimum import Impossible, Optimum, Result
from boxsel.exact.types.enumeration import enumerate_types
from boxsel.exact.types.space import ListedSpace
from boxsel.exact.types.tree import Bag, decompose
from boxsel.exact.ways.counted.deferred import DeferredWeights
from boxsel.exact.ways.counted.equations import Equation, as_fraction, spanning
from boxsel.exact.ways.near import Near
from boxsel.exact.ways.way import Passed, Task

WIDEST: Final = 64
"""Bags of more members are not tried: their types could not be listed."""
KEPT: Final = 8
"""How many trees are kept, for questions about different names."""
TINY: Final = 1e-100
"""Nothing is taken to be smaller than this part of the largest."""
ZERO = fmpq(0)


class Tree:
    """Answers questions along the tree of a task's statements, as they are at the time."""

    def __init__(self, task: Task) -> None:
        self._task, self._near = task, task.share(Near)
        self._known: list[Compiled] = []
        self._refused: dict[Mask, Passed] = {}
        self._obeyed = -1

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        asked = reduce(or_, (*goal.exclude, *(mask for mask, _ in objective)), goal.require)
        compiled = self._compiled(asked)
        if isinstance(compiled, Passed):
            return compiled
        result = compiled.maximise(goal, objective, asked)
        return result if isinstance(result, Passed) else self._near.proved(goal, objective, result)

    def _compiled(self, asked: Mask) -> Compiled | Passed:
        """A tree in which some bag has all that is asked about."""
        if self._obeyed != len(self._task.clauses):
            self._obeyed = len(self._task.clauses)
            self._known, self._refused = [], {}
        for known in self._known:
            if known.place(asked) is not None:
                return known
        for mask, passed in self._refused.items():
            if not mask & ~asked:  # with more in one bag there are not fewer types
                return passed
        compiled = compiled_for(self._task, asked)
        if isinstance(compiled, Passed):
            self._refused[asked] = compiled
        else:
            self._known = [*self._known[1 - KEPT :], compiled]
        return compiled


@dataclass(frozen=True)
class Line:
    """A row, or two that make an equation, at the types of a bag."""

    lower: int | None
    upper: int | None

    def multiplier(self, worth: fmpq) -> tuple[int, Fraction]:
        """The row that is used, and its positive factor."""
        row = self.lower if (worth < 0 and self.lower is not None) else self.upper
        assert row is not None
        return row, as_fraction(abs(worth))


class Compiled:
    """The bags with their types, numbered in one row, and the programme over them."""

    def __init__(self, task: Task, bags: Sequence[Bag], kinds: Sequence[Sequence[Type]]) -> None:
        self._bags, self._kinds = bags, kinds
        self._totals: dict[Mask, tuple[int, tuple[int, ...]]] = {}
        self._first: list[int] = []
        size = 0
        for own in kinds:
            self._first.append(size)
            size += len(own)
        masses = _masses(task)
        sizes = [_size(kind, masses) for own in kinds for kind in own]
        lines: list[dict[int, int]] = []
        self._lines: list[Line] = []
        for line, form in self._stated(task.problem.rows):
            entries = self._entries(self._home(form[0][0]), form)
            if not entries:
                continue
            if line.lower is None or line.upper is None:
                entries[len(sizes)] = 1 if line.lower is None else -1
                sizes.append(
                    max(as_float(abs(entry)) * sizes[n] for n, entry in entries.items() if n < size)
                )
            lines.append(entries)
            self._lines.append(line)
        for below, lower in enumerate(bags[1:], 1):
            lines += self._agreements(below, lower.above)
        self._programme = Equalities(lines, len(sizes), task.budget, sizes)

    def _stated(self, rows: Sequence[Row]) -> Iterator[tuple[Line, Form]]:
        """The rows as lines with their forms; equations that follow from others are left out."""
        equations = []
        for (body, both, bound), sides in by_bound(rows).items():
            form = Row(0, "lower", body, both, bound).form
            if len(sides) == 2:
                equations.append(Equation(sides["lower"], sides["upper"], form))
            else:
                yield Line(sides.get("lower"), sides.get("upper")), form
        # Short lines first, so that there are few entries in all.
        ordered = sorted(equations, key=lambda one: len(self._total(one.form[1][0])[1]))
        for equation in spanning(ordered, self._total):
            yield Line(equation.lower, equation.upper), equation.form

    def _total(self, mask: Mask) -> tuple[int, tuple[int, ...]]:
        """The types that have a mask, in the first bag that knows it."""
        if mask not in self._totals:
            bag = self._home(mask)
            having = tuple(n for n, kind in enumerate(self._kinds[bag]) if has(kind, mask))
            self._totals[mask] = bag, having
        return self._totals[mask]

    def _home(self, mask: Mask) -> int:
        """The first bag that has all of a mask that a row is about."""
        bag = self.place(mask)
        assert bag is not None  # every row is in a bag
        return bag

    def place(self, mask: Mask) -> int | None:
        """A bag that has all of a mask."""
        return next((n for n, bag in enumerate(self._bags) if not mask & ~bag.members), None)

    def maximise(self, goal: Goal, objective: Form, asked: Mask) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        bag = self.place(asked)
        assert bag is not None
        first = self._first[bag]
        members = {first + n: 1 for n, kind in enumerate(self._kinds[bag]) if goal.has(kind)}
        if members:
            best = self._programme.maximise(members, self._entries(bag, objective))
            if best is not None:
                return self._optimum(best)
        everything = dict.fromkeys(range(self._first[0], len(self._kinds[0])), 1)
        best = self._programme.maximise(everything, members)
        if best is not None and best.value == 0:
            return Impossible(self._multipliers(best))
        return Passed("floats led to no exact optimum along the tree")

    def _optimum(self, best: Balance) -> Optimum:
        weights = DeferredWeights(lambda: self._joined(best.amounts))
        return Optimum(as_fraction(best.value), self._multipliers(best), weights)

    def _multipliers(self, best: Balance) -> dict[int, Fraction]:
        used = (item for item in best.worth.items() if item[0] < len(self._lines))
        return dict(self._lines[line].multiplier(worth) for line, worth in used)

    def _entries(self, bag: int, form: Form) -> dict[int, int]:
        """The values of a form at the types of a bag, where they are not zero."""
        first = self._first[bag]
        entries = {first + n: value(form, kind) for n, kind in enumerate(self._kinds[bag])}
        return {place: entry for place, entry in entries.items() if entry}

    def _agreements(self, below: int, above: int) -> list[dict[int, int]]:
        """That two bags agree on the weight of every pattern of what they share."""
        shared = self._bags[below].members & self._bags[above].members
        lines: dict[Mask, dict[int, int]] = {}
        for bag, sign in ((below, 1), (above, -1)):
            for n, kind in enumerate(self._kinds[bag]):
                lines.setdefault(kind & shared, {})[self._first[bag] + n] = sign
        return list(lines.values())

    def _joined(self, amounts: Mapping[int, fmpq]) -> dict[Type, Fraction]:
        """Whole types: bag by bag, what is below is filled into what is there already."""
        weights: list[tuple[Type, fmpq]] = []
        for number, bag in enumerate(self._bags):
            own = [
                (kind, amount)
                for n, kind in enumerate(self._kinds[number])
                if (amount := amounts.get(self._first[number] + n, ZERO))
            ]
            weights = own if not number else _filled(weights, own, bag, self._bags[bag.above])
        joined: dict[Type, Fraction] = {}
        for kind, weight in weights:
            joined[kind] = joined.get(kind, Fraction(0)) + as_fraction(weight)
        return joined


def _filled(
    weights: Sequence[tuple[Type, fmpq]], own: Sequence[tuple[Type, fmpq]], bag: Bag, above: Bag
) -> list[tuple[Type, fmpq]]:
    """Types that have what a bag says besides, in the order of both."""
    shared = bag.members & above.members
    waiting: dict[Mask, list[tuple[Type, fmpq]]] = {}
    for kind, amount in reversed(own):
        waiting.setdefault(kind & shared, []).append((kind, amount))
    filled: list[tuple[Type, fmpq]] = []
    for kind, weight in weights:
        choices = waiting[kind & shared]
        left = weight
        while left:
            choice, amount = choices.pop()
            taken = min(left, amount)
            filled.append((kind | choice, taken))
            left -= taken
            if amount > taken:
                choices.append((choice, amount - taken))
    return filled


def _masses(task: Task) -> dict[Mask, float]:
    """How large names are, roughly, as parts of those above: down chains of conditionals."""
    included = {(clause.body, clause.heads) for clause in task.clauses}
    shares = {
        (row.both & ~row.body, row.body): float(row.bound)
        for row in task.problem.rows
        if (row.both & ~row.body, row.body) in included
    }
    masses: dict[Mask, float] = {}
    below: dict[Mask, list[Mask]] = {}
    for part, whole in shares:
        below.setdefault(whole, []).append(part)
    queue = [whole for whole in below if not any(part == whole for part, _ in shares)]
    while queue:
        whole = queue.pop()
        for part in below.get(whole, ()):
            mass = max(TINY, shares[part, whole] * masses.get(whole, 1.0))
            if mass < masses.get(part, 1.0):
                masses[part] = mass
                queue.append(part)
    return masses


def _size(kind: Type, masses: Mapping[Mask, float]) -> float:
    """How much a type weighs, roughly: no more than the rarest name that it has."""
    return min((masses.get(1 << bit, 1.0) for bit in bits(kind)), default=1.0)


def compiled_for(task: Task, asked: Mask) -> Compiled | Passed:
    """The programme along a tree of bags, one of which has all that is asked about."""
    every = (1 << task.width) - 1
    about = [clause.about for clause in task.clauses] + [row.both for row in task.problem.rows]
    about += [asked, *(1 << bit for bit in range(task.width))]
    bags = decompose(about, WIDEST) if every else [Bag(0, 0)]
    if bags is None:
        return Passed(f"a bag of the tree would have more than {WIDEST} members")
    limit, kinds = task.limits.bags, []
    for bag in task.budget.watched(bags):
        inside = [clause for clause in task.clauses if not clause.about & ~bag.members]
        listed = enumerate_types(inside, bag.members, limit, task.budget)
        if listed is None:
            return Passed(f"the bags of the tree have more than {task.limits.bags:,} types")
        limit -= len(listed)
        kinds.append(listed)
    return Compiled(task, bags, kinds)


def offer(task: Task) -> Tree | Passed:
    """Where types are searched."""
    if isinstance(task.space, ListedSpace):
        return Passed("types are listed")
    return Tree(task)
