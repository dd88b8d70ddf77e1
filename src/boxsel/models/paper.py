"""The loss of the paper: unnormalised volumes, BoxEL's terms, and two regularisers.

Zhu et al., "Approximating Probabilistic Inference in Statistical EL with Knowledge Graph
Embeddings". Conditionals have the terms of its equations for lower and upper bounds; axioms in EL
normal form those of its appendix on BoxEL; L_loc and L_vol stand in its section on the
implementation.
"""

from __future__ import annotations

import jax.numpy as jnp

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Stratum
from boxsel.models.losses import sides
from boxsel.models.numbering import EVERYTHING
from boxsel.models.representations.boxes import Box
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.settings import Regularisers


def paper_losses(
    boxes: FreeBoxes, parameters: Parameters, rows: Stratum, temperature: Array, margin: float
) -> Array:
    """The term of every row in every member.

    `(D | C)[1]` is an inclusion, by the paper's first lemma. `(D | C)[0]` has no lemma: it has the
    term of its upper bound, Vol(C ∩ D), and only `C ⊓ D ⊑ ⊥` that of BoxEL's disjointness.
    """
    body, head = sides(boxes, parameters, rows)
    whole = boxes.log_measure(body, temperature)
    both = boxes.log_measure(boxes.meet(body, head), temperature)
    lower, upper = rows.lower[:, None], rows.upper[:, None]
    volume, part = jnp.exp(whole), jnp.exp(both)
    stated = jnp.maximum(lower * volume - part, 0.0) + jnp.maximum(part - upper * volume, 0.0)
    inside = both - whole
    if rows.head_role is not None:
        # A ⊑ ∃r.B is measured where the role leads to: T(A) in B, not A in the inverse image.
        image = boxes.image(parameters, rows.head_role, body)
        meeting = boxes.meet(image, boxes.names(parameters, rows.head))
        inside = boxes.log_measure(meeting, temperature) - boxes.log_measure(image, temperature)
    losses = jnp.where(lower >= 1, 1.0 - jnp.exp(inside), stated)
    if rows.apart is None:
        return losses
    # Vol(C ∩ D) / (Vol C + Vol D), without forming a volume that could overflow.
    apart = jnp.exp(both - jnp.logaddexp(whole, boxes.log_measure(head, temperature)))
    emptied = jnp.maximum(head.upper[..., 0] - head.lower[..., 0] + margin, 0.0)
    # C ⊑ ⊥ is the row (C | ⊤)[0].
    nothing = rows.is_single & (rows.body == EVERYTHING)
    apart = jnp.where(nothing[:, None], emptied, apart)
    return jnp.where(rows.apart[:, None] > 0, apart, losses)


def regularisation(
    boxes: FreeBoxes,
    parameters: Parameters,
    temperature: Array,
    margin: float,
    terms: Regularisers = "both",
) -> Array:
    """L_loc and L_vol over the names in work, or one of them, for each member."""
    count, total = parameters["names"]["position"].shape[0], jnp.zeros((), temperature.dtype)
    every = boxes.names(parameters, jnp.arange(1, count))
    if terms in ("location", "both"):
        total += location(every, boxes.side, margin)
    if terms in ("volume", "both"):
        total += volume(boxes, every, temperature, margin)
    return total


def location(box: Box, side: float, margin: float) -> Array:
    """L_loc: how far corners are outside [0, β]."""
    above = jnp.maximum(box.upper - side + margin, 0.0)
    below = jnp.maximum(-box.lower - margin, 0.0)
    return jnp.sum(above + below, axis=(0, -1))


def volume(boxes: FreeBoxes, box: Box, temperature: Array, margin: float) -> Array:
    """L_vol: how much smaller boxes are than [0, β]."""
    volumes = jnp.exp(boxes.log_measure(box, temperature))
    return jnp.sum(jnp.maximum(boxes.side**boxes.dim - volumes - margin, 0.0), axis=0)
