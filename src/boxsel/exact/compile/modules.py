"""The axioms that can matter for some names: bottom-locality modules.

An axiom is *local* for a signature if it is true whenever every name outside the signature is
empty. The axioms that are not local for a signature that contains all of their own names are
its *module*. A model of the module becomes a model of everything if the names outside are made
empty, and that changes no share over the names inside: bounds over the module are the bounds.

For conditionals: `(D | C)[l, u]` is local if C is empty, or if l = 0 and C ⊓ D is. What is true
whatever the names mean is local for every signature: nothing rests on it. Assertions force
something to exist and are never local; they are not part of modules here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from boxsel.logic.axioms import (
    Axiom,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleInclusion,
    Supposed,
)
from boxsel.logic.concepts import (
    TOP,
    Bottom,
    Concept,
    Entity,
    Exists,
    Name,
    Top,
    conjuncts,
    entities,
)
from boxsel.logic.kb import KB


class Module(tuple[int, ...]):
    """The positions of statements, in order; a long tuple that remembers its hash."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()


class Modules:
    """The modules of a knowledge base, indexed so that each costs about its own size.

    An axiom is not local as soon as enough of its *conditions* are in the signature, each a set
    of names: one condition is enough, except that disjointness needs two.
    """

    def __init__(self, kb: KB) -> None:
        self._numbers: dict[Entity, int] = {}
        self._of_concepts: dict[Concept, frozenset[int]] = {}
        self._names: list[frozenset[int]] = []
        self._inside: dict[Module, frozenset[int]] = {}
        self._axiom_of: list[int] = []
        self._users: dict[int, list[int]] = {}
        missing: list[int] = []
        needed: list[int] = []
        for number, statement in enumerate(kb.statements):
            axiom = statement.axiom
            concepts = (self._concept(concept) for concept in axiom.concepts())
            roles = (self._number(role) for role in axiom.roles())
            self._names.append(frozenset().union(*concepts, roles))
            needed.append(2 if isinstance(axiom, Disjointness) else 1)
            for condition in self._conditions(axiom):
                for name in condition:
                    self._users.setdefault(name, []).append(len(missing))
                missing.append(len(condition))
                self._axiom_of.append(number)
        self._core = _State(set(), missing, needed, [])
        always = [condition for condition, count in enumerate(missing) if not count]
        self._extend(self._core, self._meet(self._core, always))
        self._core_module = Module(sorted(self._core.chosen))

    def around(self, signature: Iterable[Entity]) -> Module:
        """The positions of the statements in the module of a signature."""
        # A name that no statement has is in no condition.
        known = {self._numbers[entity] for entity in signature if entity in self._numbers}
        if known <= self._core.inside:
            return self._core_module
        state = self._core.copy()
        self._extend(state, known)
        return Module(sorted(state.chosen))

    def outside(self, module: Module, signature: Iterable[Entity]) -> frozenset[Entity]:
        """The names of a signature that no statement of a module has.

        They are free in the module alone, but may not meet others that are: an axiom about both
        is local for each.
        """
        if module not in self._inside:
            self._inside[module] = frozenset().union(*(self._names[number] for number in module))
        inside = self._inside[module]
        return frozenset(entity for entity in signature if self._numbers.get(entity) not in inside)

    def _extend(self, state: _State, names: Iterable[int]) -> None:
        """Close a state under the names of the axioms that become not local."""
        fresh = set(names) - state.inside
        while fresh:
            state.inside |= fresh
            met: list[int] = []
            for number in fresh:
                for condition in self._users.get(number, ()):
                    state.missing[condition] -= 1
                    if not state.missing[condition]:
                        met.append(condition)
            fresh = self._meet(state, met) - state.inside

    def _meet(self, state: _State, conditions: Iterable[int]) -> set[int]:
        """Choose the axioms that have enough conditions met; the names in them."""
        names: set[int] = set()
        for condition in conditions:
            axiom = self._axiom_of[condition]
            state.needed[axiom] -= 1
            if state.needed[axiom] == 0:
                state.chosen.append(axiom)
                names |= self._names[axiom]
        return names

    def _conditions(self, axiom: Axiom) -> Iterator[frozenset[int]]:
        if is_tautology(axiom):
            return
        match axiom:
            case Supposed():
                yield frozenset()  # it may be about what is not in a name
            case Conditional():
                bounds = axiom.bounds
                if bounds.lower > 0:
                    yield self._concept(axiom.body)
                elif bounds.upper < 1:
                    yield self._concept(axiom.body) | self._concept(axiom.head)
            case Inclusion():
                yield self._concept(axiom.left)
            case Equivalence() | Disjointness():
                yield from (self._concept(member) for member in axiom.members)
            case RoleInclusion():
                yield frozenset((self._number(axiom.sub),))
            case Domain() | Range():
                yield frozenset((self._number(axiom.role),))

    def _concept(self, concept: Concept) -> frozenset[int]:
        """The numbers of the names in a concept; it is empty as soon as one of them is."""
        if concept not in self._of_concepts:
            self._of_concepts[concept] = frozenset(map(self._number, entities(concept)))
        return self._of_concepts[concept]

    def _number(self, entity: Entity) -> int:
        return self._numbers.setdefault(entity, len(self._numbers))


