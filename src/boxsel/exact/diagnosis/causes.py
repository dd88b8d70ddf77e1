"""The root causes of empty names: contradictions, each with all names that it empties.

A contradiction is a minimal conflict about a name or a body. What it empties need not be explained
by itself: subclasses, and whatever needs members there, are empty with it. A survey finds one empty
body after another, those with bounds that exclude each other first. Of all names and bodies that a
conflict empties, the one is blamed for which the fewest statements are enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Final

from boxsel.exact.coherence.elements import Elements
from boxsel.exact.coherence.survey import Survey
from boxsel.exact.diagnosis.conflicts import Conflict
from boxsel.exact.diagnosis.parts import Parts, minimal
from boxsel.exact.reasoner import Reasoner
from boxsel.logic.axioms import Axiom, Conditional, Disjointness
from boxsel.logic.concepts import Concept, Name
from boxsel.logic.kb import KB
from boxsel.machine.budget import OutOfTimeError

TRIED: Final = 12
"""So many names and bodies of a conflict are tried for one that fewer statements empty."""


@dataclass(frozen=True)
class Cause:
    """A minimal conflict, and the names that are empty by it and what follows.

    A name is told once: what an earlier cause empties is not told again.
    """

    conflict: Conflict
    names: tuple[Name, ...]
    numbers: tuple[int, ...] = ()
    """The positions of the conflict's statements."""

    def to_json(self) -> dict[str, Any]:
        """The cause as a JSON object."""
        spelt = self.conflict.prefixes
        return {**self.conflict.to_json(), "empties": [name.text(spelt) for name in self.names]}


@dataclass(frozen=True)
class Diagnosis:
    """The causes of empty names, the names that are empty, and those of which it is not known.

    A name that is empty may lack its cause, if the time was over first.
    """

    causes: tuple[Cause, ...] = ()
    empty: tuple[Name, ...] = ()
    undecided: tuple[Name, ...] = ()


def diagnose(reasoner: Reasoner) -> Diagnosis:
    """What is known about all names when they are decided, or when the budget is spent."""
    names = reasoner.kb.signature.concepts
    search: _Search | None = None
    finished = False
    try:
        search = _Search(reasoner, None)
        search.run()
        finished = True
    except OutOfTimeError:
        if search is None:
            return Diagnosis(undecided=names)
    causes = search.causes
    empty = dict.fromkeys(name for cause in causes for name in cause.names)
    if finished:
        return Diagnosis(causes, tuple(empty))
    possible = search.possible
    empty |= dict.fromkeys(name for name in names if name not in possible)
    left = (name for name in names if name not in empty and name not in search.realised)
    return Diagnosis(causes, tuple(empty), tuple(left))


def find_causes(
    reasoner: Reasoner, goals: Sequence[Name] | None = None, *, easy: bool = False
) -> tuple[Cause, ...]:
    r"""The causes of all empty names, or of some; those that explain most come first.

    The knowledge base must be consistent. Who will ask again wants the `easy` ones, if there are
    any, and only else all others.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("(B | A)[0.2]\n(B | A)[0.8]\nC SubClassOf A\n(C | D)[0.5]")
        >>> (cause,) = find_causes(Reasoner(kb))
        >>> [str(name) for name in cause.names]
        ['A', 'C', 'D']
        >>> print(cause.conflict.text, end="")
        These two statements contradict each other directly and leave A empty in every model:
          (B | A)[0.2]
          (B | A)[0.8]
    """
    search = _Search(reasoner, goals)
    search.run(easy=easy)
    return search.causes


@dataclass
class _Found:
    """The statements of a conflict, and whom it empties."""

    numbers: tuple[int, ...]
    emptied: list[Name] = field(default_factory=list)


