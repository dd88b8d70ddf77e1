"""What members pay beside the losses of their rows."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from boxsel import parse
from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import Batching
from boxsel.models.losses import GAP
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


def test_polishing_asks_for_a_margin() -> None:
    """Equal boxes satisfy an inclusion; while polishing, one should be a little inside."""
    task = Task.of(parse("A SubClassOf B\nDisjointClasses: A, C"))
    boxes = Boxes(10)
    parameters = boxes.initial(np.random.default_rng(0), Sizes(4, 1, 0, 1))
    for table in parameters["names"].values():
        table[2] = table[1]  # A is B
    (rows,) = Batching(task.rows, 512, 0, np.float64).batches(range(1))
    knobs = Knobs(*np.array([1e-5, 0.1, 0.0]))
    with jax.enable_x64(True):
        batch = jax.tree.map(lambda column: jnp.asarray(column[0]), rows)
        plain, polishing = (
            np.asarray(Objective(boxes, polishing=phase).losses(parameters, batch, knobs))
            for phase in (False, True)
        )
    included = np.asarray(batch.lower) == 1
    assert plain[included] == pytest.approx(0.0, abs=1e-12)
    assert polishing[included] == pytest.approx(2 * 10 * GAP)
    assert (polishing >= plain).all()
