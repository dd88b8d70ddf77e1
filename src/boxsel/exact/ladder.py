"""The ladder: the ways to exact bounds of one problem, in the order in which they are tried.

A way is offered a problem when the ladder first comes to it, and passes if the problem is not of
its kind; asked a question, it answers, or passes. Every answer is exact, and has a proof: the order
is a matter of speed alone. `Reasoner(kb, ways=("listed",))` asks for some ways only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Final

from boxsel.errors import BoxselError
from boxsel.exact.coherence.survey import find_canonical
from boxsel.exact.compile.problem import ASKED, Form, Goal, Problem
from boxsel.exact.compile.vocabulary import Mask, Type
from boxsel.exact.elimination import Survivors
from boxsel.exact.lp.optimum import Bound, Impossible, Optimum, Result, Route
from boxsel.exact.ways import (
    decomposed,
    generated,
    lean,
    sampled,
    separated,
    tree,
)
from boxsel.exact.ways.samples.search import Search
from boxsel.exact.ways.samples.shares import Ratio
from boxsel.exact.ways.trees.capped import Capped
from boxsel.exact.ways.way import Limits, Passed, Task, Way
from boxsel.logic.axioms import Axiom
from boxsel.logic.concepts import Concept
from boxsel.logic.population import Population
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget


@dataclass(frozen=True)
class Rung:
    """A way by name: who offers it, and whether it works on types alone.

    Ways on types know nothing of witnesses: `Survivors` eliminates, between their answers, the
    types that lack some.
    """

    name: str
    offer: Callable[[Task], Way | Passed]
    on_types: bool


LADDER: Final = (
    # Points on names: few types, whose weights they fix.
    Rung("separated", separated.offer, on_types=False),
    # Points on names and single roles: types in parts.
    Rung("decomposed", decomposed.offer, on_types=False),
    # Few types: all of them in a table.
    Rung("listed", generated.offer_listed, on_types=True),
    # Concepts that follow from each other: types that have nothing but what they must.
    Rung("lean", lean.offer, on_types=True),
    # Statements that hang together like a tree: a region of bags of few types.
    Rung("tree", tree.offer, on_types=True),
    # Many rows, few of which bind: populations that are drawn.
    Rung("sampled", sampled.offer, on_types=True),
    # Everything: column generation.
    Rung("generated", generated.offer, on_types=True),
)
WAYS: Final = tuple(rung.name for rung in LADDER)


Canonical = Callable[[Iterable[Axiom], Problem, Budget], Mapping[Type, Fraction]]
"""How a population of types that have what they must is found, where there are roles."""


class NoWayError(BoxselError):
    """None of the ways that were asked for has an answer."""


class Ladder:
    """Answers questions about the types of some axioms."""

    def __init__(
        self,
        statements: Iterable[tuple[int, Axiom]],
        also: Iterable[Concept],
        budget: Budget,
        *,
        ways: Sequence[str] = WAYS,
        limits: Limits | None = None,
        data: Population | None = None,
        canonical: Canonical = find_canonical,
    ) -> None:
        numbered = tuple(statements)
        self.statements = tuple(number for number, _ in numbered)
        self._canonical = canonical
        self._axioms = tuple(axiom for _, axiom in numbered)
        self.problem = Problem(numbered, also)
        self._budget = budget
        self._rungs = rungs(ways)
        listing = any(rung.name == "listed" for rung in self._rungs)
        self._task = Task(self.problem, budget, limits, listing=listing, data=data)
        self._offered: dict[str, Way | Passed] = {}
        self._survivors: Survivors | None = None

    def mask(self, concept: Concept) -> Mask:
        """The mask of a concept without ⊥ that the problem knows."""
        mask = self.problem.vocabulary.mask(concept)
        assert mask is not None
        return mask

    @property
    def survivors(self) -> Survivors:
        """The realisable types, compiled when they are first needed."""
        if self._survivors is None:
            canonical = partial(self._canonical, self._axioms, self.problem, self._budget)
            self._survivors = Survivors(self._task, self._relax, canonical)
        return self._survivors

    @property
    def weightings(self) -> tuple[Mapping[Type, Fraction], ...]:
        """Weightings of types that survive, each of which obeys the rows."""
        met = (way for way in self._offered.values() if isinstance(way, Way))
        known = tuple(weights for way in met for weights in way.weightings)
        return known if self._survivors is None else known + self._survivors.weightings

    @property
    def is_narrow(self) -> bool:
        """Whether the statements hang together like a tree: then questions take little time."""
        return self._narrow is not None

    @property
    def is_near(self) -> bool:
        """Whether it is narrow, and who has members is quickly shown, too."""
        return self._narrow is not None and self._narrow.is_near

    @property
    def _narrow(self) -> tree.Tree | None:
        """The way along a tree, if that takes little time for whatever share is asked."""
        offered = (self._offer(rung) for rung in self._rungs if rung.name == "tree")
        return next((way for way in offered if isinstance(way, tree.Tree) and way.is_narrow), None)

    def search(self, query: Query) -> Search:
        """A search for populations that show which shares a query can have."""
        body, head = self.mask(query.body), self.mask(query.head)
        asked = Ratio(body, body | head, Fraction(0), Fraction(1))
        return Search(self.survivors.task, [Goal(body)], asked)

    def grow(self) -> Mapping[Type, Fraction] | None:
        """A population along the tree in which basic concepts that can have members do, nearly.

        Witnesses for all existentials at once are not along the tree: with some, there is none.
        """
        if self.problem.existentials or self._narrow is None or not self.is_near:
            return None
        result = self._narrow.maximise(Goal(0), ())
        return result.weights if isinstance(result, Optimum) else None

    def draw(self, goals: Sequence[Goal] = ()) -> Mapping[Type, Fraction] | None:
        """A population in which most basic concepts that can have members do, if one is drawn.

        Those of the goals do, each of them.
        """
        every = (1 << len(self.problem.vocabulary)) - 1
        return next(Search(self.survivors.task, goals, also=every).run(), None)

    def realise(self, goal: Goal) -> Result:
        """A weighting that gives a goal weight, or why there is none."""
        return self._maximise(goal, ())

    def extreme(self, query: Query, sign: int) -> Result:
        """The largest (sign 1) or smallest (sign −1) share that a query can have."""
        body, head = self.mask(query.body), self.mask(query.head)
        result = self._maximise(Goal(body), ((body | head, sign),))
        if isinstance(result, Impossible):
            return result
        return replace(result, value=sign * result.value)

    def bound(self, query: Query, sign: int, rows: int) -> Bound | None:
        """What a share is proved not to pass, by bags of few names with so many rows around it."""
        body, head = self.mask(query.body), self.mask(query.head)
        objective = ((body | head, sign),)
        bound = self.survivors.task.share(Capped).bound(Goal(body), objective, rows)
        if bound is None:
            return None
        return replace(bound, value=sign * bound.value, statements=_stated(bound.statements))

    def _maximise(self, goal: Goal, objective: Form) -> Result:
        """The first answer: by ways that see to witnesses, else by elimination around others."""
        self._budget.check()
        whole = [rung for rung in self._rungs if not rung.on_types]
        result = self._climb(whole, goal, objective)
        if not isinstance(result, tuple):
            return result
        answer = self.survivors.maximise(goal, objective)
        assert answer.route is not None  # it came by the ladder
        return replace(answer, route=replace(answer.route, passed=result + answer.route.passed))

    def _relax(self, goal: Goal, objective: Form) -> Result:
        """The first answer about all types that are not eliminated yet."""
        result = self._climb([rung for rung in self._rungs if rung.on_types], goal, objective)
        if isinstance(result, tuple):
            raise NoWayError(
                "none of the ways that were asked for answers this question: "
                + "; ".join(f"{name}: {why}" for name, why in result)
            )
        return result

    def _climb(
        self, some: Iterable[Rung], goal: Goal, objective: Form
    ) -> Result | tuple[tuple[str, str], ...]:
        """The first answer of some ways, with why those before it passed; else why all did."""
        passed: list[tuple[str, str]] = []
        for rung, way in self._in_turn(some):
            result = way if isinstance(way, Passed) else way.maximise(goal, objective)
            if rung.on_types and not objective and _lacks(result, goal):
                result = Passed("nobody in its population is what was asked for")
            if not isinstance(result, Passed):
                route = Route(rung.name, tuple(passed), result.size)
                return replace(result, route=route, statements=_stated(result.statements))
            passed.append((rung.name, result.why))
        return tuple(passed)

    def _in_turn(self, some: Iterable[Rung]) -> Iterator[tuple[Rung, Way | Passed]]:
        """The ways as they are asked: one that waits after the next, unless that is the last."""
        left = deque(some)
        waiting: list[tuple[Rung, Way | Passed]] = []
        while left:
            rung = left.popleft()
            way = self._offer(rung)
            if len(left) > 1 and isinstance(way, Way) and way.waits:
                waiting.append((rung, way))
            else:
                yield rung, way
                yield from waiting
                waiting = []

    def _offer(self, rung: Rung) -> Way | Passed:
        if rung.name not in self._offered:
            self._offered[rung.name] = rung.offer(self._task)
        return self._offered[rung.name]


def rungs(ways: Sequence[str]) -> tuple[Rung, ...]:
    """The rungs with some names, in the order of the ladder.

    Raises:
        BoxselError: There is no way of a name, or no name at all.
    """
    unknown = [name for name in ways if name not in WAYS]
    if unknown or not ways or isinstance(ways, str):
        said = f"{unknown[0]!r} is no way to reason" if unknown else "no way to reason is named"
        raise BoxselError(f"{said}: there are {', '.join(WAYS)}")
    return tuple(rung for rung in LADDER if rung.name in ways)


def _lacks(result: Result | Passed, goal: Goal) -> bool:
    """Whether a population was found that has no member of a goal: floats may have meant none."""
    if not isinstance(result, Optimum):
        return False
    return not any(weight > 0 and goal.has(kind) for kind, weight in result.weights.items())


def _stated(numbers: tuple[int, ...] | None) -> tuple[int, ...] | None:
    """Positions of statements, without what the question itself means."""
    if numbers is None or ASKED not in numbers:
        return numbers
    return tuple(number for number in numbers if number != ASKED)
