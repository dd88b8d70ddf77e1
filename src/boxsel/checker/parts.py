"""Models in parts: a population that is known by a few names at a time.

Each part tells how much each pattern of its names weighs. The parts form a tree: those that have a
name are connected, and each agrees with the part before it on the names that they share. Then there
is a population that has all of these weights: part by part, whoever is there already has some
pattern of what is shared, and what the next part says besides can be given to just as many of them.
No role has any pair, and all other names are empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise

from flint import fmpq

from boxsel.logic.axioms import (
    Axiom,
    Conditional,
    Disjointness,
    Domain,
    Equivalence,
    Inclusion,
    Range,
    RoleInclusion,
)
from boxsel.logic.booleans import expand
from boxsel.logic.concepts import TOP, Concept, Name, Top, conjunction, conjuncts

ZERO = fmpq(0)


@dataclass(frozen=True, slots=True)
class Part:
    """Names, the place of the part before, and the weights of patterns: which names are true.

    The first part has none before it, and says 0.
    """

    names: tuple[Name, ...]
    before: int
    weights: tuple[tuple[frozenset[int], fmpq], ...]


class PartedModel:
    """A population in parts.

    Examples:
        >>> one = frozenset({0})
        >>> model = PartedModel([Part((Name("A"),), 0, ((one, fmpq(3)), (frozenset(), ZERO)))])
        >>> model.fault, str(model.weight([Name("A")]))
        (None, '3')
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts
        self._holders: dict[Name, list[int]] = {}
        for place, part in enumerate(parts):
            for name in part.names:
                self._holders.setdefault(name, []).append(place)
        self._patterns = [
            [
                (frozenset(part.names[one] for one in pattern), weight)
                for pattern, weight in part.weights
            ]
            for part in parts
        ]
        self._known: dict[frozenset[Concept], fmpq] = {}

    @property
    def fault(self) -> str | None:
        """Why the parts are not those of one population, if they are not."""
        if not self._parts or not sum((weight for _, weight in self._patterns[0]), ZERO):
            return "there are no parts, or the first has no weight"
        if any(weight < 0 for own in self._patterns for _, weight in own):
            return "a weight is negative"
        for place, part in enumerate(self._parts[1:], 1):
            if part.before >= place:
                return f"the part before part {place} comes after it"
            shared = frozenset(part.names) & frozenset(self._parts[part.before].names)
            for name in frozenset(part.names) - shared:
                if self._holders[name][0] != place:
                    return f"{name} is in part {place} and in others, but not in those between"
            if self._weights(place, shared) != self._weights(part.before, shared):
                return f"part {place} does not agree with the part before it"
        return None

    def satisfies(self, axiom: Axiom) -> bool:
        """Whether an axiom is true; `LookupError` if it is about names that are in no part."""
        match axiom:
            case Conditional():
                return self._is_between(axiom)
            case Inclusion():
                return self._includes(axiom.left, axiom.right)
            case Equivalence():
                return all(
                    self._includes(*pair) for pair in pairwise((*axiom.members, axiom.members[0]))
                )
            case Disjointness():
                return not any(self.weight(pair) for pair in combinations(axiom.members, 2))
        return isinstance(axiom, RoleInclusion | Domain | Range)

    def share(self, head: Concept, body: Concept) -> Fraction | None:
        """The share of the body that belongs to the head; none if the body has no weight."""
        whole = self._size(body)
        if not whole:
            return None
        share = self._size(conjunction(body, head)) / whole
        return Fraction(int(share.p), int(share.q))

    def _size(self, concept: Concept) -> fmpq:
        """The weight of a concept; of a Boolean combination, by inclusion and exclusion."""
        terms = (self.weight([term]) * factor for term, factor in expand(concept).items())
        return sum(terms, ZERO)

    def weight(self, concepts: Iterable[Concept]) -> fmpq:
        """The weight of those who have some concepts."""
        named = frozenset(
            part for concept in concepts for part in conjuncts(concept) if not isinstance(part, Top)
        )
        if named not in self._known:
            self._known[named] = self._sum(named)
        return self._known[named]

    def _is_between(self, axiom: Conditional) -> bool:
        """Whether a share is within its bounds; weights that do not matter need not be known."""
        lower, upper = axiom.bounds.lower, axiom.bounds.upper
        if lower == 1:
            return self._includes(axiom.body, axiom.head)
        if upper == 1 and (lower == 0 or not _further(axiom.body, axiom.head)):
            return True
        having = self.weight([axiom.body, axiom.head])
        if lower == 0 and not having:
            return True
        whole = self.weight([axiom.body])
        return bool(
            having * lower.denominator >= whole * lower.numerator
            and having * upper.denominator <= whole * upper.numerator
        )

    def _includes(self, smaller: Concept, larger: Concept) -> bool:
        """Whether all who have one concept have each of those that another joins."""
        parts = _further(smaller, larger)
        whole = self.weight([smaller]) if parts else ZERO
        return not whole or all(self.weight([smaller, part]) == whole for part in parts)

    def _sum(self, named: frozenset[Concept]) -> fmpq:
        holders = [self._holders.get(one) if isinstance(one, Name) else None for one in named]
        if None in holders:
            return ZERO
        fewest = min((holder for holder in holders if holder is not None), key=len, default=[0])
        for place in fewest:
            if named.issubset(self._parts[place].names):
                having = (w for pattern, w in self._patterns[place] if named <= pattern)
                return sum(having, ZERO)
        raise LookupError(f"no part has {' and '.join(sorted(map(str, named)))}")

    def _weights(self, place: int, names: frozenset[Name]) -> dict[frozenset[Name], fmpq]:
        """The weights of the patterns of some names, where they are not zero."""
        weights: dict[frozenset[Name], fmpq] = {}
        for pattern, weight in self._patterns[place]:
            if weight:
                weights[pattern & names] = weights.get(pattern & names, ZERO) + weight
        return weights


def _further(body: Concept, head: Concept) -> frozenset[Concept]:
    """What a concept joins that another does not."""
    return frozenset(conjuncts(head)) - frozenset(conjuncts(body)) - {TOP}
