"""Start-up: seconds from the shell to the answer of commands that need no heavy library.

Run `python benchmarks/startup.py`. `python -c pass` is the floor.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from importlib.resources import files

from _measuring import save

RUNS = 15
CLINIC = str(files("boxsel.examples").joinpath("clinic.sel"))
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import boxsel": ["-c", "import boxsel"],
    "boxsel --version": ["-m", "boxsel", "--version"],
    "boxsel --help": ["-m", "boxsel", "--help"],
    "boxsel show clinic.sel": ["-m", "boxsel", "show", CLINIC],
    "boxsel show clinic.sel --json": ["-m", "boxsel", "show", CLINIC, "--json"],
    "boxsel normalize clinic.sel": ["-m", "boxsel", "normalize", CLINIC],
    "boxsel convert clinic.sel --to json": ["-m", "boxsel", "convert", CLINIC, "--to", "json"],
    "boxsel convert clinic.sel --to owl": ["-m", "boxsel", "convert", CLINIC, "--to", "owl"],
}


def seconds(arguments: list[str]) -> float:
    """The time of one run."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    return time.perf_counter() - start


def main() -> None:
    rows: dict[str, dict[str, float]] = {}
    print(f"{'command':<38} {'median s':>9} {'fastest s':>10}")
    for name, arguments in COMMANDS.items():
        times = [seconds(arguments) for _ in range(RUNS)]
        rows[name] = {
            "median": round(statistics.median(times), 3),
            "fastest": round(min(times), 3),
        }
        print(f"{name:<38} {rows[name]['median']:>9.3f} {rows[name]['fastest']:>10.3f}")
    save("startup", {"runs": RUNS, "seconds": rows})


if __name__ == "__main__":
    main()
