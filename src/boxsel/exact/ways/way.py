"""What a way to exact optima is, how far each goes, and what the ways of one problem share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from boxsel.exact.compile.problem import Clause, Form, Goal, Problem
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.lp.generation import Programme
from boxsel.exact.lp.optimum import Elimination, Result
from boxsel.exact.types.searched import SearchedSpace
from boxsel.exact.types.space import ListedSpace, list_types
from boxsel.exact.ways.counted.equations import Equation, as_equations
from boxsel.logic.population import Population
from boxsel.machine.budget import Budget

Shared = TypeVar("Shared")


@dataclass(frozen=True)
class Limits:
    """How far ways go, each number with what was measured where it stands.

    Beyond a limit a way passes, and the next one is asked.
    """

    listed: int = 100_000
    """Types that are listed, or choices of all parts where a problem is in parts. A question over
    65,536 types takes 0.1 s, and CP-SAT loads in 0.3 s; one over 5,800 choices takes 0.4 s."""
    fixed: int = 600
    """Types over a base whose weights are fixed. Graphs of 127 concepts have 180 to 310, in 0.1 to
    0.9 s; twice as many take ten times as long, and nothing can stop that once it has begun."""
    bags: int = 10_000
    """Types of a bag of a tree, of a region of it, or over names where a problem is in parts.
    A question over a region of 2,000 takes 1 s; a graph of 30 concepts has 5,400, in 6 s."""
    region: int = 150
    """Types of the region of a tree that is tried first. A question over so many takes 10 ms."""
    few: int = 12
    """So few rows are solved at once: nothing is gained by choosing among them. More of them, if
    all are equations, are counted data, which types with only what they must have do not meet."""
    rows_each: int = 8
    """Rows for each existential, up to which types are taken that have only what they must. In
    ontologies with shares there are 1 to 8; in tables of shares with some roles, 10 and more."""
    large: int = 300
    """Statements of a knowledge base in which chains come before the whole, or rows that are too
    many for a table of types, or around a question: over 300 types one with as many takes 0.6 s."""


@dataclass(frozen=True)
class Passed:
    """That a way has no answer, and why."""

    why: str


class Way(ABC):
    """One way to exact optima, and what it may know beside them."""

    @abstractmethod
    def maximise(self, goal: Goal, objective: Form) -> Result | Passed:
        """The largest value of a form over weightings that give a goal the weight 1.

        Without an objective: any such weighting.
        """

    @property
    def waits(self) -> bool:
        """Whether the next way is mostly faster: then it is asked first, unless it is the last."""
        return False

    @property
    def weightings(self) -> tuple[Mapping[Type, Fraction], ...]:
        """Weightings that obey the rows, and have a witness for every existential in them."""
        return ()


class Task:
    """One problem, and what the ways to its optima share.

    Types that cannot be realised are eliminated on the way: `restrict` tells it to all ways.
    """

    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        limits: Limits | None = None,
        *,
        listing: bool = True,
        data: Population | None = None,
    ) -> None:
        self.problem, self.budget = problem, budget
        self.limits = limits or Limits()
        self.eliminations: list[Elimination] = []
        self._listing, self._data = listing, data
        self._clauses = [clause for _, clause in problem.clauses]
        self._searched: SearchedSpace | None = None
        self._programme: Programme | None = None
        self._shared: dict[Callable[[Task], object], Any] = {}

    @property
    def width(self) -> int:
        """The number of basic concepts."""
        return len(self.problem.vocabulary)

    @property
    def clauses(self) -> list[Clause]:
        """The clauses that every realised type is known to obey."""
        return self._clauses

    @cached_property
    def equations(self) -> list[Equation] | None:
        """The rows as equations; none if some are not."""
        return as_equations(self.problem.rows)

    @property
    def is_counted(self) -> bool:
        """Whether many rows, and all of them equations, look like those of a counted graph."""
        return len(self.problem.rows) > self.limits.few and self.equations is not None

    @property
    def is_ontology(self) -> bool:
        """Whether existentials are many beside the rows: then most types have to have much.

        Populations that are drawn meet many rows, but seldom what their members' members need.
        """
        return self.limits.rows_each * len(self.problem.existentials) >= len(self.problem.rows)

    @property
    def is_large(self) -> bool:
        """Whether there are so many rows that a table of all types is slow.

        So are a third as many where types are at most twice the rows: these are hierarchies, in
        which shares multiply to tiny ones. A question to a chain of 100 classes took 42 s by a
        table, and takes 0.1 s along the tree.
        """
        rows, most = len(self.problem.rows), self.limits.large
        if self.listed is not None and len(self.listed.kinds) <= 2 * rows:
            most //= 3
        return rows >= most

    @cached_property
    def listed(self) -> ListedSpace | None:
        """The types that obey the clauses in a table, if they are few."""
        limit = self.limits.listed if self._listing else 0
        return list_types(self._clauses, self.width, self.budget, limit)

    @property
    def searched(self) -> SearchedSpace:
        """The types that obey the clauses, as something that is searched."""
        if self._searched is None:
            self._searched = SearchedSpace(self._clauses, self.budget)
        return self._searched

    @property
    def space(self) -> ListedSpace | SearchedSpace:
        """The types that obey the clauses: a table if they are few, else a search."""
        return self.searched if self.listed is None else self.listed

    @property
    def programme(self) -> Programme:
        """The programme over all types and all rows."""
        if self._programme is None:
            self._programme = Programme(self.problem.rows, self.space, self.budget)
        return self._programme

    @cached_property
    def models(self) -> list[Mapping[Type, Fraction]]:
        """The weightings that are known beforehand: that of the data, if there are any."""
        return [] if self._data is None else [self.problem.vocabulary.weigh(self._data)]

    def share(self, make: Callable[[Task], Shared]) -> Shared:
        """What is made from this task once, for all ways that need it."""
        if make not in self._shared:
            self._shared[make] = make(self)
        shared: Shared = self._shared[make]
        return shared

    def restrict(self, elimination: Elimination) -> None:
        """From now on only types that obey one more clause."""
        clause = elimination.clause
        self.eliminations.append(elimination)
        self._clauses.append(clause)
        for space in (self.listed, self._searched):
            if space is not None:
                space.restrict(clause)
        if self._programme is not None:
            gone = (kind for kind in self._programme.pool if not clause.holds(kind))
            self._programme.forget(gone)
