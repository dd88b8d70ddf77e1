"""Completion: the rules applied until nothing new follows.

A *context* stands for an element of which only its starting concepts are known: a name's own
context starts with that name, ⊤'s with nothing, the one that `A ⊑ ∃r.B` leads to with B and
the ranges of r and of all roles above it. An individual's context starts with what is
asserted of it. The contexts that do not contain ⊥ form a model (the canonical one), in which
an element has no concept that it need not have; that is why what is not derived is refuted.
What holds of its elements, however complex, holds of all that their contexts stand for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass
from itertools import count
from typing import Final

from boxsel.errors import InvalidStatementError
from boxsel.logic.concepts import And, Concept, Exists, Individual, Role
from boxsel.machine.budget import NO_LIMIT, Budget
from boxsel.normal.definitions import subconcepts
from boxsel.normal.tables import BOTTOM_ID, TOP_ID, Rules

Start = frozenset[int]
"""What a context starts with, beside ⊤."""

STEPS_BETWEEN_LOOKS: Final = 256
"""How many things are gone through between two looks at the clock."""

_START_OF_TOP: Start = frozenset()
_NOTHING: set[int] = set()


@dataclass(frozen=True)
class Completion:
    """Every context, with the concepts it is in and the contexts it links to.

    Attributes:
        members: the concepts of each context.
        links: the roles and the contexts that each context is linked to.
        by_start: the context for each set of starting concepts that was met.
        by_individual: the context of each individual.
    """

    members: list[set[int]]
    links: list[dict[tuple[Role, int], None]]
    by_start: dict[Start, int]
    by_individual: dict[Individual, int]


def start_of(concept: int) -> Start:
    """What the context of an atom starts with."""
    return _START_OF_TOP if concept == TOP_ID else frozenset((concept,))


def complete(rules: Rules, asked: Iterable[int], budget: Budget = NO_LIMIT) -> Completion:
    """The completion for the asked concepts, ⊤, every individual, and all they lead to."""
    work = Contexts(rules)
    for concept in (TOP_ID, *asked):
        work.context(start_of(concept))
    work.open_individuals()
    work.run(budget)
    return Completion(work.members, work.links, work.by_start, work.by_individual)


def complete_start(rules: Rules, start: Start, budget: Budget = NO_LIMIT) -> set[int]:
    """The concepts of an element of which only some are known: of their conjunction."""
    work = Contexts(rules)
    context = work.context(start)
    work.run(budget)
    return work.members[context]


class Contexts:
    """The contexts so far, and the concepts in them whose consequences are still to be drawn.

    After `run` more contexts can be opened, and concepts excluded; then it is run again.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.members: list[set[int]] = []
        self.links: list[dict[tuple[Role, int], None]] = []
        self.starts: list[Start] = []
        self.by_start: dict[Start, int] = {}
        self.by_individual: dict[Individual, int] = {}
        self._queues: list[list[int]] = []
        self._active: list[int] = []
        self._sources: list[dict[Role, list[int]]] = []
        self._groups: dict[int, set[int]] = defaultdict(set)
        self._ranges: dict[Role, Start] = {}
        self._some: dict[Role, dict[int, list[int]]] = {}

    def context(self, start: Start) -> int:
        """The context that starts with these concepts."""
        known = self.by_start.get(start)
        if known is None:
            known = self.by_start[start] = self._new_context(start)
        return known

    def exclude(self, concepts: Set[int]) -> None:
        """From now on nothing has any of some concepts."""
        for concept in concepts:
            self.rules.told[concept].add(BOTTOM_ID)
        for context, known in enumerate(self.members):
            if not known.isdisjoint(concepts):
                self._derive(context, BOTTOM_ID)

    def open_individuals(self) -> None:
        """Open a context for every individual, with its assertions and links."""
        rules = self.rules
        for individual, concepts in rules.asserted.items():
            self.by_individual[individual] = self._new_context(concepts)
        for subject, links in rules.asserted_links.items():
            for role, target in links:
                for concept in self._ranges_of(role):
                    self._derive(self.by_individual[target], concept)
                self._link(self.by_individual[subject], role, self.by_individual[target])

    def run(self, budget: Budget) -> None:
        """Draw every consequence."""
        if not self._active:  # mostly nothing is new, and whoever asks asks often
            return
        for _ in budget.watched(count(), STEPS_BETWEEN_LOOKS):
            if not self._active:
                return
            context = self._active.pop()
            queue = self._queues[context]
            while queue:
                concept = queue.pop()
                if concept == BOTTOM_ID:
                    self._empty(context)
                elif BOTTOM_ID not in self.members[context]:
                    self._draw(context, concept)

    def _draw(self, context: int, concept: int) -> None:
        """What follows from a concept in a context, here and where its links come from."""
        rules, known = self.rules, self.members[context]
        for consequence in rules.told.get(concept, _NOTHING) - known:
            self._derive(context, consequence)
        partners = rules.both.get(concept)
        if partners:
            for partner in partners.keys() & known:
                for consequence in partners[partner]:
                    self._derive(context, consequence)
        for group in rules.groups.get(concept, ()):
            if group in self._groups[context]:
                self._derive(context, BOTTOM_ID)
            self._groups[context].add(group)
        for role, filler in rules.links.get(concept, ()):
            start = self._ranges_of(role) | start_of(filler)
            self._link(context, role, self.context(start))
        for role, sources in self._sources[context].items():
            for consequence in self._some_of(role).get(concept, ()):
                for source in sources:
                    self._derive(source, consequence)

    def _empty(self, context: int) -> None:
        """⊥ follows wherever an element is linked to one that cannot exist."""
        for sources in self._sources[context].values():
            for source in sources:
                self._derive(source, BOTTOM_ID)

    def _link(self, context: int, role: Role, target: int) -> None:
        if (role, target) in self.links[context]:
            return
        self.links[context][role, target] = None
        self._sources[target].setdefault(role, []).append(context)
        known, some = self.members[target], self._some_of(role)
        if BOTTOM_ID in known:
            self._derive(context, BOTTOM_ID)
        for concept in some.keys() & known:
            for consequence in some[concept]:
                self._derive(context, consequence)

    def _derive(self, context: int, concept: int) -> None:
        known = self.members[context]
        if concept not in known:
            known.add(concept)
            queue = self._queues[context]
            if not queue:
                self._active.append(context)
            queue.append(concept)

    def _new_context(self, start: Iterable[int]) -> int:
        context = len(self.members)
        self.starts.append(frozenset(start))
        self.members.append(set())
        self.links.append({})
        self._queues.append([])
        self._sources.append({})
        for concept in (TOP_ID, *start):
            self._derive(context, concept)
        return context

    def _ranges_of(self, role: Role) -> Start:
        """The ranges of a role and of every role above it."""
        if role not in self._ranges:
            self._ranges[role] = frozenset(
                concept
                for above in self.rules.roles.above(role)
                for concept in self.rules.ranges.get(above, ())
            )
        return self._ranges[role]

    def _some_of(self, role: Role) -> dict[int, list[int]]:
        """B for `∃s.A ⊑ B` with s the role or one above it, by A."""
        if role not in self._some:
            merged = self._some[role] = {}
            for above in self.rules.roles.above(role):
                for filler, consequence in self.rules.some.get(above, ()):
                    merged.setdefault(filler, []).append(consequence)
        return self._some[role]


