"""The paper's loss: each term against its formula, on volumes in NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from boxsel.models.arrays import Array, Parameters
from boxsel.models.batching import NEVER, Stratum
from boxsel.models.losses import log_shares, violation
from boxsel.models.paper import location, paper_losses, regularisation, volume
from boxsel.models.representations.free_boxes import FreeBoxes
from boxsel.models.representations.representation import Sizes
from tests.depth import cases

Corners = tuple[NDArray[np.float64], NDArray[np.float64]]
MEMBERS, MARGIN = 3, 0.01
C, D, E = 1, 2, 3
SIZES = Sizes(names=4, roles=2, individuals=0, members=MEMBERS)


def random_boxes(dim: int, side: float, seed: int) -> tuple[FreeBoxes, Parameters]:
    boxes = FreeBoxes(dim, side=side)
    random = np.random.default_rng(seed)
    start = boxes.initial(random, SIZES)
    start["names"]["position"][1:] = side * random.uniform(-0.2, 0.5, (3, MEMBERS, dim))
    start["names"]["extent"][1:] = np.log(side * random.uniform(0.3, 0.8, (3, MEMBERS, dim)))
    return boxes, start


class Direct:
    """Boxes and volumes as the paper writes them."""

    def __init__(self, parameters: Parameters, member: int, temperature: float) -> None:
        names, roles = parameters["names"], parameters["roles"]
        self.lower = names["position"][:, member]
        self.upper = self.lower + np.exp(names["extent"][:, member])
        self.scale, self.shift = np.exp(roles["scale"][1, member]), roles["shift"][1, member]
        self.temperature = temperature

    def box(self, name: int) -> Corners:
        return self.lower[name], self.upper[name]

    def image(self, box: Corners) -> Corners:
        return box[0] * self.scale + self.shift, box[1] * self.scale + self.shift

    def preimage(self, box: Corners) -> Corners:
        return (box[0] - self.shift) / self.scale, (box[1] - self.shift) / self.scale

    def vol(self, *boxes: Corners) -> Any:
        lower = np.maximum.reduce([box[0] for box in boxes])
        upper = np.minimum.reduce([box[1] for box in boxes])
        t = self.temperature
        return np.prod(t * np.logaddexp(0, (upper - lower) / t))

    def contained(self, inner: list[Corners], outer: Corners) -> Any:
        return 1 - self.vol(*inner, outer) / self.vol(*inner)


def row(
    body: tuple[int, int],
    head: tuple[int, int],
    bounds: tuple[float, float],
    second: int | None = None,
    apart: bool = False,
) -> Stratum:
    def one(number: int) -> NDArray[np.int32]:
        return np.array([number], np.int32)

    return Stratum(
        one(body[0]),
        one(body[1]) if body[1] else None,
        None if second is None else one(second),
        None,
        one(head[0]),
        one(head[1]) if head[1] else None,
        np.array([bounds[0]]),
        np.array([bounds[1]]),
        np.ones(1) if apart else None,
    )


ONE, ZERO = (1.0, 1.0), (0.0, 0.0)
TERMS: dict[str, tuple[Stratum, Callable[[Direct], Any]]] = {
    "NF1": (row((C, 0), (D, 0), ONE), lambda d: d.contained([d.box(C)], d.box(D))),
    "NF2": (
        row((C, 0), (E, 0), ONE, second=D),
        lambda d: d.contained([d.box(C), d.box(D)], d.box(E)),
    ),
    "NF3": (row((C, 0), (D, 1), ONE), lambda d: d.contained([d.image(d.box(C))], d.box(D))),
    "NF4": (row((C, 1), (D, 0), ONE), lambda d: d.contained([d.preimage(d.box(C))], d.box(D))),
    "empty": (
        row((0, 0), (C, 0), ZERO, apart=True),
        lambda d: max(0, d.box(C)[1][0] - d.box(C)[0][0] + MARGIN),
    ),
    "disjoint": (
        row((C, 0), (D, 0), ZERO, apart=True),
        lambda d: d.vol(d.box(C), d.box(D)) / (d.vol(d.box(C)) + d.vol(d.box(D))),
    ),
    "zero": (row((C, 0), (D, 0), ZERO), lambda d: d.vol(d.box(C), d.box(D))),
    "zero of a conjunction": (
        row((C, 0), (E, 0), ZERO, second=D),
        lambda d: d.vol(d.box(C), d.box(D), d.box(E)),
    ),
    "zero of a role": (
        row((C, 0), (D, 1), ZERO),
        lambda d: d.vol(d.box(C), d.preimage(d.box(D))),
    ),
    "lower": (
        row((C, 0), (D, 0), (0.9, 0.95)),
        lambda d: (
            max(0.9 * d.vol(d.box(C)) - d.vol(d.box(C), d.box(D)), 0)
            + max(d.vol(d.box(C), d.box(D)) - 0.95 * d.vol(d.box(C)), 0)
        ),
    ),
    "upper": (
        row((C, 0), (D, 0), (0.0, 0.05)),
        lambda d: max(d.vol(d.box(C), d.box(D)) - 0.05 * d.vol(d.box(C)), 0),
    ),
    "PNF2": (
        row((C, 0), (E, 0), (0.99, 0.995), second=D),
        lambda d: max(0.99 * d.vol(d.box(C), d.box(D)) - d.vol(d.box(C), d.box(D), d.box(E)), 0),
    ),
    "PNF3": (
        row((C, 1), (D, 0), (0.0, 0.1)),
        lambda d: max(d.vol(d.preimage(d.box(C)), d.box(D)) - 0.1 * d.vol(d.preimage(d.box(C))), 0),
    ),
    "PNF4": (
        row((C, 0), (D, 1), (0.0, 0.1)),
        lambda d: max(d.vol(d.box(C), d.preimage(d.box(D))) - 0.1 * d.vol(d.box(C)), 0),
    ),
}


@pytest.mark.parametrize("name", TERMS)
@pytest.mark.parametrize("side", [1.0, 2.5])
def test_terms_are_those_of_the_paper(name: str, side: float) -> None:
    stratum, formula = TERMS[name]
    boxes, start = random_boxes(2, side, seed=7)
    with jax.enable_x64(True):
        tables = jax.tree.map(jnp.asarray, start)
        found = paper_losses(boxes, tables, stratum, jnp.asarray(0.2), MARGIN)
    wanted = [formula(Direct(start, member, 0.2)) for member in range(MEMBERS)]
    np.testing.assert_allclose(found[0], wanted, rtol=1e-9, atol=1e-12)
    assert max(wanted) > 0


def test_regularisers_are_those_of_the_paper() -> None:
    side, dim = 2.5, 2
    boxes, start = random_boxes(dim, side, seed=7)
    with jax.enable_x64(True):
        tables = jax.tree.map(jnp.asarray, start)
        every = boxes.names(tables, np.arange(1, 4))
        warmth = jnp.asarray(0.2)
        where = location(every, side, MARGIN)
        large = volume(boxes, every, warmth, MARGIN)
        both = regularisation(boxes, tables, warmth, MARGIN)
    for member in range(MEMBERS):
        direct = Direct(start, member, 0.2)
        l_loc = sum(
            max(direct.upper[name, i] - side + MARGIN, 0) + max(-direct.lower[name, i] - MARGIN, 0)
            for name in (C, D, E)
            for i in range(dim)
        )
        l_vol = sum(max(side**dim - direct.vol(direct.box(name)) - MARGIN, 0) for name in (C, D, E))
        assert where[member] == pytest.approx(l_loc)
        assert large[member] == pytest.approx(l_vol)
        assert both[member] == pytest.approx(l_loc + l_vol)
    assert np.asarray(where).max() > 0
    assert np.asarray(large).min() > 0


def test_what_fills_up_has_no_loss() -> None:
    boxes, start = random_boxes(2, 1.0, seed=7)
    stratum = row((0, 0), (0, 0), (0.0, NEVER))
    with jax.enable_x64(True):
        tables = jax.tree.map(jnp.asarray, start)
        losses = paper_losses(boxes, tables, stratum, jnp.asarray(0.2), MARGIN)
    assert (np.asarray(losses) == 0).all()


def test_large_volumes_stay_finite_in_double_precision() -> None:
    boxes, start = random_boxes(32, 10.0, seed=7)
    one = np.ones(3, np.int32)
    lower, upper = np.array([[1.0, 0.0, 0.3], [1.0, 0.0, 0.4]])
    stratum = Stratum(C * one, one, D * one, 0 * one, E * one, one, lower, upper)

    def total(parameters: Parameters, temperature: Array) -> Array:
        losses = paper_losses(boxes, parameters, stratum, temperature, MARGIN)
        return losses.sum() + regularisation(boxes, parameters, temperature, MARGIN).sum()

    with jax.enable_x64(True):
        step = jax.jit(jax.value_and_grad(total))
        for temperature in (1.0, 1e-2):
            value, slopes = step(start, jnp.asarray(temperature))
            assert np.isfinite(value)
            assert all(np.isfinite(slope).all() for slope in jax.tree.leaves(slopes))


GRID = [-0.25, 0.0, 0.25, 0.5]


def test_deterministic_rows_have_the_zeros_of_our_loss() -> None:
    """In hard volumes, and where the body is not empty: there the ratio has no value."""
    random = np.random.default_rng(0)
    shown = {name: set[bool]() for name in ("NF1", "NF2", "NF3", "NF4", "disjoint", "zero")}
    with jax.enable_x64(True):
        for _ in range(30):
            boxes, start = random_boxes(1, 1.0, seed=0)
            # Corners on a grid, so that boxes often contain or avoid each other.
            start["names"]["position"][1:] = random.choice(GRID, (3, MEMBERS, 1))
            start["names"]["extent"][1:] = np.log(random.choice([0.25, 0.5, 1.0], (3, MEMBERS, 1)))
            start["roles"]["scale"][1] = np.log(2.0)
            start["roles"]["shift"][1] = random.choice(GRID, (MEMBERS, 1))
            tables = jax.tree.map(jnp.asarray, start)
            for name, seen in shown.items():
                stratum = TERMS[name][0]
                theirs = np.asarray(paper_losses(boxes, tables, stratum, None, MARGIN))
                share = jnp.exp(log_shares(boxes, tables, stratum, None))
                ours = np.asarray(violation(share, stratum.lower[:, None], stratum.upper[:, None]))
                defined = ~np.isnan(ours)
                zero = np.abs(theirs[defined]) < 1e-9
                np.testing.assert_array_equal(zero, ours[defined] < 1e-9)
                seen |= set(zero.tolist())
    assert all(seen == {True, False} for seen in shown.values())


QUARTERS = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])


@given(
    st.lists(st.sampled_from(GRID), min_size=12, max_size=12),
    st.lists(st.sampled_from([0.25, 0.5, 1.0]), min_size=12, max_size=12),
    st.tuples(QUARTERS, QUARTERS).map(lambda ends: (min(ends), max(ends))),
    st.sampled_from(["plain", "conjunction", "left role", "right role"]),
)
@settings(max_examples=cases(40))
def test_a_term_that_is_zero_means_satisfied(
    corners: list[float], sides: list[float], bounds: tuple[float, float], shape: str
) -> None:
    """The paper's second lemma, for its own terms and for (D | C)[0] and (D | C)[1] as well.

    Satisfaction is that of its definition, l·Vol(C) ≤ Vol(C ∩ D) ≤ u·Vol(C), in whole sixteenths.
    """
    boxes, start = random_boxes(2, 1.0, seed=0)
    start["names"]["position"][1:] = np.array(corners).reshape(2, 3, 2).swapaxes(0, 1)[:, [0, 1, 1]]
    start["names"]["extent"][1:] = np.log(sides).reshape(2, 3, 2).swapaxes(0, 1)[:, [0, 1, 1]]
    start["roles"]["scale"][1], start["roles"]["shift"][1] = np.log(2.0), 0.25
    stratum = {
        "plain": row((C, 0), (D, 0), bounds),
        "conjunction": row((C, 0), (E, 0), bounds, second=D),
        "left role": row((C, 1), (D, 0), bounds),
        "right role": row((C, 0), (D, 1), bounds),
    }[shape]
    with jax.enable_x64(True):
        tables = jax.tree.map(jnp.asarray, start)
        losses = np.asarray(paper_losses(boxes, tables, stratum, None, MARGIN))[0]
    for member, loss in enumerate(losses[:2]):
        exact = Hard(start, member)
        c, d, e = map(exact.box, (C, D, E))
        body, head = {
            "plain": ([c], d),
            "conjunction": ([c, d], e),
            "left role": ([exact.preimage(c)], d),
            "right role": ([c], exact.preimage(d)),
        }[shape]
        whole, part = exact.vol(*body), exact.vol(*body, head)
        satisfied = bounds[0] * whole <= part <= bounds[1] * whole
        if abs(loss) < 1e-12:
            assert satisfied
        elif whole > 0:  # the ratio of an inclusion has no value in an empty body
            assert not satisfied


class Hard(Direct):
    """The same with hard volumes, of corners that are rounded to the grid: no number is off."""

    def __init__(self, parameters: Parameters, member: int) -> None:
        super().__init__(parameters, member, 0.0)
        self.upper, self.scale = np.round(self.upper * 4) / 4, np.round(self.scale)

    def vol(self, *boxes: Corners) -> Any:
        lower = np.maximum.reduce([box[0] for box in boxes])
        upper = np.minimum.reduce([box[1] for box in boxes])
        return np.prod(np.maximum(upper - lower, 0.0))
