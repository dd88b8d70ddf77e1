"""A process that trains the Person-sized workload from rows in a file and saves the weights.

`training.py` starts it and times it from outside; it prints the seconds of its parts.
"""

from __future__ import annotations

import json
import sys
import time


def main(source: str, target: str, members: str, epochs: str) -> None:
    """Import, build, train, save."""
    marks = {}
    last = time.perf_counter()

    def mark(name: str) -> None:
        nonlocal last
        now = time.perf_counter()
        marks[name], last = round(now - last, 3), now

    from pathlib import Path

    import _source  # noqa: F401
    import jax
    import numpy as np
    from _person import CONCEPTS, ROLES, numbering
    from _workloads import Workload, begin

    from boxsel.logic.kb import KB
    from boxsel.models.run import completed
    from boxsel.models.task import Rows, Task
    from boxsel.models.tensors import flattened, to_bytes

    mark("imports")
    jax.devices()
    mark("finding_the_device")
    found = np.load(source)
    rows = Rows(found["names"], found["roles"], found["lower"], found["upper"])
    task = Task(KB(), numbering(CONCEPTS, ROLES), rows)
    run = begin(Workload(task, int(members), 32, 512, int(epochs)))
    mark("building")
    run = run.advanced()
    mark("first_epoch_with_compilation")
    run = completed(run)
    mark("other_epochs")
    Path(target).write_bytes(to_bytes(flattened(run.parameters), {}))
    mark("saving")
    print(json.dumps(marks))


if __name__ == "__main__":
    main(*sys.argv[1:])
