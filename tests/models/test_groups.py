"""Groups of members: where and beside what they are trained does not matter."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import jax
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boxsel import examples
from boxsel.models import groups
from boxsel.models.fit import prepared
from boxsel.models.groups import CACHED, even_sizes, joined, sizes_for_cache, split
from boxsel.models.run import Run, begun, completed
from boxsel.models.settings import Settings
from boxsel.models.task import Task

# Two thirds of the members in a group of their own size each, and a rest.
SETTINGS = Settings(members=5, dim=16, epochs=3, batch=4, tolerance=0)
SIZES = (2, 2, 1)
CLINIC = Task.of(examples.load("clinic"))
MANY = st.integers(1, 200)


def begun_run(sizes: Sequence[int] = SIZES, sparse: bool = False, dtype: type = np.float32) -> Run:
    """A run before its first step, in groups of these sizes."""
    run = prepared(CLINIC, SETTINGS)
    batching = replace(run.plan.batching, dtype=dtype)
    plan = replace(run.plan, sizes=tuple(sizes), sparse=sparse, dtype=dtype, batching=batching)
    return begun(plan, run.parameters)


def trained(sizes: Sequence[int] = SIZES, sparse: bool = False, dtype: type = np.float32) -> Run:
    """A run at its end."""
    return completed(begun_run(sizes, sparse, dtype))


def numbers(run: Run) -> bytes:
    return b"".join(np.asarray(leaf).tobytes() for leaf in jax.tree.leaves(run.state))


@pytest.fixture(scope="module")
def straight() -> Run:
    return trained()


@given(MANY, st.integers(1, 2 * CACHED))
def test_groups_fit_into_the_cache(members: int, each: int) -> None:
    sizes = sizes_for_cache(members, each)
    assert sum(sizes) == members
    assert max(sizes) - min(sizes) <= 1
    assert max(sizes) == 1 or max(sizes) * each <= CACHED
    # They are not much smaller than they could be.
    assert len(sizes) == 1 or 4 * max(sizes) * each > CACHED or max(sizes) * 2 >= members


@given(MANY, MANY)
def test_even_sizes(members: int, count: int) -> None:
    sizes = even_sizes(members, count)
    assert sum(sizes) == members
    assert len(sizes) == min(members, count)
    assert max(sizes) - min(sizes) <= 1


@pytest.mark.parametrize("sizes", [(5,), (2, 2, 1), (1, 4)])
@pytest.mark.parametrize("sparse", [False, True])
def test_to_join_undoes_to_split(sizes: tuple[int, ...], sparse: bool) -> None:
    state = begun_run((5,), sparse).state
    parts = split(state, sizes)
    assert [len(part.active) for part in parts] == list(sizes)
    again = joined(parts)
    for one, other in zip(jax.tree.leaves(state), jax.tree.leaves(again), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("sparse", [pytest.param(False, marks=pytest.mark.deep), True])
def test_the_size_of_groups_matters_only_for_rounding(sparse: bool) -> None:
    """In double precision: steps of Adam make more of rounding with each step."""
    whole, apart = (trained(sizes, sparse, np.float64) for sizes in ((3, 2), (2, 3)))
    assert [group.packed is not None for group in apart.groups] == [sparse] * 2
    np.testing.assert_allclose(whole.losses, apart.losses, rtol=1e-6)


@pytest.mark.parametrize("cores", [1, 3])
def test_the_number_of_threads_does_not_matter(
    straight: Run, monkeypatch: pytest.MonkeyPatch, cores: int
) -> None:
    monkeypatch.setattr(groups, "_cores", lambda: cores)
    assert numbers(trained()) == numbers(straight)


def test_errors_of_groups_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(group: int) -> None:
        raise ZeroDivisionError(group)

    run = prepared(CLINIC, SETTINGS)
    with pytest.raises(ZeroDivisionError):
        groups.side_by_side(run.groups, broken, lambda _: None, run.plan.precision)


PROGRAM = """
import sys
import jax
if len(sys.argv) > 1:
    jax.distributed.initialize(sys.argv[1], num_processes=2, process_id=int(sys.argv[2]))
from tests.models.test_groups import numbers, trained
run = trained()
places = {leaf.device for group in run.groups for leaf in jax.tree.leaves(group)
          if isinstance(leaf, jax.Array)}
print("FOUND", len(places), numbers(run).hex())
"""


def started(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    """A process that trains as `trained` does."""
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments],
        env={**os.environ, "JAX_PLATFORMS": "cpu", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def found(process: subprocess.Popen[str]) -> tuple[int, bytes]:
    try:
        output, problems = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 0, problems
    (line,) = (line for line in output.splitlines() if line.startswith("FOUND"))
    _, places, text = line.split()
    return int(places), bytes.fromhex(text)


def test_the_number_of_devices_does_not_matter(straight: Run) -> None:
    flags = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=4"
    places, elsewhere = found(started(XLA_FLAGS=flags))
    assert places == len(SIZES), "every group is on a device of its own"
    assert elsewhere == numbers(straight)


@pytest.mark.deep
def test_the_number_of_hosts_does_not_matter(straight: Run) -> None:
    with socket.socket() as free:
        free.bind(("localhost", 0))
        address = f"localhost:{free.getsockname()[1]}"
    hosts = [started(address, str(number)) for number in range(2)]
    for _, elsewhere in [found(host) for host in hosts]:
        assert elsewhere == numbers(straight)
