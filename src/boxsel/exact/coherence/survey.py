"""A survey of all names: which are empty, which are not, and which have to be asked about.

What is easily seen to be empty comes first, then a population that has members of most names. The
bounds that stand in its way are a small part of the knowledge base, which is asked exactly about
one body after another: either it is empty, or the types of its members are elements that the
population lacked.

Such a population also serves questions. Its types witness each other's existentials, and most of
what other types need: so where there are roles it is found once, before they are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Final

from boxsel.exact.coherence.elements import Elements
from boxsel.exact.coherence.realising import Realised, Realising
from boxsel.exact.compile.problem import Problem
from boxsel.exact.compile.vocabulary import Basic, Type, has
from boxsel.exact.lp.floats import as_fraction
from boxsel.exact.lp.optimum import Impossible, Optimum
from boxsel.logic.axioms import Axiom, Conditional
from boxsel.logic.concepts import Boolean, Concept, Name
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget
from boxsel.machine.progress import note
from boxsel.normal.normalize import is_deterministic
from boxsel.wording import several

if TYPE_CHECKING:
    from boxsel.exact.diagnosis.parts import Parts  # it has ladders, which need populations

SUSPECTS: Final = 4
"""How many bodies are asked about before the population is weighed again."""
MOST_BOUNDS: Final = 80
"""How many bounds are taken to stand in the way. Over as many an answer takes half a second."""
CHECK_ROUNDS: Final = 12
QUESTION_ROUNDS: Final = 3
"""How often that is done: for a check, and before a question."""


def find_canonical(
    axioms: Iterable[Axiom],
    problem: Problem,
    budget: Budget,
    parts: Callable[[KB, Budget], Parts] | None = None,
) -> Mapping[Type, Fraction]:
    """The weights of types that have nothing but what they must; nothing if none are found."""
    kb = KB.of(*axioms)
    asked = None if parts is None else parts(kb, budget)
    survey = Survey(kb, budget, asked, also=_possible_basics(problem), rounds=QUESTION_ROUNDS)
    survey.run()
    return {} if survey.population is None else _as_types(survey, survey.population, problem)


def _possible_basics(problem: Problem) -> tuple[Basic, ...]:
    """The basic concepts that saturation has to know.

    Nobody has `∃r.⊥`, and what combinations mean is seen of each type.
    """
    return tuple(
        basic
        for basic in problem.vocabulary.basics
        if not basic.mentions_bottom and not isinstance(basic, Boolean)
    )


def _as_types(survey: Survey, population: Realised, problem: Problem) -> dict[Type, Fraction]:
    """A population of elements that know a problem's basic concepts, as weights of its types."""
    elements, vocabulary = survey.elements, problem.vocabulary
    bits = {elements.number(basic): vocabulary.bit(basic) for basic in _possible_basics(problem)}
    weights: dict[Type, Fraction] = {}
    for element, weight in population.weights.items():
        kind = sum(bits[number] for number in elements.members(element) & bits.keys())
        kind = vocabulary.combined(kind)
        weights[kind] = weights.get(kind, Fraction(0)) + as_fraction(weight)
    return weights


class Survey:
    """What is known about the names of a consistent knowledge base, or about some of them.

    Without `parts` to ask about nothing is asked, and more names are left undecided.
    """

    def __init__(
        self,
        kb: KB,
        budget: Budget,
        parts: Parts | None = None,
        goals: Sequence[Name] | None = None,
        *,
        also: Iterable[Concept] = (),
        rounds: int = CHECK_ROUNDS,
    ) -> None:
        self.elements = Elements(kb, budget, also)
        self.realised: set[Name] = set()
        self.bounded = {
            number: statement.axiom
            for number, statement in enumerate(kb.statements)
            if isinstance(statement.axiom, Conditional)
            and not is_deterministic(statement.axiom.proportion)
        }
        self._budget, self._parts = budget, parts
        self._goals = kb.signature.concepts if goals is None else tuple(goals)
        self._everything = range(len(kb.statements))
        self._advice: dict[frozenset[int], None] = {}
        self._rounds = rounds
        self.population: Realised | None = None
        """The last one that was found."""

    @property
    def possible(self) -> list[Name]:
        """The names that are not known to be empty."""
        named = self.elements.named
        return [name for name in named if self.elements.possible(named[name])]

    @property
    def undecided(self) -> list[Name]:
        """The names of which neither is known."""
        possible = {*self.possible}
        return [goal for goal in self._goals if goal in possible and goal not in self.realised]

    def exclude(self, concept: Concept) -> None:
        """A concept is empty: so are all that need it."""
        self.elements.exclude(self.elements.number(concept))

    def run(self) -> None:
        """Exclude whatever is found to be empty, until nothing is."""
        while (empty := self.find_empty()) is not None:
            self.exclude(empty)

    def find_empty(self) -> Concept | None:
        """A body that is empty and not yet excluded, if one is found without much ado."""
        obvious = next(chain(self.elements.headless, self.elements.clashing), None)
        if obvious is not None:
            return self.elements.concept(obvious)
        while self.undecided:
            population = Realising(self.elements, self._budget).run(self._advice)
            self.population = population
            self.realised |= population.names
            left = self.undecided
            if not left or not self._rounds or self._parts is None:
                return None
            self._rounds -= 1
            note(f"{several(len(left), 'name')} to decide")
            known = len(self._advice)
            for body, result in self._ask(self._parts, population):
                if isinstance(result, Impossible):
                    return body
            if len(self._advice) == known:
                return None
        return None

    def _ask(
        self, parts: Parts, population: Realised
    ) -> Iterator[tuple[Concept, Impossible | Optimum]]:
        """Exact answers about the bodies whose bounds are most in the way."""
        shares, worth = self.elements.shares, population.worth
        order = sorted(worth, key=lambda bound: -worth[bound])[:MOST_BOUNDS]
        part = self.part(n for bound in order for n in shares[bound.share].statements)
        bodies = [*dict.fromkeys(shares[bound.share].body for bound in order)]
        for body in bodies[:SUSPECTS]:
            concept = self.elements.concept(body)
            ladder, result = parts.realise(part, concept)
            if isinstance(result, Optimum):
                vocabulary = ladder.problem.vocabulary
                masks = {
                    number: vocabulary.mask(one)
                    for share in shares
                    for number in (share.head, share.body)
                    if vocabulary.covers(one := self.elements.concept(number))
                }
                self._advice.update(
                    (frozenset(n for n, mask in masks.items() if mask and has(kind, mask)), None)
                    for kind in result.weights
                )
            yield concept, result

    def part(self, bounded: Iterable[int]) -> tuple[int, ...]:
        """All statements without the conditionals, but for some."""
        kept = {*bounded}
        return tuple(n for n in self._everything if n in kept or n not in self.bounded)
