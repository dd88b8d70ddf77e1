"""Typical values: the shares in the most even of all populations that obey a knowledge base.

Bounds say what shares *can* be. The population of maximum entropy says what they are where nothing
but the statements makes a difference: where they are silent, all types are equally frequent. It is
found over a list of all types if they are few (`even`), else along the tree of the statements
(`ways.trees.entropy`), for as many names as there are; and where statements hang together too
closely for both it is sampled (`ways.held`), and its shares are known roughly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import ClassVar, Final, Protocol

import numpy as np

from boxsel.errors import BoxselError
from boxsel.exact.compile.problem import Clause, Problem
from boxsel.exact.compile.vocabulary import Basic, Mask, Type, Vocabulary, bits
from boxsel.exact.even import maximise_evenness
from boxsel.exact.ladder import Ladder
from boxsel.exact.types.enumeration import enumerate_types
from boxsel.exact.types.tables import Bools
from boxsel.exact.ways.held.even_crowd import EvenCrowd, Near
from boxsel.exact.ways.trees.bags import TooWideError, compile_bags
from boxsel.exact.ways.trees.entropy import NoPopulationError, maximise_entropy
from boxsel.exact.ways.trees.population import Population
from boxsel.exact.ways.trees.sweeps import Sweeps
from boxsel.exact.ways.way import Limits
from boxsel.logic.booleans import expand
from boxsel.logic.concepts import Concept, Name, conjunction, conjuncts
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.machine.budget import Budget, OutOfTimeError

TRUE: Final = 1e-9
"""How far shares may be from where they should be."""
LISTED: Final = 4_096
PRODUCTS: Final = 50_000_000
"""Types are listed up to so many, if a step over them takes no more products than this: 0.02 s."""
LISTED_AGAIN: Final = 20_000
"""Types are listed up to so many where sweeps along the tree did not reach the end."""
EXACTLY: Final = 0.3
MORE_PATIENCE: Final = 2.0
"""The part of the time, where that is limited, in which the exact population has to be found; and
how much more patience there is with it, since it serves all questions."""


Form = Mapping[Mask, float]
"""A weight as a sum of multiples of the weights of those who have masks."""


class Weights(Protocol):
    """What types weigh, in one form or another.

    What weighs less than `lightest` is nobody: multipliers reach no zero where numbers demand one.
    """

    lightest: ClassVar[float]

    def weigh(self, positions: Iterable[int]) -> float:
        """The weight of those who have all of some basic concepts."""
        ...

    def listed(self, most: int) -> dict[Type, float] | None:
        """The weights of all types that have some; none if there are too many."""
        ...

    def draw(self, count: int, random: np.random.Generator) -> Iterator[Bools]:
        """Some people, a few at a time: a line for each, with what they have."""
        ...


class Evenness(Protocol):
    """How even weights are, and how near to what they should be."""

    @property
    def entropy(self) -> float:
        """Their entropy, in nats."""
        ...

    @property
    def violation(self) -> float:
        """How far a weight is from obeying a row, at the most."""
        ...

    @property
    def error(self) -> float:
        """How far a share is from where it should be, at the most."""
        ...


class Typical:
    """The population of maximum entropy of a knowledge base; `find_typical` finds it."""

    def __init__(
        self, kb: KB, vocabulary: Vocabulary, population: Weights, evenness: Evenness
    ) -> None:
        self._kb, self._vocabulary = kb, vocabulary
        self._population, self._evenness = population, evenness

    @property
    def entropy(self) -> float:
        """How even it is: the entropy of its types, in nats. n free names have n·log 2.

        Not a number if it is sampled.
        """
        return self._evenness.entropy

    @property
    def violation(self) -> float:
        """How far the weights are from what is stated, at the most.

        For a lower bound l of `(D | C)` it is l·[C] − [C and D], where everybody weighs 1. It is
        not above 1e-9 unless the search ended too early, or it is sampled: look at it before you
        rely on a share.
        """
        return self._evenness.violation

    is_sampled: ClassVar[bool] = False
    """Whether shares are only sampled when they are asked for."""

    @property
    def exact(self) -> bool:
        """Whether the search reached the population of maximum entropy, to nine digits."""
        return self._evenness.error <= TRUE

    def share(self, query: Query | str) -> float | None:
        """The share of a query's body that has its head; none if nobody has the body.

        Of a name that no statement has, one half of everybody is, whoever they are.

        Raises:
            BoxselError: The query has an existential that the statements do not have.
        """
        near = self.near(query)
        return None if near is None else near.value

    def near(
        self, query: Query | str, *, budget: Budget | None = None, patience: float = inf
    ) -> Near | None:
        """The same share, and how far it may be off: not at all if types are listed or swept.

        Where it is sampled, a rough one is enough after some seconds of `patience`.

        Raises:
            BoxselError: The query has an existential that the statements do not have; or it is
                sampled, and the time was not enough.
        """
        query = self._kb.query(query)
        whole, part = map(self._form, (query.body, conjunction(query.body, query.head)))
        try:
            return self._divide(query.body, whole, part, budget or Budget(), patience)
        except OutOfTimeError:
            raise BoxselError("the time was not enough for a typical share") from None

    def _divide(self, _: Concept, whole: Form, part: Form, __: Budget, ___: float) -> Near | None:
        """A part of a whole."""
        weight = self._weigh(whole)
        if weight < self._population.lightest:
            return None
        return Near(min(1.0, max(0.0, self._weigh(part) / weight)), 0.0)

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

    def kinds(self, most: int) -> list[tuple[frozenset[Basic], float]] | None:
        """What people have, and how many have just that; none if more than `most` kinds differ.

        Examples:
            >>> from boxsel.syntax.parser import parse_kb
            >>> kinds = find_typical(parse_kb("(B | owl:Thing)[0.25]")).kinds(10)
            >>> sorted((sorted(map(str, kind)), round(weight, 6)) for kind, weight in kinds)
            [([], 0.75), (['B'], 0.25)]
        """
        listed = self._population.listed(most)
        if listed is None:
            return None
        return [
            (frozenset(self._vocabulary.true_in(kind)), weight)
            for kind, weight in sorted(listed.items(), key=lambda pair: (-pair[1], pair[0]))
            if weight > self._population.lightest
        ]

    def _weigh(self, form: Form) -> float:
        return sum(factor * self._population.weigh(bits(mask)) for mask, factor in form.items())

    def _form(self, concept: Concept) -> Form:
        """The weight of a concept by those of masks; of a Boolean one, by inclusion and exclusion.

        Of whoever has a mask, one half has a name of which nothing is said.
        """
        form: dict[Mask, float] = {}
        for term, factor in expand(concept).items():
            mask, free = self._mask(term)
            form[mask] = form.get(mask, 0.0) + factor * 0.5 ** len(free)
        return form

    def _mask(self, concept: Concept) -> tuple[Mask, frozenset[Name]]:
        """What a concept says about basic concepts, and its names that no statement has."""
        parts = conjuncts(concept)
        unknown = [part for part in parts if not self._vocabulary.covers(part)]
        free = frozenset(part for part in unknown if isinstance(part, Name))
        if len(free) < len(unknown):
            said = concept.text(self._kb.prefixes)
            raise BoxselError(
                f"{said}: the statements do not have all of its existentials, so nothing is typical"
                " of it"
            )
        mask = 0
        for part in parts:
            if part not in free:
                own = self._vocabulary.mask(part)
                assert own is not None  # ⊥ is kept out of queries
                mask |= own
        return mask, free

    def __repr__(self) -> str:
        told = f"entropy {self.entropy:.6g}, violation {self.violation:.1e}"
        return f"<Typical: {len(self._vocabulary)} basic concepts, {told}>"


class _Sampled(Typical):
    """The same where it is only sampled: whoever asks for a share lets chains walk for it."""

    is_sampled = True

    def __init__(self, kb: KB, vocabulary: Vocabulary, crowd: EvenCrowd) -> None:
        super().__init__(kb, vocabulary, crowd, crowd)
        self._crowd = crowd

    def _divide(
        self, body: Concept, whole: Form, part: Form, budget: Budget, patience: float
    ) -> Near | None:
        """A part of a whole, among chains that are held where everybody is."""
        plain = (part for part in conjuncts(body) if not part.is_boolean)
        mask, _ = self._mask(conjunction(*plain))
        return self._crowd.share(mask, whole, part, budget, patience)


def find_typical(
    kb: KB,
    *,
    also: Iterable[Concept] = (),
    budget: Budget | None = None,
    patience: float = inf,
    sampled: bool = False,
) -> Typical:
    r"""The most even of all populations that obey a knowledge base.

    Existentials `r some X` are basic concepts, as names are. What follows for them without numbers
    is obeyed: from their fillers, from domains, ranges and inclusions of roles. That whoever has
    one needs somebody who has the filler is not looked at, and neither are individuals. `also` are
    existentials that no statement has, and that will be asked about.

    Where it can be neither listed nor swept it is sampled: then it is not `exact`, and a share is
    sampled when it is asked for, for some seconds, and near to what it should be (`near`). After
    so many seconds as is the `patience`, the exact one is not looked for any longer. If it
    shall be `sampled`, it is not looked for at all.

    A knowledge base that has no such population, or for which it cannot be found, is an error and
    not `None`: there are several reasons, each with another remedy, and the message says which.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> typical = find_typical(parse_kb("(Bird | Animal)[0.2]\n(Flies | Bird)[0.8, 0.9]"))
        >>> round(typical.share("(Flies | Bird)"), 6), round(typical.share("(Bird | Animal)"), 6)
        (0.8, 0.2)
        >>> round(typical.share("(Flies | Animal)"), 6)
        0.56

    Raises:
        BoxselError: No population obeys it; or the time was not enough.
    """
    budget = budget or Budget()
    also = [*also]
    try:
        problem = Problem(enumerate(kb.axioms), also)
        clauses = _clauses(kb, problem, also, budget)
        if not sampled:
            with (
                suppress(TooWideError, OutOfTimeError),
                budget.shortened(EXACTLY),
                budget.at_most(MORE_PATIENCE * patience),
            ):
                return _exactly(kb, problem, clauses, budget)
        budget.check()
    except NoPopulationError:
        raise BoxselError(
            "no population obeys all statements: look for the conflict with check"
        ) from None
    except OutOfTimeError:
        raise BoxselError("the time was not enough for a typical population") from None
    crowd = EvenCrowd(len(problem.vocabulary), clauses, problem.rows)
    return _Sampled(kb, problem.vocabulary, crowd)


def _clauses(kb: KB, problem: Problem, also: Sequence[Concept], budget: Budget) -> Sequence[Clause]:
    """The clauses that types obey, and those that follow from contradictions about one share."""
    clauses = [clause for _, clause in problem.clauses]
    if problem.existentials:
        # Where types are searched, and not listed, more is looked up about existentials.
        ladder = Ladder(enumerate(kb.axioms), also, budget, ways=("tree",))
        clauses = list(ladder.survivors.clauses)
    return [*clauses, *_exclude_empty(problem)]


def _exactly(kb: KB, problem: Problem, clauses: Sequence[Clause], budget: Budget) -> Typical:
    """The population in a list of types, or along a tree.

    Raises:
        TooWideError: Statements hang together too closely for both.
    """
    lines = max(1, len(problem.rows))
    few = min(LISTED, PRODUCTS // lines**2)
    typical = _listed(kb, problem, clauses, few, budget)
    if typical is not None:
        return typical
    width = len(problem.vocabulary)
    bags = compile_bags(clauses, problem.rows, width, Limits().bags, budget)
    sweeps = Sweeps(bags)
    state = maximise_entropy(bags, sweeps, budget)
    population = Population(bags, sweeps, state.weighting, width)
    typical = Typical(kb, problem.vocabulary, population, state)
    if typical.exact:
        return typical
    return _listed(kb, problem, clauses, LISTED_AGAIN, budget) or typical


def _listed(
    kb: KB, problem: Problem, clauses: Sequence[Clause], most: int, budget: Budget
) -> Typical | None:
    """The population over a list of types, if they are no more than this."""
    vocabulary = problem.vocabulary
    kinds = enumerate_types(clauses, (1 << len(vocabulary)) - 1, most, budget)
    if kinds is None:
        return None
    even = maximise_evenness(kinds, len(vocabulary), problem.rows, budget)
    return Typical(kb, vocabulary, even, even)


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
