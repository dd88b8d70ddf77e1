"""What members pay beside the losses of their rows."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from boxsel import parse
from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Batching
from boxsel.models.objective import Knobs, Objective
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import Sizes
from boxsel.models.roles.dual_boxes import DualBoxes
from boxsel.models.task import Task


def test_tails_are_trained_in_any_stratum() -> None:
    """Dual boxes: A ⊑ ∃r.B wants B, moved by the bump of A, inside the tail of r."""
    text = "A SubClassOf r some B\n(C | A and B)[0.2, 0.4]\nr some C SubClassOf B"
    task = Task.of(parse(text))
    boxes = Boxes(3, DualBoxes())
    parameters = boxes.initial(np.random.default_rng(0), Sizes(4, 2, 0, 2))
    parameters["roles"]["tail_extent"][1] = -2.0  # a small tail, which not all fits into
    (rows,) = Batching(task.rows, 512, 0).batches(range(1))
    batch = jax.tree.map(lambda column: column[0], rows)
    knobs = Knobs(np.float32(0.1), np.float32(0.1), np.float32(0.0))

    def total(tables: Parameters) -> Array:
        return jnp.sum(Objective(boxes).losses(tables, batch, knobs))

    gradient = jax.grad(total)(parameters)["roles"]
    moved = {name: float(jnp.abs(table[1]).max()) for name, table in gradient.items()}
    assert all(size > 0 for size in moved.values()), moved
