"""Explicit models: a population of weighted elements, with edges, that anybody can check.

An element stands for all members of one type. It has a main weight and a further weight: every
share of the query is taken in the main weights, and any small amount of the further ones mixed
in gives a model. If that does not move the query's share, the bound is attained.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

from flint import fmpq

from boxsel.exact.compile.problem import Demand
from boxsel.exact.compile.vocabulary import Type
from boxsel.exact.individuals import Placement
from boxsel.exact.ladder import Ladder
from boxsel.exact.types.witnesses import Witnesses
from boxsel.exact.ways.trees.joining import TreeWeights
from boxsel.logic.axioms import RoleAssertion
from boxsel.logic.concepts import Individual, Name, Role
from boxsel.logic.interpretations import Interpretation, Weights
from boxsel.logic.population import Population
from boxsel.logic.statements import Query

ZERO = Fraction(0)


@dataclass(frozen=True)
class Element:
    """All members of one type: their names, their weight, and their weight when mixed in."""

    names: tuple[Name, ...]
    weight: Fraction
    further: Fraction


class Edge(NamedTuple):
    """Every member of one element has one of another as object of a role."""

    role: Role
    subject: int
    object: int


@dataclass(frozen=True)
class WeightedModel:
    """A finite model, up to the size of its population."""

    elements: tuple[Element, ...] = ()
    edges: tuple[Edge, ...] = ()
    individuals: Mapping[Individual, int] = field(default_factory=dict)

    @cached_property
    def interpretation(self) -> Interpretation:
        """The same without weights: which elements belong to a concept, and what is true."""
        edges: dict[Role, set[tuple[int, int]]] = {}
        for edge in self.edges:
            edges.setdefault(edge.role, set()).add((edge.subject, edge.object))
        return Interpretation(
            tuple(element.names for element in self.elements),
            {role: frozenset(pairs) for role, pairs in edges.items()},
            dict(self.individuals),
        )

    @cached_property
    def weights(self) -> Weights:
        """The main weights of the elements."""
        return Weights([element.weight for element in self.elements])

    @cached_property
    def further(self) -> Weights:
        """Their further weights."""
        return Weights([element.further for element in self.elements])

    def share(self, query: Query) -> Fraction | None:
        """The share of a query in the main weights; none if its body has none."""
        return self.interpretation.share(query.head, query.body, self.weights)

    def __add__(self, other: WeightedModel) -> WeightedModel:
        """Both side by side, with nothing in common."""
        shift = len(self.elements)
        return WeightedModel(
            self.elements + other.elements,
            self.edges
            + tuple(
                Edge(edge.role, edge.subject + shift, edge.object + shift) for edge in other.edges
            ),
            {
                **self.individuals,
                **{individual: n + shift for individual, n in other.individuals.items()},
            },
        )


def build_data(data: Population) -> WeightedModel:
    """A population as a model: an element for each pattern."""
    return WeightedModel(
        tuple(
            Element(tuple(data.concepts[place] for place in names), Fraction(count), ZERO)
            for count, names, _ in data.patterns
        ),
        tuple(
            Edge(role, subject, target)
            for subject, pattern in enumerate(data.patterns)
            for role, objects in zip(data.roles, pattern.objects, strict=False)
            for target in objects
        ),
    )


@dataclass(frozen=True)
class ModelPart:
    """What a model without roles looks like to some names: the weights of their patterns.

    Each part agrees with the one before it, whose place it tells, on the names that they share; if
    it is `relative`, it tells which share of these each pattern is. A pattern is a text with 1 for
    each name that is true and 0 for the others.
    """

    names: tuple[Name, ...]
    before: int
    weights: tuple[tuple[str, fmpq], ...]
    relative: bool = False


def build_parts(ladder: Ladder, weights: Mapping[Type, Fraction]) -> tuple[ModelPart, ...] | None:
    """A model in parts, if its weights are known along a tree and nobody needs a witness."""
    if not isinstance(weights, TreeWeights):
        return None
    basics, needing = ladder.problem.vocabulary.basics, ladder.problem.existentials
    if any(weights.present & existential.bit for existential in needing):
        return None
    if any(basic.is_boolean for basic in basics):  # names of one combination may be far apart
        return None
    elements = []
    for place, part in enumerate(weights.parts):
        own = [basics[member] for member in part.members]
        named = [place for place, basic in enumerate(own) if isinstance(basic, Name)]
        if part.relative and len(named) < len(own):  # what continues a pattern is told by names
            part = weights.weighed[place]
        names = tuple(name for name in own if isinstance(name, Name))
        patterns = (
            ("".join(["01"[kind >> place & 1] for place in named]), weight)
            for kind, weight in part.weights.items()
        )
        elements.append(ModelPart(names, part.before, tuple(patterns), part.relative))
    return tuple(elements)


def build(ladder: Ladder, weights: Mapping[Type, Fraction]) -> WeightedModel:
    """The model that a weighting of surviving types describes."""
    return _build(ladder, weights, ())


def build_placed(
    ladder: Ladder, placement: Placement, links: Iterable[RoleAssertion]
) -> WeightedModel:
    """A model, of further weight only, in which individuals have their types and links."""
    model = _build(ladder, {}, placement.types.values())
    places = {kind: n for n, kind in enumerate(model.kinds)}
    individuals = {individual: places[kind] for individual, kind in placement.types.items()}
    linked = (
        Edge(role, individuals[link.subject], individuals[link.object])
        for link in links
        for role in ladder.problem.supers(link.role)
    )
    edges = tuple(dict.fromkeys((*model.edges, *linked)))
    return WeightedModel(model.elements, edges, individuals)


@dataclass(frozen=True)
class _Numbered(WeightedModel):
    kinds: tuple[Type, ...] = ()


def _build(ladder: Ladder, weights: Mapping[Type, Fraction], present: Iterable[Type]) -> _Numbered:
    """Close some types under witnesses, taking in whole weightings."""
    problem, weightings = ladder.problem, ladder.weightings
    further: dict[Type, Fraction] = {}
    places: dict[Type, int] = {}
    edges: dict[Edge, None] = {}
    queue: list[Type] = []
    witnesses = Witnesses(problem)

    def take(kinds: Iterable[Type]) -> None:
        for kind in witnesses.add(kinds):
            places[kind] = len(places)
            queue.append(kind)

    take(weights)
    for kind in present:
        take(_mix(weightings, kind.__eq__, further))
    while queue:
        kind = queue.pop()
        for existential in problem.existentials:
            if not kind & existential.bit:
                continue
            witness = witnesses.find(existential, kind)
            if witness is None:
                demand = problem.demand_of(existential, kind)
                assert isinstance(demand, Demand)
                take(_mix(weightings, demand.goal.has, further))
                witness = witnesses.find(existential, kind)
                assert witness is not None
            for role in problem.supers(existential.role):
                edges[Edge(role, places[kind], places[witness])] = None
    vocabulary = problem.vocabulary
    elements = tuple(
        Element(
            vocabulary.names_in(kind),
            weights.get(kind, ZERO),
            further.get(kind, ZERO),
        )
        for kind in places
    )
    return _Numbered(elements, tuple(edges), {}, tuple(places))


def _mix(
    weightings: Iterable[Mapping[Type, Fraction]],
    wanted: Callable[[Type], bool],
    further: dict[Type, Fraction],
) -> Mapping[Type, Fraction]:
    """Mix in the first weighting that has a wanted type."""
    weighting = next(weights for weights in weightings if any(map(wanted, weights)))
    for kind, weight in weighting.items():
        further[kind] = further.get(kind, ZERO) + weight
    return weighting
