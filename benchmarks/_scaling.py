"""How training time grows with axioms, members and dimensions: exponents, and a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from _person import person
from _workloads import Workload, begin, timed

ROUNDS = 3
AXES = {
    "cpu": {"axioms": (100, 200, 400, 636), "members": (6, 12, 24, 48), "dim": (16, 32, 64, 128)},
    "gpu": {
        "axioms": (100, 200, 400, 636),
        "members": (60, 120, 240, 480),
        "dim": (16, 32, 64, 128),
    },
}
BASE = {"cpu": (12, 32), "gpu": (60, 32)}
"""Members and dimensions where they do not vary."""


def scaling(platform: str) -> dict[str, object]:
    """Seconds for an epoch along each axis, and the exponents of the fitted powers."""
    task = person().task()
    members, dim = BASE[platform]
    found: dict[str, Any] = {}
    for axis, values in AXES[platform].items():
        points = []
        for value in values:
            workload = Workload(task, members, dim, 512, 1)
            if axis == "axioms":
                workload = workload.first(value)
            else:
                chosen = {"members": members, "dim": dim} | {axis: value}
                workload = Workload(task, chosen["members"], chosen["dim"], 512, 1).first(100)
            run = begin(workload)
            run.advanced()
            seconds = min(timed(run.advanced)[0] for _ in range(ROUNDS))
            size = len(workload.task.rows) if axis == "axioms" else value
            points.append((size, seconds))
            print(f"{axis:8s} {size:8,d} {seconds:9.4f} s", flush=True)
        sizes, times = np.array(points).T
        exponent = float(np.polyfit(np.log(sizes), np.log(times), 1)[0])
        print(f"{axis:8s} exponent {exponent:.2f}")
        found[axis] = {"points": points, "exponent": round(exponent, 3)}
    _draw(found, platform)
    return found


def _draw(found: dict[str, Any], platform: str) -> None:
    """The picture, if there is something to draw it with."""
    try:
        import matplotlib as mpl
    except ImportError:
        print("no picture: matplotlib is not installed")
        return
    mpl.use("agg")
    from matplotlib import pyplot

    figure, places = pyplot.subplots(1, len(found), figsize=(9, 3), layout="constrained")
    for place, (axis, some) in zip(places, found.items(), strict=True):
        sizes, seconds = np.array(some["points"]).T
        place.loglog(sizes, seconds, "o-")
        place.loglog(sizes, seconds[-1] * sizes / sizes[-1], ":", color="grey", label="linear")
        place.set_xlabel({"dim": "dimensions"}.get(axis, axis))
        place.set_title(f"exponent {some['exponent']:.2f}")
        place.minorticks_off()
        place.set_xticks(sizes, [f"{size:,.0f}" for size in sizes], fontsize="small")
    places[0].set_ylabel("seconds an epoch")
    places[0].legend(frameon=False)
    path = Path(__file__).parent / "out" / f"training_scaling_{platform}.svg"
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path)
    print(f"drawn to {path.name}")
