"""Models in parts: a population that is known by a few names at a time.

Each part tells how much each pattern of its names weighs, or which share each has of the pattern
that it continues: of what it has in common with the part before it. The parts form a tree: those
that have a name are connected, and each agrees with the part before it on the names that they
share. Then there is a population that has all of these weights: part by part, whoever is there
already has some pattern of what is shared, and what the next part says besides can be given to just
as many of them. No role has any pair, and all other names are empty.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, pairwise
from operator import itemgetter
from typing import NamedTuple

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
from boxsel.logic.concepts import Concept, Name, Top, conjunction, conjuncts

ZERO, ONE = fmpq(0), fmpq(1)

Pattern = str
"""Which names of a part are true: 1 for those that are, 0 for the others."""
Amounts = Sequence[tuple[Pattern, fmpq]]
Totals = dict[object, fmpq]
Choice = Callable[[Pattern], object]
"""What a pattern says about some of the names."""
Named = frozenset[Concept]
About = tuple[int, Choice, object]
"""A part that has some names, and what its patterns say about them where all are true."""


class _Demand(NamedTuple):
    """Which share of those who have some names may have some more as well."""

    body: Named
    both: Named
    lower: fmpq
    upper: fmpq


@dataclass(frozen=True, slots=True)
class Part:
    """Names, the place of the part before, and the weights of patterns.

    If it is `relative`, they are shares of what the pattern has in common with the part before. The
    first part has none before it, and says 0.
    """

    names: tuple[Name, ...]
    before: int
    weights: Amounts
    relative: bool = False


class Layout:
    """Which names the parts have and which part each continues, whatever they weigh.

    `fault` is why they are not a tree, if they are not.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._names = [part.names for part in parts]
        self._holders: dict[Name, list[int]] = {}
        for place, names in enumerate(self._names):
            for name in names:
                self._holders.setdefault(name, []).append(place)
        self.shared: list[tuple[Choice, Choice]] = []
        self.fault = self._join(parts)
        self._found: dict[Named, About | None] = {}
        self._demands: dict[int, tuple[Axiom, Sequence[_Demand] | None]] = {}

    def _join(self, parts: Sequence[Part]) -> str | None:
        """Say which part of a pattern each has in common with the part before; why not, if not."""
        for place, part in enumerate(parts):
            if place and part.before >= place:
                return f"the part before part {place} comes after it"
            there = {name: n for n, name in enumerate(parts[part.before].names) if place}
            own: list[int] = []
            others: list[int] = []
            for n, name in enumerate(part.names):
                if name in there:
                    own.append(n)
                    others.append(there[name])
                elif self._holders[name][0] != place:
                    return f"{name} is in part {place} and in others, but not in those between"
            self.shared.append((_choice(own), _choice(others)))
        return None

    def find(self, named: Named) -> About | None:
        """Where the weight of some names is told, and by which patterns; none if it is zero.

        Raises:
            LookupError: No part has all of the names.
        """
        if named not in self._found:
            self._found[named] = self._find(named)
        return self._found[named]

    def demands(self, axiom: Axiom) -> Sequence[_Demand] | None:
        """What an axiom demands of the weights; none if no parts can tell.

        It is found once for each axiom of a knowledge base, whatever models are checked.
        """
        known = self._demands.get(id(axiom))
        if known is None:
            try:
                known = axiom, tuple(_demands(axiom))
            except TypeError:
                known = axiom, None
            self._demands[id(axiom)] = known  # which keeps the axiom, and so the number is its own
        return known[1]

    def _find(self, named: Named) -> About | None:
        holders = [self._holders.get(one) if isinstance(one, Name) else None for one in named]
        if None in holders:
            return None
        fewest = min((holder for holder in holders if holder is not None), key=len, default=[0])
        for place in fewest:
            names = self._names[place]
            if named.issubset(names):
                places = [n for n, name in enumerate(names) if name in named]
                choice = _choice(places)
                return place, choice, choice("1" * len(names))
        raise LookupError(f"no part has {' and '.join(sorted(map(str, named)))}")


