"""Assertions: every individual has a type that is realised, and roles join allowed types.

Individuals occur in assertions only, and populations can be enlarged, so nothing else follows
from them: they decide whether there is a model at all, and never move a bound.

Where types are listed, few individuals try one type after the other; for more a solver decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from boxsel.exact.compile.components import connect
from boxsel.exact.compile.problem import Form, Goal, Problem, value
from boxsel.exact.compile.vocabulary import Mask, Type, bits, has
from boxsel.exact.ladder import Ladder
from boxsel.exact.lp.generation import combine, integral
from boxsel.exact.lp.optimum import Impossible
from boxsel.exact.types.searched import Model, solve
from boxsel.exact.ways.samples.search import Search
from boxsel.logic.axioms import ConceptAssertion, RoleAssertion
from boxsel.logic.concepts import TOP, Concept, Individual, Role, conjunction
from boxsel.machine.budget import Budget, OutOfTimeError
from boxsel.machine.integers import Integers

PLACING_TRIES: Final = 20_000
"""After so many tries, each of a type for an individual or of a link, a solver is the better
choice."""

MOST_INDIVIDUALS: Final = 100
"""For more individuals it is so from the start."""


class TooManyTriesError(Exception):
    """No types were found for all individuals, but not everything was tried."""


@dataclass(frozen=True)
class Link:
    """That a role leads from one individual to another."""

    role: Role
    subject: Individual
    object: Individual


def try_types(
    problem: Problem,
    kinds: Sequence[Type],
    required: Mapping[Individual, Mask],
    links: Sequence[Link],
) -> dict[Individual, Type] | None:
    """A type for each individual that has what is required of it, so that all links are allowed.

    Raises:
        TooManyTriesError: That takes too long.
    """
    if len(required) > MOST_INDIVIDUALS:
        raise TooManyTriesError
    candidates = {
        individual: [kind for kind in kinds if has(kind, mask)]
        for individual, mask in required.items()
    }
    # Whoever has the fewest choices comes first.
    order = sorted(candidates, key=lambda candidate: len(candidates[candidate]))
    linked = {
        individual: [link for link in links if individual in (link.subject, link.object)]
        for individual in order
    }
    tries = 0

    def rest(chosen: dict[Individual, Type]) -> dict[Individual, Type] | None:
        nonlocal tries
        if len(chosen) == len(order):
            return chosen
        individual = order[len(chosen)]
        for kind in candidates[individual]:
            tries += 1 + len(linked[individual])
            if tries > PLACING_TRIES:
                raise TooManyTriesError
            more = {**chosen, individual: kind}
            if all(_allowed(problem, link, more) for link in linked[individual]):
                completed = rest(more)
                if completed is not None:
                    return completed
        return None

    return rest({})


def _allowed(problem: Problem, link: Link, chosen: Mapping[Individual, Type]) -> bool:
    """Whether the subject of a link has all existentials that its object makes true."""
    subject, object_ = chosen.get(link.subject), chosen.get(link.object)
    if subject is None or object_ is None:
        return True
    return all(
        has(subject, duty.bit)
        for duty in problem.duties(link.role)
        if duty.filler is not None and has(object_, duty.filler)
    )


Assertion = ConceptAssertion | RoleAssertion
DRAWING: Final = 0.5
"""The part of the time for drawing a population that has members of a type."""
MOST_EXISTENTIALS: Final = 300
"""With more of them what members' members need is seldom drawn: 100 take 0.2 s, beside 25 s for
proofs about what a solver proposes."""


@dataclass(frozen=True)
class Placement:
    """A surviving type for each individual."""

    types: Mapping[Individual, Type]


@dataclass(frozen=True)
class Misplacement:
    """Individuals that cannot all have types.

    For each of `cuts`, y·a(t) ≤ 0 on all types, so that realised ones have y·a(t) = 0; no types
    with that property obey the assertions.
    """

    individuals: frozenset[Individual]
    cuts: tuple[Mapping[int, Fraction], ...] = ()


class Individuals:
    """Finds types for individuals."""

    def __init__(self, ladder: Ladder, budget: Budget) -> None:
        self._ladder, self._budget = ladder, budget
        self._cuts: list[Mapping[int, Fraction]] = []
        self._settled: set[Type] = set()
        self._drawn: set[Type] = set()

    def place(self, assertions: Iterable[Assertion]) -> Placement | Misplacement:
        """Types for the individuals of some assertions, group by connected group."""
        types: dict[Individual, Type] = {}
        groups = group_connected(assertions)
        met = self._meet(groups)
        for group in groups:
            chosen = self._choose(group, met)
            if chosen is not None:
                types |= chosen
                continue
            while True:
                self._budget.check()
                group_types = self._assign(group)
                if group_types is None:
                    names = frozenset(
                        individual for axiom in group for individual in axiom.individuals()
                    )
                    return Misplacement(names, tuple(self._cuts))
                if all(self._survives(kind) for kind in dict.fromkeys(group_types.values())):
                    types |= group_types
                    break
        return Placement(types)

    def _meet(self, groups: Iterable[Sequence[Assertion]]) -> tuple[Type, ...]:
        """Types that are realised, in a population in which somebody is like each individual.

        It is drawn once: to ask whether one type can be realised, with all that it has and lacks,
        may take a proof each time, and what a solver proposes is seldom one that can.
        """
        demands = [self._collect(group) for group in groups]
        many = len(self._ladder.problem.existentials) > MOST_EXISTENTIALS
        if None in demands or many or not self._is_drawable:
            return ()
        masks = dict.fromkeys(mask for some in demands for mask in (some or {}).values())
        weights = self._draw(*map(Goal, masks))
        if weights is None or not self._ladder.survivors.settle(weights):
            return ()
        return tuple(kind for kind, weight in weights.items() if weight)

    def _choose(
        self, group: Sequence[Assertion], kinds: Sequence[Type]
    ) -> dict[Individual, Type] | None:
        """Types for the individuals of a group among some that are realised, if that is easy."""
        required = self._collect(group) if kinds else None
        if required is None:
            return None
        with suppress(TooManyTriesError):
            return try_types(self._ladder.problem, kinds, required, _links(group))
        return None

    def _survives(self, kind: Type) -> bool:
        """Whether a type can be realised; if not, a cut or a clause is found that forbids it."""
        if kind in self._settled:
            return True
        problem, survivors = self._ladder.problem, self._ladder.survivors
        others = ((1 << len(problem.vocabulary)) - 1) & ~kind
        goal = Goal(kind, tuple(1 << position for position in bits(others)))
        is_drawn = self._is_drawable and not self._ladder.survivors.task.is_ontology
        drawn = None if kind in self._drawn or not is_drawn else self._draw(goal)
        self._drawn.add(kind)  # once: whoever is asked again after a pause has no time to lose
        if drawn is not None and kind in drawn and survivors.settle(drawn):
            self._settled.add(kind)
            return True
        result = survivors.relax(goal, ())
        if isinstance(result, Impossible):
            self._cuts.append(result.multipliers)
            return False
        if survivors.settle(result.weights):
            self._settled.add(kind)
            return True
        return False

    def _draw(self, *goals: Goal) -> Mapping[Type, Fraction] | None:
        """A population for some goals, if one is drawn soon: a proof may take minutes.

        Whether it has such members is for the caller to see: those that are drawn may be others.
        """
        task = self._ladder.survivors.task
        with suppress(OutOfTimeError), self._budget.shortened(DRAWING):
            return next(Search(task, goals).run(), None)
        return None

    @property
    def _is_drawable(self) -> bool:
        """Whether populations may be drawn: they rarely meet counts, or are found sooner."""
        task = self._ladder.survivors.task
        return task.listed is None and not task.is_counted

    def _assign(self, group: Sequence[Assertion]) -> dict[Individual, Type] | None:
        """Types that obey clauses, cuts and assertions, if there are any."""
        rows = self._ladder.problem.rows
        cuts = [integral(combine(rows, cut)) for cut in self._cuts]
        required = self._collect(group)
        if required is None:
            return None
        links = _links(group)
        kinds = self._ladder.survivors.listed
        if kinds is not None:
            left = [kind for kind in kinds if all(value(cut, kind) >= 0 for cut in cuts)]
            with suppress(TooManyTriesError):
                return try_types(self._ladder.problem, left, required, links)
        return self._solve(required, links, cuts, set(self._masks(group)))

    def _collect(self, group: Sequence[Assertion]) -> dict[Individual, Mask] | None:
        """What each individual has to have; none if a link leads to what cannot be."""
        problem = self._ladder.problem
        required = dict.fromkeys(
            (individual for axiom in group for individual in axiom.individuals()), 0
        )
        for axiom in group:
            if isinstance(axiom, ConceptAssertion):
                mask = problem.vocabulary.mask(axiom.concept)
                assert mask is not None  # ⊥ is kept out of assertions
                required[axiom.individual] |= mask
                continue
            objects = problem.range(axiom.role)
            if objects is None:
                return None
            required[axiom.object] |= objects
        return required

    def _solve(
        self,
        required: Mapping[Individual, Mask],
        links: Sequence[Link],
        cuts: Sequence[Form],
        masks: set[Mask],
    ) -> dict[Individual, Type] | None:
        """The same by a solver."""
        problem = Integers()
        about = masks | {mask for cut in cuts for mask, _ in cut}
        kinds = {
            individual: Model(self._ladder.survivors.clauses, about, problem)
            for individual in required
        }
        for individual, kind in kinds.items():
            kind.require(Goal(required[individual]))
            for cut in cuts:
                kind.require_least(cut, 0)
        for link in links:
            subject, object_ = kinds[link.subject], kinds[link.object]
            for duty in self._ladder.problem.duties(link.role):
                if duty.filler is not None:
                    given, due = object_.product(duty.filler), subject.product(duty.bit)
                    problem.require_any([~given, due])
        values = solve(problem, self._budget)
        if values is None:
            return None
        return {individual: kind.read(values) for individual, kind in kinds.items()}

    def _masks(self, group: Sequence[Assertion]) -> Iterator[Mask]:
        """The masks that assertions look at."""
        problem = self._ladder.problem
        for axiom in group:
            if isinstance(axiom, ConceptAssertion):
                yield problem.vocabulary.mask(axiom.concept) or 0
                continue
            yield problem.range(axiom.role) or 0
            for duty in problem.duties(axiom.role):
                yield duty.bit
                yield duty.filler or 0


def _links(group: Iterable[Assertion]) -> list[Link]:
    """Which individuals are linked."""
    return [
        Link(axiom.role, axiom.subject, axiom.object)
        for axiom in group
        if isinstance(axiom, RoleAssertion)
    ]


def gather(
    assertions: Iterable[Assertion],
) -> Iterator[tuple[Concept, tuple[ConceptAssertion, ...]]]:
    r"""What individuals have, each combination once, and the assertions that say so of somebody.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("A(a)\nA(b)\nr(b, c)\nA(c)\nB(c)")
        >>> [str(concept) for concept, _ in gather(kb.axioms)]
        ['A', 'A and B']
    """
    said: dict[Individual, list[ConceptAssertion]] = {}
    for axiom in assertions:
        if isinstance(axiom, ConceptAssertion) and axiom.concept != TOP:
            said.setdefault(axiom.individual, []).append(axiom)
    combined = {
        conjunction(*(axiom.concept for axiom in axioms)): tuple(axioms) for axioms in said.values()
    }
    yield from combined.items()


def group_connected(assertions: Iterable[Assertion]) -> list[list[Assertion]]:
    r"""The assertions in groups that share no individual.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("A(a)\nA(b)\nr(b, c)")
        >>> [len(group) for group in group_connected(kb.axioms)]
        [1, 2]
    """
    numbered = list(assertions)
    parts = connect([axiom.individuals() for axiom in numbered])
    return [[numbered[number] for number in part] for part in parts]
