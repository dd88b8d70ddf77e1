"""Hinges on the corners of boxes: inclusion and disjointness as geometry, not as a share.

Volumes know an inclusion only as p = 1, and a soft volume is content with p just below it. But a
small concept may live in just the part that sticks out. So the last phase of training asks for
containment itself, and for a real gap between disjoint boxes.
"""

from __future__ import annotations

import jax.numpy as jnp

from boxsel.models.arrays import Array
from boxsel.models.representations.box import Box

GAP = 1e-5
"""How far inside, or apart, boxes should end: more than rounding can undo."""


def outside(body: Box, head: Box, gap: float = 0.0) -> Array:
    """How far a body sticks out of a head, summed over sides; a head may touch the universe."""
    below = _hinge(head.lower - body.lower + jnp.where(head.lower > 0, gap, 0.0))
    above = _hinge(body.upper - head.upper + jnp.where(head.upper < 1, gap, 0.0))
    return jnp.sum(below + above, axis=-1)


def overlap(one: Box, other: Box, gap: float = 0.0) -> Array:
    """How far two boxes must move to be apart, along the dimension where that is least.

    A share of zero says less: as the overlap shrinks, its volume stops pulling long before a
    small concept has no room in it.
    """
    depth = jnp.minimum(one.upper - other.lower, other.upper - one.lower)
    # An empty box is apart from everything.
    side = jnp.minimum(one.upper - one.lower, other.upper - other.lower)
    return _hinge(_least(jnp.minimum(depth, side)) + gap)


def slack(body: Box, head: Box) -> Array:
    """How far a body is inside a head, at the nearest side; 0 unless it is inside.

    The share of such a body is 1 and has no slope, however wrong it is: a bound below 1 needs
    another reason to move.
    """
    room = jnp.minimum(body.lower - head.lower, head.upper - body.upper)
    return _hinge(_least(room))


def _least(lengths: Array) -> Array:
    """The least over dimensions; its gradient goes to one of them, also after compilation."""
    place = jnp.argmin(lengths, axis=-1, keepdims=True)
    return jnp.take_along_axis(lengths, place, axis=-1)[..., 0]


def _hinge(amount: Array) -> Array:
    """[x]⁺ with slope 0 at 0: what is satisfied does not pull."""
    return jnp.where(amount > 0, amount, 0.0)