class PartedModel:
    """A population in parts.

    Examples:
        >>> model = PartedModel([Part((Name("A"),), 0, (("1", fmpq(3)), ("0", ZERO)))])
        >>> model.fault, str(model.weight([Name("A")]))
        (None, '3')
    """

    def __init__(self, parts: Sequence[Part], layout: Layout | None = None) -> None:
        self.parts = parts
        self.layout = layout or Layout(parts)
        self._known: dict[Named, fmpq] = {}

    def changed(self, parts: Mapping[int, Part]) -> PartedModel:
        """The same with other weights in some parts; `ValueError` if they have other names."""
        every = list(self.parts)
        for place, part in parts.items():
            if (part.names, part.before) != (every[place].names, every[place].before):
                raise ValueError(f"part {place} has other names, or another part before it")
            every[place] = part
        return PartedModel(every, self.layout)

    @cached_property
    def fault(self) -> str | None:
        """Why the parts are not those of one population, if they are not."""
        if self.layout.fault is not None:
            return self.layout.fault
        if not self.parts or not sum((weight for _, weight in self.parts[0].weights), ZERO):
            return "there are no parts, or the first has no weight"
        if any(weight < 0 for part in self.parts for _, weight in part.weights):
            return "a weight is negative"
        if self.parts[0].relative:
            return "the first part continues nothing, of which it could tell shares"
        for place, (part, there) in enumerate(zip(self.parts, self._continued, strict=True)):
            totals = _add_up(part.weights, self.layout.shared[place][0])
            if part.relative:
                agrees = all(totals.get(pattern) == ONE for pattern in there)
            else:
                agrees = totals == there or not place
            if not agrees:
                return f"part {place} does not agree with the part before it"
        return None

    @cached_property
    def _continued(self) -> list[Totals]:
        """What each part continues: the weights of what it has in common with the part before."""
        return [continued for continued, _ in self._told]

    @cached_property
    def _told(self) -> list[tuple[Totals, Amounts]]:
        """What each part continues, and the weights of its own patterns."""
        told: list[tuple[Totals, Amounts]] = []
        for part, (own, others) in zip(self.parts, self.layout.shared, strict=True):
            there = _add_up(told[part.before][1], others) if told else {}
            weights = part.weights
            if part.relative:
                weights = [
                    (pattern, there[own(pattern)] * share)
                    for pattern, share in weights
                    if own(pattern) in there
                ]
            told.append((there, weights))
        return told

    def find_broken(self, axioms: Iterable[Axiom]) -> Axiom | None:
        """The first of some axioms that is not true, if there is one.

        Raises:
            LookupError: One is about names that are together in no part.
        """
        for axiom in axioms:
            demands = self.layout.demands(axiom)
            if demands is None or not all(map(self._meets, demands)):
                return axiom
        return None

    def _meets(self, demand: _Demand) -> bool:
        """Whether a share is within its bounds; weights that do not matter need not be known."""
        if demand.lower == 1:
            whole = self._weight(demand.body)
            return not whole or self._weight(demand.both) == whole
        having = self._weight(demand.both)
        if not having and not demand.lower:
            return True
        whole = self._weight(demand.body)
        return bool(whole * demand.lower <= having <= whole * demand.upper)

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
        return self._weight(_joined(*concepts))

    def _weight(self, named: Named) -> fmpq:
        if named not in self._known:
            self._known[named] = self._sum(self.layout.find(named))
        return self._known[named]

    def _sum(self, about: About | None) -> fmpq:
        if about is None:
            return ZERO
        place, choice, true = about
        having = (weight for pattern, weight in self._told[place][1] if choice(pattern) == true)
        return sum(having, ZERO)


def _choice(places: Sequence[int]) -> Choice:
    """What patterns say about the names at some places."""
    return itemgetter(*places) if places else lambda _: ()


def _add_up(weights: Amounts, choice: Choice) -> Totals:
    """The weights of what patterns say about some names, where they are not zero."""
    totals: Totals = {}
    for pattern, weight in weights:
        if weight:
            key = choice(pattern)
            totals[key] = totals[key] + weight if key in totals else weight
    return totals


def _joined(*concepts: Concept) -> Named:
    """The conjuncts of some concepts."""
    parts = [part for concept in concepts for part in conjuncts(concept)]
    return frozenset(part for part in parts if not isinstance(part, Top))


def _demands(axiom: Axiom) -> Iterator[_Demand]:
    """What an axiom demands, if it is about the names of elements.

    Raises:
        TypeError: It is about individuals.
    """
    match axiom:
        case Conditional():
            lower, upper = axiom.bounds.lower, axiom.bounds.upper
            if lower == 1:
                yield from _included(axiom.body, axiom.head)
            elif upper < 1 or lower:
                body, both = _joined(axiom.body), _joined(axiom.body, axiom.head)
                if upper < 1 or both != body:
                    yield _Demand(body, both, _ratio(lower), _ratio(upper))
        case Inclusion():
            yield from _included(axiom.left, axiom.right)
        case Equivalence():
            for pair in pairwise((*axiom.members, axiom.members[0])):
                yield from _included(*pair)
        case Disjointness():
            for pair in combinations(axiom.members, 2):
                yield _Demand(frozenset(), _joined(*pair), ZERO, ZERO)
        case RoleInclusion() | Domain() | Range():
            return
        case _:
            raise TypeError


def _included(smaller: Concept, larger: Concept) -> Iterator[_Demand]:
    """That all who have one concept have each of those that another joins."""
    body = _joined(smaller)
    for part in _joined(larger) - body:
        yield _Demand(body, body | {part}, ONE, ONE)


def _ratio(number: Fraction) -> fmpq:
    return fmpq(number.numerator, number.denominator)
