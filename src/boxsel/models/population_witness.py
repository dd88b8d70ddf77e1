"""Populations as witnesses: cells, memberships and weights as fractions, checked without rounding.

The docstring of `representations.populations` says why such a member is a model. Here every part of
that is checked: the share of every statement, the fresh names of complex fillers, and a witness for
every existential in every cell. Shares are linear in the weights of cells. So where a share must be
one number, the weights are solved for it exactly (`balanced`), and no float needs to hit it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod

import numpy as np

from boxsel.logic.axioms import ConceptAssertion, Domain, Range, RoleAssertion, RoleInclusion
from boxsel.logic.concepts import (
    TOP,
    Concept,
    Exists,
    Name,
    Role,
    Top,
    conjunction,
    conjuncts,
)
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.models.arrays import Array, Parameters
from boxsel.models.numbering import Numbering
from boxsel.models.representations.populations import Populations, memberships
from boxsel.models.shares import RoleBox, Share, shares_of

Vector = tuple[Fraction, ...]
Basic = tuple[Role | None, Concept]
"""A name, or `∃r.A` for a name or ⊤."""

MEMBERSHIP_PARTS = 1 << 24
"""Memberships are rounded to parts of this size: fractions stay short."""


class UnknownError(Exception):
    """A concept about which the member says nothing."""


@dataclass(frozen=True)
class PopulationModel:
    """One member in exact arithmetic; `atoms` are the fresh names of complex concepts.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> half, one, zero = Fraction(1, 2), Fraction(1), Fraction(0)
        >>> model = PopulationModel((half, half), {(None, A): (one, one), (None, B): (half, zero)})
        >>> model.satisfies(KB.of(B <= A, conditional(B, given=A, between=(0.2, 0.3))))
        True
        >>> model.share(Query(B, A))
        Fraction(1, 4)
    """

    weights: Vector
    memberships: Mapping[Basic, Vector]
    atoms: Mapping[Concept, Concept] = field(default_factory=dict)

    def share(self, query: Query) -> Fraction | None:
        """The share of a query; none if its body is empty, or if not all of it is known."""
        try:
            whole = self._measure(query.body)
            return self._measure(conjunction(query.body, query.head)) / whole if whole else None
        except UnknownError:
            return None

    def satisfies(self, kb: KB, *also: Concept) -> bool:
        """Whether every axiom of a knowledge base is true, and `also` concepts are as they say."""
        try:
            return self._satisfies(kb, also)
        except UnknownError:
            return False

    def parts(self, concept: Concept) -> Vector:
        """The part of each cell that a concept takes."""
        drawn: dict[Role | Concept, Vector] = {}
        for role, name in self._basics(concept):
            if role is None and isinstance(name, Top):
                continue
            membership = self.memberships.get((role, name))
            if membership is None:
                raise UnknownError
            key = name if role is None else role
            drawn[key] = tuple(map(min, drawn[key], membership)) if key in drawn else membership
        return tuple(
            prod((some[cell] for some in drawn.values()), start=Fraction(1))
            for cell in range(len(self.weights))
        )

    def _measure(self, concept: Concept) -> Fraction:
        pairs = zip(self.weights, self.parts(concept), strict=True)
        return sum((weight * part for weight, part in pairs), Fraction(0))

    def _basics(self, concept: Concept) -> Iterator[Basic]:
        for part in conjuncts(concept):
            if isinstance(part, Exists):
                yield part.role, self._atom(part.filler)
            elif isinstance(part, Name | Top):
                yield None, part
            else:
                raise UnknownError

    def _atom(self, filler: Concept) -> Concept:
        return self.atoms.get(filler, filler)

    def _satisfies(self, kb: KB, also: Sequence[Concept]) -> bool:
        roles = RoleBox.of(tuple(kb.axioms), also)
        for head, body, bounds, *_ in said(kb, roles):
            share = self.share(Query(head, body))
            if share is not None and share not in bounds:
                return False
            if share is None and self._measure(body):
                return False
        for concept, name in self.atoms.items():
            if self.parts(concept) != self.parts(conjunction(concept, name)) or self.parts(
                name
            ) != self.parts(conjunction(concept, name)):
                return False
        individuals: dict[object, list[Concept]] = {}
        for axiom in kb.axioms:
            if isinstance(axiom, RoleAssertion):
                return False  # links are not looked at
            if isinstance(axiom, ConceptAssertion):
                individuals.setdefault(axiom.individual, []).append(axiom.concept)
        if not all(self._measure(conjunction(TOP, *concepts)) for concepts in individuals.values()):
            return False
        tracked = self._tracked(kb, also)
        return all(
            self._has_witnesses(role, name, roles, tracked)
            for role, names in tracked.items()
            for name in names
        )

    def _tracked(self, kb: KB, also: Sequence[Concept]) -> dict[Role, set[Concept]]:
        """The fillers of every role that occur, and those that they bring with them."""
        found: dict[Role, set[Concept]] = {}

        def mention(concept: Concept) -> None:
            for part in conjuncts(concept):
                if isinstance(part, Exists):
                    found.setdefault(part.role, set()).add(self._atom(part.filler))
                    mention(part.filler)

        for concept in (*also, *self.atoms):
            mention(concept)
        for axiom in kb.axioms:
            for concept in axiom.concepts():
                mention(concept)
            if isinstance(axiom, Domain | Range):
                mention(Exists(axiom.role, TOP))
            if isinstance(axiom, Range):
                mention(Exists(axiom.role, axiom.concept))
        inclusions = [axiom for axiom in kb.axioms if isinstance(axiom, RoleInclusion)]
        for _ in inclusions:  # as long as the longest chain
            for axiom in inclusions:
                found.setdefault(axiom.sub, set()).update(found.get(axiom.sup, ()))
        return found

    def _has_witnesses(
        self, role: Role, name: Concept, roles: RoleBox, tracked: Mapping[Role, set[Concept]]
    ) -> bool:
        """Whether whatever has `∃r.A` in a cell finds an A, and nothing that it has not."""
        above = roles.at_or_above(role)
        wanted = [name, *(concept for some in above for concept in roles.ranges.get(some, ()))]
        if not all(isinstance(concept, Name | Top) for concept in wanted):
            return False
        cells = [cell for cell, weight in enumerate(self.weights) if weight]
        inside = self.parts(conjunction(TOP, *wanted))
        fillers = {(some, concept) for some in above for concept in tracked.get(some, ())}
        own = {concept: self.parts(concept) for _, concept in fillers}
        outer = {(some, concept): self.parts(Exists(some, concept)) for some, concept in fillers}
        has = self.parts(Exists(role, name))

        def allowed(cell: int, other: int) -> bool:
            return all(
                (
                    outer[some, concept][cell] >= has[cell]
                    if some == role
                    else outer[some, concept][cell] == 1
                )
                for some, concept in fillers
                if concept in wanted or own[concept][other] == 1
            )

        return all(
            any(inside[other] and allowed(cell, other) for other in cells)
            for cell in cells
            if has[cell]
        )


def said(kb: KB, roles: RoleBox) -> Iterator[Share]:
    """What a knowledge base says about shares."""
    return (share for axiom in kb.axioms for share in shares_of(axiom, roles))


def exact_population(parameters: Parameters, numbering: Numbering, member: int) -> PopulationModel:
    """One member in fractions: memberships rounded, but 0 and 1 only if they are."""
    levels = parameters["names"]["level"]
    rows = levels.shape[0]
    table = parameters["roles"]["level"]
    roles = table.reshape(table.shape[0], table.shape[1], rows, -1)
    found: dict[Basic, Vector] = {}
    for row, name in enumerate((TOP, *numbering.names)):
        found[None, name] = _rounded(levels[row, member])
        for place, role in enumerate(numbering.roles, start=1):
            found[role, name] = _rounded(roles[place, member, row])
    region = Populations(levels.shape[-1]).names(parameters, np.array(0))[0]
    weights = tuple(
        Fraction(float(weight)).limit_denominator(MEMBERSHIP_PARTS)
        for weight in region.weight[member]
    )
    return PopulationModel(weights, found, dict(numbering.atoms))


def _rounded(levels: Array) -> Vector:
    return tuple(
        Fraction(value)
        if value in (0.0, 1.0)
        else Fraction(round(value * (MEMBERSHIP_PARTS - 2)) + 1, MEMBERSHIP_PARTS)
        for value in memberships(levels).tolist()
    )


def balanced(model: PopulationModel, kb: KB) -> PopulationModel | None:
    """The same cells with weights that give every share that must be one number exactly that.

    None if there are no such weights near: one would be negative, or a share cannot be reached.
    """
    rows = []
    for head, body, bounds, *_ in said(kb, RoleBox.of(tuple(kb.axioms))):
        if bounds.lower == bounds.upper:
            try:
                pairs = zip(model.parts(conjunction(body, head)), model.parts(body), strict=True)
            except UnknownError:
                return None
            rows.append([both - bounds.lower * whole for both, whole in pairs])
    order = sorted(range(len(model.weights)), key=lambda cell: -model.weights[cell])
    weights = list(model.weights)
    solved = _eliminated([[row[cell] for cell in order] for row in rows if any(row)])
    for pivot, row in solved:
        rest = sum(
            (row[place] * weights[order[place]] for place in range(len(order)) if place != pivot),
            Fraction(0),
        )
        weights[order[pivot]] = -rest
    if any(weight < 0 for weight in weights):
        return None
    return replace(model, weights=tuple(weights))


def _eliminated(rows: list[list[Fraction]]) -> list[tuple[int, list[Fraction]]]:
    """The rows reduced: each with a column of its own, where it has 1 and all others 0."""
    done: list[tuple[int, list[Fraction]]] = []
    for given in rows:
        row = given
        for pivot, other in done:
            if row[pivot]:
                factor = row[pivot]
                row = [one - factor * two for one, two in zip(row, other, strict=True)]
        column = next((place for place, entry in enumerate(row) if entry), None)
        if column is None:
            continue
        row = [entry / row[column] for entry in row]
        done = [
            (pivot, [one - old[column] * two for one, two in zip(old, row, strict=True)])
            for pivot, old in done
        ] + [(column, row)]
    return done