@dataclass
class _State:
    """A signature, what its conditions and axioms still lack, and the axioms chosen so far."""

    inside: set[int]
    missing: list[int]
    needed: list[int]
    chosen: list[int]

    def copy(self) -> _State:
        return _State(set(self.inside), [*self.missing], [*self.needed], [*self.chosen])


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
    if is_tautology(axiom):
        return True
    match axiom:
        case Supposed():
            return False
        case Conditional():
            if _is_empty(axiom.body, signature):
                return True
            return axiom.bounds.lower == 0 and _is_empty(axiom.head, signature)
        case Inclusion():
            return _is_empty(axiom.left, signature)
        case Equivalence():
            return all(_is_empty(member, signature) for member in axiom.members)
        case Disjointness():
            return sum(not _is_empty(member, signature) for member in axiom.members) <= 1
        case RoleInclusion():
            return axiom.sub not in signature
        case Domain() | Range():
            return axiom.role not in signature
    return False


def is_tautology(axiom: Axiom) -> bool:
    r"""Whether an axiom is true whatever its names mean, as is seen from how it is made.

    Examples:
        >>> from boxsel.syntax.parser import parse_kb
        >>> kb = parse_kb("A and B SubClassOf A\n(B | A)[0, 1]\n(B | A)[0, 0.9]\nr Domain: A")
        >>> [is_tautology(axiom) for axiom in kb.axioms]
        [True, True, False, False]
    """
    match axiom:
        case Supposed():
            return False
        case Conditional():
            if axiom.bounds.upper < 1:
                return False
            return axiom.bounds.lower == 0 or _includes(axiom.head, axiom.body)
        case Inclusion():
            return _includes(axiom.right, axiom.left)
        case Equivalence():
            return all(_includes(one, other) for one, other in permutations(axiom.members, 2))
        case RoleInclusion():
            return axiom.sub == axiom.sup
        case Domain():
            return _includes(axiom.concept, axiom.role.some(TOP))
        case Range():
            return isinstance(axiom.concept, Top)
    return False


def _includes(larger: Concept, smaller: Concept) -> bool:
    """Whether a concept includes another whatever their names mean; no Boolean combinations."""
    parts = conjuncts(smaller)
    return all(any(_has(part, more) for part in parts) for more in conjuncts(larger))


def _has(part: Concept, more: Concept) -> bool:
    if isinstance(more, Exists) and isinstance(part, Exists):
        return part.role == more.role and _includes(more.filler, part.filler)
    return part == more or isinstance(more, Top)


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
