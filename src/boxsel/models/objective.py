"""What training minimises: the losses of rows, and what is added for assertions and queries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Strata, Stratum
from boxsel.models.block_losses import block_losses
from boxsel.models.box_gradients import RowLosses
from boxsel.models.box_gradients import gradients as box_gradients
from boxsel.models.concept_shapes import Shape
from boxsel.models.losses import (
    GAP,
    log_share,
    log_shares,
    outside,
    overlap,
    row_loss,
    sides,
    slack,
)
from boxsel.models.measuring import shares
from boxsel.models.numbering import NO_ROLE
from boxsel.models.paper import paper_losses, regularisation
from boxsel.models.representations.boxes import Box, Boxes
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.populations import Populations
from boxsel.models.representations.representation import Representation
from boxsel.models.settings import Regularisers, Weighting

SMALL_DIMENSION = 8
"""Up to this dimension, boxes get inside each other by chance."""


class Knobs(NamedTuple):
    """What a schedule turns while training goes on: the temperature, the rate, the push."""

    temperature: Array
    rate: Array
    push: Array


class Asked(NamedTuple):
    """Queries of one shape: the rows of the names and roles of each, and where they push members.

    The direction has a row for each query and a column for each member: +1 is up, −1 down, and 0
    not at all.
    """

    names: Array
    roles: Array
    direction: Array


class Extras(NamedTuple):
    """What is added to the losses of rows in every step.

    Assertions as rows of individuals and names or roles; queries that push members; and rows that
    are in every step.
    """

    instances: Array
    links: Array
    asked: Asked
    rows: Strata = ()


@dataclass(frozen=True)
class Objective:
    """The loss of every row in every member, and what each member pays besides.

    `pushed` is the shape of the queries that push members, if some do. `regularisers` are those of
    the paper's two that its loss has: printed, they stand once beside the sum over all axioms, so
    each of the `steps` that an epoch has pays a part of them, unless `weighting` is by step. While
    `polishing`, deterministic axioms should hold with a margin. `closed`: whether gradients of
    boxes may be taken in closed form. That is written for CPUs; GPUs scatter its long lines slowly,
    and do better with what automatic differentiation makes.
    """

    representation: Representation
    pushed: tuple[Shape, Shape] | None = None
    margin: float = 0.0
    regularisers: Regularisers = "both"
    polishing: bool = False
    closed: bool = True
    weighting: Weighting = "epoch"
    steps: int = 1

    def gradients(
        self, parameters: Parameters, strata: Strata, knobs: Knobs, extras: Extras
    ) -> tuple[RowLosses, Parameters]:
        """The losses of rows in each member, and the gradient of all that it pays."""
        if self._in_closed_form:
            losses, found = box_gradients(parameters, strata, knobs.temperature)
            if self.pushed is None and not len(extras.instances) and not len(extras.links):
                return losses, found
            more = jax.grad(lambda tables: jnp.sum(self.extra(tables, knobs, extras)))(parameters)
            return losses, jax.tree.map(jnp.add, found, more)

        def total(tables: Parameters) -> tuple[Array, RowLosses]:
            parts = list(self._summed(tables, (*strata, *extras.rows), knobs))
            losses = RowLosses(
                sum(part.total for part in parts),
                jnp.stack([part.largest for part in parts]).max(axis=0),
            )
            return jnp.sum(losses.total) + jnp.sum(self.extra(tables, knobs, extras)), losses

        found, losses = jax.grad(total, has_aux=True)(parameters)
        return losses, found

    def _summed(self, parameters: Parameters, rows: Strata, knobs: Knobs) -> Iterator[RowLosses]:
        """The losses of rows in each member, and the largest, shape by shape."""
        how, warmth, soft = self.representation, knobs.temperature, None
        for some in rows:
            if isinstance(how, Populations) and some.lower.ndim > 1:
                # Names are in many bodies: their memberships are computed once.
                soft = soft or how.softened(parameters, warmth)
                yield block_losses(soft, some, warmth)
            else:
                each = self.losses(parameters, some, knobs)
                yield RowLosses(each.sum(axis=0), each.max(axis=0))

    def losses(self, parameters: Parameters, rows: Stratum, knobs: Knobs) -> Array:
        """The losses of rows of one shape in all members."""
        how, warmth = self.representation, knobs.temperature
        if isinstance(how, FreeBoxes):
            return paper_losses(how, parameters, rows, warmth, self.margin)
        if isinstance(how, Populations):
            logarithms = log_shares(how, parameters, rows, warmth)
            return row_loss(
                logarithms, rows.lower.reshape(-1, 1), rows.upper.reshape(-1, 1), warmth
            )
        body, head = sides(how, parameters, rows)
        logarithms = log_share(how, body, head, warmth)
        lower, upper = rows.lower[:, None], rows.upper[:, None]
        losses = row_loss(logarithms, lower, upper, warmth) + self._tails(parameters, rows, warmth)
        if isinstance(how, Boxes):
            losses += self._hinges(body, head, rows)
        return losses

    def _tails(self, parameters: Parameters, rows: Stratum, warmth: Array) -> Array:
        """What inclusions `A ⊑ ∃r.B` pay in a representation whose roles have tails."""
        nothing = jnp.zeros((), rows.lower.dtype)
        if rows.head_role is None:
            return nothing
        how = self.representation
        filler = how.names(parameters, rows.head)
        tails = how.log_tail_share(parameters, rows.head_role, filler, rows.body, warmth)
        if tails is None:
            return nothing
        said = (rows.lower >= 1) & (rows.head_role != NO_ROLE) & rows.is_single
        return jnp.where(said[:, None], 1.0 - jnp.exp(tails), 0.0)

    def _hinges(self, body: Box, head: Box, rows: Stratum) -> Array:
        """What boxes pay for where their corners are."""
        gap = GAP if self.polishing else 0.0
        lower, upper = rows.lower[:, None], rows.upper[:, None]
        total = jnp.zeros((), body.lower.dtype)
        if rows.apart is not None:
            total += rows.apart[:, None] * overlap(body, head, gap)
        if self.polishing:
            total += jnp.where(lower >= 1, outside(body, head, gap), 0.0)
        if self._small:
            total += jnp.where(upper < 1, slack(body, head), 0.0)
        return total

    @property
    def _small(self) -> bool:
        """Whether boxes get inside each other by chance."""
        return self.representation.dim <= SMALL_DIMENSION

    @property
    def _in_closed_form(self) -> bool:
        how = self.representation
        fits = isinstance(how, Boxes) and how.is_model and not self._small
        return self.closed and fits and not self.polishing

    def extra(self, parameters: Parameters, knobs: Knobs, extras: Extras) -> Array:
        """What each member pays besides: regularisation, assertions, the push of a query."""
        total = self._assertions(parameters, extras) + self._push(parameters, knobs, extras)
        if isinstance(self.representation, FreeBoxes):
            warmth = knobs.temperature
            how, terms = self.representation, self.regularisers
            every = self.steps if self.weighting == "epoch" else 1
            total += regularisation(how, parameters, warmth, self.margin, terms) / every
        return total

    def _assertions(self, parameters: Parameters, extras: Extras) -> Array:
        how = self.representation
        total = jnp.zeros((), next(iter(parameters["names"].values())).dtype)
        if len(extras.instances):
            points = how.points(parameters, extras.instances[:, 0])
            regions = how.names(parameters, extras.instances[:, 1])
            total = total + jnp.sum(how.distance(regions, points), axis=0)
        if len(extras.links):
            one, role, other = extras.links.T
            ends = how.points(parameters, one), how.points(parameters, other)
            total = total + jnp.sum(how.link_distance(parameters, role, *ends), axis=0)
        return total

    def _push(self, parameters: Parameters, knobs: Knobs, extras: Extras) -> Array:
        if self.pushed is None:
            return jnp.zeros((), knobs.push.dtype)
        names, roles, direction = extras.asked
        rows = ([*names.T], [*roles.T])
        share = shares(self.representation, parameters, self.pushed, *rows, knobs.temperature)
        return -knobs.push * jnp.sum(direction * share, axis=0)
