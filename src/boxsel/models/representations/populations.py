"""Concepts as memberships in weighted sub-populations.

A member is K *cells*, parts of a population with weights that sum to 1. In a cell every name is a
coin of its own: it comes up with the *membership* of the name there, independently of the others.
Every role is one number, drawn evenly from [0, 1], and `∃r.A` is true where that is below its
membership: so existentials of one role are nested in a cell, the smaller in the larger. A
conjunction has the measure `Σ w · Π membership`, where of one name, or of the existentials of one
role, only the least membership counts: what is said twice counts once.

**Why this is a model.** Take as elements of the domain all outcomes in all cells, as many of each
as its measure says, and let `r` link x to y wherever that makes no `∃r.B` true that x has not: if y
is in B then x has `∃s.B`, for r and every role s above; and only to y in the ranges of r. Then
no element has more existentials than were drawn. It has all of them, if there is a *witness*: for
every cell in which `∃r.A` is possible, some cell in which A is, and in which no B is sure unless
`∃s.B` has there at least the membership of `∃r.A`. That is where inclusions come in: if A ⊑ B then
B is sure wherever A is possible, so `∃r.B` must have at least the membership of `∃r.A`.
`existentials` adds that to what is trained; `population_witness` checks all of it in fractions.

Inclusions and disjointness hold exactly where memberships are exactly 0 or 1. A membership is
`1.1·σ(x) − 0.05`, cut to [0, 1], so both are reached by ordinary numbers x.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

import numpy as np

from boxsel.errors import BoxselError
from boxsel.models.arrays import Array, Parameters, bounded, hard_log, largest, namespace, sigmoid
from boxsel.models.numbering import NO_ROLE
from boxsel.models.representations.boxes import WHOLE
from boxsel.models.representations.representation import RoleMap, Sizes
from boxsel.models.roles.memberships import Memberships

EDGE: Final = 0.05
"""How far below 0 and above 1 memberships go before they are cut."""

RICHNESS: Final = (-5.0, 1.0)
"""Between what numbers the levels of a cell begin, on average."""

NOTHING: Final = 1e-12
"""Nothing, as a soft measure: its logarithm is finite."""


class Coin(NamedTuple):
    """A name or `∃r.A`: what it is drawn by, its membership before the cut, and all weights.

    Those with one number are drawn together. The weights are here because measures need them.
    """

    number: Array
    level: Array
    weight: Array


class Soft(NamedTuple):
    """Memberships of names, of existentials by roles and names, and the weights of cells."""

    names: Array
    roles: Array
    weights: Array

    def of(self, names: Array, roles: Array | None) -> Array:
        """The memberships of names, or of their existentials: a line for each."""
        return self.names[names] if roles is None else self.roles[roles, :, names]


Meet = tuple[Coin, ...]
"""What has all of some coins."""


@dataclass(frozen=True, slots=True)
class Populations:
    """Memberships of names and of existentials in `dim` cells, and the weights of the cells.

    `∃r.A` is known for names and ⊤; a complex filler is known by its fresh name.
    """

    dim: int
    roles: RoleMap = field(default_factory=Memberships)
    kind: ClassVar[str] = "populations"
    is_model: ClassVar[bool] = True
    complex_fillers: ClassVar[bool] = False
    links: ClassVar[bool] = False

    def initial(self, random: np.random.Generator, sizes: Sizes) -> Parameters:
        """Memberships anywhere, in cells of different weights.

        Some cells begin with nearly nothing: most of a population may have none of the names.
        """
        richness = random.uniform(*RICHNESS, (1, sizes.members, self.dim))
        level = random.normal(0.0, 1.5, (sizes.names, sizes.members, self.dim)) + richness
        level[0] = WHOLE
        roles, _ = self.roles.initial(random, sizes, self.dim)
        roles["level"][1:] += np.tile(richness, sizes.names)
        place = random.normal(0.0, 1.0, (sizes.individuals, sizes.members, self.dim))
        weight = random.normal(0.0, 0.5, (1, sizes.members, self.dim))
        return {
            "names": {"level": level},
            "roles": roles,
            "individuals": {"place": place},
            "cells": {"weight": weight},
        }

    def names(self, parameters: Parameters, ids: Array) -> Meet:
        """The coins of names, by their rows."""
        level = _level(parameters["names"]["level"][ids])
        return (Coin(namespace(level).asarray(ids), level, _weights(parameters, level)),)

    def some(self, parameters: Parameters, roles: Array, filler: Meet, names: Array | None) -> Meet:
        """The coins of existentials of names; where there is no role, of the names themselves.

        Raises:
            BoxselError: The fillers are not names.
        """
        if names is None:
            raise BoxselError("populations know `some` only for names: give the filler a name")
        rows = parameters["names"]["level"].shape[0]
        table = parameters["roles"]["level"]
        table = table.reshape(table.shape[0], table.shape[1], rows, -1)
        ((number, level, weight),) = filler
        array = namespace(level)
        roles = array.asarray(roles)
        found = _level(table[roles, :, names])
        return (
            Coin(
                array.where(roles == NO_ROLE, number, rows + roles),
                array.where(roles[..., None, None] == NO_ROLE, level, found),
                weight,
            ),
        )

    def meet(self, one: Meet, other: Meet) -> Meet:
        """All coins of both."""
        return one + other

    def log_measure(self, region: Meet, temperature: Array | None = None) -> Array:
        """The logarithm of Σ w · Π membership; softened where memberships are cut."""
        return _logarithm(self.measure(region, temperature), temperature)

    def measure(self, region: Meet, temperature: Array | None = None) -> Array:
        """Σ w · Π membership: of coins that are drawn together, the least."""
        product = region[0].weight
        array = namespace(product)
        shares = [_cut(coin.level, temperature) for coin in region]
        for place, coin in enumerate(region):
            least = shares[place]
            for other in range(place + 1, len(region)):
                together = (coin.number == region[other].number)[..., None, None]
                least = array.where(together, array.minimum(least, shares[other]), least)
            for before in region[:place]:  # the first of them counts for all
                together = (coin.number == before.number)[..., None, None]
                least = array.where(together, 1.0, least)
            product = product * least
        # Divided by the same sum, ⊤ has exactly 1.
        return array.sum(product, axis=-1) / array.sum(region[0].weight, axis=-1)

    def log_shares_of_all(self, body: Meet, head: Meet, temperature: Array | None) -> Array:
        """The logarithms of the shares of every head in every body: a line for each pair."""
        part, whole = self.measures_of_all(body, head, temperature)
        return _logarithm(part, temperature) - _logarithm(whole, temperature)

    def measures_of_all(
        self, body: Meet, head: Meet, temperature: Array | None = None
    ) -> tuple[Array, Array]:
        """The measures of every body with every head, and of the bodies: a line for each pair.

        Nothing in a body and a head is drawn together: `blocks` sees to that.
        """
        (single,) = head
        product = body[0].weight
        array = namespace(product)
        for coin in body:
            product = product * _cut(coin.level, temperature)
        part = array.einsum("bmk,hmk->bhm", product, _cut(single.level, temperature))
        whole = array.broadcast_to(array.sum(product, axis=-1)[:, None], part.shape)
        return part.reshape(-1, part.shape[-1]), whole.reshape(-1, part.shape[-1])

    def softened(self, parameters: Parameters, temperature: Array) -> Soft:
        """All memberships, softened where they are cut, and the weights of the cells."""
        names, roles = parameters["names"]["level"], parameters["roles"]["level"]
        shape = (roles.shape[0], roles.shape[1], names.shape[0], names.shape[2])
        return Soft(
            _cut(_level(names), temperature),
            _cut(_level(roles), temperature).reshape(shape),
            _shares(parameters["cells"]["weight"][0]),
        )

    def points(self, parameters: Parameters, ids: Array) -> Array:
        """In which cells an individual may be: shares that sum to 1."""
        return _shares(parameters["individuals"]["place"][ids])

    def distance(self, region: Meet, points: Array) -> Array:
        """The chance that one of the coins is not what the individual should have: the largest."""
        array = namespace(points)
        missing = [array.sum(points * (1 - _cut(coin.level)), axis=-1) for coin in region]
        return largest(array.stack(array.broadcast_arrays(*missing), axis=0), axis=0)

    def link_distance(
        self, parameters: Parameters, roles: Array, one: Array, other: Array
    ) -> Array:
        """Nothing: role assertions are not trained."""
        del parameters, roles, other
        return namespace(one).zeros_like(one[..., 0])

    def log_tail_share(
        self,
        parameters: Parameters,
        roles: Array,
        filler: Meet,
        subjects: Array,
        temperature: Array | None = None,
    ) -> None:
        """None: what `∃r.C` is says all."""


def memberships(levels: Array) -> Array:
    """Memberships from the numbers in the tables.

    Examples:
        >>> memberships(np.array([-5.0, 0.0, 5.0]))
        array([0. , 0.5, 1. ])
    """
    return _cut(_level(levels))


def levels_of(shares: Array) -> Array:
    """The numbers in the tables that memberships come from.

    Examples:
        >>> memberships(levels_of(np.array([0.0, 0.25, 1.0])))
        array([0.  , 0.25, 1.  ])
    """
    part = (shares + EDGE) / (1 + 2 * EDGE)
    inner = np.log(part) - np.log1p(-part)
    return np.where(shares <= 0, -WHOLE, np.where(shares >= 1, WHOLE, inner))


def _level(numbers: Array) -> Array:
    return (1 + 2 * EDGE) * sigmoid(numbers) - EDGE


def _cut(level: Array, temperature: Array | None = None) -> Array:
    """A number cut to [0, 1]; with a temperature, smoothly, so that it never loses its slope."""
    array = namespace(level)
    if temperature is None:
        return array.minimum(array.maximum(level, 0.0), 1.0)
    above = array.logaddexp(level / temperature, 0.0)
    return temperature * (above - array.logaddexp((level - 1) / temperature, 0.0))


def _logarithm(measure: Array, temperature: Array | None) -> Array:
    return hard_log(measure if temperature is None else measure + NOTHING)


def _weights(parameters: Parameters, like: Array) -> Array:
    """The weights of cells, for every region; they sum to 1."""
    weights = _shares(parameters["cells"]["weight"][0])
    return namespace(weights).broadcast_to(weights, like.shape)


def _shares(numbers: Array) -> Array:
    numbers = bounded(numbers)
    array = namespace(numbers)
    found = array.exp(numbers - largest(numbers, axis=-1)[..., None])
    return found / array.sum(found, axis=-1, keepdims=True)
