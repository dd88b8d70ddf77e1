"""Programmes along a tree of bags: exact in polynomial time where statements hang together so.

Of each bag of a tree decomposition the types over its basic concepts are listed that obey the
clauses inside it. Neighbouring bags agree on the weight of every pattern of what they share; each
row stands in a bag that has its concepts, and so does the question. Weights that agree along a tree
of bags extend to weights of whole types: pattern by pattern, what is chosen below is filled into
what is there already, as in a transport plan. So the programme is exact, with as many variables as
the bags have types, not two to the number of names.

Mostly a *region* around the question is enough. Its optimum is proved for everything; and if its
weights extend to what lies beyond (`trees.beyond`), it is attained. Else the region grows to where
they did not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial, reduce
from operator import or_
from typing import Final

import numpy as np
from flint import fmpq

from boxsel.exact.compile.problem import Form, Goal
from boxsel.exact.compile.vocabulary import bits
from boxsel.exact.lp.equalities import Balance
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.optimum import Impossible, Optimum, Result
from boxsel.exact.types.space import ListedSpace
from boxsel.exact.ways.near import Near
from boxsel.exact.ways.trees.bags import Bag, Bags, Positions, TooWideError, compile_bags
from boxsel.exact.ways.trees.base import Base, fit
from boxsel.exact.ways.trees.beyond import Beyond, Pattern
from boxsel.exact.ways.trees.joining import Part, TreeWeights
from boxsel.exact.ways.trees.levels import Floats
from boxsel.exact.ways.trees.region import Cut, Region
from boxsel.exact.ways.way import Passed, Task, Way
from boxsel.machine.collecting import without_cycle_collection

TRIALS: Final = 8
"""How often weights that do not extend are looked for again in a region before it grows."""
ROUGH: Final = 10
"""So many sweeps tell how large things are."""
FAR_OFF: Final = 0.02
"""Where shares of the base are farther from what is stated, on average, it shows nobody: of random
statements of treewidth 2 to 5 they are 0.05 to 0.14 off, and of hierarchies less than 0.007."""
SLOWER: Final = 2
"""Regions with intervals are smaller by this factor than those of counted data. One of 3,500 types
takes 2 s; one of 7,400 took 6 s and did not suffice, where other ways took 1 s."""
TENTH: Final = 10
"""A region may have this part of all types of a tree, if that is more: where all of it has 380,000,
one of 13,500 took 8 s, and other ways did not come to an end."""
WHOLE: Final = 16
"""A tree of so many times the types of a first region is asked as a whole. A question over 2,300
takes 0.2 s; regions of it and what is beyond them took five times as long."""
WIDE_BAG: Final = 10
"""Where a bag has so many types on average, what lies beyond a region is worse than the whole: its
first question over 7,200 types takes 2 s, and with a region it took more than 30."""
NEARLY_WHOLE: Final = 2
"""A region grows at once to a tree that is larger by this factor at the most: there is nothing
beyond it then, where numbers grow long."""
NEARLY: Final = 2
"""Where types are listed, and by this factor more than those of one bag at the most, column
generation over the table is faster: over 1,024 types with 500 rows it takes 0.4 s, a tree 10 s."""
KEPT: Final = 8
"""How many trees are kept, for questions about different names."""
ZERO: Final = fmpq(0)


class Tree(Way):
    """Answers questions along the tree of a task's statements, as they are at the time."""

    def __init__(self, task: Task) -> None:
        self._task, self._near = task, task.share(Near)
        self._known: tuple[int, _Compiled | Passed] | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether no bag has too many types."""
        return isinstance(self._compiled, _Compiled)

    @property
    def is_near(self) -> bool:
        """Whether it is narrow, and who has members is quickly shown, too."""
        return isinstance(self._compiled, _Compiled) and self._compiled.is_near

    @property
    def waits(self) -> bool:
        """Whether bags have many types: then populations are drawn sooner than it is asked."""
        return isinstance(self._compiled, _Compiled) and self._compiled.is_heavy

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        compiled = self._compiled
        if isinstance(compiled, Passed):
            return compiled
        if compiled.is_one(self._task.listed):
            return Passed("one bag of the tree has nearly all types, which are listed")
        try:
            with without_cycle_collection():
                result = compiled.maximise(goal, objective)
                if isinstance(result, Passed):
                    return result
                return self._near.prove(goal, objective, result)
        except TooWideError:
            return Passed("a bag with all that is asked about would have too many types")

    @property
    def _compiled(self) -> _Compiled | Passed:
        """The tree of the clauses that are known now."""
        if self._known is None or self._known[0] != len(self._task.clauses):
            found: _Compiled | Passed
            try:
                with without_cycle_collection():
                    found = _Compiled(self._task)
            except TooWideError:
                limit = self._task.limits.bags
                found = Passed(f"a bag of the tree would have more than {limit:,} types")
            self._known = len(self._task.clauses), found
        return self._known[1]


@dataclass(frozen=True)
class _View:
    """A tree in which one bag has all that is asked about: the bag, and those that differ."""

    bags: Bags
    weights: Sequence[Floats]
    home: int
    changed: frozenset[int]
    whole: bool
    """Whether it is asked as a whole."""


class _Compiled:
    """The tree of some clauses and rows, and what was found along it."""

    def __init__(self, task: Task) -> None:
        self._budget = task.budget
        self._passed: set[tuple[int, Positions, bool]] = set()
        self._bags = compile_bags(
            task.clauses, task.problem.rows, task.width, task.limits.bags, task.budget
        )
        types = self._bags.size
        self._most = task.limits.bags
        if not task.is_counted:
            self._most = max(task.limits.bags // SLOWER, types // TENTH)
        self._limits, self._is_counted = task.limits, task.is_counted
        is_wide = WIDE_BAG * len(self._bags) <= types
        first = task.limits.region
        few = types <= WHOLE * first
        self._is_small = first >= WIDE_BAG and (few or (is_wide and types <= task.limits.bags))
        self.is_heavy = is_wide and not few and not task.is_counted
        """Whether there are many types, and many in a bag."""
        self._views: dict[tuple[Positions, bool], _View] = {}
        self._regions: dict[tuple[int, Positions, bool], Region] = {}

    @cached_property
    def _base(self) -> Base:
        return self._sizes if self._is_counted else fit(self._bags, self._budget)

    @cached_property
    def _sizes(self) -> Base:
        """What tells how large things are, and no more than that."""
        return fit(self._bags, self._budget, ROUGH)

    @cached_property
    def _beyond(self) -> Beyond:
        return Beyond(self._bags, self._base.weights, self._budget)

    def is_one(self, listed: ListedSpace | None) -> bool:
        """Whether one bag has nearly as many types as there are: a table of them says more."""
        largest = max(len(bag.kinds) for bag in self._bags.bags)
        return listed is not None and len(listed.kinds) <= NEARLY * largest

    @property
    def is_near(self) -> bool:
        """Whether the base comes near to what is stated."""
        return self._base.error <= FAR_OFF

    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1."""
        asked = tuple(bits(reduce(or_, (*goal.exclude, *(m for m, _ in objective)), goal.require)))
        # Where nothing is asked, everybody should be somewhere, as in the base beyond a region. And
        # what is counted leaves no room there.
        whole = self._is_small and (bool(objective) or not self.is_near)
        whole = whole or self._is_counted
        view = self._view(asked, whole)
        bag = view.bags.bags[view.home]
        members = bag.have(bag.mask(bits(goal.require)))
        for mask in goal.exclude:
            members &= ~bag.have(bag.mask(bits(mask)))
        gains = np.zeros(len(bag.kinds), np.int64)
        for mask, number in objective:
            gains += number * bag.have(bag.mask(bits(mask)))
        question = _Question(view, lambda: self._beyond, members.tolist(), gains.tolist())
        key = view.home, asked if view.changed else (), whole
        if key in self._passed:  # what the one end needs the other mostly needs, too
            return self._too_large
        region = self._regions.get(key) or self._grown(question, None, set())
        while region is not None:
            self._regions[key] = region
            found = question.ask(region)
            if not isinstance(found, set):
                return found
            region = self._grown(question, region, found)
        self._passed.add(key)
        return self._too_large

    @property
    def _too_large(self) -> Passed:
        return Passed(f"a region of the tree has more than {self._most:,} types")

    def _view(self, asked: Positions, whole: bool) -> _View:
        home = self._bags.holding(asked)
        known = (self._sizes if whole else self._base).weights
        if home is not None:
            return _View(self._bags, known, home, frozenset(), whole)
        if (asked, whole) not in self._views:
            while len(self._views) >= KEPT:
                oldest = next(iter(self._views))
                self._views.pop(oldest)
                self._regions = {k: one for k, one in self._regions.items() if k[1:] != oldest}
            bags, changed = self._bags.joined(asked)
            weights = list(known)
            for place in changed:
                weights[place] = self._widened(known, bags.bags[place], place)
            home = bags.holding(asked)
            assert home is not None
            self._views[asked, whole] = _View(bags, weights, home, frozenset(changed), whole)
        return self._views[asked, whole]

    def _widened(self, known: Sequence[Floats], bag: Bag, place: int) -> Floats:
        """How much types weigh, roughly, in a bag that has more members."""
        old = self._bags.bags[place]
        places = {pattern: n for n, pattern in enumerate(old.kinds.tolist())}
        shared = [places[pattern] for pattern in bag.patterns(old.members).tolist()]
        sizes = known[place][shared]
        for n, member in enumerate(bag.members):
            if member not in old.members:
                holder = self._bags.holding((member,))
                assert holder is not None
                having = self._bags.bags[holder].have(self._bags.bags[holder].mask((member,)))
                mass = known[holder][having].sum()
                sizes = np.where(bag.kinds >> n & 1, np.minimum(sizes, mass), sizes)
        return sizes

    def _grown(self, question: _Question, old: Region | None, towards: set[int]) -> Region | None:
        """A region of at least twice the size that has some more bags; none if it is too large."""
        view = question.view
        first = self._limits.bags if view.whole else self._limits.region
        wanted = 2 * old.size if old is not None else first
        start = list(old.places) if old is not None else [*view.changed, view.home]
        inside = dict.fromkeys(start)
        for place in towards:
            inside |= dict.fromkeys(_way_back(view.bags, inside, place))
        size = sum(len(view.bags.bags[place].kinds) for place in inside)
        everything = view.bags.size
        most = self._most if self._is_counted or not view.whole else max(self._most, everything)
        if question.is_asked and everything <= min(most, NEARLY_WHOLE * max(size, wanted)):
            wanted = everything
        for place in view.bags.around(tuple(inside)):
            if size >= wanted:
                break
            if place not in inside:
                inside[place] = None
                size += len(view.bags.bags[place].kinds)
        if size > most:
            return None
        return Region(view.bags, view.weights, inside, self._budget)


