"""Computing the exact truths of many splits into a folder."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

from boxsel.errors import BoxselError, WriteError
from boxsel.evaluation.splits.split import Split
from boxsel.evaluation.truths.exact import asked_places, exact_truths
from boxsel.evaluation.truths.store import append, opened, path_of
from boxsel.evaluation.truths.truth import Truth
from boxsel.machine.locking import locked
from boxsel.machine.processes import side_by_side
from boxsel.machine.progress import track

BUSY: Final = "computing truths into this folder: wait for it"

Task = tuple[Split, tuple[int, ...], float | None, Mapping[int, Truth], Path]


def _warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=2)


def compute_truths(
    splits: Sequence[Split],
    folder: str | os.PathLike[str],
    *,
    budget: float | None = 10.0,
    per_shape: int | None = None,
    jobs: int | None = None,
    notice: Callable[[str], None] = _warn,
) -> int:
    """Find the exact intervals of queries and keep them in a folder; how many were computed.

    Each query has a `budget` of seconds; `per_shape` queries of each kind are drawn, or all. What
    is in the folder already is not computed again, unless the time was over and there is more of it
    now. Splits are computed side by side in so many processes: without a number, one for each core.
    Whenever it is stopped, what was found is kept.

    Raises:
        BoxselError: A number makes no sense; another process is at it; a truth contradicts what was
            counted.
        ReadError: A file is damaged.
        WriteError: The folder cannot be written.
    """
    _check(budget, per_shape, jobs)
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{target}: cannot be written: {error.strerror or error}") from None
    with locked(target, BUSY):
        tasks = [task for one in splits if (task := _task(one, target, budget, per_shape, notice))]
        # The longest first, so that none of them is left alone at the end.
        tasks.sort(key=lambda task: len(task[1]) * len(task[0].learning), reverse=True)
        total = sum(len(places) for _, places, *_ in tasks)
        with closing(side_by_side(_work, tasks, jobs or os.cpu_count() or 1)) as computed:
            return sum(1 for _ in track(computed, "exact intervals", total))


def _check(budget: float | None, per_shape: int | None, jobs: int | None) -> None:
    if budget is not None and not 0 < budget < float("inf"):
        raise BoxselError(f"a budget is a number of seconds above 0, not {budget}")
    for words, number in (("queries of each kind", per_shape), ("processes", jobs)):
        if number is not None and number < 1:
            raise BoxselError(f"the number of {words} must be at least 1, not {number}")


def _task(
    split: Split,
    folder: Path,
    budget: float | None,
    per_shape: int | None,
    notice: Callable[[str], None],
) -> Task | None:
    """What is left to do for a split, if there is anything."""
    known = opened(split, folder, per_shape, notice)
    places = tuple(
        place
        for place in asked_places(split, per_shape).tolist()
        if place not in known or not known[place].settled(budget)
    )
    earlier = {place: known[place] for place in places if place in known}
    return (split, places, budget, earlier, path_of(split, folder)) if places else None


def _work(
    split: Split,
    places: tuple[int, ...],
    budget: float | None,
    earlier: Mapping[int, Truth],
    path: Path,
) -> Iterator[int]:
    """Compute the truths of a split and write each of them; tell its place."""
    for truth in exact_truths(split, places, budget=budget, earlier=earlier):
        append(path, truth)
        yield truth.place
