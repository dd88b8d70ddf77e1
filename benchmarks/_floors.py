"""How fast a step could be at all: what it must move, and what it must compute."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
from _workloads import Workload, timed

DATASHEET = {"NVIDIA H200": 67e12, "NVIDIA H100": 67e12, "NVIDIA A100": 19.5e12}
"""Operations a second in single precision, without tensor cores."""

# Counted in the formulas, an exponential, logarithm, root or division as one.
OPERATIONS_A_ROW = 120
OPERATIONS_A_PARAMETER = 25
FLOAT = 4


def floors(workload: Workload, device: jax.Device, seconds: float) -> dict[str, object]:
    """The least seconds of a step by memory and by arithmetic, beside what it took.

    A step can beat the memory floor where its arrays stay in a cache.
    """
    rows, numbering = workload.task.rows, workload.task.numbering
    used = 2 + float((rows.names[:, 1] > 0).mean())
    roles = float((rows.roles > 0).sum(axis=1).mean())
    touched = min(len(numbering.names), used * workload.batch)
    numbers = workload.members * workload.dim
    # Parameters and moments are read and written; corners are read, gradients written and read.
    tables = 2 * 6 * (touched + len(numbering.roles)) * numbers
    slots = 3 * 2 * (used + roles) * workload.batch * numbers
    moved = FLOAT * (tables + slots)
    done = numbers * (OPERATIONS_A_ROW * workload.batch + 2 * OPERATIONS_A_PARAMETER * touched)
    bandwidth, rate = _bandwidth(device), _rate(device)
    return {
        "bytes_per_step": round(moved),
        "bytes_per_step_if_slots_stay_in_the_cache": round(FLOAT * tables),
        "operations_per_step": round(done),
        "measured_copy_gigabytes_per_second": round(bandwidth / 1e9, 1),
        "gigaoperations_per_second": round(rate / 1e9, 1),
        "memory_floor_microseconds": round(moved / bandwidth * 1e6, 2),
        "arithmetic_floor_microseconds": round(done / rate * 1e6, 2),
        "microseconds": round(seconds * 1e6, 2),
        "times_the_memory_floor": round(seconds * bandwidth / moved, 2),
        "times_the_arithmetic_floor": round(seconds * rate / done, 2),
    }


def _bandwidth(device: jax.Device) -> float:
    """Bytes a second that a copy reads and writes."""
    if device.platform == "cpu":  # where a fresh array would cost more than what is in it
        source, target = np.zeros(2**25, np.float32), np.ones(2**25, np.float32)
        best = min(timed(lambda: np.copyto(target, source))[0] for _ in range(5))
        return 2 * source.nbytes / best
    size = 2**28
    array = jax.device_put(np.zeros(size, np.float32), device)
    copy = jax.jit(lambda some: some + 1)
    jax.block_until_ready(copy(array))  # type: ignore[no-untyped-call]
    best = min(timed(lambda: jax.block_until_ready(copy(array)))[0] for _ in range(5))  # type: ignore[no-untyped-call]
    return 2 * FLOAT * size / best


def _rate(device: jax.Device) -> float:
    """Operations a second: the datasheet's, else those of a matrix product."""
    for name, rate in DATASHEET.items():
        if name in str(device.device_kind):
            return rate
    size = 2048
    one = jax.device_put(np.ones((size, size), np.float32), device)
    product = jax.jit(lambda some: jnp.dot(some, some, precision="highest"))
    jax.block_until_ready(product(one))  # type: ignore[no-untyped-call]
    best = min(timed(lambda: jax.block_until_ready(product(one)))[0] for _ in range(3))  # type: ignore[no-untyped-call]
    return float(2 * size**3 / best)
