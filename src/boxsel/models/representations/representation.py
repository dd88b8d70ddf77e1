"""What every representation of concepts can do, and every map of roles.

A *region* is what a representation makes of a concept: two corners, a centre and a radius, a
mixture. It is a tuple of arrays whose leading axes are free (none for one concept, one for a
batch), followed by the axis of members. Nobody else looks inside: intersections are made here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from boxsel.models.arrays import Array, Corners, Parameters, Tables
from boxsel.models.numbering import Numbering

Region = Any
"""What a representation makes of a concept: a pytree of arrays."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How many rows the tables have, ⊤ and the identity included."""

    names: int
    roles: int
    individuals: int
    members: int

    @classmethod
    def of(cls, numbering: Numbering, members: int) -> Sizes:
        """Those of the tables for all that has a row."""
        names, roles = len(numbering.names) + 1, len(numbering.roles) + 1
        return cls(names, roles, len(numbering.individuals), members)


class RoleMap(Protocol):
    """A role as a function of the space: `∃r.C` is where it leads into C.

    `is_model`: whether it is indeed a function. `complex_fillers`: whether C may be any box, or
    only that of a name. `links`: whether assertions `r(a, b)` mean something to it.
    """

    kind: ClassVar[str]
    is_model: ClassVar[bool]
    complex_fillers: ClassVar[bool]
    links: ClassVar[bool]

    def initial(self, random: np.random.Generator, sizes: Sizes, dim: int) -> tuple[Tables, Tables]:
        """Tables of roles, whose row 0 is the identity, and further tables of names."""

    def inverse_image(
        self, parameters: Parameters, roles: Array, corners: Corners, names: Array | None
    ) -> Corners:
        """The lower and upper corners of `∃r.C` for a box C, not yet cut with the universe."""

    def image(self, parameters: Parameters, roles: Array, points: Array) -> Array | None:
        """Where roles lead from some points; none if they are no functions."""

    def uniformly(self) -> Similarity | None:
        """This kind of map with one scale for all dimensions; none if there is no such map."""

    def tails(
        self, parameters: Parameters, roles: Array, corners: Corners, subjects: Array
    ) -> tuple[Corners, Corners] | None:
        """A box C as seen from names that have an r-successor in it, and what it must lie inside.

        None for functions: what `∃r.C` is says all.
        """

    def size(self, roles: int, names: int, dim: int) -> int:
        """How many numbers the roles take."""


class Similarity(RoleMap, Protocol):
    """A role as a function that keeps the shape of things: it takes balls to balls."""

    def scale_and_shift(self, parameters: Parameters, roles: Array) -> tuple[Array, Array]:
        """The numbers d and b of the map `x ↦ d·x + b`."""


class Representation(Protocol):
    """Names and roles as arrays, and the measure of what they describe.

    `is_model`: whether every member is an interpretation of the logic, so that one without
    violations is a witness. `complex_fillers`: whether `∃r.C` is known for any C, or only for
    names and ⊤.
    """

    kind: ClassVar[str]

    @property
    def dim(self) -> int:
        """The dimension of the space."""

    @property
    def roles(self) -> RoleMap:
        """How roles are represented."""

    @property
    def is_model(self) -> bool:
        """Whether members are interpretations of the logic."""

    @property
    def complex_fillers(self) -> bool:
        """Whether `∃r.C` is known for every concept C."""

    @property
    def links(self) -> bool:
        """Whether role assertions mean something; if not, they are ignored."""

    def initial(self, random: np.random.Generator, sizes: Sizes) -> Parameters:
        """Parameters to start from, different for every member; in double precision.

        Row 0 of names is ⊤ and row 0 of roles the identity: training leaves them as they are.
        """

    def names(self, parameters: Parameters, ids: Array) -> Region:
        """The regions of names, by their rows."""

    def some(
        self, parameters: Parameters, roles: Array, filler: Region, names: Array | None
    ) -> Region:
        """The regions of `∃r.C`, cut with the universe; where the role is 0, of C itself.

        `names` has the rows of the fillers, where they are names.
        """

    def meet(self, one: Region, other: Region) -> Region:
        """The regions of conjunctions."""

    def log_measure(self, region: Region, temperature: Array | None = None) -> Array:
        """The logarithm of the measure, summed in log space: one number for each member.

        Soft with a temperature (in JAX only): finite, with a gradient, for empty regions too.
        Hard without one: −∞ for empty regions.
        """

    def points(self, parameters: Parameters, ids: Array) -> Array:
        """Where individuals are."""

    def distance(self, region: Region, points: Array) -> Array:
        """How far points are outside a region, as a part of the universe; 0 inside."""

    def link_distance(
        self, parameters: Parameters, roles: Array, one: Array, other: Array
    ) -> Array:
        """How far a role is from linking one point to another, as a part of the universe."""

    def log_tail_share(
        self,
        parameters: Parameters,
        roles: Array,
        filler: Region,
        subjects: Array,
        temperature: Array | None = None,
    ) -> Array | None:
        """What `A ⊑ ∃r.B` also asks for, where roles have tails; none where they have not.

        The logarithm of the part of B, seen from A, that the tail of r holds: 0 if it is right.
        `filler` are the regions of B, `subjects` the rows of A.
        """
