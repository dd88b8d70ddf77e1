"""The deterministic statements of a normal form, compiled into tables over integers.

Each table answers what a completion rule asks: what follows from this concept alone, with
another one, or through a role. Names are numbered; ⊤ and ⊥ have the first two numbers.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Final

from boxsel.logic.axioms import (
    ConceptAssertion,
    Conditional,
    Disjointness,
    Inclusion,
    Range,
    RoleAssertion,
    RoleInclusion,
)
from boxsel.logic.concepts import (
    BOTTOM,
    TOP,
    And,
    Bottom,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    Top,
)
from boxsel.logic.kb import KB


class RoleHierarchy:
    """What `r ⊑ s` says of roles; roles may include each other in a circle."""

    def __init__(self) -> None:
        self._told: dict[Role, list[Role]] = defaultdict(list)
        self._above: dict[Role, frozenset[Role]] = {}

    def include(self, sub: Role, sup: Role) -> None:
        """Add an inclusion; before the first question."""
        self._told[sub].append(sup)

    def above(self, role: Role) -> frozenset[Role]:
        """The role and every role that includes it."""
        known = self._above.get(role)
        if known is None:
            known = self._above[role] = self._climb(role)
        return known

    def _climb(self, role: Role) -> frozenset[Role]:
        roles, stack = {role}, [role]
        while stack:
            for sup in self._told.get(stack.pop(), ()):
                if sup not in roles:
                    roles.add(sup)
                    stack.append(sup)
        return frozenset(roles)


TOP_ID: Final = 0
BOTTOM_ID: Final = 1


@dataclass
class Rules:
    """What follows from what, by number.

    Attributes:
        concepts: the atoms and ⊥ by number.
        ids: the number of each of them.
        told: B for `A ⊑ B`, by A.
        both: B for `A1 ⊓ A2 ⊑ B`, by A1 and A2, both ways round.
        links: r and B for `A ⊑ ∃r.B`, by A.
        groups: the numbers of the disjointness statements that A is a member of, by A.
        some: A and B for `∃r.A ⊑ B`, by r.
        roles: the hierarchy of roles.
        ranges: the concepts that r has as ranges, by r.
        asserted: the concepts that an individual is asserted to be in.
        asserted_links: r and b for `r(a, b)`, by a.
    """

    concepts: list[Name | Top | Bottom]
    ids: dict[Concept, int]
    told: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    both: dict[int, dict[int, list[int]]] = field(default_factory=lambda: defaultdict(dict))
    links: dict[int, list[tuple[Role, int]]] = field(default_factory=lambda: defaultdict(list))
    groups: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    some: dict[Role, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))
    roles: RoleHierarchy = field(default_factory=RoleHierarchy)
    ranges: dict[Role, list[int]] = field(default_factory=lambda: defaultdict(list))
    asserted: dict[Individual, list[int]] = field(default_factory=dict)
    asserted_links: dict[Individual, list[tuple[Role, Individual]]] = field(
        default_factory=lambda: defaultdict(list)
    )


def compile_rules(kb: KB) -> Rules:
    """The rules of a knowledge base in normal form; its conditionals are left out."""
    concepts: list[Name | Top | Bottom] = [TOP, BOTTOM, *kb.signature.concepts]
    rules = Rules(concepts, {concept: number for number, concept in enumerate(concepts)})
    rules.asserted.update((individual, []) for individual in kb.signature.individuals)
    for number, axiom in enumerate(kb.axioms):
        if isinstance(axiom, Conditional):
            continue
        if isinstance(axiom, Inclusion):
            _add_inclusion(rules, axiom)
        elif isinstance(axiom, Disjointness):
            for member in axiom.members:
                rules.groups[rules.ids[member]].append(number)
        elif isinstance(axiom, RoleInclusion):
            rules.roles.include(axiom.sub, axiom.sup)
        elif isinstance(axiom, Range):
            rules.ranges[axiom.role].append(rules.ids[axiom.concept])
        elif isinstance(axiom, ConceptAssertion):
            rules.asserted[axiom.individual].append(rules.ids[axiom.concept])
        elif isinstance(axiom, RoleAssertion):
            rules.asserted_links[axiom.subject].append((axiom.role, axiom.object))
    return rules


def _add_inclusion(rules: Rules, axiom: Inclusion) -> None:
    left, right, ids = axiom.left, axiom.right, rules.ids
    if isinstance(right, Exists):
        rules.links[ids[left]].append((right.role, ids[right.filler]))
    elif isinstance(left, And):
        first, second = (ids[operand] for operand in left.operands)
        rules.both[first].setdefault(second, []).append(ids[right])
        rules.both[second].setdefault(first, []).append(ids[right])
    elif isinstance(left, Exists):
        rules.some[left.role].append((ids[left.filler], ids[right]))
    else:
        rules.told[ids[left]].add(ids[right])
