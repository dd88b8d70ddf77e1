"""Elements of the canonical model: what saturation says must hold of whoever has some concepts.

An element has the concepts that it starts with, all that follows from them, and nothing else; what
its existentials need are elements, too. So whatever elements are put together, each as often as
one likes, inclusions, disjointness and roles are obeyed: only the shares are left to be met.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from boxsel.logic.axioms import ConceptAssertion, Conditional, RoleAssertion
from boxsel.logic.concepts import Concept, Name, Role
from boxsel.logic.kb import KB
from boxsel.machine.budget import Budget
from boxsel.machine.collecting import without_cycle_collection
from boxsel.normal.completion import Contexts, start_of
from boxsel.normal.normalize import is_deterministic, normalize
from boxsel.normal.tables import BOTTOM_ID, TOP_ID, compile_rules

Pattern = tuple[tuple[int, bool], ...]
"""The shares whose body an element has, and whether it has the head as well."""


@dataclass(frozen=True)
class Share:
    """A conditional, or several about the same: which part of a body has a head, by number."""

    head: int
    body: int
    lower: Fraction
    upper: Fraction
    statements: tuple[int, ...] = ()


class Elements:
    """The elements of a knowledge base, by number, without its individuals.

    `named` has the element that has a name and nothing else that does not follow.
    """

    def __init__(self, kb: KB, budget: Budget, also: Iterable[Concept] = ()) -> None:
        about = (ConceptAssertion, RoleAssertion)
        kept = (statement for statement in kb.statements if not isinstance(statement.axiom, about))
        self._normal = normalize(kb.with_statements(kept), also=tuple(also), budget=budget)
        self._budget = budget
        self._rules = compile_rules(self._normal.kb)
        self._contexts = Contexts(self._rules)
        self._patterns: dict[int, Pattern] = {}
        self.shares = self._merge(kb)
        self._of_body: dict[int, list[int]] = {}
        for number, share in enumerate(self.shares):
            self._of_body.setdefault(share.body, []).append(number)
        self.named = {name: self._open(name) for name in kb.signature.concepts}
        with without_cycle_collection():
            self._contexts.run(budget)

    def _merge(self, kb: KB) -> list[Share]:
        """The shares of conditionals; those about the same head and body are one."""
        found: dict[tuple[int, int], Share] = {}
        for number, axiom in enumerate(kb.axioms):
            if isinstance(axiom, Conditional) and not is_deterministic(axiom.proportion):
                key, bounds = (self.number(axiom.head), self.number(axiom.body)), axiom.bounds
                known = found.setdefault(key, Share(*key, Fraction(0), Fraction(1)))
                lower, upper = max(known.lower, bounds.lower), min(known.upper, bounds.upper)
                found[key] = Share(*key, lower, upper, (*known.statements, number))
        return list(found.values())

    def _open(self, name: Name) -> int:
        return self._contexts.context(start_of(self._rules.ids[name]))

    def __len__(self) -> int:
        return len(self._contexts.members)

    @property
    def bodies(self) -> Iterable[int]:
        """The concepts that are bodies of shares."""
        return self._of_body

    def start(self, element: int) -> frozenset[int]:
        """What an element starts with."""
        return self._contexts.starts[element]

    def members(self, element: int) -> set[int]:
        """The concepts that an element has."""
        return self._contexts.members[element]

    def possible(self, element: int) -> bool:
        """Whether it can exist, as far as is known."""
        return BOTTOM_ID not in self._contexts.members[element]

    def links(self, element: int) -> Iterable[tuple[Role, int]]:
        """The elements that it needs, and by which roles."""
        return self._contexts.links[element]

    def having(self, concepts: Iterable[int]) -> int | None:
        """The element that starts with some concepts, if it is possible."""
        start = frozenset(concepts) - {TOP_ID}
        element = self._contexts.context(start)
        self._contexts.run(self._budget)
        return element if self.possible(element) else None

    def shares_of(self, element: int) -> Iterator[int]:
        """The shares whose body an element has."""
        for body in self._of_body.keys() & self.members(element):
            yield from self._of_body[body]

    def pattern(self, element: int) -> Pattern:
        """How an element stands to the shares."""
        known = self._patterns.get(element)
        if known is None:
            members = self.members(element)
            numbers = sorted(self.shares_of(element))
            known = tuple((number, self.shares[number].head in members) for number in numbers)
            self._patterns[element] = known
        return known

    def concept(self, number: int) -> Concept:
        """The concept with a number, in the names of the knowledge base."""
        atom = self._rules.concepts[number]
        return self._normal.origin.get(atom, atom) if isinstance(atom, Name) else atom

    def number(self, concept: Concept) -> int:
        """The number of a name, of a head or a body, or of a concept that was asked for."""
        return self._rules.ids[self._normal.atom(concept)]

    def exclude(self, concept: int) -> None:
        """From now on nothing has a concept, nor what needs it to have members."""
        waiting = set(self.headless)
        self.rule_out(concept)
        while True:
            fresh = [body for body in self.headless if body not in waiting]
            if not fresh:
                return
            self.rule_out(*fresh)

    def rule_out(self, *concepts: int) -> None:
        """From now on nothing has any of some concepts; what is headless by that is left."""
        self._contexts.exclude({*concepts})
        self._contexts.run(self._budget)

    def blame(self, body: int) -> Iterator[int]:
        """The statements by which a headless or clashing body has no members."""
        limits = {share.head: share for share in self._shares_on(body)}
        always = self.having([body])
        assert always is not None
        least: list[tuple[Fraction, int, tuple[int, ...]]] = [(Fraction(1), always, ())]
        for share in limits.values():
            inside = self.having([body, share.head]) if share.lower > 0 else always
            if inside is None:
                yield from share.statements
                return
            if share.lower > 0:
                least.append((share.lower, inside, share.statements))
        for lower, element, statements in least:
            for head in limits.keys() & self.members(element):
                if limits[head].upper < lower:
                    yield from (*statements, *limits[head].statements)
                    return

    @property
    def headless(self) -> Iterator[int]:
        """Bodies that have no members since some of them would have an impossible head."""
        for body in self._possible_bodies:
            for share in self._shares_on(body):
                if share.lower > 0 and self.having([body, share.head]) is None:
                    yield body
                    break

    @property
    def clashing(self) -> Iterator[int]:
        """Bodies that have no members by bounds on them that exclude each other."""
        for body in self._possible_bodies:
            limits = {share.head: share.upper for share in self._shares_on(body)}
            always = self.having([body])
            assert always is not None
            least = [(Fraction(1), always)]
            for share in self._shares_on(body):
                inside = self.having([body, share.head]) if share.lower > 0 else None
                if inside is not None:
                    least.append((share.lower, inside))
            if any(
                limits[head] < lower
                for lower, element in least
                for head in limits.keys() & self.members(element)
            ):
                yield body

    @property
    def _possible_bodies(self) -> list[int]:
        return [body for body in self._of_body if self.having([body]) is not None]

    def _shares_on(self, body: int) -> Iterator[Share]:
        return (self.shares[number] for number in self._of_body[body])
