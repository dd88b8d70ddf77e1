"""Concepts as balls inside a universe ball."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np

from boxsel.errors import BoxselError
from boxsel.models.arrays import Array, Parameters, bounded, largest, namespace, sigmoid
from boxsel.models.representations.boxes import WHOLE
from boxsel.models.representations.lenses import Lengths, log_lens
from boxsel.models.representations.representation import RoleMap, Similarity, Sizes
from boxsel.models.roles.affine import Affine


class Ball(NamedTuple):
    """A centre and a radius."""

    centre: Array
    radius: Array


Meet = tuple[Ball, ...]
"""What some balls and the universe have in common."""


@dataclass(frozen=True, slots=True)
class Balls:
    """Balls in the unit ball: the radius is σ(extent), the centre at most 1 − radius from 0.

    So every ball lies inside the universe, and ⊤ has the measure 1. Balls are kept until they are
    measured. One ball, cut by the universe, and two inside it are measured exactly. More are given
    the measure of the smallest lens among their pairs: never too small, right where two of them
    lie inside all others, nothing where two are disjoint, and another conjunct never makes it
    larger. But it is not the volume, so members are no models.
    """

    dim: int
    roles: Similarity = field(default_factory=lambda: Affine(uniform=True))
    kind: ClassVar[str] = "balls"
    is_model: ClassVar[bool] = False
    complex_fillers: ClassVar[bool] = True
    links: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.roles.uniformly() != self.roles:
            raise BoxselError(f"{self.roles} does not take balls to balls: give it one scale")

    @classmethod
    def over(cls, dim: int, roles: RoleMap) -> Balls:
        """Balls with a kind of map of roles, of those that take balls to balls.

        Raises:
            BoxselError: No map of this kind does.
        """
        similar = roles.uniformly()
        if similar is None:
            raise BoxselError(
                f"balls do not go with {roles.kind} for roles: choose affine or translation"
            )
        return cls(dim, similar)

    def initial(self, random: np.random.Generator, sizes: Sizes) -> Parameters:
        """Balls of about half the universe's volume, spread over all positions."""
        shape = (sizes.names, sizes.members, self.dim)
        radius = 0.5 ** (1 / self.dim)
        spread = 1.5 / np.sqrt(self.dim)
        position = random.normal(0.0, spread, shape)
        extent = random.normal(np.log(radius / (1 - radius)), 0.5, (*shape[:2], 1))
        position[0], extent[0] = 0.0, WHOLE
        roles, more = self.roles.initial(random, sizes, self.dim)
        place = random.normal(0.0, spread, (sizes.individuals, sizes.members, self.dim))
        return {
            "names": {"position": position, "extent": extent, **more},
            "roles": roles,
            "individuals": {"place": place},
        }

    def names(self, parameters: Parameters, ids: Array) -> Meet:
        """The balls of names, by their rows."""
        tables = parameters["names"]
        radius = sigmoid(tables["extent"][ids])
        return (Ball(_inside(tables["position"][ids]) * (1 - radius), radius[..., 0]),)

    def some(self, parameters: Parameters, roles: Array, filler: Meet, names: Array | None) -> Meet:
        """The inverse images of balls; if they are not those of names, of the universe too."""
        scale, shift = self.roles.scale_and_shift(parameters, roles)
        balls = filler if names is not None else (*filler, _universe_like(filler[0]))
        return tuple(
            Ball(bounded((centre - shift) / scale), bounded(radius / scale[..., 0]))
            for centre, radius in balls
        )

    def meet(self, one: Meet, other: Meet) -> Meet:
        """All balls of both."""
        return one + other

    def log_measure(self, region: Meet, temperature: Array | None = None) -> Array:
        """The logarithm of the smallest lens, cut with the universe."""
        array = namespace(region[0].radius)
        balls = (*region, _universe_like(region[0]))
        centres = array.stack([ball.centre for ball in balls], axis=0)
        radii = array.stack([ball.radius for ball in balls], axis=0)
        one, other = np.triu_indices(len(balls), 1)
        small = array.minimum(radii[one], radii[other])
        large = array.maximum(radii[one], radii[other])
        overlap = small + large - _norm(centres[one] - centres[other])
        half = array.minimum(overlap / 2, small)
        if temperature is None:
            return -largest(-_log_hard_lens(small, large, half, self.dim), axis=0)
        from boxsel.models.softness import log_soft_length

        lengths = Lengths(
            *(log_soft_length(length, temperature) for length in (small, large, half))
        )
        return -largest(-log_lens(lengths, self.dim), axis=0)

    def points(self, parameters: Parameters, ids: Array) -> Array:
        """Points of the unit ball."""
        return _inside(parameters["individuals"]["place"][ids])

    def distance(self, region: Meet, points: Array) -> Array:
        """The largest distance from one of the balls, as a part of the universe's diameter."""
        array = namespace(points)
        outside = [_norm(points - centre) - radius for centre, radius in region]
        return array.maximum(largest(array.stack(outside, axis=0), axis=0), 0.0) / 2

    def link_distance(
        self, parameters: Parameters, roles: Array, one: Array, other: Array
    ) -> Array:
        """How far the other point is from where the role leads, as a part of the diameter."""
        scale, shift = self.roles.scale_and_shift(parameters, roles)
        return _norm(one * scale + shift - other) / 2

    def log_tail_share(
        self,
        parameters: Parameters,
        roles: Array,
        filler: Meet,
        subjects: Array,
        temperature: Array | None = None,
    ) -> None:
        """None: the roles of balls are functions."""


def _log_hard_lens(small: Array, large: Array, half: Array, dim: int) -> Array:
    array = namespace(half)
    some = half > 0
    lengths = (array.log(array.where(some, length, 1.0)) for length in (small, large, half))
    return array.where(some, log_lens(Lengths(*lengths), dim), -np.inf)


def _universe_like(ball: Ball) -> Ball:
    array = namespace(ball.radius)
    return Ball(array.zeros_like(ball.centre), array.ones_like(ball.radius))


def _inside(place: Array) -> Array:
    """Any place, drawn into the unit ball."""
    place = bounded(place)
    array = namespace(place)
    return place / array.sqrt(1 + array.sum(place * place, axis=-1, keepdims=True))


def _norm(vector: Array) -> Array:
    """The length of vectors; at zero, with the gradient zero."""
    array = namespace(vector)
    square = array.sum(vector * vector, axis=-1)
    return array.where(square > 0, array.sqrt(array.where(square > 0, square, 1.0)), 0.0)
