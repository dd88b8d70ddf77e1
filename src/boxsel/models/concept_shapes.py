"""Concepts by shape: what is left when the names are taken out, and the names that were there.

Concepts of one shape are computed together, as one array program over the rows of their names.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, reduce
from typing import NamedTuple

from boxsel.errors import BoxselError
from boxsel.logic.concepts import And, Concept, Exists, Name, Top
from boxsel.models.arrays import Array, Parameters
from boxsel.models.numbering import Numbering
from boxsel.models.representations.representation import Region, Representation

Shape = tuple["Shape", ...] | str
"""`"A"` for a name or ⊤, `("r", C)` for an existential, `("and", C, D, ...)` for a conjunction."""

LEAF = "A"


class Shaped(NamedTuple):
    """A shape, and the rows of the names and roles in the order in which the shape has them."""

    shape: Shape
    names: tuple[int, ...]
    roles: tuple[int, ...]


def shaped(concept: Concept, numbering: Numbering, complex_fillers: bool = True) -> Shaped:
    """The shape and the rows of a concept; the order of conjuncts does not matter.

    Without `complex_fillers`, a filler that is not a name is read by its fresh name.

    Examples:
        >>> from boxsel.logic.concepts import Role, names
        >>> A, B = names("A B")
        >>> r = Role("r")
        >>> shaped(r.some(A) & B, Numbering((A, B), (r,)))
        Shaped(shape=('and', ('r', 'A'), 'A'), names=(1, 2), roles=(1,))
    """
    match concept:
        case Name() | Top():
            return Shaped(LEAF, (numbering.name(concept),), ())
        case Exists():
            role = numbering.role(concept.role)
            inner = _filler(concept.filler, numbering, complex_fillers)
            return Shaped(("r", inner.shape), inner.names, (role, *inner.roles))
        case And():
            parts = sorted(
                (shaped(operand, numbering, complex_fillers) for operand in concept.operands),
                key=lambda part: str(part.shape),
            )
            return Shaped(
                ("and", *(part.shape for part in parts)),
                tuple(row for part in parts for row in part.names),
                tuple(row for part in parts for row in part.roles),
            )
    raise BoxselError("owl:Nothing cannot be asked about: it has no members")


class UnnamedFillerError(BoxselError):
    """A representation knows `some` only for names, and a concept that is asked about has none."""


def _filler(concept: Concept, numbering: Numbering, complex_fillers: bool) -> Shaped:
    if complex_fillers or isinstance(concept, Name | Top):
        return shaped(concept, numbering, complex_fillers)
    row = numbering.filler(concept)
    if row is None:
        raise UnnamedFillerError(
            f"this representation of roles knows `some` only for names, not for {concept}:"
            " give it a name in the knowledge base (X EquivalentTo ...), or train boxes"
        )
    return Shaped(LEAF, (row,), ())


@cache
def leaves(shape: Shape) -> int:
    """How many names a shape has places for."""
    return 1 if shape == LEAF else sum(map(leaves, shape[1:]))


@cache
def existentials(shape: Shape) -> int:
    """How many roles a shape has places for."""
    return 0 if shape == LEAF else (shape[0] == "r") + sum(map(existentials, shape[1:]))


def region(
    representation: Representation,
    parameters: Parameters,
    shape: Shape,
    names: Iterable[Array],
    roles: Iterable[Array],
) -> Region:
    """The regions of concepts of one shape; `names` and `roles` have an array for each place."""
    names, roles = iter(names), iter(roles)  # those of an iterator are taken one after the other
    if shape == LEAF:
        return representation.names(parameters, next(names))
    sign, parts = shape[0], shape[1:]
    if sign == "r":
        role = next(roles)
        if parts[0] == LEAF:
            row = next(names)
            return representation.some(parameters, role, representation.names(parameters, row), row)
        filler = region(representation, parameters, parts[0], names, roles)
        return representation.some(parameters, role, filler, None)
    regions = (region(representation, parameters, part, names, roles) for part in parts)
    return reduce(representation.meet, regions)