def _way_back(bags: Bags, inside: Mapping[int, object], place: int) -> list[int]:
    """The bags from one back to some that are connected."""
    before = {place: place}
    queue = [place]
    for here in queue:
        if here in inside:
            path = []
            while here != place:
                here = before[here]
                path.append(here)
            return path
        for other in bags.beside[here]:
            if other not in before:
                before[other] = here
                queue.append(other)
    raise AssertionError("a tree is connected")


class _Question:
    """What is asked about the types of one bag."""

    def __init__(
        self,
        view: _View,
        find_beyond: Callable[[], Beyond],
        members: list[bool],
        gains: list[int],
    ) -> None:
        self.view, self._find_beyond = view, find_beyond
        self._members, self._gains = members, gains

    @property
    def _beyond(self) -> Beyond:
        """What lies beyond regions; where there is nothing, it is never asked for."""
        return self._find_beyond()

    @property
    def is_asked(self) -> bool:
        """Whether it is about a share; else any population will do."""
        return any(self._gains)

    def ask(self, region: Region) -> Result | Passed | set[int]:
        """The optimum, if a region has it; else to which bags its weights do not extend."""
        best = region.maximise(self.view.home, self._members, self._gains)
        if best is None:
            refuted = region.refute(self.view.home, self._members)
            if refuted is None:
                return Passed("floats led to no exact optimum along the tree")
            return Impossible(region.multipliers(refuted), size=region.shape)
        multipliers = region.multipliers(best)
        value, inner, within = best.value, best, region
        cuts: list[Cut] = []
        origins: set[int] = set()
        for _ in range(TRIALS):
            unmet = dict(self._unmet(within, inner))
            if not unmet:
                weights = TreeWeights(partial(self._parts, within, inner))
                return Optimum(as_fraction(value), multipliers, weights, size=region.shape)
            origins.update(unmet.values())
            cuts += unmet
            within = Region(self.view.bags, self.view.weights, region.places, region.budget, cuts)
            balance = within.maximise(self.view.home, self._members, self._gains)
            if balance is None or balance.value != value:
                break
            inner = balance
        return origins

    def _unmet(self, region: Region, best: Balance) -> Iterator[tuple[Cut, int]]:
        """What the bags beyond a region need that its weights do not give, and where that is."""
        bags, places = self.view.bags, set(region.places)
        for place in region.places:
            for other in bags.beside[place]:
                if other in places:
                    continue
                message = self._beyond.message(other, place)
                border = bags.border(place, other)
                if not message.needs and message.known.issuperset(border.patterns.tolist()):
                    continue
                weights = self._patterns(region, best, place, other)
                closed = weights.keys() - message.known
                if closed:
                    yield Cut(place, other, None, frozenset(closed)), other
                for need in message.needs:
                    if not need.met(weights):
                        yield Cut(place, other, need), need.origin

    def _patterns(
        self, region: Region, best: Balance, place: int, other: int
    ) -> dict[Pattern, fmpq]:
        """The weights of what a bag shares with a neighbour."""
        border = self.view.bags.border(place, other)
        weights: dict[Pattern, fmpq] = {}
        for number, amount in region.amounts(best, place).items():
            pattern = int(border.patterns[border.own[number]])
            weights[pattern] = weights.get(pattern, ZERO) + amount
        return weights

    def _parts(self, region: Region, best: Balance) -> list[Part]:
        """The weights of each bag of the region, and how those beyond continue them."""
        bags, inside = self.view.bags, set(region.places)
        first = region.places[0]
        numbers, queue = {first: 0}, [first]
        parts = [_part(bags.bags[first], 0, region.amounts(best, first))]
        shares = self._beyond.bare_shares if self.is_asked else self._beyond.shares
        for place in queue:
            for other in bags.beside[place]:
                if other in numbers:
                    continue
                numbers[other] = len(queue)
                queue.append(other)
                if other in inside:
                    amounts = region.amounts(best, other)
                    parts.append(_part(bags.bags[other], numbers[place], amounts))
                else:
                    members, told = bags.bags[other].members, shares(other, place)
                    parts.append(Part(members, numbers[place], told, relative=True))
        return parts


def _part(bag: Bag, before: int, amounts: Mapping[int, fmpq]) -> Part:
    kinds = bag.kinds.tolist()
    return Part(bag.members, before, {kinds[n]: amount for n, amount in amounts.items()})


def offer(task: Task) -> Tree | Passed:
    """Where types are searched, or rows are many."""
    if task.listed is not None and not task.is_large:
        return Passed("types are listed")
    return Tree(task)
