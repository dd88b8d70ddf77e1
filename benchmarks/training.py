"""Training: seconds and microseconds a step, beside a plain version, and how they grow.

Run `python benchmarks/training.py --workload person`, `--workload galen`, `--workload populations`
(Person-sized; all steps are run, on any device), or `--scaling`. Ours and the plain version
(`_plain_training.py`) are timed in turns in one process. On a CPU a part of an epoch is timed and
the rest is extrapolated; on a GPU all epochs are run, also by XLA alone, and from the start of a
process to the saved weights.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import _source  # noqa: F401
import jax
import numpy as np
from _floors import floors
from _measuring import save
from _person import galen, person
from _scaling import scaling
from _workloads import Workload, begin, timed

from boxsel.models.batching import Batching
from boxsel.models.compiled import row_errors
from boxsel.models.devices import device_name, on_device
from boxsel.models.further_runs import polished
from boxsel.models.groups import places
from boxsel.models.run import Run, completed

CHILD = Path(__file__).parent / "_training_child.py"
PART = 330
"""How many steps of ours are timed on a CPU; of the plain version, fewer."""

PLAIN_STEPS = 20
ROUNDS = 3


def workload_of(name: str, members: int | None, epochs: int) -> Workload:
    """A workload by its name."""
    if name == "person":
        return Workload(person().task(), members or 60, 32, 512, epochs)
    return Workload(galen(), members or 1, 50, 256, epochs)


def populations(members: int, cells: int, steps: int, last: bool) -> dict[str, object]:
    """All steps of Person-sized populations, compilation included, and how well they fit.

    With the `last` phase, that is timed too, and fits are those after it.
    """
    task = person().task()
    begun = time.process_time()
    first, run = timed(begin(Workload(task, members, cells, 512, steps, "populations")).advanced)
    rest, run = timed(partial(completed, run))
    steps, stride = run.epoch, run.plan.stride
    assert np.isfinite(run.losses).all()
    trained, phase = time.process_time() - begun, 0.0
    if last:
        phase, run = timed(partial(polished, run, "always"))
    ended = time.process_time() - begun - trained
    errors = row_errors(run.plan.objective.representation, run.parameters, task.rows)
    return {
        "axioms": len(task.rows),
        "members": members,
        "cells": cells,
        "steps": steps,
        "first_seconds_with_compilation": round(first, 3),
        "training_seconds": round(first + rest, 3),
        "seconds_of_the_processor": round(trained, 1),
        "microseconds_per_step": round(rest / (steps - stride) * 1e6, 1),
        "last_phase_seconds": round(phase, 1),
        "last_phase_seconds_of_the_processor": round(ended, 1),
        "mean_absolute_error": float(errors.mean.mean()),
        "largest_error_of_the_best": float(errors.largest.min()),
    }


def without_kernel(run: Run) -> Run:
    """The same run by XLA alone."""
    return replace(run, plan=replace(run.plan, kernel=False))


def steps_of(run: Run) -> int:
    """How many steps an advance takes."""
    return run.plan.stride * run.plan.batching.steps


def on_cpu(workload: Workload, reference: bool) -> dict[str, object]:
    """A part of an epoch in turns with the plain version; all epochs by extrapolation."""
    part = workload.first(PART)
    run = begin(part)
    compiled, run = timed(run.advanced)
    times: dict[str, list[float]] = {"ours": [], "plain": []}
    plain = None
    if reference:
        plain = plain_steps(workload.first(PLAIN_STEPS), PLAIN_STEPS)
        print(f"plain: first call {timed(plain)[0]:.1f} s")
    for _ in range(ROUNDS):
        seconds, run = timed(run.advanced)
        times["ours"].append(seconds / steps_of(run) / workload.members)
        if plain is not None:
            times["plain"].append(timed(plain)[0] / PLAIN_STEPS / workload.members)
    each = min(times["ours"])
    result = rates(workload, each)
    result["compilation_seconds"] = round(compiled - each * steps_of(run) * workload.members, 2)
    result["extrapolated_from_steps"] = steps_of(run)
    result["group_sizes"] = list(run.plan.sizes)
    if plain is not None:
        other = min(times["plain"])
        result["plain_microseconds_per_member_step"] = round(other * 1e6, 2)
        result["plain_extrapolated_from_steps"] = PLAIN_STEPS
        result["ratio_to_plain"] = round(other / each, 2)
        result["rounds"] = {
            key: [round(value * 1e6, 1) for value in some] for key, some in times.items()
        }
    return result


def on_gpu(workload: Workload, reference: bool) -> dict[str, object]:
    """All epochs, by the kernels, by XLA and by the plain version."""
    begun = begin(workload)
    result: dict[str, object] = {"kernel": begun.plan.kernel}
    ways = {"ours": begun, "xla": without_kernel(begun)} if begun.plan.kernel else {"ours": begun}
    count = workload.epochs * begun.plan.batching.steps
    for name, run in ways.items():
        first = timed(run.advanced)[0]
        tries = [timed(partial(completed, run)) for _ in range(ROUNDS)]
        seconds, after = min(tries, key=lambda found: found[0])
        assert np.isfinite(after.losses).all()
        found = rates(workload, seconds / count / workload.members)
        found["compilation_seconds"] = round(first - seconds / workload.epochs, 2)
        found["training_seconds"] = round(seconds, 3)
        found["microseconds_per_step"] = round(seconds / count * 1e6, 1)
        found["last_mean_loss"] = float(after.losses[-1].mean())
        found["kernel_used"] = after.plan.kernel
        print(f"{name}: {seconds:.3f} s, {found['microseconds_per_step']} µs a step", flush=True)
        result |= found if name == "ours" else {name: found}
    if reference:
        plain = plain_steps(workload, count)
        first = timed(plain)[0]
        seconds = min(timed(plain)[0] for _ in range(ROUNDS))
        result["plain_seconds"] = round(seconds, 3)
        result["plain_compilation_seconds"] = round(first - seconds, 2)
        result["ratio_to_plain"] = round(seconds / result["training_seconds"], 2)  # type: ignore[operator]
    result["process"] = from_start(workload)
    return result


def plain_steps(workload: Workload, count: int) -> Callable[[], object]:
    """A call that takes so many steps of the plain version."""
    import _plain_training as plain

    run = begin(workload)
    batching = Batching(workload.task.rows, workload.batch, 0, np.float32, whole=True)
    epochs = range(-(-count // batching.steps))
    cut = slice(None, count)
    rows = jax.tree.map(lambda array: jax.device_put(array[cut]), plain.batches(batching, epochs))
    knobs = jax.tree.map(lambda array: array[cut], run.plan.knobs(epochs))
    tables = plain.member_tables(run.parameters)
    return lambda: jax.block_until_ready(plain.train(tables, rows, knobs))  # type: ignore[no-untyped-call]


def rates(workload: Workload, each: float) -> dict[str, object]:
    """What seconds for a step of a member come to."""
    steps = -(-len(workload.task.rows) // workload.batch) * workload.epochs
    return {
        "microseconds_per_member_step": round(each * 1e6, 3),
        "training_seconds": round(each * steps * workload.members, 3),
        "axioms_per_second": round(workload.batch / each),
    }


def from_start(workload: Workload) -> dict[str, object]:
    """A process that imports, builds, trains and saves, timed from outside."""
    with tempfile.TemporaryDirectory() as folder:
        rows, weights = Path(folder) / "rows.npz", Path(folder) / "weights.safetensors"
        table = workload.task.rows
        np.savez(rows, names=table.names, roles=table.roles, lower=table.lower, upper=table.upper)
        options = [str(rows), str(weights), str(workload.members), str(workload.epochs)]
        begun = time.perf_counter()
        done = subprocess.run(
            [sys.executable, str(CHILD), *options],
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.perf_counter() - begun
        if done.returncode:
            return {"failed": done.stderr[-2000:]}
        parts = json.loads(done.stdout.splitlines()[-1])
        size = weights.stat().st_size
    start = seconds - sum(parts.values())
    return {"seconds": round(seconds, 2), "start_and_exit": round(start, 2), **parts, "bytes": size}


def main() -> None:
    """Read the options, measure, print and save."""
    options = argparse.ArgumentParser(description=__doc__)
    choices = ("person", "galen", "populations")
    options.add_argument("--workload", choices=choices, default="person")
    options.add_argument("--cells", type=int, default=64, help="of populations")
    options.add_argument("--steps", type=int, default=1000, help="of populations")
    options.add_argument("--last", action="store_true", help="of populations: the last phase too")
    options.add_argument("--members", type=int)
    options.add_argument("--epochs", type=int, default=20)
    options.add_argument("--reference", action=argparse.BooleanOptionalAction, default=True)
    options.add_argument("--device", choices=("auto", "cpu", "gpu"), default="auto")
    options.add_argument("--scaling", action="store_true")
    chosen = options.parse_args()
    with on_device(chosen.device):
        device = places()[0]
        about: dict[str, object] = {
            "device": device_name(device),
            "devices": len(places()),
            "jax": jax.__version__,
            "load": os.getloadavg(),
        }
        print(f"{about['device']}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        if chosen.scaling:
            save(f"training_scaling_{device.platform}", about | scaling(device.platform))
            return
        if chosen.workload == "populations":
            about |= populations(chosen.members or 60, chosen.cells, chosen.steps, chosen.last)
            for name, value in about.items():
                print(f"{name:40s} {value}")
            save(f"training_populations_{device.platform}", about)
            return
        workload = workload_of(chosen.workload, chosen.members, chosen.epochs)
        measure = on_gpu if device.platform == "gpu" else on_cpu
        found = measure(workload, chosen.reference)
        seconds = float(found["microseconds_per_member_step"]) * workload.members / 1e6  # type: ignore[arg-type]
        found["floors"] = floors(workload, device, seconds)
        about |= {
            "workload": chosen.workload,
            "axioms": len(workload.task.rows),
            "members": workload.members,
            "dimensions": workload.dim,
            "batch": workload.batch,
            "epochs": workload.epochs,
        }
        for name, value in (about | found).items():
            print(f"{name:40s} {value}")
        save(f"training_{chosen.workload}_{device.platform}", about | found)


if __name__ == "__main__":
    main()
