"""The axioms that can matter for some names: bottom-locality modules.

An axiom is *local* for a signature if it is true whenever every name outside the signature is
empty. The axioms that are not local for a signature that contains all of their own names are
its *module*. A model of the module becomes a model of everything if the names outside are made
empty, and that changes no share over the names inside: bounds over the module are the bounds.

For conditionals: `(D | C)[l, u]` is local if C is empty, or if l = 0 and C ⊓ D is. Assertions
force something to exist and are never local; they are not part of modules here.
"""

from __future__ import annotations

from collections.abc import Iterable, Set

from boxsel.logic.axioms import (
    Axiom,
    ConceptAssertion,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import Bottom, Concept, Entity, Exists, Name, Top, conjuncts
from boxsel.logic.kb import KB


class Modules:
    """The modules of a knowledge base, indexed so that each costs about its own size."""

    def __init__(self, kb: KB) -> None:
        self._axioms = [statement.axiom for statement in kb.statements]
        self._users: dict[Entity, list[int]] = {}
        self._always: list[int] = []  # not even local if every name is empty
        for number, axiom in enumerate(self._axioms):
            if isinstance(axiom, ConceptAssertion | RoleAssertion):
                continue
            if not is_local(axiom, frozenset()):
                self._always.append(number)
                continue
            for entity in dict.fromkeys(axiom.entities()):
                self._users.setdefault(entity, []).append(number)

    def around(self, signature: Iterable[Entity]) -> tuple[int, ...]:
        """The positions of the statements in the module of a signature, in order."""
        inside: set[Entity] = set()
        chosen: set[int] = set()
        fresh = list(signature)
        self._take(self._always, inside, chosen, fresh)
        while fresh:
            entity = fresh.pop()
            if entity not in inside:
                inside.add(entity)
                self._take(self._users.get(entity, ()), inside, chosen, fresh)
        return tuple(sorted(chosen))

    def _take(
        self, numbers: Iterable[int], inside: set[Entity], chosen: set[int], fresh: list[Entity]
    ) -> None:
        for number in numbers:
            axiom = self._axioms[number]
            if number not in chosen and not is_local(axiom, inside):
                chosen.add(number)
                fresh.extend(entity for entity in axiom.entities() if entity not in inside)


def is_local(axiom: Axiom, signature: Set[Entity]) -> bool:
    r"""Whether an axiom is true as soon as every name outside a signature is empty.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> inclusion, conditional = parse_kb("A SubClassOf B\n(D | C)[0, 0.5]").axioms
        >>> is_local(inclusion, {Name("A")}), is_local(inclusion, {Name("B")})
        (False, True)
        >>> is_local(conditional, {Name("C")}), is_local(conditional, {Name("C"), Name("D")})
        (True, False)
    """
    match axiom:
        case Conditional():
            if _is_empty(axiom.body, signature):
                return True
            return axiom.bounds.lower == 0 and (
                axiom.bounds.upper == 1 or _is_empty(axiom.head, signature)
            )
        case Inclusion():
            return isinstance(axiom.right, Top) or _is_empty(axiom.left, signature)
        case Equivalence():
            return all(_is_empty(member, signature) for member in axiom.members)
        case Disjointness():
            return sum(not _is_empty(member, signature) for member in axiom.members) <= 1
        case RoleInclusion():
            return axiom.sub not in signature
        case Domain() | Range():
            return axiom.role not in signature or isinstance(axiom.concept, Top)
    return False


def _is_empty(concept: Concept, signature: Set[Entity]) -> bool:
    return any(_is_empty_part(part, signature) for part in conjuncts(concept))


def _is_empty_part(part: Concept, signature: Set[Entity]) -> bool:
    match part:
        case Name():
            return part not in signature
        case Exists():
            return part.role not in signature or _is_empty(part.filler, signature)
        case Bottom():
            return True
    return False
