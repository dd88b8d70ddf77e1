"""Every representation with every map of roles that goes with it."""

from __future__ import annotations

from dataclasses import dataclass

import jax
import numpy as np

from boxsel.errors import BoxselError
from boxsel.models.arrays import Array, Parameters, namespace
from boxsel.models.representations.by_name import (
    REPRESENTATIONS,
    ROLE_MAPS,
    representation_of,
)
from boxsel.models.representations.representation import Region, Representation, Sizes

SIZES = Sizes(names=6, roles=4, individuals=3, members=5)
NAMES = np.arange(SIZES.names, dtype=np.int32)
ROLES = np.arange(1, SIZES.roles, dtype=np.int32)

SPREAD = {
    "position": (0.0, 1.0),
    "extent": (-0.7, 0.6),
    "place": (0.0, 1.0),
    "scale": (0.0, 0.3),
    "shift": (0.0, 0.3),
    "bump": (0.0, 0.2),
    "level": (-3.0, 4.0),
    "weight": (0.0, 1.0),
}
"""The mean and the deviation of the numbers in each table."""


@dataclass(frozen=True)
class Case:
    """A representation and its first parameters."""

    representation: Representation
    parameters: Parameters

    @property
    def named(self) -> Region:
        """The regions of ⊤ and of all names."""
        return self.representation.names(self.parameters, NAMES)

    def some(self, roles: Array, names: Array) -> Region:
        """The regions of existentials of names."""
        filler = self.representation.names(self.parameters, names)
        return self.representation.some(self.parameters, roles, filler, names)

    def nested(self) -> Region:
        """The regions of `∃r.(A ⊓ ∃s.B)` for some names and roles."""
        inner = self.some(ROLES, ROLES + 1)
        filler = self.representation.meet(self.representation.names(self.parameters, ROLES), inner)
        return self.representation.some(self.parameters, ROLES[::-1], filler, None)

    def regions(self) -> list[Region]:
        """Regions of several shapes, all with a first axis of the same length."""
        some = self.representation.names(self.parameters, ROLES)
        found = [
            self.representation.names(self.parameters, np.zeros_like(ROLES)),
            some,
            self.representation.names(self.parameters, ROLES + 2),
            self.some(ROLES, ROLES + 1),
            self.some(ROLES, np.zeros_like(ROLES)),
            self.representation.meet(some, self.some(ROLES, ROLES + 2)),
        ]
        return [*found, self.nested()] if self.representation.complex_fillers else found

    def many(self) -> Region:
        """The regions of `C ⊓ D` where C and D are ⊤, names, and existentials, nested ones too."""
        random = np.random.default_rng(7)
        rows = [random.integers(0, most, (2, 40)) for most in (SIZES.roles, SIZES.names)]
        roles, names = np.array(rows, np.int32)
        sides = [self.some(roles[side], names[side]) for side in range(2)]
        found = self.representation.meet(*sides)
        if not self.representation.complex_fillers:
            return found
        top = self.representation.names(self.parameters, np.zeros(40, np.int32))
        padded = self.representation.meet(found, top)
        return jax.tree.map(_joined, padded, self.nested())

    def measure(self, region: Region, temperature: Array | None = None) -> Array:
        """The logarithm of the measure."""
        return self.representation.log_measure(region, temperature)


def case(kind: str, roles: str, dim: int, seed: int = 0) -> Case:
    """A representation with parameters of our own: some regions meet, and others do not."""
    representation = representation_of(kind, roles, dim)
    parameters = representation.initial(np.random.default_rng(0), SIZES)
    for place, (table_kind, tables) in enumerate(parameters.items()):
        for key, table in tables.items():
            mean, spread = SPREAD[key.removeprefix("head_").removeprefix("tail_")]
            random = np.random.default_rng([seed, place, *key.encode()])
            first = 1 if table_kind in ("names", "roles") else 0
            table[first:] = random.normal(mean, spread, table[first:].shape)
    return Case(representation, parameters)


def in_jax(parameters: Parameters) -> Parameters:
    """The same parameters in JAX, in the precision that is on."""
    return jax.tree.map(jax.numpy.asarray, parameters)  # type: ignore[no-any-return]


def _joined(one: Array, other: Array) -> Array:
    return namespace(one).concatenate([one, other])


def _go_together(kind: str, roles: str) -> bool:
    try:
        representation_of(kind, roles, 1)
    except BoxselError:
        return False
    return True


PAIRS = [
    (kind, roles) for kind in REPRESENTATIONS for roles in ROLE_MAPS if _go_together(kind, roles)
]
