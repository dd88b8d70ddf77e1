"""Members as witnesses: a box model checked in exact arithmetic.

The corners of boxes and the maps of roles are floats, and floats are fractions. So volumes and
shares are fractions too, and a member that satisfies every axiom in them is a model: its generic
points, grouped by the concepts that they belong to, are the types of a finite one with the volumes
as weights. Nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boxsel.logic.axioms import Axiom, ConceptAssertion, RoleAssertion
from boxsel.logic.booleans import expand
from boxsel.logic.concepts import (
    And,
    Concept,
    Exists,
    Individual,
    Name,
    Role,
    Top,
    conjunction,
)
from boxsel.logic.kb import KB
from boxsel.logic.statements import Query
from boxsel.models.arrays import Parameters
from boxsel.models.numbering import Numbering
from boxsel.models.representations.boxes import Boxes
from boxsel.models.roles.affine import Affine
from boxsel.models.roles.translation import Translation
from boxsel.models.shares import RoleBox, shares_of

Vector = tuple[Fraction, ...]


class ExactBox(NamedTuple):
    """Corners as fractions; empty if it has no interior."""

    lower: Vector
    upper: Vector

    @property
    def volume(self) -> Fraction:
        """The product of the sides; 0 if one of them is not positive."""
        sides = [high - low for low, high in zip(self.lower, self.upper, strict=True)]
        return prod(sides, start=Fraction(1)) if all(side > 0 for side in sides) else Fraction(0)

    def meet(self, other: ExactBox) -> ExactBox:
        """The intersection."""
        return ExactBox(
            tuple(map(max, self.lower, other.lower)), tuple(map(min, self.upper, other.upper))
        )


@dataclass(frozen=True)
class ExactMap:
    """A role as an affine map with a positive diagonal."""

    scale: Vector
    shift: Vector

    def inverse_image(self, box: ExactBox) -> ExactBox:
        """Where the map leads into a box."""
        return ExactBox(self._back(box.lower), self._back(box.upper))

    def _back(self, corner: Vector) -> Vector:
        parts = zip(self.scale, self.shift, corner, strict=True)
        return tuple((place - shift) / scale for scale, shift, place in parts)


@dataclass(frozen=True)
class BoxModel:
    """One member in exact arithmetic, with the unit cube as its domain.

    Names that are empty have no box.

    Examples:
        >>> from boxsel.logic.axioms import conditional
        >>> from boxsel.logic.concepts import names
        >>> A, B = names("A B")
        >>> half, one, zero = Fraction(1, 2), Fraction(1), Fraction(0)
        >>> model = BoxModel(1, {A: ExactBox((zero,), (one,)), B: ExactBox((zero,), (half,))})
        >>> model.satisfies(KB.of(B <= A, conditional(B, given=A, between=(0.4, 0.6))))
        True
        >>> model.share(Query(B, A))
        Fraction(1, 2)
    """

    dim: int
    boxes: Mapping[Name, ExactBox]
    maps: Mapping[Role, ExactMap] = field(default_factory=dict)
    points: Mapping[Individual, Vector] = field(default_factory=dict)

    @property
    def universe(self) -> ExactBox:
        """The unit cube."""
        return ExactBox((Fraction(0),) * self.dim, (Fraction(1),) * self.dim)

    def extension(self, concept: Concept) -> ExactBox | None:
        """The box of a concept; none if it is empty by logic."""
        match concept:
            case Top():
                return self.universe
            case Name():
                return self.boxes.get(concept)
            case Exists():
                filler = self.extension(concept.filler)
                if filler is None:
                    return None
                return self.maps[concept.role].inverse_image(filler).meet(self.universe)
            case And():
                meet = self.universe
                for operand in concept.operands:
                    box = self.extension(operand)
                    if box is None:
                        return None
                    meet = meet.meet(box)
                return meet
        return None

    def share(self, query: Query) -> Fraction | None:
        """The share of a query; none if its body is empty."""
        if query.is_boolean:
            size = self._size(query.body)
            return self._size(conjunction(query.head, query.body)) / size if size else None
        body = self.extension(query.body)
        whole = body.volume if body is not None else Fraction(0)
        if body is None or not whole:
            return None
        head = self.extension(query.head)
        return body.meet(head).volume / whole if head is not None else Fraction(0)

    def _size(self, concept: Concept) -> Fraction:
        """The volume of a Boolean combination, by inclusion and exclusion."""
        boxes = ((self.extension(term), factor) for term, factor in expand(concept).items())
        volumes = (box.volume * factor for box, factor in boxes if box is not None)
        return sum(volumes, Fraction(0))

    def satisfies(self, kb: KB, *also: Concept) -> bool:
        """Whether every axiom of a knowledge base is true.

        A role is read as the union of its map's graph with those of the roles below it and with
        the asserted links, so these must add no instance to any `∃r.C` that occurs: in the
        knowledge base or in `also`, the concepts of a query.
        """
        roles = RoleBox.of(kb.axioms, also)
        return all(self._satisfies(axiom, roles) for axiom in kb.axioms)

    def _satisfies(self, axiom: Axiom, roles: RoleBox) -> bool:
        match axiom:
            case ConceptAssertion(concept, individual):
                return self._inside(self.points[individual], concept)
            case RoleAssertion():
                return self._links(axiom, roles)
        for head, body, bounds, _ in shares_of(axiom, roles):
            share = self.share(Query(head, body))
            if share is not None and share not in bounds:
                return False
        return True

    def _links(self, axiom: RoleAssertion, roles: RoleBox) -> bool:
        one, other = self.points[axiom.subject], self.points[axiom.object]
        for role in roles.at_or_above(axiom.role):
            if not all(self._inside(other, concept) for concept in roles.ranges.get(role, ())):
                return False
            for filler in roles.fillers.get(role, ()):
                if self._touches(other, filler) and not self._inside(one, Exists(role, filler)):
                    return False
        return True

    def _touches(self, point: Vector, concept: Concept) -> bool:
        """Whether a point lies in a box or on its border."""
        box = self.extension(concept)
        return box is not None and all(
            low <= place <= high
            for low, place, high in zip(box.lower, point, box.upper, strict=True)
        )

    def _inside(self, point: Vector, concept: Concept) -> bool:
        """Whether a point lies in the interior, and so in a type that has weight."""
        box = self.extension(concept)
        return box is not None and all(
            low < place < high for low, place, high in zip(box.lower, point, box.upper, strict=True)
        )


def exact_member(
    boxes: Boxes, parameters: Parameters, numbering: Numbering, member: int
) -> BoxModel:
    """The boxes, maps and points of one member, as the fractions that their floats are.

    Examples:
        >>> from boxsel.logic.concepts import names
        >>> from boxsel.models.representations.representation import Sizes
        >>> A, B = names("A B")
        >>> boxes = Boxes(2)
        >>> parameters = boxes.initial(np.random.default_rng(0), Sizes(3, 1, 0, 4))
        >>> model = exact_member(boxes, parameters, Numbering((A, B)), member=3)
        >>> 0 < model.boxes[A].volume < 1
        True
    """
    box = boxes.names(parameters, np.arange(1, len(numbering.names) + 1))
    lower, upper = box.lower[:, member], box.upper[:, member]
    points = boxes.points(parameters, np.arange(len(numbering.individuals)))[:, member]
    return BoxModel(
        boxes.dim,
        {
            name: ExactBox(_fractions(lower[row]), _fractions(upper[row]))
            for row, name in enumerate(numbering.names)
        },
        {
            role: _exact_map(boxes, parameters, row, member)
            for row, role in enumerate(numbering.roles, start=1)
        },
        {
            individual: _fractions(points[row])
            for row, individual in enumerate(numbering.individuals)
        },
    )


def _exact_map(boxes: Boxes, parameters: Parameters, row: int, member: int) -> ExactMap:
    assert isinstance(boxes.roles, Affine | Translation)
    scale, shift = boxes.roles.scale_and_shift(parameters, np.array(row))
    shape = shift[member].shape
    return ExactMap(
        _fractions(np.broadcast_to(scale, shift.shape)[member].reshape(shape)),
        _fractions(shift[member]),
    )


def _fractions(numbers: NDArray[np.float64]) -> Vector:
    return tuple(map(Fraction, numbers.tolist()))