def holds(concept: Concept, context: int, completion: Completion, rules: Rules) -> bool:
    """Whether a context that can exist is an instance of a concept without ⊥."""
    members, parts = completion.members, list(subconcepts(concept))
    # Two passes instead of recursion: outermost first, where each part matters; innermost
    # first, where it is true.
    matters: dict[Concept, set[int]] = defaultdict(set, {concept: {context}})
    for part in parts:
        if isinstance(part, And):
            for operand in part.operands:
                matters[operand] |= matters[part]
        elif isinstance(part, Exists):
            for source in matters[part]:
                matters[part.filler].update(_targets(part, source, completion, rules))
    true: dict[Concept, set[int]] = {}
    for part in reversed(parts):
        if isinstance(part, And):
            true[part] = set.intersection(*(true[operand] for operand in part.operands))
        elif isinstance(part, Exists):
            inside = true[part.filler]
            true[part] = {
                source
                for source in matters[part]
                if not inside.isdisjoint(_targets(part, source, completion, rules))
            }
        else:
            number = _number(part, rules)
            true[part] = {element for element in matters[part] if number in members[element]}
    return context in true[concept]


def _targets(concept: Exists, source: int, completion: Completion, rules: Rules) -> list[int]:
    return [
        target
        for role, target in completion.links[source]
        if concept.role in rules.roles.above(role)
    ]


def _number(concept: Concept, rules: Rules) -> int:
    try:
        return rules.ids[concept]
    except KeyError:
        raise InvalidStatementError(f"the knowledge base has no concept {concept}") from None
