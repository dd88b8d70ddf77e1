"""Typical values: the shares in the most even of all populations that obey a knowledge base.

Bounds say what shares *can* be. The population of maximum entropy says what they are where nothing
but the statements makes a difference: where they are silent, all types are equally frequent. It is
found along the tree of the statements (`ways.trees.entropy`), for as many names as there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import numpy as np

from boxsel.errors import BoxselError
from boxsel.exact.compile.problem import Clause, Problem
from boxsel.exact.compile.vocabulary import Basic, Mask, Vocabulary, bits
from boxsel.exact.ladder import Ladder
from boxsel.exact.ways.trees.bags import TooWideError, compile_bags
from boxsel.exact.ways.trees.entropy import NoPopulationError, State, maximise_entropy
from boxsel.exact.ways.trees.population import Population
from boxsel.exact.ways.trees.sweeps import Sweeps
from boxsel.exact.ways.way import Limits
from boxsel.logic.concepts import Concept
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError

EMPTY: Final = 1e-20
"""What weighs less is nobody: multipliers reach no zero where numbers demand one."""


class Typical:
    """The population of maximum entropy of a knowledge base; `find_typical` finds it."""

    def __init__(
        self, kb: KB, vocabulary: Vocabulary, population: Population, state: State
    ) -> None:
        self._kb, self._vocabulary = kb, vocabulary
        self._population, self._state = population, state

    @property
    def entropy(self) -> float:
        """How even it is: the entropy of its types, in nats. n free names have n·log 2."""
        return self._state.entropy

    @property
    def violation(self) -> float:
        """How far the weights are from what is stated, at the most.

        For a lower bound l of `(D | C)` it is l·[C] − [C and D], where everybody weighs 1. It is
        not above 1e-9 unless the search ended too early: look at it before you rely on a share.
        """
        return self._state.violation

    def share(self, query: Query | str) -> float | None:
        """The share of a query's body that has its head; none if nobody has the body.

        Raises:
            BoxselError: The query has a name or an existential that the statements do not have.
        """
        query = self._kb.query(query)
        body, head = self._mask(query.body), self._mask(query.head)
        whole = self._population.weigh(bits(body))
        if whole < EMPTY:
            return None
        return min(1.0, self._population.weigh(bits(body | head)) / whole)

    def sample(self, count: int, seed: int) -> list[frozenset[Basic]]:
        """People drawn at random: for each, the names and existentials that are true of them.

        The same seed gives the same people.
        """
        if count < 0:
            raise BoxselError(f"{count} people cannot be drawn: give a number of 0 or more")
        drawn = self._population.draw(count, np.random.default_rng(seed))
        basics = self._vocabulary.basics
        return [
            frozenset(basics[position] for position in np.flatnonzero(person).tolist())
            for people in drawn
            for person in people
        ]

    def _mask(self, concept: Concept) -> Mask:
        if not self._vocabulary.covers(concept):
            said = concept.text(self._kb.prefixes)
            raise BoxselError(
                f"{said}: the statements do not have all of its names and existentials, so nothing"
                " is typical of it"
            )
        mask = self._vocabulary.mask(concept)
        assert mask is not None  # ⊥ is kept out of queries
        return mask

    def __repr__(self) -> str:
        told = f"entropy {self.entropy:.6g}, violation {self.violation:.1e}"
        return f"<Typical: {len(self._vocabulary)} basic concepts, {told}>"


def find_typical(kb: KB, *, budget: Budget | None = None) -> Typical:
    r"""The most even of all populations that obey a knowledge base.

    Existentials `r some X` are basic concepts, as names are. What follows for them without numbers
    is obeyed: from their fillers, from domains, ranges and inclusions of roles. That whoever has
    one needs somebody who has the filler is not looked at, and neither are individuals.

    A knowledge base that has no such population, or for which it cannot be found, is an error and
    not `None`: there are several reasons, each with another remedy, and the message says which.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> typical = find_typical(parse_kb("(Bird | Animal)[0.2]\n(Flies | Bird)[0.8, 0.9]"))
        >>> round(typical.share("(Flies | Bird)"), 6), round(typical.share("(Bird | Animal)"), 6)
        (0.8, 0.2)
        >>> round(typical.share("(Flies | Animal)"), 6)
        0.56
        >>> [sorted(map(str, person)) for person in typical.sample(2, seed=1)]
        [['Flies'], ['Animal', 'Bird', 'Flies']]

    Raises:
        BoxselError: No population obeys it; or its statements hang together too closely; or the
            time was not enough.
    """
    budget = budget or Budget()
    try:
        return _find(kb, budget)
    except TooWideError:
        raise BoxselError(
            "the statements hang together too closely for a typical population: a bag of their tree"
            f" would have more than {Limits().bags:,} types; leave out statements that the question"
            " is not about"
        ) from None
    except NoPopulationError:
        raise BoxselError(
            "no population obeys all statements: look for the conflict with check"
        ) from None
    except OutOfTimeError:
        raise BoxselError("the time was not enough for a typical population") from None


def _find(kb: KB, budget: Budget) -> Typical:
    problem = Problem(enumerate(kb.axioms))
    clauses = [clause for _, clause in problem.clauses]
    if problem.existentials:
        # Where types are searched, and not listed, more is looked up about existentials.
        ladder = Ladder(enumerate(kb.axioms), (), budget, ways=("tree",))
        clauses = list(ladder.survivors.clauses)
    clauses += _exclude_empty(problem)
    width = len(problem.vocabulary)
    bags = compile_bags(clauses, problem.rows, width, Limits().bags, budget)
    sweeps = Sweeps(bags)
    state = maximise_entropy(bags, sweeps, budget)
    population = Population(bags, sweeps, state.weighting, width)
    return Typical(kb, problem.vocabulary, population, state)


def _exclude_empty(problem: Problem) -> Iterator[Clause]:
    """Nobody has a body for which one conditional demands more than another one allows."""
    highest: dict[tuple[Mask, Mask], Fraction] = {}
    for row in problem.rows:
        if row.side == "upper":
            key = row.body, row.both
            highest[key] = min(row.bound, highest.get(key, row.bound))
    for row in problem.rows:
        if row.side == "lower" and row.bound > highest.get((row.body, row.both), 1):
            yield Clause(row.body, 0)
