"""Batches: every row once an epoch, and what each of them touches."""

from __future__ import annotations

from collections import Counter

import jax.numpy as jnp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel.models.batching import FEW_ROWS, NEVER, Batching, Strata, Stratum, distinct, touched
from boxsel.models.losses import log_shares, row_loss
from boxsel.models.representations.boxes import Boxes
from boxsel.models.representations.representation import Sizes
from boxsel.models.task import Rows

Line = tuple[int, int, int, int, int, int, float, float]
COUNTS = [(1, 1), (5, 2), (6, 3), (40, 7), (300, FEW_ROWS), (300, 1000)]


def random_rows(count: int, seed: int = 0) -> Rows:
    """Rows of all shapes; those that are no disjointness have bounds of their own."""
    random = np.random.default_rng(seed)
    names = random.integers(0, 9, (count, 3)).astype(np.int32)
    roles = (random.integers(0, 4, (count, 3)) * random.integers(0, 2, (count, 3))).astype(np.int32)
    lower = np.arange(count) / 1024
    lower[::5] = 0.0
    upper = np.where(lower > 0, 1.0, 0.0)
    return Rows(names, roles, lower, upper)


def lines(strata: Strata, step: int) -> list[Line]:
    """The rows of a batch, those that fill up included."""
    splitlines: list[Line] = []
    for stratum in strata:
        zero = np.zeros_like(stratum.body)
        columns = [zero if column is None else column for column in stratum[:8]]
        splitlines += [
            (*map(int, slots), float(lower), float(upper))  # type: ignore[misc]
            for *slots, lower, upper in zip(*(column[step] for column in columns), strict=True)
        ]
    return splitlines


def stated(rows: Rows) -> list[Line]:
    return [
        (one, r1, other, r2, head, r3, float(lower), float(upper))
        for (one, other, head), (r1, r2, r3), lower, upper in zip(
            rows.names.tolist(), rows.roles.tolist(), rows.lower, rows.upper, strict=True
        )
    ]


FILLER: Line = (0, 0, 0, 0, 0, 0, 0.0, NEVER)


@pytest.mark.parametrize(("count", "size"), COUNTS)
def test_an_epoch_sees_every_row_once(count: int, size: int) -> None:
    rows = random_rows(count)
    batching = Batching(rows, size, seed=3)
    assert batching.steps == -(-count // size)
    strata = batching.batches(range(2, 4))
    for epoch in range(2):
        steps = range(epoch * batching.steps, (epoch + 1) * batching.steps)
        seen = Counter(line for step in steps for line in lines(strata, step))
        fillers = seen.pop(FILLER, 0)
        assert seen == Counter(stated(rows))
        assert fillers < len(strata) * batching.steps


@pytest.mark.parametrize(("count", "size"), COUNTS)
def test_a_stratum_has_rows_of_one_shape(count: int, size: int) -> None:
    strata = Batching(random_rows(count), size, seed=3).batches(range(1))
    if min(count, size) < FEW_ROWS:
        assert len(strata) == 1
        return
    assert len(strata) > 1
    for stratum in strata:
        used = stratum.upper != NEVER
        assert stratum.second_role is None or stratum.second is not None
        for role in (stratum.body_role, stratum.second_role, stratum.head_role):
            assert role is None or (role[used] > 0).all()
        assert (stratum.apart is not None) == (stratum.upper <= 0).any()
        if stratum.apart is not None:
            assert (stratum.apart == (stratum.upper <= 0)).all()
        if stratum.second is not None and stratum.second_role is None:
            assert (stratum.second[used] > 0).all()


def test_the_order_depends_on_the_seed_and_the_epoch_alone() -> None:
    rows = random_rows(50)

    def order(seed: int, epochs: range) -> list[list[Line]]:
        strata = Batching(rows, 8, seed).batches(epochs)
        return [lines(strata, step) for step in range(len(epochs) * 7)]

    assert order(3, range(4, 5)) == order(3, range(4, 5))
    assert order(3, range(4, 6)) == order(3, range(4, 5)) + order(3, range(5, 6))
    orders = {
        tuple(line for batch in order(seed, range(epoch, epoch + 1)) for line in batch)
        for seed in range(4)
        for epoch in range(4)
    }
    assert len(orders) == 16


def test_what_fills_up_has_no_loss() -> None:
    strata = Batching(random_rows(3), 2, seed=0).batches(range(1))
    boxes = Boxes(2)
    start = boxes.initial(np.random.default_rng(0), Sizes(9, 4, 0, 3))
    parameters = {
        kind: {name: jnp.asarray(table, jnp.float32) for name, table in tables.items()}
        for kind, tables in start.items()
    }
    filled = False
    for stratum in strata:
        for step in range(2):
            rows = Stratum(*(None if column is None else column[step] for column in stratum))
            share = log_shares(boxes, parameters, rows, jnp.float32(0.1))
            lower, upper = rows.lower[:, None], rows.upper[:, None]
            losses = np.asarray(row_loss(share, lower, upper, jnp.float32(0.1)))
            filled |= bool((rows.upper == NEVER).any())
            assert (losses[rows.upper == NEVER] == 0).all()
    assert filled


@pytest.mark.parametrize(("count", "size"), COUNTS)
@pytest.mark.parametrize("always", [[], [7], [8, 2]])
def test_strata_in_terms_of_what_is_touched(count: int, size: int, always: list[int]) -> None:
    strata = Batching(random_rows(count), size, seed=3).batches(range(2))
    rows, local = touched(strata, np.array(always, np.int32))
    assert rows.dtype == np.int32
    for step, table in enumerate(rows):
        assert table[: 1 + len(always)].tolist() == [0, *always]
        used = table[np.flatnonzero(table)]
        assert len(set(used.tolist())) == len(used)
        seen = set(always)
        for before, after in zip(strata, local, strict=True):
            for slot in ("body", "second", "head"):
                if getattr(before, slot) is None:
                    assert getattr(after, slot) is None
                else:
                    names = getattr(before, slot)[step]
                    assert table[getattr(after, slot)[step]].tolist() == names.tolist()
                    seen |= set(names.tolist())
            for one, other in zip(before[5:], after[5:], strict=True):
                assert one is other
        assert set(used.tolist()) == seen - {0}


@given(
    st.integers(0, 8).flatmap(
        lambda width: st.lists(
            st.lists(st.integers(0, 9), min_size=width, max_size=width), min_size=1, max_size=4
        )
    )
)
def test_distinct_numbers_as_a_loop_finds_them(found: list[list[int]]) -> None:
    numbers = [[0, *line] for line in found]
    rows, places = distinct(np.array(numbers))
    for step, line in enumerate(numbers):
        table = list(dict.fromkeys(line))
        assert rows[step].tolist() == table + [0] * (len(line) - len(table))
        assert places[step].tolist() == [table.index(number) for number in line]
