"""Which LP engine solves the restricted programmes of column generation fastest.

Run `python benchmarks/lp_engines.py`. `masters/` holds programmes as column generation meets them
on its way through `_generators.dense(200, 500, 1)`: rows, and the types that were taken in. Each is
solved as it was 64 types earlier, from nothing, minimising violations, and again with these
types, as column generation does. OR-tools' MathOpt brings GLOP, HiGHS and PDLP.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

from _measuring import save
from ortools.math_opt.python import mathopt

from boxsel.exact.compile.problem import Goal, Row
from boxsel.exact.lp.master import Master
from boxsel.exact.lp.solver import LinearProgramme

FOLDER = Path(__file__).parent / "masters"
LATEST = 64
SECONDS = 120


@dataclass(frozen=True)
class Stored:
    """A restricted programme: rows, and the types in the order in which they were taken in."""

    rows: tuple[Row, ...]
    kinds: tuple[int, ...]
    goal: Goal

    def columns(self) -> list[list[tuple[int, float]]]:
        """The entries of each type; the last row is the norm."""
        master = Master(self.rows, self.goal, ())
        for kind in self.kinds:
            master.add(kind)
        bounds = [row.bound.denominator for row in self.rows]
        return [
            [(row, entry / bounds[row]) for row, entry in entries.items()]
            + [(len(self.rows), 1.0)] * member
            for entries, member in zip(master.coefficients, master.members, strict=True)
        ]


def load(name: str) -> Stored:
    """A stored programme by its name."""
    data = json.loads(gzip.decompress((FOLDER / f"{name}.json.gz").read_bytes()))
    rows = tuple(
        Row(number, side, int(body, 16), int(both, 16), Fraction(bound))
        for number, (side, body, both, bound) in enumerate(data["rows"])
    )
    kinds = tuple(int(kind, 16) for kind in data["kinds"])
    return Stored(rows, kinds, Goal(int(data["goal"], 16)))


@dataclass(frozen=True)
class Solved:
    """Seconds to build, from nothing, and with the latest types; and the least violation."""

    engine: str
    build: float
    cold: float
    warm: float
    violation: float


def by_wrapper(parameters: str) -> Callable[[int, Sequence[list[tuple[int, float]]]], Solved]:
    """Our wrapper around GLOP."""

    def run(rows: int, columns: Sequence[list[tuple[int, float]]]) -> Solved:
        start = time.perf_counter()
        programme = LinearProgramme(parameters)
        for _ in range(rows):
            programme.add_row(0.0)
        programme.add_row(1.0, 1.0)
        for row in range(rows):
            programme.add_column([(row, 1.0)], gain=-1.0)
        for entries in columns[:-LATEST]:
            programme.add_column(entries)
        built = time.perf_counter()
        assert programme.solve()
        cold = time.perf_counter()
        for entries in columns[-LATEST:]:
            programme.add_column(entries)
        assert programme.solve()
        end = time.perf_counter()
        return Solved("", built - start, cold - built, end - cold, -programme.value)

    return run


def by_mathopt(
    solver: mathopt.SolverType, parameters: mathopt.SolveParameters
) -> Callable[[int, Sequence[list[tuple[int, float]]]], Solved]:
    """MathOpt, which keeps the model and the solver between solves."""

    def run(rows: int, columns: Sequence[list[tuple[int, float]]]) -> Solved:
        start = time.perf_counter()
        model = mathopt.Model()
        lines = [model.add_linear_constraint(lb=0.0) for _ in range(rows)]
        lines.append(model.add_linear_constraint(lb=1.0, ub=1.0))
        violations = [model.add_variable(lb=0.0) for _ in range(rows)]
        for line, violation in zip(lines, violations, strict=False):
            line.set_coefficient(violation, 1.0)
            model.objective.set_linear_coefficient(violation, 1.0)

        def add(some: Sequence[list[tuple[int, float]]]) -> None:
            for entries in some:
                weight = model.add_variable(lb=0.0)
                for row, entry in entries:
                    lines[row].set_coefficient(weight, entry)

        add(columns[:-LATEST])
        incremental = mathopt.IncrementalSolver(model, solver)
        built = time.perf_counter()
        incremental.solve(params=parameters)
        cold = time.perf_counter()
        add(columns[-LATEST:])
        result = incremental.solve(params=parameters)
        end = time.perf_counter()
        found = result.has_primal_feasible_solution()
        value = result.objective_value() if found else float("nan")
        return Solved("", built - start, cold - built, end - cold, value)

    return run


def engines() -> dict[str, Callable[[int, Sequence[list[tuple[int, float]]]], Solved]]:
    """The engines by name."""
    limit = timedelta(seconds=SECONDS)
    off = mathopt.Emphasis.OFF
    calm = "use_preprocessing: false change_status_to_imprecise: false use_scaling: false"
    kinds = mathopt.SolverType
    return {
        "GLOP, primal, as we call it": by_wrapper(calm),
        "GLOP, dual": by_wrapper(f"{calm} use_dual_simplex: true"),
        "MathOpt GLOP, without scaling and presolve": by_mathopt(
            kinds.GLOP, mathopt.SolveParameters(presolve=off, scaling=off, time_limit=limit)
        ),
        "MathOpt GLOP, its defaults": by_mathopt(
            kinds.GLOP, mathopt.SolveParameters(time_limit=limit)
        ),
        "MathOpt HiGHS, simplex": by_mathopt(
            kinds.HIGHS, mathopt.SolveParameters(time_limit=limit)
        ),
        "MathOpt HiGHS, interior point with crossover": by_mathopt(
            kinds.HIGHS,
            mathopt.SolveParameters(lp_algorithm=mathopt.LPAlgorithm.BARRIER, time_limit=limit),
        ),
        "MathOpt PDLP, no basis": by_mathopt(kinds.PDLP, mathopt.SolveParameters(time_limit=limit)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--masters", nargs="*", default=["few", "some"])
    names = parser.parse_args().masters
    rows: list[dict[str, object]] = []
    for name in names:
        stored = load(name)
        columns = stored.columns()
        print(f"{name}: {len(stored.rows)} rows, {len(columns)} types")
        print(f"  {'':<46}{'build':>8}{'cold':>8}{'warm':>8}  violation")
        for engine, run in engines().items():
            solved = run(len(stored.rows), columns)
            row = {**asdict(solved), "engine": engine, "master": name}
            rows.append(row)
            print(
                f"  {engine:<46}{solved.build:8.2f}{solved.cold:8.2f}{solved.warm:8.2f}"
                f"  {solved.violation:.6f}",
                flush=True,
            )
    save("lp_engines", {"solved": rows})


if __name__ == "__main__":
    main()
