"""The evaluation from ontologies to a report, step by step, in one folder."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from boxsel.errors import BoxselError
from boxsel.evaluation.cells import Cells, Splits, run_missing
from boxsel.evaluation.ontologies.folder import make, prepared, read_manifest
from boxsel.evaluation.ontology import Ontology
from boxsel.evaluation.records import Results
from boxsel.evaluation.scopes import Choices
from boxsel.evaluation.scoring import scored
from boxsel.evaluation.splits.variants import splits_of
from boxsel.evaluation.studies import Planned, Scope, planned, required_optuna, searched
from boxsel.formats.source import write_atomically
from boxsel.machine.locking import locked
from boxsel.machine.progress import note
from boxsel.wording import expect_known

STEPS: Final = ("ontologies", "truths", "answers", "runs", "report")
"""What is done, in this order; each needs what the ones before have left in the folder."""

_BUSY: Final = "evaluating into this folder: wait for it, or use another folder"


@dataclass(frozen=True)
class Evaluated:
    """What an evaluation has found, and which files it wrote.

    `truths` and `runs` are how many were computed now. `missing` are the runs that tables wait for:
    none, unless the step was left out.
    """

    folder: Path
    ontologies: tuple[str, ...]
    truths: int
    runs: int
    missing: int
    results: Results
    files: tuple[Path, ...]
    seconds: Mapping[str, float] = field(default_factory=dict)

    @property
    def failed(self) -> int:
        """How many cells of the tables come from runs that failed."""
        return sum(bool(effort.reason) for effort in self.results.efforts)


def evaluate(
    folder: str | os.PathLike[str],
    choices: Choices = Choices(),  # noqa: B008 - frozen
    *,
    data: str | os.PathLike[str] | None = None,
    device: str = "auto",
    jobs: int | None = None,
    at_once: int = 1,
    steps: Sequence[str] = STEPS,
    date: str | None = None,
    notice: Callable[[str], None] = lambda _: None,
) -> Evaluated:
    """Carry the paper's experiments out, beside exact truth, into a folder.

    What the folder has already is not computed again: a run that was stopped goes on. `data` is the
    folder of the data sets; `jobs` processes compute exact intervals and answers, and so many runs
    are trained `at_once`. A report of earlier steps alone can be made again at any time, with
    `steps=["report"]`.

    Raises:
        BoxselError: A name is unknown, data is missing, or another process is at it.
        WriteError: The folder cannot be written.
    """
    for step in steps:
        expect_known("step", step, STEPS)
    # What is not installed is said before hours of work, not after them.
    if choices.searches and {"runs", "report"} & {*steps}:
        required_optuna()
    if "report" in steps:
        from boxsel.evaluation.report.writing import required_matplotlib

        required_matplotlib()
    if not os.fspath(folder):
        raise BoxselError("the folder of an evaluation has no name: give one")
    target = Path(folder)
    seconds: dict[str, float] = {}
    make(target)
    with locked(target, _BUSY):
        with _timed(seconds, "ontologies"):
            ontologies = prepared(target, choices.ontologies, None if data is None else Path(data))
        scope = choices.scope({name: ontology.digest() for name, ontology in ontologies.items()})
        plan = json.dumps(choices.to_json(), indent=2) + "\n"
        write_atomically(target / "plan.json", plan.encode())
        whole = Run(target, choices, scope, ontologies)
        truths = runs = 0
        if "truths" in steps:
            with _timed(seconds, "truths"):
                truths = whole.compute_truths(jobs, notice)
        if "answers" in steps:
            with _timed(seconds, "answers"):
                runs = whole.compute_answers(jobs or os.cpu_count() or 1)
        if "runs" in steps:
            with _timed(seconds, "runs"):
                runs += whole.compute_runs(device, at_once)
        results, missing = Results(), 0
        files: tuple[Path, ...] = ()
        if "report" in steps:
            with _timed(seconds, "report"):
                results, missing, files = whole.report(date, device)
    return Evaluated(target, tuple(ontologies), truths, runs, missing, results, files, seconds)


@contextmanager
def _timed(seconds: dict[str, float], step: str) -> Iterator[None]:
    """See how long a step takes."""
    note(step)
    start = time.perf_counter()
    yield
    seconds[step] = round(time.perf_counter() - start, 2)
    note("")


class Run:
    """An evaluation with its ontologies at hand."""

    def __init__(
        self, folder: Path, choices: Choices, scope: Scope, ontologies: Mapping[str, Ontology]
    ) -> None:
        self.folder, self.choices, self.scope = folder, choices, scope
        self.ontologies = ontologies
        self.cells = Cells(folder)
        self.splits = Splits(ontologies)
        self.truths = folder / "truths"

    def listed(self) -> list[Planned]:
        """The cells that are known beforehand: all but those of a search."""
        studies = [
            study
            for study in self.choices.studies
            if study != "tuning" or not self.choices.searches
        ]
        return planned(self.scope, studies)

    def planned(self) -> list[Planned]:
        """All cells; of a search, those that it has visited."""
        return [*self.listed(), *(self._visited(None)[0] if self.choices.searches else ())]

    def compute_truths(self, jobs: int | None, notice: Callable[[str], None]) -> int:
        """Find exact intervals, ontology by ontology; how many were computed."""
        from boxsel.evaluation.truths.exact import compute_truths

        found = 0
        for ontology in self.ontologies.values():
            splits = [
                split
                for variant in self.choices.variants
                for seed in self.scope.seeds
                for split in splits_of(ontology, variant, seed)
            ]
            found += compute_truths(
                splits,
                self.truths,
                budget=self.choices.budget,
                per_shape=self.choices.queries,
                jobs=jobs,
                notice=notice,
            )
        return found

    def compute_answers(self, jobs: int) -> int:
        """Let `ask` answer what it has not answered; how many runs there were.

        It needs solvers and a core for each of the `jobs`, and no GPU: so it is a step of its own.
        """
        asked = [plan.work for plan in self.listed() if plan.work.method.seconds is not None]
        return run_missing(asked, self.folder, "cpu", jobs)

    def compute_runs(self, device: str, at_once: int) -> int:
        """Train and ask what is not finished; how many runs there were."""
        works = [plan.work for plan in self.listed() if plan.work.method.seconds is None]
        number = run_missing(works, self.folder, device, at_once)
        return number + (self._visited(device)[1] if self.choices.searches else 0)

    def _visited(self, device: str | None) -> tuple[list[Planned], int]:
        """The points of a search for hyperparameters, and how many of them were run now.

        Without a device none is run: one that is not finished is as bad as can be.
        """
        assert self.choices.trials is not None
        number = 0

        def error(point: Planned) -> float:
            nonlocal number
            if device is not None:
                number += run_missing([point.work], self.folder, device)
            loaded = self.cells.load(point.work)
            if loaded is None:
                return float("inf")
            return max(float(part.effort.get("mae", "inf")) for part in loaded[0])

        visited = [
            point
            for name in self.scope.tuned
            for point in searched(self.scope, name, self.choices.trials, error).visited
        ]
        return visited, number

    def report(self, date: str | None, device: str) -> tuple[Results, int, tuple[Path, ...]]:
        """Compare what is finished with the truths, and write the report."""
        from boxsel.evaluation.about import about
        from boxsel.evaluation.report.writing import write_report

        results, missing = scored(
            self.planned(), self.cells, self.splits, self.truths, self.choices.queries
        )
        unfinished = len(set(missing))
        info = about(
            self.choices,
            self.scope,
            [
                (ontology, read_manifest(self.folder)[name])
                for name, ontology in self.ontologies.items()
            ],
            devices=sorted({effort.device for effort in results.efforts}) or [device],
            date=date or time.strftime("%Y-%m-%d"),
            unfinished=unfinished,
        )
        return results, unfinished, write_report(results, info, self.folder)