class _Search:
    """The causes so far, by the concept that each is about, and what is left to explain."""

    def __init__(self, reasoner: Reasoner, goals: Sequence[Name] | None) -> None:
        self._reasoner, self._kb = reasoner, reasoner.kb
        self._parts = Parts(reasoner.kb, reasoner.budget)
        self._survey = Survey(reasoner.kb, reasoner.budget, self._parts, goals)
        self._found: dict[Concept, _Found] = {}
        self._refuting = False  # whether rules are asked: where populations lack somebody
        self._grown = False  # whether one population along a tree was asked for

    @property
    def possible(self) -> frozenset[Name]:
        """The names that are not known to be empty."""
        return frozenset(self._survey.possible)

    @property
    def realised(self) -> frozenset[Name]:
        """The names that are known to be possible."""
        return frozenset(self._survey.realised)

    @property
    def causes(self) -> tuple[Cause, ...]:
        """The causes so far, those that explain most first."""
        causes = (
            Cause(
                Conflict(self._parts.statements(result.numbers), concept, self._kb.prefixes),
                tuple(result.emptied),
                result.numbers,
            )
            for concept, result in self._found.items()
        )
        return tuple(
            sorted(causes, key=lambda cause: (-len(cause.names), len(cause.conflict.statements)))
        )

    def run(self, *, easy: bool = False) -> None:
        """Explain all that is empty; the easy ones alone, if there are any and they are enough."""
        self._blame_strict()
        self._blame_clashing()
        while not (easy and self._found) and self._blame_next():
            pass

    def _blame_strict(self) -> None:
        """Explain the names that statements without numbers empty."""
        possible = {*self._survey.possible}
        left = [name for name in self._survey.elements.named if name not in possible]
        if not left:
            return
        needs = _Needs(self._kb, self._reasoner)
        while left:
            root, numbers = self._root(left[0], self._conflict(left[0], strict=True))
            gone = [name for name in left if name == left[0] or needs.reaches(name, root)]
            self._found.setdefault(root, _Found(numbers)).emptied.extend(gone)
            left = [name for name in left if name not in gone]

    def _blame_clashing(self) -> None:
        """Explain the bodies whose own bounds exclude each other, even if others empty them."""
        elements = self._survey.elements
        for concept in [elements.concept(body) for body in elements.clashing]:
            self._blame(concept)

    def _blame_next(self) -> bool:
        """Explain one more empty concept, if there is one."""
        self._ask_tree()
        concept = self._survey.find_empty()
        if concept is None:
            concept = next(self._asked_about(), None)
        if concept is not None:
            self._blame(concept)
        return concept is not None

    def _blame(self, concept: Concept) -> None:
        """Note the cause of an empty concept, and the names that are empty by it as well."""
        before = self._survey.possible
        root, numbers = self._root(concept, self._conflict(concept))
        cause = self._found.setdefault(root, _Found(numbers))
        for one in (root, concept):
            self._survey.exclude(one)
        left = {*self._survey.possible}
        cause.emptied.extend(name for name in before if name not in left)

    def _ask_tree(self) -> None:
        """Let one population along a tree decide first, unless bounds exclude each other."""
        if not self._grown and next(self._survey.elements.clashing, None) is None:
            self._grown = True
            self._reasoner.realise_along_tree()
            self._survey.realised.update(self._reasoner.realised)

    def _asked_about(self) -> Iterator[Name]:
        """The names that the survey left undecided and that are empty; rules are asked first."""
        realised, left = self._survey.realised, self._survey.undecided
        if left:
            self._refuting = True
            yield from (name for name in left if self._behind(name))
            self._reasoner.realise_together(*left)
            realised.update(self._reasoner.realised)
        for name in left:
            if name not in realised:
                if self._reasoner.satisfiable(name):
                    realised.update(self._reasoner.realised)
                else:
                    yield name

    def _conflict(self, concept: Concept, *, strict: bool = False) -> tuple[int, ...]:
        """A minimal conflict about what is empty; the bounds on it come first."""
        bounded = self._survey.bounded
        if not strict:
            direct = [
                number for number, conditional in bounded.items() if conditional.body == concept
            ]
            found = self._parts.emptying(direct, concept)
            if found is not None:
                return minimal(found, self._parts.against(concept), enough=True)
        left_out = frozenset(bounded) if strict else frozenset[int]()
        numbers = self._parts.conflict(concept, without=left_out, proof=self._behind(concept))
        assert numbers is not None  # it is empty
        return numbers

    def _behind(self, concept: Concept) -> frozenset[Axiom]:
        """Axioms from which rules derive that a concept is empty, if they do."""
        return self._parts.axioms(self._reasoner.behind_empty(concept) if self._refuting else ())

    def _root(self, concept: Concept, numbers: tuple[int, ...]) -> tuple[Concept, tuple[int, ...]]:
        """The name or body that the fewest statements of a conflict empty, and these."""
        best = concept, numbers
        axioms = (self._kb.statements[number].axiom for number in numbers)
        bodies = (
            self._survey.bounded[number].body
            for number in numbers
            if number in self._survey.bounded
        )
        names = (
            entity for axiom in axioms for entity in axiom.entities() if isinstance(entity, Name)
        )
        for one in islice(dict.fromkeys(chain(bodies, names)), TRIED):
            if one != concept and len(best[1]) > 1:
                conflict = self._parts.emptying(numbers, one)
                if conflict is not None and len(conflict) < len(best[1]):
                    fewer = minimal(conflict, self._parts.against(one), enough=True)
                    if len(fewer) < len(best[1]):
                        best = one, fewer
        return best


class _Needs:
    """Who needs whom to have members, by the statements that exclude nothing."""

    def __init__(self, kb: KB, reasoner: Reasoner) -> None:
        kept = (
            statement
            for statement in kb.statements
            if not isinstance(statement.axiom, Conditional | Disjointness)
            and not any(concept.mentions_bottom for concept in statement.axiom.concepts())
        )
        self._elements = Elements(kb.with_statements(kept), reasoner.budget)

    def reaches(self, name: Name, other: Concept) -> bool:
        """Whether members of a name need members of another concept."""
        elements = self._elements
        if other not in elements.named:
            return False
        wanted = elements.number(other)
        seen = {elements.named[name]}
        queue = [*seen]
        while queue:
            element = queue.pop()
            if wanted in elements.members(element):
                return True
            fresh = {target for _, target in elements.links(element)} - seen
            seen |= fresh
            queue.extend(fresh)
        return False
